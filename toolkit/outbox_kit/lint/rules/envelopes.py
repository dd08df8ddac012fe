"""Rules about transformations that read or replace the change event."""

from collections.abc import Iterator, Mapping, Sequence

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.received import ROW, received_by_each, unwraps
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.transforms import KAFKA
from outbox_kit.versions import Version

ENVELOPE = frozenset(("before", "after", "source", "op", "ts_ms", "ts_us", "ts_ns", "transaction", "schema"))
"""The fields of a change event."""
FIELDS = {
    "ValueToKey": (("fields", Consequence.stop),),
    "ExtractField$Value": (("field", Consequence.stop),),
    "MaskField$Value": (("fields", Consequence.leak),),
    "Cast$Value": (("spec", Consequence.wrong),),
    "TimestampConverter$Value": (("field", Consequence.wrong),),
    "ReplaceField$Value": (
        ("include", Consequence.wrong),
        ("exclude", Consequence.wrong),
        ("renames", Consequence.wrong),
    ),
}
"""Kafka's transformations that name fields of the value: the option, and what happens if there is no such field."""
OF_ENVELOPES = (
    ".TimescaleDb",
    ".ExtractChangedRecordState",
    ".ExtractSchemaToNewRecord",
    ".TimezoneConverter",
    ".ReadToInsertEvent",
)
"""Ends of the classes of Debezium's transformations that let other records than change events pass."""


@rule(
    "field-not-in-envelope",
    Consequence.stop,
    evidence="G09",
    fix="move the transformation behind one that extracts the row, or remove it",
)
def field_not_in_envelope(subject: Subject) -> Iterator[Violation]:
    """Every transformation names fields of the record that it receives.

    A change event has the fields before, after, source and op; the columns are in `after`. ValueToKey and ExtractField
    fail on another name; MaskField, Cast and TimestampConverter change nothing, and ReplaceField drops what it does not
    include.
    """
    for received in received_by_each(subject) if subject.connector else ():
        for option, consequence in FIELDS.get(received.step.kind.removeprefix(KAFKA), ()):
            key, value = received.step.key(option), received.step.options.get(option, "")
            is_of_fields = option != "spec" or ":" in value  # else the type of the whole value
            if not (received.is_envelope and is_of_fields and subject.says(key)):
                continue
            names = [trim(name).partition(":")[0] for name in split(value, ",")]
            missing = [name for name in names if name not in ENVELOPE]
            if missing and missing[0]:
                message = f"the change event has no field '{missing[0]}': the columns are in its field 'after'"
                yield Violation(key, message, consequence=consequence)


@rule(
    "envelope-field-of-row",
    Consequence.stop,
    of_names=True,
    evidence="G09",
    fix="remove the transformation: the one before it has taken the row out already",
)
def envelope_field_of_row(subject: Subject) -> Iterator[Violation]:
    """No transformation takes the field `after` or `before` of a row.

    ExtractNewRecordState has replaced the change event by the row, which has no such field. ExtractField and ValueToKey
    fail on each record.
    """
    for received in received_by_each(subject):
        for option, consequence in FIELDS.get(received.step.kind.removeprefix(KAFKA), ()):
            names = [trim(name) for name in split(received.step.options.get(option, ""), ",")]
            taken = [name for name in names if name in ("after", "before")]
            if received.is_row and taken and consequence is Consequence.stop:
                key = received.step.key(option)
                yield Violation(key, f"the row has no field '{taken[0]}': the change event had it")


@rule(
    "passes-without-envelope",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="G09",
    fix="move the transformation before the one that takes the row out of the change event",
)
def passes_without_envelope(subject: Subject) -> Iterator[Violation]:
    """A transformation of change events receives change events.

    It lets every other record pass unchanged, without an error (`SmtManager.isValidEnvelope`).
    """
    for received in received_by_each(subject):
        step = received.step
        if step.kind.endswith(OF_ENVELOPES) and (received.is_row or received.is_event):
            yield Violation(
                step.key("type"), f"'{step.name}' lets all records pass: they are no change events any more"
            )


@rule(
    "key-of-tombstone",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="add a predicate with RecordIsTombstone and negate=true, or drop the tombstones before it",
)
def key_of_tombstone(subject: Subject) -> Iterator[Violation]:
    """No transformation needs the fields of a tombstone.

    ValueToKey and HeaderFrom$Value fail on a record without a value: the task stops at the first deleted row.
    """
    passes, is_sink = "", subject.connector is None
    deletes = is_sink and any(subject.config.get(key, "").strip() == value for key, value in DELETING.items())
    for received in received_by_each(subject):
        step = received.step
        reads_value = step.kind.removeprefix(KAFKA) in ("ValueToKey", "HeaderFrom$Value")
        if step.kind.endswith(ROW):
            passes = passes_tombstones(step, subject)
        elif passes and received.is_row and reads_value:
            consequence = None if deletes or passes in subject.config else Consequence.risk
            message = (
                f"'{step.name}' fails on the tombstone of a deleted row, which the transformation before it passes on"
            )
            yield Violation(step.key("type"), message, consequence=consequence)
        elif deletes and reads_value and not received.is_row:
            yield Violation(step.key("type"), f"'{step.name}' fails on the records without a value that are to delete")


