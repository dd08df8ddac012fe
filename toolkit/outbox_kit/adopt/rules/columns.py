"""The columns: which are missing, may be null, or are of a kind that the router cannot take."""

from collections.abc import Iterator

from outbox_kit import databases
from outbox_kit.adopt import additions
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import chosen
from outbox_kit.adopt.rule import TableViolation, rule
from outbox_kit.databases.catalogue import EITHER
from outbox_kit.findings.rule import Severity
from outbox_kit.versions import Version

SHADOW = "a table of this kit's that a trigger fills from it: table.fed_by in the proposed file"
BY_CODE = "your code writes an outbox of this kit's as well, in the same transaction: outbox-kit init"
REQUIRED = "require it in the collection's validator, as a type other than null"


@rule("no-id", Severity.warning, fix=f"{SHADOW}, whose ids the database makes", documents=BY_CODE)
def no_id(candidate: Candidate) -> Iterator[TableViolation]:
    """No column holds the event's id.

    The event's id is the header by which consumers drop copies, and `verify` finds what was lost.
    """
    if "id" not in candidate.roles:
        yield TableViolation("no column holds the event's id")


@rule("no-payload", Severity.warning, fix=f"{SHADOW}, with an expression for the payload", documents=BY_CODE)
def no_payload(candidate: Candidate) -> Iterator[TableViolation]:
    """No column holds the payload.

    The router sends one column as the message's value; an expression over several is none, and a view that has it
    as a column has no rows in the log.
    """
    if "payload" not in candidate.roles and not candidate.many:
        yield TableViolation("no column holds the event")


@rule(
    "no-type",
    Severity.warning,
    fix="a column that your code fills, or " + SHADOW,
    documents="a field that your code fills",
)
def no_type(candidate: Candidate) -> Iterator[TableViolation]:
    """No column holds the event's type.

    Nothing tells a consumer what has happened, nor the router which topic it belongs to.
    """
    if "type" not in candidate.roles and not candidate.many:
        yield TableViolation("no column tells what kind of event it is")


@rule(
    "no-key",
    Severity.warning,
    fix="nothing where order does not matter: the key is the event's id. Else a column for the key, filled before "
    "the insert, or table.fed_by with the same expression. A view with a key is not enough: it has no rows in the log",
    documents="nothing where order does not matter: the key is the event's id. Else a field for the key, which your "
    "code fills",
)
def no_key(candidate: Candidate) -> Iterator[TableViolation]:
    """No column holds the aggregate's id.

    The key keeps the events of one aggregate in one partition, and so in order. With the event's own id as the key
    every event goes its own way, and compaction keeps them all.
    """
    if "aggregate_id" not in candidate.roles and "payload" in candidate.roles and not candidate.many:
        sql = "" if candidate.is_fed else additions.key_column(candidate)
        yield TableViolation("no column says which aggregate has changed", sql=sql)


@rule("types-differ", Severity.warning, fix="let your code write one type, or name the field otherwise")
def types_differ(candidate: Candidate) -> Iterator[TableViolation]:
    """A field has values of several types.

    The router would send now one type and now another, so the proposed file leaves it out.
    """
    other_columns = set(chosen([column.name for column in candidate.table.columns]).values()) - set(
        candidate.roles.values()
    )
    for column in (candidate.table.column(name) for name in sorted(other_columns)):
        if EITHER in column.type:
            yield TableViolation(f"'{column.name}' is {column.type}")


@rule(
    "key-may-be-empty",
    Severity.warning,
    fix="make the column NOT NULL, and refuse empty texts with a CHECK",
    documents=REQUIRED + ", with a minLength of 1",
)
def key_may_be_empty(candidate: Candidate) -> Iterator[TableViolation]:
    """The key's column may be null or empty.

    A record without a key lands in any partition, and its aggregate's events in any order.
    """
    yield from _may_be_null(candidate, "aggregate_id")


@rule("route-may-be-empty", Severity.warning, fix="make the column NOT NULL", documents=REQUIRED)
def route_may_be_empty(candidate: Candidate) -> Iterator[TableViolation]:
    """The column that decides the topic may be null.

    A row whose routing column is null stops the connector's task.
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
    "payload-may-be-null",
    Severity.info,
    fix="make the column NOT NULL where no tombstones are meant",
    documents=f"{REQUIRED} where no tombstones are meant: at a document that lacks it the router stops",
)
def payload_may_be_null(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload may be null.

    A null payload arrives as a tombstone, which deletes its key from a compacted topic.
    """
    column = candidate.column("payload")
    if column and column.nullable and not candidate.is_fed:
        yield TableViolation(f"'{column.name}' may be null")


@rule("id-is-not-unique", Severity.warning, fix="a unique index on the column")
def id_is_not_unique(candidate: Candidate) -> Iterator[TableViolation]:
    """The id is not unique.

    Consumers drop an event whose id they have seen: of two events with one id, the second is lost to them.
    """
    column = candidate.column("id")
    if column is None:
        return
    if repeated := candidate.evidence.repeated(column.name):
        evidence = f"{repeated} of {candidate.evidence.count} rows share their '{column.name}' with another"
        yield TableViolation(evidence, severity=Severity.error, fix="another id for each row")
    elif not any(
        index.unique and index.columns == (column.name,) and not index.predicate for index in candidate.table.indexes
    ):
        yield TableViolation(f"'{column.name}' has no unique index")


