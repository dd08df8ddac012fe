"""The table of failed events in PostgreSQL; see `databases.failures`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from outbox_kit.databases.failures import FailedEvent, FailureCounts
from outbox_kit.databases.polling import OwnedLanes
from outbox_kit.databases.postgres.lanes import lane_of
from outbox_kit.databases.postgres.session import identifier, session
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
on conflict (slot) do update set started_at = now(), position = excluded.position,
    starts = case when known.position is not distinct from excluded.position then known.starts + 1 else 1 end
returning starts
"""


@dataclass(frozen=True)
class PostgresFailureTable:
    """See `databases.failures.FailureTable`."""

    dsn: str
    outbox: Outbox
    owned: OwnedLanes | None = None
    """The lanes of the table that this relay reads; None if it is the only relay."""

    @property
    def _parks(self) -> bool:
        """Whether a dead event keeps the later ones of its lane back."""
        return self.outbox.delivery.on_dead_letter == "park"

    def counts(self) -> FailureCounts:
        """See the protocol."""
        query = "select count(*) filter (where dead), count(*) filter (where not dead) from {table}"
        with session(self.dsn, autocommit=True) as connection:
            row = connection.execute(self._sql(query), ()).fetchone() or (0, 0)
        return FailureCounts(*row)

    def lanes(self) -> set[str]:
        """See the protocol."""
        query = self._sql(WAITING, waits=sql.SQL("true" if self._parks else "not dead"))
        with session(self.dsn, autocommit=True) as connection:
            return {lane for (lane,) in connection.execute(query, self._lanes)}

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """See the protocol."""
        fields = ([getattr(failure, name) for failure in failures] for name in ADDED)
        with session(self.dsn, autocommit=True) as connection:
            connection.execute(self._sql(INSERT), (seconds, *fields))

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See the protocol."""
        query = self._sql(DUE, parks=sql.Literal(self._parks), columns=sql.SQL(COLUMNS))
        with session(self.dsn, autocommit=True) as connection:
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
        with session(self.dsn, autocommit=True) as connection:
            row = connection.execute(self._sql(STARTED), (self.outbox.names.slot, position)).fetchone()
        return int(row[0]) if row else 1

    def stopped(self) -> None:
        """See the protocol."""
        self._do("update {runs} set starts = 0 where slot = %s", self.outbox.names.slot)

    def _do(self, statement: str, *values: object) -> None:
        with session(self.dsn, autocommit=True) as connection:
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