HANDLING = "delete.tombstone.handling.mode"
DELETING = {"delete.enabled": "true", "behavior.on.null.values": "delete"}
"""Options of sinks by which they delete what a tombstone names: then there are some."""


def passes_tombstones(step: TransformStep, subject: Subject) -> str:
    """The option by which tombstones pass the transformation that takes the row out; empty if they do not."""
    if not subject.on("tombstones.on.delete") and subject.connector:
        return ""
    former = "drop.tombstones"
    if subject.release < Version.of("3.2") and HANDLING not in step.options:
        return step.key(former) if step.options.get(former, "").strip().lower() == "false" else ""
    mode = step.options.get(HANDLING, "tombstone").strip().lower()
    return step.key(HANDLING) if mode in ("tombstone", "rewrite-with-tombstone") else ""


@rule(
    "field-lost-with-envelope",
    Consequence.wrong,
    evidence="G09",
    fix="move the transformation behind the one that takes the row out of the change event",
)
def field_lost_with_envelope(subject: Subject) -> Iterator[Violation]:
    """No transformation adds a field to a change event of which the next ones take the row.

    The field is added to the change event, beside `before` and `after`, and is lost with it.
    """
    for received in received_by_each(subject) if subject.connector else ():
        step = received.step
        if step.kind == f"{KAFKA}InsertField$Value" and received.is_envelope:
            following = subject.steps[subject.steps.index(step) + 1 :]
            if any(unwraps(each) or each.routes for each in following):
                yield Violation(step.key("type"), f"the field that '{step.name}' adds is not sent")


ADDED = "add.headers"
OF_EVENT = (
    *("op", "ts_ms", "ts_us", "ts_ns", "id", "data_collection_order", "total_order", "updateDescription"),
    *("version", "connector", "name", "snapshot", "db", "sequence", "schema", "table", "collection", "query", "origin"),
    *("txId", "lsn", "xmin", "origin_lsn", "server_id", "gtid", "file", "pos", "row", "thread", "database"),
    *(
        "change_lsn",
        "commit_lsn",
        "event_serial_no",
        "scn",
        "commit_scn",
        "lcr_position",
        "rs_id",
        "ssn",
        "redo_thread",
    ),
    *("user_name", "row_id", "start_scn", "start_ts_ms", "commit_ts_ms", "lsid", "txnNumber", "wallTime"),
    *("keyspace", "shard", "vgtid", "keyspace_name", "table_name", "num_rows_deleted", "change_table"),
)
"""Fields of a change event and of its block `source`, in any connector."""


@rule(
    "unknown-header-field",
    Consequence.stop,
    of_names=True,
    evidence="G09",
    fix="name a field of the change event, such as op, source.ts_ms or lsn",
)
def unknown_header_field(subject: Subject) -> Iterator[Violation]:
    """Every header that ExtractNewRecordState adds is a field of the change event.

    On another name it fails with the first event, unless the block `source` has such a field.
    """
    for received in received_by_each(subject):
        step = received.step
        names = [trim(name).partition(":")[0] for name in split(step.options.get(ADDED, ""), ",")]
        unknown = [name for name in names if name and "." not in name and name not in OF_EVENT]
        if step.kind.endswith(ROW) and received.is_envelope and unknown and subject.says(step.key(ADDED)):
            yield Violation(step.key(ADDED), f"the change event has no field '{unknown[0]}'")


TABLES, BINLOG = ("schema", "table"), ("table", "server_id", "gtid", "file", "pos", "row", "thread", "query")
OF_SOURCE: Mapping[str, Sequence[str]] = {
    POSTGRES.name: (*TABLES, "txId", "lsn", "xmin", "origin", "origin_lsn"),
    MYSQL.name: BINLOG,
    MARIADB.name: BINLOG,
    SQLSERVER.name: (*TABLES, "change_lsn", "commit_lsn", "event_serial_no"),
    ORACLE.name: (*TABLES, "txId", "scn", "commit_scn", "lcr_position", "user_name", "row_id", "commit_ts_ms"),
    MONGODB.name: ("collection", "ord", "lsid", "txnNumber", "wallTime"),
}
"""Fields of the block `source` that not every connector has: those of each one's `SourceInfoStructMaker`."""


@rule(
    "field-of-another-source",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="G09",
    fix="name a field that the connector has, or remove it",
)
def field_of_another_source(subject: Subject) -> Iterator[Violation]:
    """The fields that ExtractNewRecordState adds are in the block `source` of this connector.

    A field of another connector is left out without an error; before Debezium 1.3 the task fails.
    """
    fields = OF_SOURCE.get(subject.connector or "", ())
    others = {name for names in OF_SOURCE.values() for name in names} - {*fields}
    for step in subject.steps if fields else ():
        for option in (ADDED, "add.fields") if step.kind.endswith(ROW) else ():
            names = (trim(name).partition(":")[0] for name in step.options.get(option, "").split(","))
            foreign = [name for name in names if name.removeprefix("source.") in others]
            if foreign and subject.says(step.key(option)):
                yield Violation(step.key(option), f"the change events of this connector have no field '{foreign[0]}'")
