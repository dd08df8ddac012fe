"""Register a connector and wait until it runs: validate, plan, write, wait. `report` takes a line for each step."""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from outbox_kit.connect.causes import explain
from outbox_kit.connect.client import Config, Connect
from outbox_kit.connect.plan import ConfigChange, between, masked, neutral, refuse_unsafe, shown
from outbox_kit.connect.status import ConnectorStatus, connector_status, failure, halted
from outbox_kit.errors import ConfigRefused, ConnectorUnhealthy, ConnectRefused, OutOfTime
from outbox_kit.versions import Version
from outbox_kit.waiting import waiting_for

Report = Callable[[str], None]

NOT_THERE_SECONDS = 30.0  # status is 404 for a while after a connector was made
STALE_RUNNING_SECONDS = 3.0  # and shows the state from before a change or a restart for a moment
STALE_FAILED_SECONDS = 30.0  # a busy worker takes long to start a task again
NO_DATABASE = ("Connection to", "Connection refused", "UnknownHostException", "timed out", "authentication failed")
DIGEST_LENGTH = 16
"""Hexadecimal digits of a digest, which a person copies."""


@dataclass
class Deployment:
    """What is to be done, and was done."""

    connector: str
    action: str = "none"
    """create, update, restart or none."""
    edits: list[ConfigChange] = field(default_factory=list)
    resumed: bool = False
    """Whether a paused or stopped connector is to be resumed."""
    before: ConnectorStatus | None = None
    tasks: list[Config] = field(default_factory=list)
    """The configs of the tasks before an update: a task runs with its own one until it is given another."""
    after: ConnectorStatus | None = None
    cluster: str = ""
    """The id of the Kafka cluster that the worker is of."""
    live: Config | None = None
    """The config that was read; None if there is no connector of that name."""
    config: Config = field(default_factory=dict)
    """The config that is to be written."""
    neutral: list[ConfigChange] = field(default_factory=list)
    """The differences that change no behaviour: they alone are no reason to write."""
    masked: list[str] = field(default_factory=list)
    """The keys whose live value is masked."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return self.action == "none" and not self.resumed

    @property
    def restorable(self) -> bool:
        """Whether the previous config can be put back, and ran: one with masked values cannot."""
        return self.action == "update" and not self.masked and self.before is not None and self.before.running


def digest(deployments: Sequence[Deployment]) -> str:
    """A short hash of what is to be done: names, cluster, the live configs and those to write, and the actions.

    Secrets that are written out are hashed as `***`, so that nobody can guess one by its digest.
    """
    facts = [
        [each.connector, each.cluster, each.action, each.resumed, shown(each.live), shown(each.config)]
        for each in sorted(deployments, key=lambda each: each.connector)
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:DIGEST_LENGTH]


def planned(
    connect: Connect,
    name: str,
    config: Config,
    *,
    release: Version | None = None,
    cluster: str = "",
    resume: bool = False,
) -> Deployment:
    """What a deployment would do to a connector. Only reads. release: of Debezium, whose defaults hold."""
    live = connect.config(name)
    edits = between(live, config, release)
    before = connector_status(connect.status(name), config) if live is not None else None
    action = "create" if live is None else "update" if edits else "restart" if before and before.failed else "none"
    return Deployment(
        name,
        action,
        edits,
        resume and before is not None and before.halted,
        before,
        cluster=cluster,
        live=live,
        config=config,
        neutral=neutral(live, config, release) if live is not None else [],
        masked=masked(live, config),
    )


def await_worker(connect: Connect, seconds: float) -> None:
    """Wait until a worker answers for itself: one that starts answers 404 with a page until its REST API is there.

    seconds: how long. Raises ConnectRefused, ConnectUnreachable.
    """
    until = time.monotonic() + seconds
    connect.patience_seconds = seconds
    with waiting_for(f"the worker at {connect.url} to start"):
        while True:
            try:
                connect.worker()
            except ConnectRefused:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)
            else:
                return


def prepare(connect: Connect, name: str, config: Config, *, allow_destructive: bool, report: Report) -> Deployment:
    """Validate the config and plan the change; writes nothing.

    Raises ConfigRefused, ConnectorUnhealthy (the worker cannot reach the database), UnsafeChange.
    """
    deployment = planned(connect, name, config)
    validate(connect, name, config)
    report("Kafka Connect accepted the configuration")
    if not allow_destructive:
        refuse_unsafe(name, deployment.edits)
    return deployment


def validate(connect: Connect, name: str, config: Config) -> None:
    """Raise ConfigRefused with every error of Kafka Connect's validation."""
    complaints = connect.validate(config, name)
    if not complaints:
        return
    lines = [f"  {key}: {' '.join(error.split())}" for key, errors in complaints.items() for error in errors]
    text = "\n".join(lines)
    cause = explain(text)
    kind = ConnectorUnhealthy if any(sign in text for sign in NO_DATABASE) else ConfigRefused
    raise kind(
        f"Kafka Connect rejected the configuration of '{name}'; nothing was changed",
        where=connect.url,
        why=cause.means if cause else "",
        fix=cause.fix if cause else "correct the schema file, then run outbox-kit deploy-connector again",
        details=lines,
    )


