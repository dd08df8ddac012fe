"""An outbox table that relays read, in PostgreSQL; see `databases.polling`.

By position: a row is new if the present snapshot contains its transaction and the one before did not, so that a
transaction that commits late is read in a later window, and within a window rows are in the order of their numbers.
A writer that locks its aggregate before it inserts makes the order of each key right.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from psycopg import sql

from outbox_kit.databases.backlog import Backlog, LaneBacklog, RelayMember
from outbox_kit.databases.changes import TableColumns
from outbox_kit.databases.polling import Lane, OutboxTable, PolledRows, Position
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.lanes import (
    ANSWER_SECONDS,
    APPLICATION,
    FIRST,
    OWNED,
    PostgresLanes,
    lane_of_row,
)
from outbox_kit.databases.postgres.replication import TEXT_FORMS
from outbox_kit.databases.postgres.session import Session, address, identifier, session
from outbox_kit.errors import UsageProblem
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

READ_SECONDS = 60.0
ATTRIBUTES = """
select attname, format_type(atttypid, atttypmod), not attnotnull from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped and attname <> %s order by attnum
"""
CACHED = """
select seqcache from pg_sequence where seqrelid = to_regclass(pg_get_serial_sequence(%s, %s)) and seqcache > 1
"""
AHEAD = """
select exists (select from {lanes} where pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot()))
    or exists (select from {table} as t where t.{txid} >= pg_snapshot_xmax(pg_current_snapshot()))
"""
WINDOW = """
select w.upto::text, o.*
from (select coalesce(%(window)s::pg_snapshot, pg_current_snapshot()) as upto, {forms} as forms) as w
left join lateral ({rows}) as o on true
"""
SMALL = """
select {columns}, {written} from (
    select * from {table} as t where t.{txid} >= pg_snapshot_xmax(%(seen)s::pg_snapshot)
      and t.{txid} < pg_snapshot_xmax(w.upto) and pg_visible_in_snapshot(t.{txid}, w.upto) and {chosen}
    union all
    select * from {table} as t where t.{txid} = any (array(select pg_snapshot_xip(%(seen)s::pg_snapshot)))
      and pg_visible_in_snapshot(t.{txid}, w.upto) and {chosen}
) as t order by {order}, {id} limit %(most)s
"""
"""A window that is found by its transactions."""
LARGE = """
select {columns}, {written} from {table} as t
where pg_visible_in_snapshot(t.{txid}, w.upto) and not pg_visible_in_snapshot(t.{txid}, %(seen)s::pg_snapshot)
  and {chosen} order by {order}, {id} limit %(most)s
"""
"""A window that is read in the order of its rows, by the index of that order."""
BEHIND = "({order}, {id}) > (%(last_order)s::{order_type}, %(last_id)s::{id_type})"
STORE = """
update {lanes} as l set seen = %(seen)s, upto = %(window)s, last_order = %(last_order)s, last_id = %(last_id)s
from unnest(%(numbers)s::int[], %(epochs)s::bigint[]) as mine (lane, epoch) where {owned}
"""
UNPUBLISHED = """
from {table} as t join {lanes} as l on l.lane = {lane}
where t.{txid} >= (select min(pg_snapshot_xmin(coalesce(seen, {first}))) from {lanes})
  and not pg_visible_in_snapshot(t.{txid}, coalesce(l.seen, {first}))
  and (l.last_id is null or not pg_visible_in_snapshot(t.{txid}, l.upto)
       or ({order}, {id}) > (l.last_order::{order_type}, l.last_id::{id_type}))
"""
"""Rows that are not published, as `t`, with their lanes as `l`."""
IN_TABLE = "from {table} as t join {lanes} as l on l.lane = {lane}"
"""The same where published rows are deleted."""
PENDING = "select exists (select {unpublished} and pg_visible_in_snapshot(t.{txid}, %(mark)s::pg_snapshot))"
MEMBERS = """
select m.member::text, m.place, extract(epoch from m.lease_until - clock_timestamp())::float8,
       exists (select from pg_stat_activity as a where a.application_name = {application} || m.member)
