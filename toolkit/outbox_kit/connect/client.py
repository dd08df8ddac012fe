"""Kafka Connect's REST API: one method for each endpoint we use; `session` has the credentials and TLS.

Every call here has the same effect twice as once, so what is transient is simply tried again. No answer is trusted: how
long it takes, how long it is and what it looks like is bounded, and a redirect is refused.
"""

import json as json_text
import logging
import random
import time
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit, urlunsplit

import requests

from outbox_kit import deadline
from outbox_kit.connect import answers
from outbox_kit.connect.credentials import ConnectAccess, constant, from_environment
from outbox_kit.connect.redact import redact, remember, shortened
from outbox_kit.connect.session import CREDENTIALS, Workers, explained, root
from outbox_kit.errors import ConnectRefused, ConnectUnreachable
from outbox_kit.waiting import waiting_for

CONNECT_SECONDS = 5
READ_SECONDS = 95  # the worker itself gives up after 90
RETRY_SECONDS = 60.0
UNREACHABLE_TRIES = 3
LONGEST_BYTES = 16 << 20  # of an answer; a validation, the longest, has half a megabyte
PIECE_BYTES = 64 << 10
LONGEST_WORDS, LONGEST_PAGE = 2000, 300  # characters of a worker's message, and of a page in its place

# 409 also says "already exists"; only these texts mean that the group is rebalancing
TRANSIENT_CONFLICTS = ("rebalance", "no known leader", "stale configuration", "conflicting operation")
TRANSIENT_FAILURES = ("IO Error trying to forward", "Request timed out", "rebalance is expected")
GATEWAY = {502, 503, 504}
OFFSETS = "use a newer worker: stored offsets can be read from Kafka 3.5 on, and changed from 3.6 on"

MAY_TAKE_EFFECT = "; the worker may still carry the request out: see outbox-kit status"
WITHOUT_KAFKA = "; a worker that does not reach its Kafka brokers does not answer either"

LOG = logging.getLogger(__name__)

Config = dict[str, str]
Parse = Callable[[Any], Any]


class Answer(NamedTuple):
    """An answer that was read to its end."""

    status: int
    body: bytes
    location: str
    """Where a redirect leads."""

    @property
    def text(self) -> str:
        """The body, whatever it is."""
        return self.body.decode(errors="replace")

    def document(self) -> Any:
        """The body as JSON, None if it is empty. Raises Malformed."""
        if not self.body.strip():
            return None
        try:
            return json_text.loads(self.body)
        except (ValueError, RecursionError):
            raise answers.Malformed("JSON", f"{len(self.body):,} bytes of something else") from None


class TooLong(Exception):
    """An answer without an end."""


