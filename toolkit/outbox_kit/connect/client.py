"""Kafka Connect's REST API: one method for each endpoint we use. The only speaker of `requests`.

Every call here has the same effect twice as once, so what is transient is simply tried again.
"""

import os
import random
import time
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import requests

from outbox_kit.connect.redact import redact
from outbox_kit.errors import ConnectRefused, ConnectUnreachable

CONNECT_SECONDS = 5
READ_SECONDS = 95  # the worker itself gives up after 90
RETRY_SECONDS = 60.0
UNREACHABLE_TRIES = 3

# 409 also says "already exists"; only these texts mean that the group is rebalancing
TRANSIENT_CONFLICTS = ("rebalance", "no known leader", "stale configuration", "conflicting operation")
TRANSIENT_FAILURES = ("IO Error trying to forward", "Request timed out", "rebalance is expected")
GATEWAY = {502, 503, 504}

Config = dict[str, str]


class Connect:
    """One Connect cluster. Absence is None; a refusal is an exception."""

    def __init__(
        self, url: str, *, user: str | None = None, password: str | None = None, token: str | None = None
    ) -> None:
        """url: its REST address; user and password in it are used and never shown."""
        parts = urlsplit(url)
        self.url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])).rstrip("/")
        self._session = requests.Session()
        name, secret = user or parts.username, password or parts.password
        if token:
            self._session.headers["Authorization"] = f"Bearer {token}"
        elif name:
            self._session.auth = (name, secret or "")

    @classmethod
    def from_environment(cls, url: str) -> "Connect":
        """Credentials from OUTBOX_KIT_CONNECT_USER and _PASSWORD, or _TOKEN; a CA from REQUESTS_CA_BUNDLE."""
        given = {key: os.environ.get(f"OUTBOX_KIT_CONNECT_{key.upper()}") for key in ("user", "password", "token")}
        return cls(url, **given)

    def worker(self) -> dict[str, Any]:
        """Version and Kafka cluster of the worker that answers."""
        found: dict[str, Any] = self._call("GET")
        return found

    def config(self, connector: str) -> Config | None:
        """The config that the worker holds, references unresolved and without the name, or None."""
        found: Config | None = self._call("GET", "connectors", connector, "config", missing_is_none=True)
        return None if found is None else {key: value for key, value in found.items() if key != "name"}

    def validate(self, config: Config, connector: str) -> dict[str, list[str]]:
        """Each key with its errors, as the connector's class sees them; empty if it has none."""
        plugin = config["connector.class"]
        body = {**config, "name": connector}
        found = self._call("PUT", "connector-plugins", plugin, "config", "validate", json=body)
        entries = [entry["value"] for entry in found["configs"] if entry.get("value")]
        return {entry["name"]: [redact(e, config) for e in entry["errors"]] for entry in entries if entry["errors"]}

    def put_config(self, connector: str, config: Config) -> None:
        """Create or replace a connector's config."""
        self._call("PUT", "connectors", connector, "config", json=config)

    def status(self, connector: str) -> dict[str, Any] | None:
        """State of the connector and its tasks, or None. Stale for a moment after every write."""
        found: dict[str, Any] | None = self._call("GET", "connectors", connector, "status", missing_is_none=True)
        return found

    def restart_failed(self, connector: str) -> None:
        """Restart what failed of a connector and its tasks; nothing else."""
        self._call("POST", "connectors", connector, "restart?includeTasks=true&onlyFailed=true")

    def stop(self, connector: str) -> None:
        """Ask for STOPPED: no tasks, config and offsets kept. Takes effect a moment later."""
        self._call("PUT", "connectors", connector, "stop")

    def delete(self, connector: str) -> None:
        """Delete a connector; one that is not there is as good as deleted. Its offsets stay."""
        self._call("DELETE", "connectors", connector, missing_is_none=True)

    def offsets(self, connector: str) -> list[dict[str, Any]]:
        """The stored source offsets; empty until the first are flushed, or where the worker cannot say (before 3.5)."""
        found = self._call("GET", "connectors", connector, "offsets", missing_is_none=True)
        return list(found["offsets"]) if found else []

    def reset_offsets(self, connector: str) -> None:
        """Forget the stored offsets of a stopped connector."""
        self._call("DELETE", "connectors", connector, "offsets", missing_is_none=True)

    def topics(self, connector: str) -> list[str]:
        """The topics that a connector has written to."""
        found = self._call("GET", "connectors", connector, "topics", missing_is_none=True)
        return sorted(found.get(connector, {}).get("topics", [])) if found else []

    def _call(self, method: str, *path: str, json: Config | None = None, missing_is_none: bool = False) -> Any:
        *folders, last = path or ("",)
        tail, question, query = last.partition("?")
        where = "/".join([self.url, *(quote(part, safe="") for part in (*folders, tail))]) + question + query
        answer = self._answer(method, where, json)
        if answer.status_code == 404 and missing_is_none:
            return None
        if not answer.ok:
            what = f"Kafka Connect refused {method} {'/'.join(path)} with {answer.status_code}"
            raise ConnectRefused(what, where=self.url, why=_words(answer, json), fix=_next_step(answer.status_code))
        return answer.json() if answer.content else None

    def _answer(self, method: str, where: str, json: Config | None) -> requests.Response:
        """Try until the answer is final. Raises ConnectUnreachable."""
        deadline = time.monotonic() + RETRY_SECONDS
        failures = 0
        while True:
            try:
                answer = self._session.request(method, where, json=json, timeout=(CONNECT_SECONDS, READ_SECONDS))
            except requests.RequestException as cause:
                failures += 1
                if failures >= UNREACHABLE_TRIES:
                    raise ConnectUnreachable(
                        "Kafka Connect does not answer",
                        where=self.url,
                        why=redact(_root(cause)),
                        fix="name its REST address: --connect URL, or OUTBOX_KIT_CONNECT",
                    ) from cause
            else:
                if not _transient(answer) or time.monotonic() > deadline:
                    return answer
            time.sleep(0.3 + random.random() * min(2.0, 0.3 * 2**failures))  # noqa: S311 - so that clients spread


def _transient(answer: requests.Response) -> bool:
    said = answer.text if answer.status_code in (409, 500) else ""
    return (
        answer.status_code in GATEWAY
        or (answer.status_code == 409 and any(text in said.lower() for text in TRANSIENT_CONFLICTS))
        or (answer.status_code == 500 and any(text in said for text in TRANSIENT_FAILURES))
    )


def _words(answer: requests.Response, submitted: Config | None) -> str:
    """What the worker said, without secrets; a proxy may have said it in HTML."""
    try:
        said = str(answer.json()["message"])
    except (ValueError, KeyError, TypeError):
        said = answer.text[:300]
    return " ".join(redact(said, submitted).split())


def _next_step(status: int) -> str:
    steps = {
        401: "give credentials in OUTBOX_KIT_CONNECT_USER and OUTBOX_KIT_CONNECT_PASSWORD, or OUTBOX_KIT_CONNECT_TOKEN",
        403: "ask for the right to manage connectors on this cluster",
        404: "is this a Kafka Connect worker, and is the path before /connectors right?",
        409: "the cluster kept rebalancing; look at the workers, then try again",
    }
    return steps.get(status, "")


def _root(error: BaseException) -> str:
    """The innermost reason of a chain of exceptions."""
    while error.__context__ is not None:
        error = error.__context__
    return str(error) or type(error).__name__
