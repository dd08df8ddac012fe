"""Outbox tables whose rows are deleted or marked when they are published, in PostgreSQL.

Every read looks at all unpublished rows, so none is passed over: what commits late comes later. Nothing is locked while
a relay waits for its sink. The order of a key is that of the order column, and of the ids within one value of it.
"""

from collections.abc import Collection, Sequence

from psycopg import sql

from outbox_kit.databases.polling import Lane, PolledRows, Position
from outbox_kit.databases.postgres import marks
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.marks import Marks
from outbox_kit.databases.postgres.row_table import RowTable
from outbox_kit.databases.postgres.session import Session, address, identifier
from outbox_kit.databases.postgres.slot_rows import LoggedTransaction
from outbox_kit.databases.postgres.snapshots import TransactionSnapshot
from outbox_kit.errors import UsageProblem

READ = """
select {columns}, {written} from {table} as t
where (select {forms} is not null) and {readable} and {chosen} order by {sort}, {id} limit %(most)s
"""
STORE = """
with {mine}, changed as (
    {change} where t.{key} = any (%(ids)s::{key_type}[]) and {unsent}
      and (select count(*) from mine) = cardinality(%(numbers)s::int[]) returning 1
)
select (select count(*) from mine)
"""
RECORD = """
{change} where {unsent}
  and not exists (select from unnest(%(keys)s::{key_type}[]) as left_rows (key) where left_rows.key = t.{key})
"""
DELETE, UPDATE = "delete from {table} as t", "update {table} as t set {assignments}"
NEWEST = "select coalesce(({first}), '')"
OLDEST = "select hashtext(coalesce(({first}), ''))"
FIRST = "select {order}::text from {table} as t where {readable} and {order} is not null order by {sort} {way} limit 1"
LEFT = """
select exists (select from {table} as t where %(mark)s <> '' and {readable} and {order} <= %(mark)s::{order_type})
"""
UNIQUE = """
select a.attname from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
where i.indrelid = to_regclass(%s) and i.indisunique and i.indisvalid and i.indpred is null and i.indnkeyatts = 1
"""
PARTIAL = """
select a.attname from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
where i.indrelid = to_regclass(%s) and i.indisvalid and i.indpred is not null
"""


class DeleteTable(RowTable):
    """A table whose rows are deleted when they are published; see `polling.OutboxTable`."""

    reads_ahead = False
    """See `polling.OutboxTable`."""
    unpublished = "from {table} as t join {lanes} as l on l.lane = {lane} where {readable}"
    """See `RowTable`."""
    unrecorded = "from {table} as t join {lanes} as l on l.lane = {lane} where {unsent}"
    """See `RowTable`."""

    def read(self, lanes: Collection[Lane], position: Position, most: int) -> PolledRows:
        """See `polling.OutboxTable`."""
        query = self._query(READ, chosen=self._chosen(lanes))
        return self._rows(self._fetched(query, self.mine(lanes) | {"most": most}), position, None)

    def store(self, lanes: Collection[Lane], position: Position, ids: Sequence[str]) -> bool:  # noqa: ARG002
        """See `polling.OutboxTable`."""
        query = self._query(STORE, change=self._change())
        return bool(self._value(query, self.mine(lanes) | {"ids": list(ids)}) == len(lanes))

    def mark(self) -> str:
        """See `polling.OutboxTable`."""
        return str(self._value(self._query(NEWEST, first=self._query(FIRST, way=sql.SQL("desc"))), {}))

    def passed(self, mark: str) -> bool:
        """See `polling.OutboxTable`."""
        return not self._value(self._query(LEFT), {"mark": mark})

    def position(self) -> int | None:
        """See `polling.OutboxTable`."""
        return int(self._value(self._query(OLDEST, first=self._query(FIRST, way=sql.SQL("asc"))), {}))

    def record(
        self,
        connection: Session,
        snapshot: TransactionSnapshot,  # noqa: ARG002 - the connection sees it
        unpublished: Collection[LoggedTransaction],
    ) -> int:
        """See `RowTable`: the rows are deleted, or marked without an attempt."""
        self._take_lanes(connection, sql.SQL(""), {})
        statement = self._query(RECORD, change=self._change(0))
        keys = [row.key for transaction in unpublished for row in transaction.rows]
        return connection.execute(statement, {"keys": keys}).rowcount

    def _examine(self, connection: Session) -> None:
        """See `PostgresLanes`. A row is found again by its id, or by its order if that alone is unique."""
        super()._examine(connection)
        assert self._columns is not None  # noqa: S101 - it is read above
        unique = [name for (name,) in connection.execute(UNIQUE, (self._place,))]
        self._key = self._order if self._order in unique and self._id not in unique else self._id
        column = next(column for column in self._columns.columns if column.name == self._key)
        if column.optional:
            quoted = POSTGRES.quote_ident(column.name)
            raise UsageProblem(
                f"the column '{column.name}' of {self._place} may be null: the relay finds rows by it",
                where=address(self._dsn),
                fix=f"alter table {self._place} alter column {quoted} set not null",
            )
        self._parts |= {"key": identifier(column.name), "key_type": sql.SQL(column.type)} | self._conditions(connection)

    def _conditions(self, connection: Session) -> dict[str, sql.Composable]:  # noqa: ARG002
        """The conditions on rows: to be published now, and not yet stored as published; and what they are sorted by."""
        return {"readable": sql.SQL("true"), "unsent": sql.SQL("true"), "sort": self._parts["order"]}

    def _change(self, attempts: int = 1) -> sql.Composable:  # noqa: ARG002
        """What is done with published rows. attempts: of the relay to publish them."""
        return self.sql(DELETE)


class MarkTable(DeleteTable):
    """A table whose rows are marked when they are published; see `polling.OutboxTable`."""

    _marks: Marks

    @property
    def _own_columns(self) -> Collection[str]:
        """See `RowTable`."""
        mark = self._outbox.mark
        return () if mark is None else [name for name, _ in mark.places()]

    def _examine(self, connection: Session) -> None:
        """See `PostgresLanes`."""
        parts = marks.of(connection, self._dsn, self._outbox)
        assert parts is not None  # noqa: S101 - the schema file has the columns
        self._marks = parts
        super()._examine(connection)

    def _conditions(self, connection: Session) -> dict[str, sql.Composable]:
        """See `DeleteTable`.

        The server must not take an index of all rows for their order, or all rows: it would look at every published
        one. So where no index has the unpublished rows in their order, it sorts them, by an expression that no index
        has; and where they have an index, all rows are not looked at, however old the server's statistics are.
        """
        indexes = [name for (name,) in connection.execute(PARTIAL, (self._place,))]
        self._planning = {"enable_seqscan": "off"} if indexes else {}
        order = self._parts["order"]
        sort = order if self._order in indexes else sql.SQL("coalesce({0}, {0})").format(order)
        return {"readable": self._marks.readable, "unsent": self._marks.unsent, "sort": sort}

    def _change(self, attempts: int = 1) -> sql.Composable:
        """See `DeleteTable`."""
        return self.sql(UPDATE, assignments=self._marks.published(attempts))