def write(connect: Connect, deployment: Deployment, config: Config) -> None:
    """Carry out the plan. A refusal whose answer says nothing is explained by the validation's."""
    name = deployment.connector
    if deployment.action == "update":
        deployment.tasks = connect.task_configs(name)
    if deployment.resumed:
        connect.resume(name)
    if deployment.action in ("create", "update"):
        put = connect.create if deployment.action == "create" else connect.put_config
        try:
            put(name, config)
        except ConnectRefused:
            validate(connect, name, config)  # Connect 4.3 answers 500 with a null pointer's text to any bad config
            raise
    elif deployment.action == "restart":
        connect.restart_failed(name)  # an unchanged config restarts nothing


def restore(connect: Connect, deployment: Deployment, deadline: float) -> ConnectorStatus:
    """Put the previous config back, and wait until it runs. deadline: by time.monotonic().

    Raises EnvironmentProblem.
    """
    previous, name = deployment.live or {}, deployment.connector
    again = baseline(connect, name, previous)
    connect.put_config(name, previous)
    return await_running(connect, again, previous, deadline)


def baseline(connect: Connect, name: str, config: Config) -> Deployment:
    """A connector before its config is replaced: to be read before the request, and awaited after it.

    config: the one that will be written; the same as before restarts nothing.
    """
    action = "none" if connect.config(name) == config else "update"
    return Deployment(name, action, before=connector_status(connect.status(name)), tasks=connect.task_configs(name))


def await_running(
    connect: Connect, deployment: Deployment, config: Config, deadline: float, *, whole_trace: bool = False
) -> ConnectorStatus:
    """Wait until the connector and its task run. deadline: by time.monotonic().

    After an update, RUNNING counts only when the tasks have been given another config: until then the former task runs,
    and a busy worker takes seconds. Raises ConnectorUnhealthy as soon as the failure is not an old one, OutOfTime with
    what was seen last.
    """
    with waiting_for(f"connector '{deployment.connector}' to be RUNNING"):
        return _running(connect, deployment, config, deadline, whole_trace=whole_trace)


def _running(
    connect: Connect, deployment: Deployment, config: Config, deadline: float, *, whole_trace: bool
) -> ConnectorStatus:
    began, pause, before = time.monotonic(), 0.1, deployment.before or connector_status(None)
    since = None if deployment.action == "update" else began  # since when the tasks have had the config
    moved = retried = deployment.action in ("create", "none")
    while True:
        status = connector_status(connect.status(deployment.connector), config)
        if since is None and connect.task_configs(deployment.connector) != deployment.tasks:
            since = time.monotonic()
        now = time.monotonic()
        # the connector's own part moves first: a task that still shows the same state has not been started again
        moved = moved or status.tasks != before.tasks
        retried = retried or (status.tasks, status.trace) != (before.tasks, before.trace)
        if status.running and since is not None and (moved or now - since > STALE_RUNNING_SECONDS):
            return status
        if status.halted and not deployment.resumed:
            raise halted(deployment.connector, status)
        if status.failed and (retried or now - began > STALE_FAILED_SECONDS):
            raise failure(deployment.connector, status, whole_trace=whole_trace)
        if now > deadline or (status.connector == "UNKNOWN" and now - began > NOT_THERE_SECONDS):
            former = "" if since is not None else "; its tasks still have the former configuration"
            raise OutOfTime(
                f"'{deployment.connector}' is not running yet",
                where=connect.url,
                why=f"last state: {status}{former}",
                fix="see the worker's log, then: outbox-kit status",
            )
        time.sleep(pause)
        pause = min(2.0, pause * 1.3)
