"""The table of failed events in PostgreSQL; see `databases.failures`.

Each write is one statement: the check of the lanes, the event, and the marks of its row. A relay that is frozen between
two statements would keep its lanes locked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from psycopg import sql

from outbox_kit.databases.failures import FailedEvent, FailureCounts, FencedFailureTable, event_digest
from outbox_kit.databases.polling import OwnedLanes, lanes_lost
from outbox_kit.databases.postgres import marks
from outbox_kit.databases.postgres.lanes import lane_of, with_names
from outbox_kit.databases.postgres.marks import Marks
from outbox_kit.databases.postgres.session import address, session
from outbox_kit.errors import OutboxKitError, ProducerFenced
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

COLUMNS = "number, lane, event_id, topic, row_text, cause, attempts, dead"
LANES = "select distinct lane from {failures} as stored where {condition} and {chosen}"
DUE = """
select {columns} from {failures} as stored
where not dead and send_at <= now() and (topic is null or topic <> all(%(closed)s)) and {chosen}
  and not exists (select from {failures} as earlier
                  where earlier.lane = stored.lane and earlier.number < stored.number
                    and case when dead then {parks} else
                        attempts > 0 or send_at > now() or coalesce(topic = any(%(closed)s), false) end)
order by number limit %(most)s
"""
COUNTS = "select count(*) filter (where dead), count(*) filter (where not dead) from {failures}"
ADD = """
with given as (
    select *, {lane_number} as lane_number
    from unnest(%(lane)s::text[], %(event_id)s::text[], %(topic)s::text[], %(row_text)s::text[], %(cause)s::text[],
                %(attempts)s::int[], %(dead)s::boolean[]) with ordinality
         as given (lane, event_id, topic, row_text, cause, attempts, dead, place)
), fence as ({fence}), added as (
    insert into {failures} (lane, event_id, topic, row_text, cause, attempts, dead, send_at)
    select lane, event_id, topic, row_text, cause, attempts, dead, now() + make_interval(secs => %(seconds)s)
    from given where {allowed} order by place on conflict do nothing
){marked}
select {allowed}
"""
CHANGE = """
with given as (
    select number, {lane_number} as lane_number from {failures} as stored where number = any(%(chosen)s::bigint[])
), fence as ({fence}), changed as (
    {change} where number = any(%(chosen)s::bigint[]) and {allowed} returning event_id, cause
){marked}
select {allowed}
"""
FENCE = """
with {mine}
select (select count(*) from mine) = cardinality(%(numbers)s::int[])
   and not exists (select from given where lane_number <> all (%(numbers)s::int[])) as is_passed
"""
RUN_FENCE = """
select count(*) = 1 as is_passed
from (
    select from {runs} where slot = %(slot)s and extract(epoch from started_at)::text = %(started_at)s for share
) as held
"""
ALLOWED = sql.SQL("(select is_passed from fence)")
BEGIN = "update {failures} set attempts = attempts + 1, tried_at = now()"
DELIVERED = "delete from {failures}"
POSTPONE = """
update {failures} set cause = %(cause)s, dead = %(dead)s, attempts = attempts - %(uncounted)s,
    send_at = now() + make_interval(secs => %(seconds)s)
"""
STARTED = """
insert into {runs} as known (slot, position, starts) values (%(slot)s, %(position)s, 1)
on conflict (slot) do update set started_at = clock_timestamp(), position = excluded.position,
    starts = case when known.position is not distinct from excluded.position then known.starts + 1 else 1 end
returning starts, extract(epoch from started_at)::text
"""
STORED = "select number, event_id from {failures} where number = any(%(chosen)s)"
STOPPED = "update {runs} set starts = 0 where slot = %(slot)s"
ADDED = ("lane", "event_id", "topic", "row_text", "cause", "attempts", "dead")


@dataclass
class RelayRun:
    """The last start of a relay."""

    started_at: str | None = None
    """Seconds since 1970 by the database's clock; None before it."""


