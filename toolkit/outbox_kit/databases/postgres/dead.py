"""The table of failed events in PostgreSQL for operators; see `databases.failures.FailureDesk`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from outbox_kit.databases.failures import DeadLetters, FailedEvent, Selection, StoredEvent, WaitingLane, WaitingLanes
from outbox_kit.databases.postgres import marks
from outbox_kit.databases.postgres.session import identifier, session
from outbox_kit.schema.model import Outbox

FIELDS = "number, lane, event_id, topic, {row}, cause, attempts, dead, failed_at, tried_at, send_at"
WITHOUT_ROW, WITH_ROW = FIELDS.format(row="''"), FIELDS.format(row="row_text")
LARGEST_NUMBER = 2**63 - 1
CHOSEN = """
dead and (%(numbers)s::bigint[] is null or number = any(%(numbers)s))
and (%(topic)s::text is null or topic = %(topic)s)
and (%(lane)s::text is null or lane = %(lane)s)
and (%(end)s::text is null or right(lane, length(%(end)s)) = %(end)s
     and right(lane, length(%(keyless)s)) <> %(keyless)s)
"""
LIST = "select {columns} from {table} where {chosen} order by number limit %(most)s"
COUNT = "select count(*) from {table} where {chosen}"
NUMBERS = "select number from {table} where {chosen} order by number"
EVENT = "select {columns} from {table} where number = %s"
RETRY = """
update {table} as stored set dead = false, attempts = 0, send_at = now() + make_interval(secs => place * %s)
from (select number, row_number() over (order by number) - 1 as place from {table}
      where dead and number = any(%s)) as chosen
where stored.number = chosen.number
"""
DISCARD = """
with changed as (delete from {table} where dead and number = any(%s) returning event_id){marked}
select count(*) from changed
"""
WAITING = """
with lanes as (select lane, min(number) as number, count(*) as depth from {table} where {waits} group by lane),
first as (select *, count(*) over () as total from lanes order by number limit %s)
select {columns}, depth, extract(epoch from now() - failed_at)::float, total
from {table} join first using (number, lane) order by number
"""


@dataclass(frozen=True)
class PostgresFailureDesk:
    """See `databases.failures.FailureDesk`."""

    dsn: str
    outbox: Outbox

    def dead(self, selection: Selection, most: int) -> DeadLetters:
        """See the protocol."""
        values = _values(selection)
        with session(self.dsn) as connection:
            rows = connection.execute(self._sql(LIST, WITHOUT_ROW), {**values, "most": most}).fetchall()
            total = connection.execute(self._sql(COUNT), values).fetchone()
        return DeadLetters([_stored(row) for row in rows], total[0] if total else 0)

    def numbers(self, selection: Selection) -> Sequence[int]:
        """See the protocol."""
        with session(self.dsn) as connection:
            return [number for (number,) in connection.execute(self._sql(NUMBERS), _values(selection))]

    def event(self, number: int) -> StoredEvent | None:
        """See the protocol."""
        if number > LARGEST_NUMBER:
            return None
        with session(self.dsn) as connection:
            row = connection.execute(self._sql(EVENT, WITH_ROW), (number,)).fetchone()
        return _stored(row) if row else None

    def retry(self, numbers: Sequence[int], rate: float | None) -> int:
        """See the protocol."""
        with session(self.dsn) as connection:
            return connection.execute(self._sql(RETRY), (1 / rate if rate else 0.0, list(numbers))).rowcount

    def discard(self, numbers: Sequence[int]) -> int:
        """See the protocol."""
        with session(self.dsn) as connection:
            parts, update = marks.of(connection, self.dsn, self.outbox), sql.Composed([])
            if parts is not None and (assignments := parts.discarded()) is not None:
                row_update = parts.update(assignments, "changed", sql.SQL("true"))
                update = sql.SQL(", marked as ({})").format(row_update)
            row = connection.execute(self._sql(DISCARD, marked=update), (list(numbers),)).fetchone()
        return int(row[0]) if row else 0

    def waiting(self, most: int) -> WaitingLanes:
        """See the protocol."""
        with session(self.dsn) as connection:
            rows = connection.execute(self._sql(WAITING, WITHOUT_ROW), (most,)).fetchall()
        return WaitingLanes([WaitingLane(_stored(row), *row[-3:-1]) for row in rows], rows[0][-1] if rows else 0)

    def _sql(self, statement: str, columns: str = "", **parts: sql.Composable) -> sql.Composed:
        names, parks = self.outbox.names, self.outbox.delivery.on_dead_letter == "park"
        return sql.SQL(statement).format(
            table=identifier(names.schema, names.failure_table),
            chosen=sql.SQL(CHOSEN),
            columns=sql.SQL(columns),
            waits=sql.SQL("true" if parks else "not dead"),
            **parts,
        )


def _values(selection: Selection) -> Mapping[str, Any]:
    """The parameters of CHOSEN; no event has a number that is larger than the column's type."""
    numbers, ends = selection.numbers, selection.lane_ends or (None, None)
    return {
        "numbers": None if numbers is None else [number for number in numbers if number <= LARGEST_NUMBER],
        "topic": selection.topic,
        "lane": selection.lane,
        "end": ends[0],
        "keyless": ends[1],
    }


def _stored(row: Sequence[Any]) -> StoredEvent:
    return StoredEvent(FailedEvent(*row[:8]), *row[8:11])
