"""Rules about the columns: missing, nullable, or of a type that the event router does not accept."""

from collections.abc import Iterator

from outbox_kit import databases
from outbox_kit.adopt import additions
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import chosen
from outbox_kit.adopt.rule import TableViolation, rule
from outbox_kit.databases.catalogue import EITHER
from outbox_kit.findings.rule import Severity
from outbox_kit.versions import Version

SOURCE = "use a new outbox table that a trigger fills from this table: table.source in the proposed file"
APPLICATION = "let the application insert into a new outbox as well, in the same transaction: outbox-kit init"
REQUIRED = "require the field in the validator of the collection, with a type other than null"


@rule("no-id", Severity.warning, fix=f"{SOURCE}; the database generates the ids", documents=APPLICATION)
def no_id(candidate: Candidate) -> Iterator[TableViolation]:
    """A column contains the event id.

    The event id is the header by which consumers detect duplicates, and by which verify finds lost events.
    """
    if "id" not in candidate.roles:
        yield TableViolation("no column contains the event id")


@rule("no-payload", Severity.warning, fix=f"{SOURCE}, with an expression for the payload", documents=APPLICATION)
def no_payload(candidate: Candidate) -> Iterator[TableViolation]:
    """A column contains the payload.

    The event router sends one column as the value of the message. It does not evaluate expressions, and a view with
    such a column has no rows in the log.
    """
    if "payload" not in candidate.roles and not candidate.many:
        severity = None if candidate.library else Severity.error  # a preset has the expression for it
        yield TableViolation("no column contains the payload", severity=severity)


@rule(
    "no-type",
    Severity.warning,
    fix=f"add a column that the application fills, or {SOURCE}",
    documents="add a field that the application fills",
)
def no_type(candidate: Candidate) -> Iterator[TableViolation]:
    """A column contains the event type.

    Without it consumers cannot tell what happened, and the event router cannot determine the topic from it.
    """
    if "type" not in candidate.roles and not candidate.many:
        yield TableViolation("no column contains the event type")


@rule(
    "no-key",
    Severity.warning,
    fix="nothing if order does not matter: the key is then the event id. Otherwise add a column for the key that "
    "is filled before the insert, or use table.source with the same expression. A view with a key is not "
    "sufficient: it has no rows in the log",
    documents="nothing if order does not matter: the key is then the event id. Otherwise add a field for the key that "
    "the application fills",
)
def no_key(candidate: Candidate) -> Iterator[TableViolation]:
    """A column contains the aggregate id.

    As the message key it keeps the events of one aggregate in one partition, and so in order. With the event id as the
    key the events of an aggregate are spread over all partitions, and compaction keeps every one of them.
    """
    if "aggregate_id" not in candidate.roles and "payload" in candidate.roles and not candidate.many:
        sql = "" if candidate.is_fed else additions.key_column(candidate)
        yield TableViolation("no column contains the aggregate id", sql=sql)


@rule("mixed-types", Severity.warning, fix="let the application write one type, or rename the field")
def mixed_types(candidate: Candidate) -> Iterator[TableViolation]:
    """All values of a field have one type.

    The event router would send different types for one field, so the proposed file omits the field.
    """
    other_columns = set(chosen([column.name for column in candidate.table.columns]).values()) - set(
        candidate.roles.values()
    )
    for column in (candidate.table.column(name) for name in sorted(other_columns)):
        if EITHER in column.type:
            yield TableViolation(f"'{column.name}' is {column.type}")


@rule(
    "key-nullable",
    Severity.warning,
    fix="make the column NOT NULL, and reject empty text with a CHECK",
    documents=REQUIRED + ", with a minLength of 1",
)
def key_nullable(candidate: Candidate) -> Iterator[TableViolation]:
    """The key column is never null or empty.

    A message without a key goes to an arbitrary partition, and the events of its aggregate are not in order.
    """
    yield from _may_be_null(candidate, "aggregate_id")


@rule("route-nullable", Severity.warning, fix="make the column NOT NULL", documents=REQUIRED)
def route_nullable(candidate: Candidate) -> Iterator[TableViolation]:
    """The routing column is never null.

    A row whose routing column is null stops the connector task.
    """
    for role in ("type", "aggregate_type"):
        yield from _may_be_null(candidate, role)


def _may_be_null(candidate: Candidate, role: str) -> Iterator[TableViolation]:
    column = candidate.column(role)
    if column is None:
        return
    if empty := candidate.evidence.empty(column.name):
        evidence = f"'{column.name}' is empty in {empty} of {candidate.evidence.count} rows"
        yield TableViolation(evidence, severity=Severity.error)
    elif column.nullable:
        yield TableViolation(f"'{column.name}' may be null")


