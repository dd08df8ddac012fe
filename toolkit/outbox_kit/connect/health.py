"""Is a connector well: what its status says, and what a failed task means. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outbox_kit.connect.causes import explain, root_lines
from outbox_kit.connect.redact import redact, shortened
from outbox_kit.errors import ConnectorUnhealthy

EXPECTED_TASKS = 1  # every relational Debezium connector has one


@dataclass(frozen=True)
class Health:
    """A connector's status in one value. trace: of the first part that failed, without secrets."""

    connector: str
    tasks: tuple[str, ...]
    workers: tuple[str, ...]
    trace: str = ""

    @property
    def running(self) -> bool:
        """The connector and every task it must have."""
        return self.connector == "RUNNING" and len(self.tasks) == EXPECTED_TASKS and set(self.tasks) == {"RUNNING"}

    @property
    def failed(self) -> bool:
        """The connector or a task."""
        return "FAILED" in (self.connector, *self.tasks)

    def __str__(self) -> str:
        tasks = ", ".join(f"task {number} {state}" for number, state in enumerate(self.tasks)) or "no task"
        return f"connector {self.connector}, {tasks}"


def health(status: Mapping[str, Any] | None, config: dict[str, str] | None = None) -> Health:
    """Read the answer of the status endpoint; None is a connector that is not there (yet)."""
    if status is None:
        return Health("UNKNOWN", (), ())
    parts = [status["connector"], *status["tasks"]]
    trace = next((part["trace"] for part in parts if part["state"] == "FAILED" and part.get("trace")), "")
    return Health(
        status["connector"]["state"],
        tuple(task["state"] for task in status["tasks"]),
        tuple(sorted({part["worker_id"] for part in parts})),
        redact(shortened(trace), config),
    )


def failure(name: str, found: Health, *, whole_trace: bool = False) -> ConnectorUnhealthy:
    """The error that says why a connector failed: a sentence, the next step, and the part of the trace that matters."""
    cause = explain(found.trace)
    lines = found.trace.splitlines() if whole_trace else root_lines(found.trace)
    what = "the connector" if found.connector == "FAILED" else "its task"
    return ConnectorUnhealthy(
        f"'{name}' does not run: {what} FAILED",
        where=", ".join(found.workers),
        why=cause.means if cause else "not a failure that is known here; the trace is the worker's own",
        fix=cause.fix if cause else "",
        details=[f"  | {line}" for line in lines],
    )