@dataclass(frozen=True)
class PostgresFailureTable:
    """See `databases.failures.FailureTable`."""

    dsn: str
    outbox: Outbox
    owned: OwnedLanes | None = None
    """The lanes of the table that this relay reads; None if it is the only relay."""
    run: "RelayRun | None" = None
    """The start of this relay, after which others write nothing more; None if they may."""

    @property
    def _parks(self) -> bool:
        """Whether a dead event keeps the later ones of its lane back."""
        return self.outbox.delivery.on_dead_letter == "park"

    def counts(self) -> FailureCounts:
        """See the protocol."""
        with session(self.dsn, autocommit=True) as connection:
            row = connection.execute(self._sql(COUNTS), ()).fetchone() or (0, 0)
        return FailureCounts(*row)

    def lanes(self) -> set[str]:
        """See the protocol."""
        return self._lanes_of(sql.SQL("true" if self._parks else "not dead"))

    def every_lane(self) -> set[str]:
        """See `databases.failures.FencedFailureTable`."""
        return self._lanes_of(sql.SQL("true"))

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """See the protocol."""
        values = {name: [getattr(failure, name) for failure in failures] for name in ADDED} | {"seconds": seconds}
        assignments = self._marks.failed(sql.SQL("r.attempts")) if self._marks else None
        self._write(ADD, "given", assignments, values)

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See the protocol."""
        columns = sql.SQL(COLUMNS)
        query = self._sql(DUE, parks=sql.Literal(self._parks), columns=columns, chosen=self._chosen)
        with session(self.dsn, autocommit=True) as connection:
            return [
                FailedEvent(*row)
                for row in connection.execute(query, self._lanes | {"closed": list(closed), "most": most})
            ]

    def begin(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._change(BEGIN, numbers, self._marks.tried() if self._marks else None, {})

    def delivered(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._change(DELIVERED, numbers, self._marks.published(0) if self._marks else None, {})

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """See the protocol."""
        uncounted = 0 if counted else 1
        assignments = self._marks.failed(sql.Literal(-uncounted)) if self._marks else None
        values = {"cause": cause, "dead": dead, "uncounted": uncounted, "seconds": seconds}
        self._change(POSTPONE, [number], assignments, values)

    def starts(self, position: int | None) -> int:
        """See the protocol."""
        values = {"slot": self.outbox.names.slot, "position": position}
        with session(self.dsn, autocommit=True) as connection:
            row = connection.execute(self._sql(STARTED), values).fetchone()
        if self.run is not None and row:
            self.run.started_at = row[1]
        return int(row[0]) if row else 1

    def stopped(self) -> None:
        """See the protocol."""
        with session(self.dsn, autocommit=True) as connection:
            connection.execute(self._sql(STOPPED), {"slot": self.outbox.names.slot})

    def _lanes_of(self, condition: sql.Composable) -> set[str]:
        """The lanes of the stored events to which a condition applies."""
        query = self._sql(LANES, condition=condition, chosen=self._chosen)
        with session(self.dsn, autocommit=True) as connection:
            return {lane for (lane,) in connection.execute(query, self._lanes)}

    def _change(
        self, change: str, numbers: Sequence[int], assignments: sql.Composable | None, values: dict[str, Any]
    ) -> None:
        """Change stored events, and their rows in the outbox table. Raises LanesLost."""
        chosen = {"chosen": list(numbers)}
        self._write(CHANGE, "changed", assignments, values | chosen, change=self._sql(change))

    def _write(
        self,
        statement: str,
        rows: str,
        assignments: sql.Composable | None,
        values: dict[str, Any],
        **parts: sql.Composable,
    ) -> None:
        """Run a statement. rows: its relation of the events whose rows get the assignments. Raises LanesLost."""
        update: sql.Composable = sql.SQL("")
        if assignments is not None and self._marks is not None:
            update = sql.SQL(", marked as ({})").format(self._marks.update(assignments, rows, ALLOWED))
        query = self._sql(
            statement,
            fence=self._sql(self._fence),
            lane_number=sql.SQL("0") if self.owned is None else self._lane_number,
            allowed=ALLOWED,
            marked=update,
            **parts,
        )
        with session(self.dsn, autocommit=True) as connection:
            row = connection.execute(query, values | self._lanes | self._start).fetchone()
        if row is None or not row[0]:
            raise self._fenced()

    @property
    def _fence(self) -> str:
        """Whether what a statement writes is this relay's to write."""
        if self.owned is not None:
            return FENCE
        return "select true as is_passed" if self.run is None else RUN_FENCE

    @property
    def _start(self) -> dict[str, Any]:
        if self.run is None:
            return {}
        return {"slot": self.outbox.names.slot, "started_at": self.run.started_at}

    def _fenced(self) -> OutboxKitError:
        if self.run is None:
            return lanes_lost("another relay has taken them, or its lease has ended")
        what = "another relay has begun to publish the events of this outbox: what this one has read is dropped"
        return ProducerFenced(what, where=address(self.dsn))

    def published(self, events: Mapping[int, str]) -> None:
        """See `databases.failures.FencedFailureTable`."""
        with session(self.dsn, autocommit=True) as connection:
            stored = connection.execute(self._sql(STORED), {"chosen": list(events)}).fetchall()
        self.delivered([number for number, event_id in stored if event_digest(event_id) == events[number]])

    def _sql(self, statement: str, **parts: sql.Composable) -> sql.Composed:
        return with_names(self.outbox, statement, **parts)

    @cached_property
    def _marks(self) -> Marks | None:
        return marks.read(self.dsn, self.outbox)

    @property
    def _lanes(self) -> dict[str, Any]:
        """The values of a statement about this relay's lanes."""
        if self.owned is None:
            return {}
        lanes = self.owned.lanes()
        return {
            "numbers": [lane.number for lane in lanes],
            "epochs": [lane.epoch for lane in lanes],
            "member": self.owned.member,
            "key": router_columns(self.outbox).key,
        }

    @property
    def _lane_number(self) -> sql.Composable:
        """The lane of a stored event, by the texts of its row."""
        return lane_of(self.outbox, sql.SQL("(row_text::json ->> %(key)s::text)"), sql.SQL("event_id"))

    @property
    def _chosen(self) -> sql.Composable:
        """The condition on events of this relay's lanes."""
        if self.owned is None:
            return sql.SQL("true")
        return sql.SQL("{} = any (%(numbers)s::int[])").format(self._lane_number)


def fenced_failures(dsn: str, outbox: Outbox) -> FencedFailureTable:
    """The table for a relay that is the only one to write to it."""
    return PostgresFailureTable(dsn, outbox, run=RelayRun())
