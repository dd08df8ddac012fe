"""An outbox table that relays read by position, in PostgreSQL; see `databases.polling`.

A row is new if the present snapshot contains its transaction and the one before did not, so that a
transaction that commits late is read in a later window, and within a window rows are in the order of their numbers.
A writer that locks its aggregate before it inserts makes the order of each key right.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from psycopg import sql

from outbox_kit.databases.backlog import Backlog
from outbox_kit.databases.polling import Lane, OutboxTable, PolledRows, Position
from outbox_kit.databases.postgres.consumed import DeleteTable, MarkTable
from outbox_kit.databases.postgres.lanes import ANSWER_SECONDS, FIRST
from outbox_kit.databases.postgres.row_table import RowTable
from outbox_kit.databases.postgres.session import Session, address
from outbox_kit.databases.postgres.slot_rows import LoggedTransaction
from outbox_kit.databases.postgres.snapshots import TransactionSnapshot
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox

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
PENDING = "select exists (select {unpublished} and pg_visible_in_snapshot(t.{txid}, %(mark)s::pg_snapshot))"
SEEN = ", seen = %(seen)s, upto = null, last_order = null, last_id = null"
REACHED = "select max(pg_snapshot_xmax(seen))::text::bigint from {lanes}"


class PositionTable(RowTable):
    """A table whose rows stay as they are; see `polling.OutboxTable`."""

    reads_ahead = True
    """See `polling.OutboxTable`."""
    unpublished = unrecorded = UNPUBLISHED
    """See `RowTable`."""

    @property
    def keeps_rows(self) -> bool:
        """See `RowTable`."""
        return True

    @property
    def _own_columns(self) -> Collection[str]:
        """See `RowTable`."""
        return (self._outbox.names.transaction_column,)

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

    def record(
        self, connection: Session, snapshot: TransactionSnapshot, unpublished: Collection[LoggedTransaction]
    ) -> None:
        """See `RowTable`: the position of all lanes."""
        seen = snapshot.without([transaction.number for transaction in unpublished])
        self._take_lanes(connection, sql.SQL(SEEN), {"seen": str(seen)})

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


KINDS: Mapping[str, type[PositionTable | DeleteTable]] = {
    "position": PositionTable,
    "delete": DeleteTable,
    "mark": MarkTable,
}


def row_table(dsn: str, outbox: Outbox) -> PositionTable | DeleteTable:
    """The table at an address, not connected."""
    return KINDS[outbox.delivery.record](dsn, outbox)


def outbox_table(dsn: str, outbox: Outbox) -> OutboxTable:
    """See `polling.OutboxTables`."""
    return row_table(dsn, outbox)


def backlog(dsn: str, outbox: Outbox) -> Backlog:
    """See `backlog.BacklogReader`."""
    return row_table(dsn, outbox).backlog()
