"""The columns: which are missing, may be null, or are of a kind that the router cannot take."""

from collections.abc import Iterator, Mapping

from outbox_kit import dialects
from outbox_kit.adopt import additions
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.obstacle import Met, obstacle
from outbox_kit.adopt.roles import chosen
from outbox_kit.finding import Severity
from outbox_kit.source.catalogue import EITHER
from outbox_kit.versions import Version

SHADOW = "a table of this kit's that a trigger fills from it: table.fed_by in the proposed file"
BY_CODE = "your code writes an outbox of this kit's as well, in the same transaction: outbox-kit init"
REQUIRED = "require it in the collection's validator, as a type other than null"
# what a database writes anew, so that a message is not the bytes that were inserted
REWRITTEN: Mapping[str, tuple[str, ...]] = {"postgres": ("jsonb",), "mysql": ("json",), "mongodb": ("object",)}
# since when a server can put a generated column into its log for a connector, and with what; empty where never
GENERATED: Mapping[str, tuple[str, str]] = {
    "postgres": ("18", "publish_generated_columns = stored"),
    "sqlserver": ("", "it is NULL in what is captured"),
    "oracle": ("", "it is not in the log"),
}


@obstacle("no-id", Severity.warning, addition=f"{SHADOW}, whose ids the database makes", documents=BY_CODE)
def no_id(one: Candidate) -> Iterator[Met]:
    """The event's id is the header by which consumers drop copies, and `verify` finds what was lost."""
    if "id" not in one.roles:
        yield Met("no column holds the event's id")


@obstacle("no-payload", Severity.warning, addition=f"{SHADOW}, with an expression for the payload", documents=BY_CODE)
def no_payload(one: Candidate) -> Iterator[Met]:
    """The router sends one column as the message's value; an expression over several is none, and a view that has it
    as a column has no rows in the log."""
    if "payload" not in one.roles and not one.many:
        yield Met("no column holds the event")


@obstacle(
    "no-type",
    Severity.warning,
    addition="a column that your code fills, or " + SHADOW,
    documents="a field that your code fills",
)
def no_type(one: Candidate) -> Iterator[Met]:
    """Nothing tells a consumer what has happened, nor the router which topic it belongs to."""
    if "type" not in one.roles and not one.many:
        yield Met("no column tells what kind of event it is")


@obstacle(
    "no-key",
    Severity.warning,
    addition="nothing where order does not matter: the key is the event's id. Else a column for the key, filled before "
    "the insert, or table.fed_by with the same expression. A view with a key is not enough: it has no rows in the log",
    documents="nothing where order does not matter: the key is the event's id. Else a field for the key, which your "
    "code fills",
)
def no_key(one: Candidate) -> Iterator[Met]:
    """The key keeps the events of one aggregate in one partition, and so in order. With the event's own id as the key
    every event goes its own way, and compaction keeps them all."""
    if "aggregate_id" not in one.roles and "payload" in one.roles and not one.many:
        sql = "" if one.is_fed else additions.key_column(one)
        yield Met("no column says which aggregate has changed", sql=sql)


@obstacle("types-differ", Severity.warning, addition="let your code write one type, or name the field otherwise")
def types_differ(one: Candidate) -> Iterator[Met]:
    """The router would send now one type and now another, so the proposed file leaves it out."""
    meant = set(chosen([column.name for column in one.table.columns]).values()) - set(one.roles.values())
    for column in (one.table.column(name) for name in sorted(meant)):
        if EITHER in column.type:
            yield Met(f"'{column.name}' is {column.type}")


@obstacle(
    "key-may-be-empty",
    Severity.warning,
    addition="make the column NOT NULL, and refuse empty texts with a CHECK",
    documents=REQUIRED + ", with a minLength of 1",
)
def key_may_be_empty(one: Candidate) -> Iterator[Met]:
    """A record without a key lands in any partition, and its aggregate's events in any order."""
    yield from _may_be_null(one, "aggregate_id")


@obstacle("route-may-be-empty", Severity.warning, addition="make the column NOT NULL", documents=REQUIRED)
def route_may_be_empty(one: Candidate) -> Iterator[Met]:
    """A row whose routing column is null stops the connector's task."""
    for role in ("type", "aggregate_type"):
        yield from _may_be_null(one, role)


def _may_be_null(one: Candidate, role: str) -> Iterator[Met]:
    column = one.column(role)
    if column is None:
        return
    if empty := one.evidence.empty(column.name):
        found = f"'{column.name}' is empty in {empty} of {one.evidence.count} rows"
        yield Met(found, severity=Severity.error)
    elif column.nullable:
        yield Met(f"'{column.name}' may be null")


@obstacle(
    "payload-may-be-null",
    Severity.info,
    addition="make the column NOT NULL where no tombstones are meant",
    documents=f"{REQUIRED} where no tombstones are meant: at a document that lacks it the router stops",
)
def payload_may_be_null(one: Candidate) -> Iterator[Met]:
    """A null payload arrives as a tombstone, which deletes its key from a compacted topic."""
    column = one.column("payload")
    if column and column.nullable and not one.is_fed:
        yield Met(f"'{column.name}' may be null")


