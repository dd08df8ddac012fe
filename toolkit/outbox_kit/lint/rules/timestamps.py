"""Rules about the timestamp of messages."""

from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.transforms import KAFKA

TIMESTAMP = "{}.field.event.timestamp"
WITH_ZONE = lazy_pattern(r"timestamptz|datetimeoffset|timestamp\s*(?:\(\d+\)\s*)?with (?:local )?time zone")
NO_TIMESTAMP = lazy_pattern(r"(?:big|small)?int|integer|numeric|decimal|number|n?(?:var)?char|text|date\b|time\b")
ZONED_TIMESTAMP = (MYSQL.name, MARIADB.name)
"""Databases whose type TIMESTAMP has a time zone to Debezium."""
CONVERTED = ("connect", "isostring", "structured")


@rule("timestamp-precision", Consequence.stop, evidence="H02 H01", fix="set time.precision.mode=adaptive")
def timestamp_precision(subject: Subject) -> Iterator[Violation]:
    """The time precision mode keeps the timestamp column a 64-bit integer.

    As a timestamp the event router accepts only a 64-bit integer of Debezium's own types; with another type the task
    fails on the first event.
    """
    mode = subject.config.get("time.precision.mode", "").strip().lower()
    if NO_TIMESTAMP.match(_created(subject)):
        return
    if subject.router and subject.router_option(TIMESTAMP) is not None and mode in CONVERTED:
        yield Violation(
            "time.precision.mode", f"'{mode}' gives the timestamp column a type that the event router rejects"
        )


def _created(subject: Subject) -> str:
    """The type of the timestamp's column in the table that the file creates; empty if it is not known."""
    column = subject.router_option(TIMESTAMP)
    return subject.created_table.columns.get(column.lower(), "") if subject.created_table and column else ""


@rule(
    "timestamp-column-type",
    Consequence.stop,
    evidence="H01 H03",
    fix="use a timestamp column without time zone, in UTC, or remove the option",
)
def timestamp_column_type(subject: Subject) -> Iterator[Violation]:
    """The timestamp column has a type that the event router accepts.

    The task fails on the first event: is not of type INT64.
    """
    column = subject.router_option(TIMESTAMP)
    created = _created(subject)
    if NO_TIMESTAMP.match(created):
        yield Violation(subject.router_key(TIMESTAMP), f"'{column}' is not a timestamp")
    if WITH_ZONE.match(created) or (subject.connector in ZONED_TIMESTAMP and created.startswith("timestamp")):
        yield Violation(subject.router_key(TIMESTAMP), f"'{column}' has a time zone, which the event router rejects")
    if subject.outbox and column is not None:
        if column == subject.outbox.table.columns.created_at:
            key = subject.router_key(TIMESTAMP)
            yield Violation(key, f"'{column}' has a time zone, which the event router rejects", Edit(key))
        elif column in {extra.name for extra in subject.outbox.table.extra}:
            yield Violation(subject.router_key(TIMESTAMP), f"'{column}' is not a timestamp")


@rule(
    "timestamp-column",
    Consequence.advice,
    strict=True,
    evidence="H01 H05 H07",
    fix="remove the option unless consumers need the business time",
)
def timestamp_column(subject: Subject) -> Iterator[Violation]:
    """The message timestamp is not taken from a column.

    A column with a time zone or a numeric column stops the task, the broker rejects a local time east of UTC, and topic
    retention deletes events with an old timestamp.
    """
    if subject.router and subject.router_option(TIMESTAMP) is not None and not subject.outbox:
        yield Violation(
            subject.router_key(TIMESTAMP),
            f"'{subject.router_option(TIMESTAMP)}' must be a UTC timestamp without time zone",
        )


MICROSECONDS = lazy_pattern(r"S{4,}")


@rule(
    "microseconds-in-format",
    Consequence.wrong,
    of_names=True,
    evidence="H02",
    fix="use a format with SSS, or convert the value of the database otherwise",
)
def microseconds_in_format(subject: Subject) -> Iterator[Violation]:
    """The format of a TimestampConverter has three letters for fractions of a second.

    S means milliseconds (`java.text.SimpleDateFormat`): SSSSSS reads 844195 as 844 seconds, and adds them to the time.
    """
    for step in subject.steps:
        format_ = step.options.get("format", "")
        if "TimestampConverter" in step.kind and MICROSECONDS.search(format_):
            yield Violation(step.key("format"), f"'{format_}' takes the fraction of a second for milliseconds")


QUOTED = lazy_pattern(r"'[^']*'")
FORMATS = {f"{KAFKA}TimestampConverter$Key": "format", f"{KAFKA}TimestampConverter$Value": "format"}
FORMATS |= {f"{KAFKA}TimestampRouter": "timestamp.format"}
"""Options of transformations with a pattern of `java.text.SimpleDateFormat`."""
OF_CONVERTER = ("format.date", "format.datetime")
"""The same of a converter for columns that many use, `oryanmoshe.kafka.connect.util.TimestampConverter`."""


@rule(
    "week-year-in-format",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N12",
    fix="write yyyy",
)
def week_year_in_format(subject: Subject) -> Iterator[Violation]:
    """The pattern of a date has the year of the date, not the one that its week belongs to.

    In Java's patterns `YYYY` is the year of the week: the dates around New Year get a wrong year.
    """
    keys = [step.key(FORMATS[step.kind]) for step in subject.steps if step.kind in FORMATS]
    for name in subject.entries("converters"):
        if subject.config.get(f"{name}.type", "").endswith("TimestampConverter"):
            keys += [f"{name}.{option}" for option in OF_CONVERTER]
    for key in keys:
        pattern = QUOTED.sub("", subject.config.get(key, ""))
        if "Y" in pattern and "w" not in pattern and ("M" in pattern or "d" in pattern) and subject.says(key):
            yield Violation(key, f"'{subject.config[key]}' has the year of the week")


INSERTS = (f"{KAFKA}InsertField$Key", f"{KAFKA}InsertField$Value")


@rule(
    "record-without-timestamp",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="H02",
    fix="take ts_ms of the change event, such as with add.fields=ts_ms of ExtractNewRecordState",
)
def record_without_timestamp(subject: Subject) -> Iterator[Violation]:
    """No transformation of a source needs the timestamp of the record, before an event router has set it.

    A record of Debezium has none: the producer sets it later. InsertField leaves the field out, and TimestampRouter
    stops the task.
    """
    for step in subject.steps if subject.connector else ():
        if step.routes:
            return
        if step.kind == f"{KAFKA}TimestampRouter":
            message = "the record of a change has no timestamp when its transformations run"
            yield Violation(step.key("type"), message, consequence=Consequence.stop)
        elif step.kind in INSERTS and "timestamp.field" in step.options:
            field = step.options["timestamp.field"]
            yield Violation(step.key("timestamp.field"), f"'{field}' is left out: the record has no timestamp yet")