@rule(
    "payload-nullable",
    Severity.info,
    fix="make the column NOT NULL unless tombstones are intended",
    documents=f"{REQUIRED} unless tombstones are intended: a document without the field stops the event router",
)
def payload_nullable(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload is never null.

    A null payload arrives as a tombstone, which deletes its key from a compacted topic.
    """
    column = candidate.column("payload")
    if column and column.nullable and not candidate.is_fed:
        yield TableViolation(f"'{column.name}' may be null")


@rule("id-not-unique", Severity.warning, fix="add a unique index on the column")
def id_not_unique(candidate: Candidate) -> Iterator[TableViolation]:
    """The event id is unique.

    Consumers skip an event whose id they have processed: of two events with one id they lose the second.
    """
    column = candidate.column("id")
    if column is None:
        return
    if repeated := candidate.evidence.repeated(column.name):
        evidence = f"{repeated} of {candidate.evidence.count} rows share their '{column.name}' with another row"
        yield TableViolation(evidence, severity=Severity.error, fix="use a different id for each row")
    elif not any(
        index.unique and index.columns == (column.name,) and not index.predicate for index in candidate.table.indexes
    ):
        yield TableViolation(f"'{column.name}' has no unique index")


@rule(
    "id-is-binary",
    Severity.warning,
    fix=f"{SOURCE}; the database generates the ids",
    documents="write the id as a string or as an ObjectId",
)
def id_is_binary(candidate: Candidate) -> Iterator[TableViolation]:
    """The event id is not binary.

    The event router sends a binary id as base64 in a header, which differs from the id that the database shows.
    """
    if candidate.family("id") == "binary":
        yield TableViolation(f"'{candidate.roles['id']}' is binary")


@rule("id-is-numeric", Severity.info, fix="nothing if no other table writes to the same topics")
def id_is_numeric(candidate: Candidate) -> Iterator[TableViolation]:
    """The event id is unique across tables.

    A number is unique only in its table: two outboxes that write to one topic have the same ids.
    """
    if candidate.family("id") == "number":
        yield TableViolation(f"'{candidate.roles['id']}' is a number")


@rule("id-nullable", Severity.warning, fix="make the column NOT NULL")
def id_nullable(candidate: Candidate) -> Iterator[TableViolation]:
    """The event id is never null.

    Duplicates of an event without an id cannot be detected.
    """
    column = candidate.column("id")
    if column and column.nullable:
        yield TableViolation(f"'{column.name}' may be null")


@rule(
    "payload-normalized", Severity.info, fix="nothing, unless the bytes are signed or compared; then use a text column"
)
def payload_normalized(candidate: Candidate) -> Iterator[TableViolation]:
    """The database stores the payload byte for byte.

    It stores the document and not its text: whitespace and numbers are rewritten, and members may be sorted.
    """
    column = candidate.column("payload")
    if column and not candidate.is_fed and column.type in databases.get(candidate.dialect).adoption.rewritten_types:
        yield TableViolation(f"'{column.name}' is {column.type}")


@rule("payload-xml", Severity.info, fix="nothing if consumers read XML")
def payload_xml(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload is not XML.

    XML arrives as text. The JSON Schemas of the schema file cannot describe it.
    """
    if candidate.family("payload") == "xml":
        yield TableViolation(f"'{candidate.roles['payload']}' is XML")


@rule(
    "timestamp-with-time-zone",
    Severity.info,
    fix="nothing: the proposed file does not use the column as the message timestamp",
)
def timestamp_with_time_zone(candidate: Candidate) -> Iterator[TableViolation]:
    """The timestamp column has no time zone.

    The event router's own option for a timestamp, table.field.event.timestamp, rejects a type with a time zone and
    stops the task; that of MongoDB rejects a date. outbox-kit does not set the option; the column is used for
    retention.
    """
    column = candidate.column("created_at")
    if column and (candidate.family("created_at") == "zoned" or databases.get(candidate.dialect).documents):
        yield TableViolation(f"'{column.name}' is {column.type}")


@rule(
    "unsupported-column-name",
    Severity.error,
    fix="use a column with another name, filled before the insert",
    documents="use a field with another name",
)
def unsupported_column_name(candidate: Candidate) -> Iterator[TableViolation]:
    """No column name contains a comma or a colon.

    The event router's list of headers is separated by commas and colons, and does not support quotes.
    """
    for name in sorted(name for name in candidate.roles.values() if set(name) & set(",:")):
        yield TableViolation(f"'{name}' contains a comma or a colon")


@rule("name-requires-quotes", Severity.info, fix="nothing: generated SQL quotes every name")
def name_requires_quotes(candidate: Candidate) -> Iterator[TableViolation]:
    """No name requires quotes in SQL.

    In handwritten SQL a name that is not all lower case (on Oracle: upper case) refers to another name unless it is
    quoted.
    """
    names = [candidate.table.name, *candidate.roles.values()]
    dialect = databases.get(candidate.dialect)
    plain = {name for name in names if name == dialect.fold_case(name.lower()) and name.replace("_", "a").isalnum()}
    if (odd := sorted(set(names) - plain)) and dialect.naming.quotes == ('"', '"'):
        yield TableViolation(f"{', '.join(map(repr, odd))} must be quoted")


@rule("generated-column", Severity.error, fix="use an ordinary column that a trigger fills before the insert")
def generated_column(candidate: Candidate) -> Iterator[TableViolation]:
    """No column is generated.

    The server computes the value, and the publication, capture or log omits it: the event router has no value, or the
    column is missing and the task fails.
    """
    log = databases.get(candidate.dialect).adoption.generated_columns
    for column in (candidate.table.column(name) for name in sorted(candidate.roles.values())):
        if log is None or not column.generated:
            continue
        if log.missing:
            yield TableViolation(f"'{column.name}' is generated ({column.generated}): {log.missing}", fix=SOURCE)
        elif column.generated == "stored" and not Version.of(candidate.version) < Version.of(log.published_since):
            yield TableViolation(
                f"'{column.name}' is generated, and published only if the publication includes generated columns",
                fix=f"alter publication <connect.publication> set ({log.setting})",
                severity=Severity.warning,
            )
        else:
            published = f"and not published before {log.published_since}"
            yield TableViolation(f"'{column.name}' is generated ({column.generated}), {published}")