class Connect:
    """One Connect cluster. Absence is None; a refusal is an exception."""

    def __init__(
        self,
        url: str,
        *,
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        access: ConnectAccess | None = None,
    ) -> None:
        """url: its REST address, or those of several workers, separated by commas; user and password in it are used and
        never shown. access: in place of user, password and token. Raises UsageProblem.
        """
        basic, bearer = (constant(secret) if secret else None for secret in (password, token))
        self._workers = Workers(url, access or ConnectAccess(user or "", basic, bearer))
        self.patience_seconds = 0.0
        """How long a worker that does not answer, such as one that starts, is asked again."""

    @property
    def url(self) -> str:
        """The address of the worker that is asked, without credentials."""
        return self._workers.url

    @classmethod
    def from_environment(cls, url: str) -> "Connect":
        """Credentials, certificates and headers from the variables OUTBOX_KIT_CONNECT_*; see `credentials`."""
        return cls(url, access=from_environment())

    def worker(self) -> dict[str, Any]:
        """Version and Kafka cluster of the worker that answers."""
        version: dict[str, Any] = self._call("GET", parse=answers.worker)
        return version

    def plugins(self) -> list[dict[str, Any]]:
        """The connectors, converters, transformations and predicates of the worker that answers."""
        plugins: list[dict[str, Any]] = self._call(
            "GET", "connector-plugins?connectorsOnly=false", parse=answers.plugins
        )
        return plugins

    def connectors(self) -> dict[str, Config]:
        """The config of every connector by its name, references unresolved."""
        configs: dict[str, Config] = self._call("GET", "connectors?expand=info", parse=answers.connectors)
        for config in configs.values():
            remember(config)
        return configs

    def config(self, connector: str) -> Config | None:
        """The config that the worker holds, references unresolved and without the name, or None."""
        config: Config | None = self._call("GET", "connectors", connector, "config", missing=None, parse=answers.config)
        if config is None:
            return None
        remember(config)
        return {key: value for key, value in config.items() if key != "name"}

    def validate(self, config: Config, connector: str) -> dict[str, list[str]]:
        """Each key with its errors, as the connector's class sees them; empty if it has none."""
        plugin = config["connector.class"]
        body = {**config, "name": connector}
        path = "connector-plugins", plugin, "config", "validate"
        errors: dict[str, list[str]] = self._call("PUT", *path, json=body, parse=answers.validation)
        return {name: [redact(e, config) for e in errors] for name, errors in errors.items() if errors}

    def put_config(self, connector: str, config: Config) -> None:
        """Create or replace a connector's config."""
        self._call("PUT", "connectors", connector, "config", json=config, parse=answers.written)

    def create(self, connector: str, config: Config) -> None:
        """Create a connector, once: the same one that exists already, such as by a request without an answer, is kept.

        Raises ConnectRefused where a connector of that name has another config.
        """
        body = {"name": connector, "config": {**config, "name": connector}}
        try:
            self._call("POST", "connectors", json=body, parse=answers.written)
        except ConnectRefused:
            if self.config(connector) != {key: value for key, value in config.items() if key != "name"}:
                raise

    def create_stopped(self, connector: str, config: Config) -> None:
        """Create a connector in state STOPPED; one that exists is left as it is.

        Raises ConnectRefused, before Kafka 3.7 too.
        """
        body = {"name": connector, "config": {**config, "name": connector}, "initial_state": "STOPPED"}
        try:
            self._call("POST", "connectors", json=body, parse=answers.written)
        except ConnectRefused:
            if self.config(connector) is None:
                raise

    def status(self, connector: str) -> dict[str, Any] | None:
        """State of the connector and its tasks, or None. Stale for a moment after every write."""
        status: dict[str, Any] | None = self._call(
            "GET", "connectors", connector, "status", missing=None, parse=answers.status
        )
        return status

    def task_configs(self, connector: str) -> list[Config]:
        """The config that each task was given last, references unresolved; empty if there is no task."""
        configs: list[Config] = self._call(
            "GET", "connectors", connector, "tasks", missing=[], parse=answers.task_configs
        )
        for config in configs:
            remember(config)
        return configs

    def restart_failed(self, connector: str) -> None:
        """Restart what failed of a connector and its tasks; nothing else."""
        self._call("POST", "connectors", connector, "restart?includeTasks=true&onlyFailed=true")

    def restart(self, connector: str) -> None:
        """Restart a connector and all its tasks."""
        self._call("POST", "connectors", connector, "restart?includeTasks=true&onlyFailed=false")

    def pause(self, connector: str) -> None:
        """Ask for PAUSED: tasks stay and publish nothing. Takes effect a moment later."""
        self._call("PUT", "connectors", connector, "pause")

    def resume(self, connector: str) -> None:
        """Let a paused or stopped connector run. Takes effect a moment later."""
        self._call("PUT", "connectors", connector, "resume")

    def stop(self, connector: str) -> None:
        """Ask for STOPPED: no tasks, config and offsets kept. Takes effect a moment later."""
        self._call("PUT", "connectors", connector, "stop")

    def delete(self, connector: str) -> None:
        """Delete a connector; one that is not there is as good as deleted. Its offsets stay."""
        self._call("DELETE", "connectors", connector, missing=None)

    def offsets(self, connector: str) -> list[dict[str, Any]]:
        """The stored source offsets; empty until the first are flushed. Raises ConnectRefused before Kafka 3.5."""
        offsets: list[dict[str, Any]] = self._call(
            "GET", "connectors", connector, "offsets", missing=[], parse=answers.offsets
        )
        return offsets

    def set_offset(self, connector: str, partition: Mapping[str, Any], offset: Mapping[str, Any]) -> None:
        """Replace a stored offset of a stopped connector. Raises ConnectRefused, before Kafka 3.6 too."""
        body = {"offsets": [{"partition": partition, "offset": offset}]}
        self._call("PATCH", "connectors", connector, "offsets", json=body)

    def reset_offsets(self, connector: str) -> None:
        """Forget the stored offsets of a stopped connector. Raises ConnectRefused, of one that is not there too."""
        self._call("DELETE", "connectors", connector, "offsets")

    def topics(self, connector: str) -> list[str]:
        """The topics that a connector has written to."""
        topics: list[str] = self._call(
            "GET", "connectors", connector, "topics", missing=[], parse=answers.topics(connector)
        )
        return topics

    def log_level(self, logger: str) -> str | None:
        """The level of a logger of the worker that answers; None if it has none of its own."""
        level: str | None = self._call("GET", "admin", "loggers", logger, missing=None, parse=answers.log_level)
        return level

    def set_log_level(self, logger: str, level: str) -> None:
        """Set the level of a logger and of those below it, on all workers. Raises ConnectRefused before Kafka 3.7."""
        self._call("PUT", "admin", "loggers", f"{logger}?scope=cluster", json={"level": level}, parse=answers.anything)

    def _call(
        self,
        method: str,
        *path: str,
        json: Mapping[str, Any] | None = None,
        missing: Any = ...,
        parse: Parse = answers.acknowledgement,
    ) -> Any:
        """The parsed answer, or `missing` where one is given and the worker says that there is no such thing."""
        *folders, last = path or ("",)
        tail, question, query = last.partition("?")
        where = "/".join(quote(part, safe="") for part in (*folders, tail)) + question + query
        request = f"{method} {'/'.join(path)}".strip()
        try:
            answer = self._answer(method, where, json)
            if answer.status == 404 and missing is not ... and answers.missing(_document(answer)):
                return missing
            if answer.status // 100 == 3:
                raise self._redirected(request, answer)
            if answer.status // 100 != 2:
                what = f"Kafka Connect refused {request} with {answer.status}"
                fix = (
                    OFFSETS if answer.status in (404, 405) and path[-1:] == ("offsets",) else _next_step(answer.status)
                )
                raise ConnectRefused(what, where=self.url, why=_words(answer, json), fix=fix)
            return parse(answer.document())
        except answers.Malformed as cause:
            raise self._unexpected(request, str(cause)) from None
        except TooLong:
            raise self._unexpected(request, f"it is longer than {LONGEST_BYTES >> 20} MB") from None

    def _unexpected(self, request: str, why: str) -> ConnectRefused:
        what, fix = (
            f"unexpected answer to {request}",
            "check that --connect is a Kafka Connect worker",
        )
        return ConnectRefused(what, where=self.url, why=why, fix=fix)

    def _redirected(self, request: str, answer: Answer) -> ConnectRefused:
        """A redirect is not followed: the config and the credentials are for the address that was named."""
        what = f"unexpected answer to {request}: a redirect ({answer.status})"
        try:
            parts = urlsplit(answer.location)
            target = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        except ValueError:
            target = ""
        why = f"it redirects to {target}" if target else "it names no target"
        return ConnectRefused(what, where=self.url, why=why, fix="give the worker's own address: --connect URL")

    def _answer(self, method: str, where: str, json: Mapping[str, Any] | None) -> Answer:
        """Try until the answer is final. Raises ConnectUnreachable, OutOfTime, TooLong."""
        with waiting_for(f"Kafka Connect at {self.url}"):
            return self._final_answer(method, where, json)

    def _final_answer(self, method: str, where: str, json: Mapping[str, Any] | None) -> Answer:
        until, patience = time.monotonic() + RETRY_SECONDS, time.monotonic() + self.patience_seconds
        failures = repeated = 0
        while True:
            try:
                answer = self._whole_answer(method, where, json, deadline.allowed(READ_SECONDS))
            except (requests.RequestException, HTTPException, OSError, ValueError) as cause:
                failures += 1
                if (refusal := explained(cause)) is not None:
                    what = "no TLS connection to Kafka Connect"
                    raise ConnectUnreachable(what, where=self.url, why=redact(refusal.why), fix=refusal.fix) from cause
                why = redact(root(cause))
                last = failures >= UNREACHABLE_TRIES * self._workers.count and time.monotonic() > patience
                if last or deadline.left() <= 0:
                    raise ConnectUnreachable(
                        "Kafka Connect does not answer",
                        where=self.url,
                        why=why + _after_timeout(method, cause),
                        fix="check that the worker runs, and its REST address: --connect URL, or OUTBOX_KIT_CONNECT",
                    ) from cause
                self._workers.next()
            else:
                if not _transient(answer) or time.monotonic() > until or deadline.left() <= 0:
                    return answer
                why = f"status {answer.status}"
            LOG.debug("%s again: %s", method, why)
            repeated += 1
            time.sleep(0.3 + random.random() * min(2.0, 0.3 * 2 ** min(repeated, 8)))  # noqa: S311 - so that clients spread

    def _whole_answer(self, method: str, where: str, json: Mapping[str, Any] | None, seconds: float) -> Answer:
        """One answer, whole. Raises TimeoutError where it takes longer, TooLong, or what the client raises."""
        until = time.monotonic() + seconds

        def ask() -> Answer:
            limits = min(CONNECT_SECONDS, seconds), seconds
            with self._workers.session.request(
                method, f"{self.url}/{where}", json=json, timeout=limits, allow_redirects=False, stream=True
            ) as answer:
                body = bytearray()
                for piece in answer.iter_content(PIECE_BYTES):
                    body += piece
                    if len(body) > LONGEST_BYTES:
                        raise TooLong
                    if time.monotonic() > until:
                        raise TimeoutError(f"the answer did not end in {seconds:.0f} s")
                return Answer(answer.status_code, bytes(body), answer.headers.get("Location", ""))

        return deadline.answered(ask, seconds)