from {members} as m order by m.lease_until desc, m.place
"""
LANES = """
select l.lane, l.owner::text, extract(epoch from clock_timestamp())::float8 - min(u.written)::float8
from {lanes} as l left join (select l.lane, {written} as written {unpublished}) as u on u.lane = l.lane
group by l.lane, l.owner order by l.lane
"""
REACHED = "select max(pg_snapshot_xmax(seen))::text::bigint from {lanes}"
ALL = """
select {columns}, {written} from {table} as t
where (select {forms} is not null) and {chosen} order by {order}, {id} limit %(most)s
"""
DELETE = """
with mine as (
    select l.lane from {lanes} as l, unnest(%(numbers)s::int[], %(epochs)s::bigint[]) as mine (lane, epoch)
    where {owned} for share of l
), removed as (
    delete from {table} as t where t.{id_column} = any (%(ids)s::{id_type}[])
      and (select count(*) from mine) = cardinality(%(numbers)s::int[]) returning 1
)
select (select count(*) from mine)
"""
NEWEST = "select coalesce(max({order})::text, '') from {table} as t"
LEFT = "select exists (select from {table} as t where %(mark)s <> '' and {order} <= %(mark)s::{order_type})"
OLDEST = "select hashtext(coalesce(min({order})::text, '')) from {table} as t"


class _Table(PostgresLanes):
    """What is read of every table."""

    unpublished = UNPUBLISHED
    """FROM and WHERE of the rows that are not published."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        super().__init__(dsn, outbox)
        self._columns: TableColumns | None = None
        self._id, self._order = router_columns(outbox).id, outbox.order_column
        self._parts: dict[str, sql.Composable] = {}

    def columns(self) -> TableColumns:
        """See `polling.OutboxTable`."""
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            return self._described(connection)

    def backlog(self) -> Backlog:
        """See `backlog.BacklogReader`; it need not be open."""
        with session(self._dsn, seconds=READ_SECONDS) as connection:
            self._described(connection)
            members = connection.execute(self.sql(MEMBERS, application=sql.Literal(APPLICATION)), ()).fetchall()
            lanes = connection.execute(self._query(LANES, unpublished=self._unpublished()), ()).fetchall()
            return Backlog([RelayMember(*row) for row in members], [LaneBacklog(*row) for row in lanes])

    def _unpublished(self) -> sql.Composed:
        return self._query(self.unpublished, first=self.first())

    def _examine(self, connection: Session) -> None:
        """See `PostgresLanes`."""
        self._columns = self._described(connection)
        place = POSTGRES.quote_ident(self._outbox.names.schema, self._outbox.table.name)
        if connection.execute(CACHED, (place, self._order)).fetchone():
            raise UsageProblem(
                f"the sequence of column '{self._order}' hands out several numbers at once: they are not in order",
                where=address(self._dsn),
                fix=f"alter table {place} alter column {POSTGRES.quote_ident(self._order)} set cache 1",
            )

    def _described(self, connection: Session) -> TableColumns:
        names, outbox = self._outbox.names, self._outbox
        place = POSTGRES.quote_ident(names.schema, outbox.table.name)
        listed = connection.execute(ATTRIBUTES, (place, names.transaction_column)).fetchall()
        columns = TableColumns(tuple(RowColumn(name, kind, optional=optional) for name, kind, optional in listed))
        missing = [name for name in (self._id, self._order) if name not in columns.names]
        if missing:
            raise UsageProblem(
                f"the table {place} has no column '{missing[0]}'",
                where=address(self._dsn),
                fix="create the missing objects: outbox-kit gen-ddl --apply",
            )
        types, created = {column.name: column.type for column in columns.columns}, outbox.table.columns.created_at
        of_table = {name: sql.SQL("t.{}").format(identifier(name)) for name in columns.names}
        self._parts = {
            "columns": sql.SQL(", ").join(of_table.values()),
            "written": sql.SQL("extract(epoch from {})").format(of_table[created])
            if created in types
            else sql.SQL("null"),
            "order": of_table[self._order],
            "id": of_table[self._id],
            "id_column": identifier(self._id),
            "order_type": sql.SQL(types[self._order]),
            "id_type": sql.SQL(types[self._id]),
            "txid": identifier(names.transaction_column),
            "lane": lane_of_row(outbox),
            "owned": self.sql(OWNED),
            "forms": sql.SQL("concat({})").format(sql.SQL(", ").join(_setting(*each) for each in TEXT_FORMS.items())),
        }
        return columns

    def _query(self, statement: str, **parts: sql.Composable) -> sql.Composed:
        return self.sql(statement, **self._parts, **parts)

    def _chosen(self, lanes: Collection[Lane]) -> sql.Composable:
        """The condition on rows of lanes."""
        if len(lanes) == self._outbox.delivery.lanes:
            return sql.SQL("true")
        return sql.SQL("{} = any (%(numbers)s::int[])").format(self._parts["lane"])

    def _fetched(self, query: sql.Composed, values: dict[str, Any]) -> list[list[bytes | None]]:
        """The rows of a query, as the server writes them; the query itself sets the forms of the texts first."""
        with self.kept.use(seconds=READ_SECONDS) as connection:
            result = connection.execute(query, values).pgresult
            assert result is not None  # noqa: S101 - a query has a result
            get, indexes = result.get_value, range(result.nfields)
            return [[get(row, column) for column in indexes] for row in range(result.ntuples)]

    def _rows(self, rows: Sequence[list[bytes | None]], end: Position, window: str | None) -> PolledRows:
        """rows: with the moment when they were written as their last value."""
        columns = self._columns
        assert columns is not None  # noqa: S101 - it is open
        at = columns.names.index(self._id)
        written = rows[0][-1] if rows else None
        ids = [(row[at] or b"").decode() for row in rows]
        for row in rows:
            row.pop()
        return PolledRows(columns, rows, ids, end, window, None if written is None else float(written))

    def _value(self, query: sql.Composed, values: dict[str, Any]) -> Any:
        with self.kept.use(seconds=READ_SECONDS) as connection:
            return self._row(connection.execute(query, values).fetchone())[0]


