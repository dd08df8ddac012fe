"""The parts of an alert, and what it is named for. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from outbox_kit.monitoring.metrics import PREFIX, MetricSample
from outbox_kit.schema.model import Outbox

OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
    "<": lambda value, limit: value < limit,
    "==": lambda value, limit: value == limit,
}


class AlertSeverity(StrEnum):
    """How urgent an alert is."""

    critical = "critical"
    """Events are not published, or will be lost: at once."""
    warning = "warning"
    """In working hours."""


@dataclass(frozen=True)
class Condition:
    """A comparison of a metric of `exporter` with a limit, which `lag` makes too."""

    metric: str
    """Without its prefix."""
    operator: str
    limit: float
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that the series must have."""

    def expression(self, service: str) -> str:
        """The condition in PromQL. service: the label of the series."""
        return f"{series(self.metric, service, **self.labels)} {self.operator} {number(self.limit)}"

    def passed(self, sample: MetricSample) -> bool:
        """Whether a value passes the limit."""
        if sample.metric != PREFIX + self.metric or not self.labels.items() <= sample.labels.items():
            return False
        return OPERATORS[self.operator](sample.value, self.limit)


@dataclass(frozen=True)
class Alert:
    """An alert of Prometheus on one outbox."""

    name: str
    severity: AlertSeverity
    expression: str
    """In PromQL."""
    hold_seconds: int
    """How long the expression must hold before the alert fires."""
    summary: str
    """One line, with Prometheus's templates."""
    description: str
    """What it means, and the first step."""
    chapter: str
    """The chapter of the runbook, by the name of its template."""
    condition: Condition | None = None
    """The same without history, for `lag`; None if it needs one."""


def series(metric: str, service: str, **labels: str) -> str:
    """A selector in PromQL of a metric of the kit. metric: without its prefix."""
    return selector(PREFIX + metric, service=service, **labels)


def selector(metric: str, **labels: str) -> str:
    """A selector in PromQL, whose labels have these values."""
    inner = ",".join(f"{name}={quoted(value)}" for name, value in labels.items())
    return f"{metric}{{{inner}}}"


def quoted(text: str) -> str:
    """A text in PromQL."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def number(value: float) -> str:
    """A number in PromQL."""
    return str(int(value)) if value == int(value) else repr(value)


def threshold(
    outbox: Outbox,
    name: str,
    severity: AlertSeverity,
    condition: Condition,
    hold_seconds: int,
    summary: str,
    description: str,
    chapter: str,
) -> Alert:
    """An alert on a condition."""
    expression = condition.expression(outbox.service)
    return Alert(name, severity, expression, hold_seconds, summary, description, chapter, condition)


def oldest_metric(outbox: Outbox) -> str:
    """The metric of the age of the oldest unpublished event: the relay's own if no statement finds the rows."""
    return "relay_oldest_seconds" if outbox.delivery.polls and not outbox.dialect.capture.measured else "oldest_seconds"