def _transient(answer: Answer) -> bool:
    body = answer.text if answer.status in (409, 500) else ""
    return (
        answer.status in GATEWAY
        or (answer.status == 409 and any(text in body.lower() for text in TRANSIENT_CONFLICTS))
        or (answer.status == 500 and any(text in body for text in TRANSIENT_FAILURES))
    )


def _document(answer: Answer) -> Any:
    """The body as JSON, None where it is something else."""
    try:
        return answer.document()
    except answers.Malformed:
        return None


def _words(answer: Answer, submitted: Mapping[str, Any] | None) -> str:
    """What the worker said, without secrets; a proxy may have said it in HTML."""
    document = _document(answer)
    message = document.get("message") if isinstance(document, dict) else None
    text, most = (message, LONGEST_WORDS) if isinstance(message, str) else (answer.text, LONGEST_PAGE)
    config = (submitted or {}).get("config", submitted)
    options = {key: value for key, value in (config or {}).items() if isinstance(value, str)}
    return " ".join(redact(shortened(text), options).split())[:most]


def _next_step(status: int) -> str:
    steps = {
        401: f"give credentials in {CREDENTIALS}",
        403: "use credentials that may manage connectors on this cluster",
        404: "check --connect: the address of a Kafka Connect worker, with the path before /connectors if there is one",
        409: "the workers keep rebalancing: see their logs, then run the command again",
    }
    return steps.get(status, "")


def _after_timeout(method: str, cause: Exception) -> str:
    """What to add to the cause of a request without an answer. method: of HTTP."""
    if not isinstance(cause, TimeoutError):
        return ""
    return WITHOUT_KAFKA + ("" if method == "GET" else MAY_TAKE_EFFECT)