class PositionTable(_Table):
    """A table whose rows stay as they are; see `polling.OutboxTable`."""

    reads_ahead = True
    """See `polling.OutboxTable`."""

    def read(self, lanes: Collection[Lane], position: Position, most: int) -> PolledRows:
        """See `polling.OutboxTable`."""
        in_order = self._outbox.ordering.assigned_by == "database"
        is_large = in_order and (position.last is not None or position.seen == FIRST)
        behind = self._query(BEHIND) if position.last is not None else sql.SQL("true")
        chosen = sql.SQL("{} and {}").format(self._chosen(lanes), behind)
        rows = self._query(LARGE if is_large else SMALL, chosen=chosen)
        fetched = self._fetched(self._query(WINDOW, rows=rows), self._values(lanes, position) | {"most": most})
        window = (fetched[0][0] or b"").decode()
        columns = self._columns
        assert columns is not None  # noqa: S101 - it is open
        order_at, id_at = (columns.names.index(name) for name in (self._order, self._id))
        texts = [row[1:] for row in fetched if row[id_at + 1] is not None]
        end = Position(window)
        if len(texts) == most:
            last_order, last_id = texts[-1][order_at], texts[-1][id_at]
            end = Position(position.seen, window, ((last_order or b"").decode(), (last_id or b"").decode()))
        return self._rows(texts, end, window)

    def store(self, lanes: Collection[Lane], position: Position, ids: Sequence[str]) -> bool:  # noqa: ARG002
        """See `polling.OutboxTable`."""
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            return connection.execute(self._query(STORE), self._values(lanes, position)).rowcount == len(lanes)

    def mark(self) -> str:
        """See `polling.OutboxTable`."""
        return str(self._value(sql.Composed([sql.SQL("select pg_current_snapshot()::text")]), {}))

    def passed(self, mark: str) -> bool:
        """See `polling.OutboxTable`."""
        return not self._value(self._query(PENDING, unpublished=self._unpublished()), {"mark": mark})

    def position(self) -> int | None:
        """See `polling.OutboxTable`."""
        reached = self._value(self.sql(REACHED), {})
        return None if reached is None else int(reached)

    def _examine(self, connection: Session) -> None:
        super()._examine(connection)
        if self._row(connection.execute(self._query(AHEAD), {}).fetchone())[0]:
            raise UsageProblem(
                "the outbox has rows of transactions that this server has not begun: it was restored from another one",
                where=address(self._dsn),
                fix="publish what is left by hand: set the column "
                f"{self._outbox.names.transaction_column} of unpublished rows to pg_current_xact_id(), delete the "
                f"others, and set seen of {self._outbox.names.lane_table} to '1:1:' and upto, last_order, last_id to "
                "null",
            )

    def _values(self, lanes: Collection[Lane], position: Position) -> dict[str, Any]:
        last_order, last_id = position.last or (None, None)
        values = {"seen": position.seen, "window": position.window, "last_order": last_order, "last_id": last_id}
        return self.mine(lanes) | values


class DeleteTable(_Table):
    """A table whose rows are deleted when they are published; see `polling.OutboxTable`.

    All rows are looked at each time, so no row is passed over: what commits late comes later.
    """

    reads_ahead = False
    """See `polling.OutboxTable`."""
    unpublished = IN_TABLE
    """See `_Table`."""

    def read(self, lanes: Collection[Lane], position: Position, most: int) -> PolledRows:
        """See `polling.OutboxTable`."""
        query = self._query(ALL, chosen=self._chosen(lanes))
        return self._rows(self._fetched(query, self.mine(lanes) | {"most": most}), position, None)

    def store(self, lanes: Collection[Lane], position: Position, ids: Sequence[str]) -> bool:  # noqa: ARG002
        """See `polling.OutboxTable`."""
        values = self.mine(lanes) | {"ids": list(ids)}
        return bool(self._value(self._query(DELETE), values) == len(lanes))

    def mark(self) -> str:
        """See `polling.OutboxTable`."""
        return str(self._value(self._query(NEWEST), {}))

    def passed(self, mark: str) -> bool:
        """See `polling.OutboxTable`."""
        return not self._value(self._query(LEFT), {"mark": mark})

    def position(self) -> int | None:
        """See `polling.OutboxTable`."""
        return int(self._value(self._query(OLDEST), {}))


def _setting(name: str, value: str) -> sql.Composed:
    """The expression that sets a parameter until the transaction ends."""
    return sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))


def outbox_table(dsn: str, outbox: Outbox) -> OutboxTable:
    """See `polling.OutboxTables`."""
    return KINDS[outbox.delivery.record](dsn, outbox)


def backlog(dsn: str, outbox: Outbox) -> Backlog:
    """See `backlog.BacklogReader`."""
    return KINDS[outbox.delivery.record](dsn, outbox).backlog()


KINDS: Mapping[str, type[PositionTable | DeleteTable]] = {"position": PositionTable, "delete": DeleteTable}
