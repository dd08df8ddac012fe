"""The table as a whole: is it in the log, and who else reads it."""

from collections.abc import Iterator

from outbox_kit import dialects
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.obstacle import NOT_IN_THE_LOG, Met, obstacle
from outbox_kit.finding import Severity
from outbox_kit.source.catalogue import TABLE

MANY_ROWS = 100_000


def quoted(one: Candidate) -> str:
    """The table's name in a statement."""
    return dialects.named(one.dialect).ident(one.table.schema, one.table.name)


@obstacle(
    NOT_IN_THE_LOG,
    Severity.error,
    addition="capture the tables below it, or fill a table of this kit's from them: table.fed_by",
    documents="capture the collection below it, or have your code write an ordinary one",
)
def not_in_the_log(one: Candidate) -> Iterator[Met]:
    """A connector reads the database's log. A view has no rows there, whatever it selects; a foreign table's are in
    another server's log, an unlogged or temporary table's in none. A capped collection loses its oldest by itself."""
    if one.table.kind != TABLE:
        yield Met(f"'{one.table.title}' is no ordinary table but a {one.table.kind}")


@obstacle("partitioned", Severity.info, addition="nothing: the publication that gen-ddl makes goes through the root")
def partitioned(one: Candidate) -> Iterator[Met]:
    """A publication that does not go through the root names a partition's rows by the partition, and the connector is
    told of the root only: it would drop them."""
    if one.table.partitioned and dialects.named(one.dialect).slots:
        yield Met("it is partitioned")


@obstacle("no-primary-key", Severity.warning, addition="add one, or a unique index on the event's id")
def no_primary_key(one: Candidate) -> Iterator[Met]:
    """Nothing keeps an event from being written twice, and an UPDATE or DELETE by its publisher fails as soon as any
    publication holds it that carries those."""
    if one.table.kind == TABLE and not any(index.primary for index in one.table.indexes):
        yield Met("it has no primary key")


@obstacle(
    "whole-rows-logged", Severity.info, addition="log the key only, unless another reader needs the row as it was"
)
def whole_rows_logged(one: Candidate) -> Iterator[Met]:
    """Every UPDATE and DELETE of its publisher writes the whole row into the log once more, payload and all. The
    connector of an outbox reads inserts only."""
    if one.table.whole_rows:
        yield Met("its replica identity is FULL", sql=f"alter table {quoted(one)} replica identity default;")


@obstacle(
    "published-already",
    Severity.info,
    addition="find who reads it; this kit makes a publication of its own, of inserts only",
)
def published_already(one: Candidate) -> Iterator[Met]:
    """Another connector may publish its rows already; both would send every event, under the same id."""
    if one.table.publications:
        yield Met(f"it is in the publication {', '.join(map(repr, one.table.publications))}")


@obstacle("has-triggers", Severity.info, addition="see what they do; one that fills columns before the insert is well")
def has_triggers(one: Candidate) -> Iterator[Met]:
    """What a trigger changes before the row is inserted is in the message; what it writes to the row afterwards is an
    UPDATE, and is not."""
    if one.table.triggers:
        yield Met(f"it has the trigger {', '.join(map(repr, one.table.triggers))}")


@obstacle("many-rows", Severity.info, addition="connect.snapshot: no_data, as the proposed file says")
def many_rows(one: Candidate) -> Iterator[Met]:
    """Before it follows the log, a connector reads the whole table, and publishes every row that is still there."""
    if one.table.rows > MANY_ROWS:
        yield Met(f"it holds about {one.table.rows:,} rows")
