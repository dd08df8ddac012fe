"""The status of a connector and its tasks, and what a failed task means. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outbox_kit.connect.causes import explain, root_lines
from outbox_kit.connect.redact import redact, shortened
from outbox_kit.errors import ConnectorUnhealthy

RESUME = "outbox-kit resume"
EXPECTED_TASKS = 1  # every relational Debezium connector has one


@dataclass(frozen=True)
class ConnectorStatus:
    """The states of a connector and its tasks, as Kafka Connect names them."""

    connector: str
    """UNKNOWN where Kafka Connect has no connector of that name."""
    tasks: tuple[str, ...]
    workers: tuple[str, ...]
    """The workers that run a part of it."""
    trace: str = ""
    """Of the first part that failed, without secrets."""

    @property
    def running(self) -> bool:
        """The connector and every task it must have."""
        return self.connector == "RUNNING" and len(self.tasks) == EXPECTED_TASKS and set(self.tasks) == {"RUNNING"}

    @property
    def failed(self) -> bool:
        """The connector or a task."""
        return "FAILED" in (self.connector, *self.tasks)

    @property
    def halted(self) -> bool:
        """Paused or stopped by a request: it does not resume without another one."""
        return self.connector in ("PAUSED", "STOPPED")

    @property
    def starting(self) -> bool:
        """Registered, restarted or given to another worker a moment ago: it may run without a request."""
        return not (self.running or self.failed or self.halted)

    def __str__(self) -> str:
        tasks = ", ".join(f"task {number} {state}" for number, state in enumerate(self.tasks)) or "no task"
        return f"connector {self.connector}, {tasks}"


def connector_status(answer: Mapping[str, Any] | None, config: dict[str, str] | None = None) -> ConnectorStatus:
    """The answer of the status endpoint as a value.

    answer: None where there is no such connector (yet). config: the connector's, whose secrets are masked in the trace.
    """
    if answer is None:
        return ConnectorStatus("UNKNOWN", (), ())
    parts = [answer["connector"], *answer["tasks"]]
    trace = next((part["trace"] for part in parts if part["state"] == "FAILED" and part.get("trace")), "")
    return ConnectorStatus(
        answer["connector"]["state"],
        tuple(task["state"] for task in answer["tasks"]),
        tuple(sorted({part["worker_id"] for part in parts})),
        redact(shortened(trace), config),
    )


def halted(name: str, status: ConnectorStatus) -> ConnectorUnhealthy:
    """The error for a connector that is paused or stopped."""
    return ConnectorUnhealthy(
        f"'{name}' is {status.connector}",
        where=", ".join(status.workers),
        why="it publishes no events until it is resumed, also after a restart of the worker",
        fix=RESUME,
    )


def failure(name: str, status: ConnectorStatus, *, whole_trace: bool = False) -> ConnectorUnhealthy:
    """The error that says why a connector failed: a sentence, the next step, and the part of the trace that matters."""
    cause = explain(status.trace)
    lines = status.trace.splitlines() if whole_trace else root_lines(status.trace)
    what = "the connector" if status.connector == "FAILED" else "its task"
    return ConnectorUnhealthy(
        f"'{name}' does not run: {what} FAILED",
        where=", ".join(status.workers),
        why=cause.means if cause else "the trace of Kafka Connect follows",
        fix=cause.fix if cause else "see the whole trace: outbox-kit status --trace",
        details=[f"  | {line}" for line in lines],
    )
