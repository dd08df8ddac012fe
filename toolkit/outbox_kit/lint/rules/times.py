"""The message's timestamp."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import Subject

TIMESTAMP = "{}.field.event.timestamp"
CONVERTED = ("connect", "isostring", "structured")


@rule("timestamp-precision", Severity.error, evidence="H02 H01", fix="leave time.precision.mode at adaptive")
def timestamp_precision(subject: Subject) -> Iterator[Violation]:
    """The router takes a timestamp column only as a 64-bit number of Debezium's own types.

    With this precision mode it is another type, and the first event stops the task.
    """
    mode = subject.config.get("time.precision.mode", "").strip().lower()
    if subject.router and subject.router_option(TIMESTAMP) is not None and mode in CONVERTED:
        yield Violation("time.precision.mode", f"'{mode}' gives the timestamp column a type that the router refuses")


@rule(
    "timestamp-column-type",
    Severity.error,
    evidence="H01 H03",
    fix="use a timestamp column without a zone, in UTC, or leave the option out",
)
def timestamp_column_type(subject: Subject) -> Iterator[Violation]:
    """The timestamp column is none that the router takes.

    The task fails on the first event: is not of type INT64.
    """
    column = subject.router_option(TIMESTAMP)
    if subject.outbox and column is not None:
        if column == subject.outbox.table.columns.created_at:
            key = subject.router_key(TIMESTAMP)
            yield Violation(key, f"'{column}' has a time zone, which the router refuses", Edit(key))
        elif column in {extra.name for extra in subject.outbox.table.extra}:
            yield Violation(subject.router_key(TIMESTAMP), f"'{column}' is no timestamp")


@rule(
    "timestamp-column",
    Severity.info,
    evidence="H01 H05 H07",
    fix="leave the option out unless consumers need the business time",
)
def timestamp_column(subject: Subject) -> Iterator[Violation]:
    """The record's timestamp is taken from a column.

    A zoned or numeric column stops the task, a local time east of UTC is refused by the broker, and retention deletes
    what lies in the past.
    """
    if subject.router and subject.router_option(TIMESTAMP) is not None and not subject.outbox:
        yield Violation(
            subject.router_key(TIMESTAMP),
            f"'{subject.router_option(TIMESTAMP)}' must be a UTC timestamp without a zone",
        )
