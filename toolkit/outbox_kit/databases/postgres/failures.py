"""The table of failed events in PostgreSQL; see `databases.failures`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import sql

from outbox_kit.databases.failures import FailedEvent, FailureCounts, FencedFailureTable, event_digest
from outbox_kit.databases.polling import OwnedLanes
from outbox_kit.databases.postgres.lanes import lane_of
from outbox_kit.databases.postgres.session import Session, address, identifier, session
from outbox_kit.errors import ProducerFenced
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

COLUMNS = "number, lane, event_id, topic, row_text, cause, attempts, dead"
WAITING = "select distinct lane from {table} as stored where {waits} and {chosen}"
DUE = """
select {columns} from {table} as stored
where not dead and send_at <= now() and (topic is null or topic <> all(%(closed)s)) and {chosen}
  and not exists (select from {table} as earlier
                  where earlier.lane = stored.lane and earlier.number < stored.number
                    and case when dead then {parks} else
                        attempts > 0 or send_at > now() or coalesce(topic = any(%(closed)s), false) end)
order by number limit %(most)s
"""
INSERT = """
insert into {table} (lane, event_id, topic, row_text, cause, attempts, dead, send_at)
select lane, event_id, topic, row_text, cause, attempts, dead, now() + make_interval(secs => %s)
from unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::int[], %s::boolean[]) with ordinality
     as given (lane, event_id, topic, row_text, cause, attempts, dead, place)
order by place
on conflict do nothing
"""
STARTED = """
insert into {runs} as known (slot, position, starts) values (%s, %s, 1)
on conflict (slot) do update set started_at = clock_timestamp(), position = excluded.position,
    starts = case when known.position is not distinct from excluded.position then known.starts + 1 else 1 end
returning starts, started_at
"""
HOLD = "select from {runs} where slot = %s and started_at = %s for share"
STORED = "select number, event_id from {table} where number = any(%s)"


@dataclass
class RelayRun:
    """The last start of a relay."""

    started_at: datetime | None = None
    """By the database's clock; None before it."""


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
        query = "select count(*) filter (where dead), count(*) filter (where not dead) from {table}"
        with session(self.dsn) as connection:
            row = connection.execute(self._sql(query), ()).fetchone() or (0, 0)
        return FailureCounts(*row)

    def lanes(self) -> set[str]:
        """See the protocol."""
        query = self._sql(WAITING, waits=sql.SQL("true" if self._parks else "not dead"))
        with session(self.dsn) as connection:
            return {lane for (lane,) in connection.execute(query, self._lanes)}

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """See the protocol."""
        fields = ([getattr(failure, name) for failure in failures] for name in ADDED)
        with session(self.dsn) as connection:
            self._hold(connection)
            connection.execute(self._sql(INSERT), (seconds, *fields))

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See the protocol."""
        query = self._sql(DUE, parks=sql.Literal(self._parks), columns=sql.SQL(COLUMNS))
        with session(self.dsn) as connection:
            return [
                FailedEvent(*row)
                for row in connection.execute(query, self._lanes | {"closed": list(closed), "most": most})
            ]

    def begin(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._do("update {table} set attempts = attempts + 1, tried_at = now() where number = any(%s)", list(numbers))

    def delivered(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._do("delete from {table} where number = any(%s)", list(numbers))

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """See the protocol."""
        self._do(
            "update {table} set cause = %s, dead = %s, attempts = attempts - %s, "
            "send_at = now() + make_interval(secs => %s) where number = %s",
            cause,
            dead,
            0 if counted else 1,
            seconds,
            number,
        )

    def starts(self, position: int | None) -> int:
        """See the protocol."""
        with session(self.dsn) as connection:
            row = connection.execute(self._sql(STARTED), (self.outbox.names.slot, position)).fetchone()
        if self.run is not None and row:
            self.run.started_at = row[1]
        return int(row[0]) if row else 1

    def stopped(self) -> None:
        """See the protocol."""
        self._do("update {runs} set starts = 0 where slot = %s", self.outbox.names.slot)

    def published(self, events: Mapping[int, str]) -> None:
        """See `databases.failures.FencedFailureTable`."""
        with session(self.dsn) as connection:
            stored = connection.execute(self._sql(STORED), (list(events),)).fetchall()
        self.delivered([number for number, event_id in stored if event_digest(event_id) == events[number]])

    def _hold(self, connection: Session) -> None:
        """Keep another relay from its start until the transaction ends. Raises ProducerFenced if one has begun."""
        if self.run is None:
            return
        values = self.outbox.names.slot, self.run.started_at
        if connection.execute(self._sql(HOLD), values).fetchone() is None:
            what = "another relay has begun to publish the events of this outbox: what this one has read is dropped"
            raise ProducerFenced(what, where=address(self.dsn))

    def _do(self, statement: str, *values: object) -> None:
        with session(self.dsn) as connection:
            self._hold(connection)
            connection.execute(self._sql(statement), values)

    def _sql(self, statement: str, **parts: sql.Composable) -> sql.Composed:
        names = self.outbox.names
        tables = {"table": names.failure_table, "runs": names.run_table}
        quoted = {name: identifier(names.schema, table) for name, table in tables.items()}
        return sql.SQL(statement).format(**quoted, chosen=self._chosen, **parts)

    @property
    def _lanes(self) -> dict[str, Any]:
        if self.owned is None:
            return {}
        return {"lanes": list(self.owned()), "key": router_columns(self.outbox).key}

    @property
    def _chosen(self) -> sql.Composable:
        """The condition on events of this relay's lanes."""
        if self.owned is None:
            return sql.SQL("true")
        lane = lane_of(self.outbox, sql.SQL("(row_text::json ->> %(key)s::text)"), sql.SQL("event_id"))
        return sql.SQL("{} = any (%(lanes)s::int[])").format(lane)


ADDED = ("lane", "event_id", "topic", "row_text", "cause", "attempts", "dead")


def fenced_failures(dsn: str, outbox: Outbox) -> FencedFailureTable:
    """The table for a relay that is the only one to write to it."""
    return PostgresFailureTable(dsn, outbox, run=RelayRun())