@obstacle("id-is-not-unique", Severity.warning, addition="a unique index on the column")
def id_is_not_unique(one: Candidate) -> Iterator[Met]:
    """Consumers drop an event whose id they have seen: of two events with one id, the second is lost to them."""
    column = one.column("id")
    if column is None:
        return
    if repeated := one.evidence.repeated(column.name):
        found = f"{repeated} of {one.evidence.count} rows share their '{column.name}' with another"
        yield Met(found, severity=Severity.error, addition="another id for each row")
    elif not any(
        index.unique and index.columns == (column.name,) and not index.predicate for index in one.table.indexes
    ):
        yield Met(f"'{column.name}' has no unique index")


@obstacle(
    "id-is-no-text",
    Severity.warning,
    addition=f"{SHADOW}, whose ids the database makes",
    documents="write the id as a text or as an ObjectId",
)
def id_is_no_text(one: Candidate) -> Iterator[Met]:
    """The router sends a binary id as base64 in a header, which is no id that anybody can look up."""
    if one.family("id") == "binary":
        yield Met(f"'{one.roles['id']}' is binary")


@obstacle("id-is-a-number", Severity.info, addition="nothing, if no second table writes to the same topics")
def id_is_a_number(one: Candidate) -> Iterator[Met]:
    """A number is unique in its table only: two outboxes that write to one topic have the same ids."""
    if one.family("id") == "number":
        yield Met(f"'{one.roles['id']}' is a number")


@obstacle("id-may-be-null", Severity.warning, addition="make the column NOT NULL")
def id_may_be_null(one: Candidate) -> Iterator[Met]:
    """An event without an id cannot be told from its copy."""
    column = one.column("id")
    if column and column.nullable:
        yield Met(f"'{column.name}' may be null")


@obstacle(
    "payload-is-rewritten", Severity.info, addition="nothing, unless bytes are signed or compared; then a text column"
)
def payload_is_rewritten(one: Candidate) -> Iterator[Met]:
    """The server keeps the document and not its text: blanks and numbers are rewritten, members may be sorted."""
    column = one.column("payload")
    if column and not one.is_fed and column.type in REWRITTEN.get(one.dialect, ()):
        yield Met(f"'{column.name}' is {column.type}")


@obstacle("payload-is-xml", Severity.info, addition="nothing, where consumers read XML")
def payload_is_xml(one: Candidate) -> Iterator[Met]:
    """It arrives as the text it is. JSON Schemas in the schema file cannot describe it."""
    if one.family("payload") == "xml":
        yield Met(f"'{one.roles['payload']}' is XML")


@obstacle("zoned-time", Severity.info, addition="nothing: the proposed file does not make it the message's timestamp")
def zoned_time(one: Candidate) -> Iterator[Met]:
    """The router's own option for a timestamp, table.field.event.timestamp, refuses a type with a time zone and stops
    the task, and MongoDB's a date. This kit leaves the option out; the column serves retention."""
    column = one.column("created_at")
    if column and (one.family("created_at") == "zoned" or dialects.named(one.dialect).documents):
        yield Met(f"'{column.name}' is {column.type}")


@obstacle(
    "name-cannot-be-placed",
    Severity.error,
    addition="a column of another name, filled before the insert",
    documents="a field of another name",
)
def name_cannot_be_placed(one: Candidate) -> Iterator[Met]:
    """The router's list of headers is separated by commas and colons, and knows no quotes."""
    for name in sorted(name for name in one.roles.values() if set(name) & set(",:")):
        yield Met(f"'{name}' holds a comma or a colon")


@obstacle("name-needs-quotes", Severity.info, addition="nothing: what this kit generates quotes every name")
def name_needs_quotes(one: Candidate) -> Iterator[Met]:
    """In SQL by hand a name that is not all lower case (on Oracle: upper case) is another name unless it is quoted."""
    names = [one.table.name, *one.roles.values()]
    dialect = dialects.named(one.dialect)
    plain = {name for name in names if name == dialect.spelled(name.lower()) and name.replace("_", "a").isalnum()}
    if (odd := sorted(set(names) - plain)) and dialect.quotes == ('"', '"'):
        yield Met(f"{', '.join(map(repr, odd))} must be quoted")


@obstacle("generated-column", Severity.error, addition="an ordinary column that a trigger fills before the insert")
def generated_column(one: Candidate) -> Iterator[Met]:
    """The server computes it, and a publication, a capture or a log leaves it out: the router has no value for it, or
    misses the column and stops the task."""
    since, setting = GENERATED.get(one.dialect, ("0", ""))
    for column in (one.table.column(name) for name in sorted(one.roles.values())):
        if not column.generated or not setting:
            continue
        if not since:
            yield Met(f"'{column.name}' is generated ({column.generated}): {setting}", addition=SHADOW)
        elif column.generated == "stored" and not Version.of(one.version) < Version.of(since):
            yield Met(
                f"'{column.name}' is generated, and published only where the publication says so",
                addition=f"alter publication <connect.publication> set ({setting})",
                severity=Severity.warning,
            )
        else:
            yield Met(f"'{column.name}' is generated ({column.generated}), and not published before {since}")