@rule(
    "id-is-no-text",
    Severity.warning,
    fix=f"{SHADOW}, whose ids the database makes",
    documents="write the id as a text or as an ObjectId",
)
def id_is_no_text(candidate: Candidate) -> Iterator[TableViolation]:
    """The id is binary.

    The router sends a binary id as base64 in a header, which is no id that anybody can look up.
    """
    if candidate.family("id") == "binary":
        yield TableViolation(f"'{candidate.roles['id']}' is binary")


@rule("id-is-a-number", Severity.info, fix="nothing, if no second table writes to the same topics")
def id_is_a_number(candidate: Candidate) -> Iterator[TableViolation]:
    """The id is a number.

    A number is unique in its table only: two outboxes that write to one topic have the same ids.
    """
    if candidate.family("id") == "number":
        yield TableViolation(f"'{candidate.roles['id']}' is a number")


@rule("id-may-be-null", Severity.warning, fix="make the column NOT NULL")
def id_may_be_null(candidate: Candidate) -> Iterator[TableViolation]:
    """The id may be null.

    An event without an id cannot be told from its copy.
    """
    column = candidate.column("id")
    if column and column.nullable:
        yield TableViolation(f"'{column.name}' may be null")


@rule("payload-is-rewritten", Severity.info, fix="nothing, unless bytes are signed or compared; then a text column")
def payload_is_rewritten(candidate: Candidate) -> Iterator[TableViolation]:
    """The server does not keep the payload's bytes.

    The server keeps the document and not its text: blanks and numbers are rewritten, members may be sorted.
    """
    column = candidate.column("payload")
    if column and not candidate.is_fed and column.type in databases.get(candidate.dialect).adoption.rewritten_types:
        yield TableViolation(f"'{column.name}' is {column.type}")


@rule("payload-is-xml", Severity.info, fix="nothing, where consumers read XML")
def payload_is_xml(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload is XML.

    It arrives as the text it is. JSON Schemas in the schema file cannot describe it.
    """
    if candidate.family("payload") == "xml":
        yield TableViolation(f"'{candidate.roles['payload']}' is XML")


@rule("zoned-time", Severity.info, fix="nothing: the proposed file does not make it the message's timestamp")
def zoned_time(candidate: Candidate) -> Iterator[TableViolation]:
    """The timestamp has a time zone.

    The router's own option for a timestamp, table.field.event.timestamp, refuses a type with a time zone and stops
    the task, and MongoDB's a date. This kit leaves the option out; the column serves retention.
    """
    column = candidate.column("created_at")
    if column and (candidate.family("created_at") == "zoned" or databases.get(candidate.dialect).documents):
        yield TableViolation(f"'{column.name}' is {column.type}")


@rule(
    "name-cannot-be-placed",
    Severity.error,
    fix="a column of another name, filled before the insert",
    documents="a field of another name",
)
def name_cannot_be_placed(candidate: Candidate) -> Iterator[TableViolation]:
    """A column's name holds a comma or a colon.

    The router's list of headers is separated by commas and colons, and knows no quotes.
    """
    for name in sorted(name for name in candidate.roles.values() if set(name) & set(",:")):
        yield TableViolation(f"'{name}' holds a comma or a colon")


@rule("name-needs-quotes", Severity.info, fix="nothing: what this kit generates quotes every name")
def name_needs_quotes(candidate: Candidate) -> Iterator[TableViolation]:
    """A name needs quotes in SQL.

    In SQL by hand a name that is not all lower case (on Oracle: upper case) is another name unless it is quoted.
    """
    names = [candidate.table.name, *candidate.roles.values()]
    dialect = databases.get(candidate.dialect)
    plain = {name for name in names if name == dialect.fold_case(name.lower()) and name.replace("_", "a").isalnum()}
    if (odd := sorted(set(names) - plain)) and dialect.naming.quotes == ('"', '"'):
        yield TableViolation(f"{', '.join(map(repr, odd))} must be quoted")


@rule("generated-column", Severity.error, fix="an ordinary column that a trigger fills before the insert")
def generated_column(candidate: Candidate) -> Iterator[TableViolation]:
    """A column is generated.

    The server computes it, and a publication, a capture or a log leaves it out: the router has no value for it, or
    misses the column and stops the task.
    """
    log = databases.get(candidate.dialect).adoption.generated_columns
    for column in (candidate.table.column(name) for name in sorted(candidate.roles.values())):
        if log is None or not column.generated:
            continue
        if log.missing:
            yield TableViolation(f"'{column.name}' is generated ({column.generated}): {log.missing}", fix=SHADOW)
        elif column.generated == "stored" and not Version.of(candidate.version) < Version.of(log.published_since):
            yield TableViolation(
                f"'{column.name}' is generated, and published only where the publication says so",
                fix=f"alter publication <connect.publication> set ({log.setting})",
                severity=Severity.warning,
            )
        else:
            published = f"and not published before {log.published_since}"
            yield TableViolation(f"'{column.name}' is generated ({column.generated}), {published}")
