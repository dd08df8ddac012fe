"""Lanes and members in PostgreSQL; see `databases.polling`."""

import os
import socket
import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Self

from psycopg import sql

from outbox_kit.databases.polling import Lane, Membership, Position
from outbox_kit.databases.postgres.session import KeptSession, Session, address, bound, identifier, session
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

ANSWER_SECONDS = 20.0
FORGET_SECONDS = 300.0  # after which a relay that has ended without leaving is not shown any more
APPLICATION = "outbox-kit relay "
"""Of the connection of a member, whose name follows: so a relay that hangs is distinguished from one that has ended."""
FIRST = "1:1:"  # a snapshot that contains nothing
LIVE = "m.lease_until > clock_timestamp()"
EXPECTED = "select count(*), coalesce(max(lane), -1) from {lanes}"
RUNS = "select count(*) from {members} as m where {live}"
FORGET = "delete from {members} where lease_until < clock_timestamp() - make_interval(secs => %s)"
JOIN = """
insert into {members} (member, place, lease_until)
values (%s, %s, clock_timestamp() + make_interval(secs => %s))
"""
RENEW = """
with renewed as (
    update {members} as m set lease_until = clock_timestamp() + make_interval(secs => %(seconds)s)
    where m.member = %(member)s and {live} returning 1
)
select (select count(*) > 0 from renewed),
       (select coalesce(array_agg(m.member::text order by m.member), array[]::text[]) from {members} as m where {live}),
       (select coalesce(array_agg(lane order by lane), array[]::int[]) from {lanes} where owner = %(member)s),
       (select coalesce(array_agg(epoch order by lane), array[]::bigint[]) from {lanes} where owner = %(member)s),
       (select count(*) from {lanes} as l
        where not exists (select from {members} as m where m.member = l.owner and {live}))
"""
CLAIM = """
with free as materialized (
    select lane from {lanes} as l
    where not exists (select from {members} as m where m.member = l.owner and {live})
    order by lane limit %(most)s for update skip locked
)
update {lanes} as l set owner = %(member)s, epoch = epoch + 1, seen = coalesce(seen, {first})
from free where l.lane = free.lane
returning l.lane, l.epoch, l.seen::text, l.upto::text, l.last_order, l.last_id
"""
RELEASE = """
update {lanes} as l set owner = null from unnest(%(numbers)s::int[], %(epochs)s::bigint[]) as mine (lane, epoch)
where l.lane = mine.lane and l.epoch = mine.epoch and l.owner = %(member)s
"""
OWNED = """
l.lane = mine.lane and l.epoch = mine.epoch and l.owner = %(member)s
and exists (select from {members} as m where m.member = %(member)s and {live})
"""
"""Whether a lane is this relay's; `mine` are its lanes and epochs."""
MINE = """
mine as (
    select l.lane from {lanes} as l, unnest(%(numbers)s::int[], %(epochs)s::bigint[]) as mine (lane, epoch)
    where {owned} for share of l
)
"""
"""The lanes that are this relay's, which nobody takes before the statement ends."""
REQUEST = """
select case when not pg_try_advisory_xact_lock(hashtextextended({lanes_name}, 2)) then 'refused'
            when pg_try_advisory_lock(hashtextextended({lanes_name}, 1)) then 'own'
            when pg_try_advisory_xact_lock_shared(hashtextextended({lanes_name}, 1)) then 'refused' else 'other' end
"""
"""Take the lock of a relay that waits; see the trigger in `ddl/relay.sql.j2`, which has the numbers of the locks."""
END_REQUEST = "select pg_advisory_unlock(hashtextextended({lanes_name}, 1))"
LEAVE = "with left_lanes as (update {lanes} set owner = null where owner = %(member)s) \
delete from {members} where member = %(member)s"


class PostgresLanes:
    """What the tables of all kinds have in common; see `polling.OutboxTable`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        """dsn: as for `session`."""
        self._dsn, self._outbox = dsn, outbox
        self._kept: KeptSession | None = None
        self._requests_wakeups = self._is_woken = False
        self.member = ""
        """See `polling.OutboxTable`."""
        self.wakes = not outbox.table.existing  # which has no trigger
        """See `polling.OutboxTable`."""

    def open(self, lease_seconds: float) -> None:
        """See `polling.OutboxTable`."""
        before, self._kept, self.member = self.member, KeptSession(self._dsn), str(uuid.uuid4())
        self._requests_wakeups = self._is_woken = False
        names = self._outbox.names
        with self._kept.use(seconds=ANSWER_SECONDS) as connection:
            self._expect_lanes(connection)
            self._examine(connection)
            if before:  # whose connection was lost: its lanes need not wait for the end of its lease
                connection.execute(self.sql(LEAVE), {"member": before})
            connection.execute(self.sql(FORGET), (FORGET_SECONDS,))
            connection.execute("select set_config('application_name', %s, false)", (APPLICATION + self.member,))
            place = f"{socket.gethostname()} {os.getpid()}"
            connection.execute(self.sql(JOIN), (self.member, place, lease_seconds))
            connection.execute(sql.SQL("listen {}").format(identifier(names.lane_table)), ())

    @contextmanager
    def examined(self) -> Iterator[Self]:
        """Connected for the length of a block, without being a member. Raises as `open`."""
        self._kept = KeptSession(self._dsn)
        try:
            with self._kept.use(seconds=ANSWER_SECONDS) as connection:
                self._expect_lanes(connection)
                self._examine(connection)
            yield self
        finally:
            self._kept.close()
            self._kept = None

    def close(self) -> None:
        """See `polling.OutboxTable`."""
        kept, self._kept = self._kept, None
        if kept is not None:
            with suppress(EnvironmentProblem), kept.use(seconds=ANSWER_SECONDS) as connection:
                connection.execute(self.sql(LEAVE), {"member": self.member})
            kept.close()

    def runs(self) -> int:
        """See `polling.OutboxTable`."""
        with session(self._dsn) as connection:
            (count,) = self._row(connection.execute(self.sql(RUNS), ()).fetchone())
        return int(count)

    def renew(self, lease_seconds: float) -> Membership:
        """See `polling.OutboxTable`."""
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            done = connection.execute(self.sql(RENEW), {"seconds": lease_seconds, "member": self.member})
            alive, members, numbers, epochs, free = self._row(done.fetchone())
        return Membership(bool(alive), members, [*map(Lane, numbers, epochs)], free)

    def claim(self, most: int) -> Sequence[tuple[Lane, Position]]:
        """See `polling.OutboxTable`."""
        statement = self.sql(CLAIM, first=self.first())
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            rows = connection.execute(statement, {"most": most, "member": self.member}).fetchall()
        return [
            (Lane(lane, epoch), Position(seen, window, None if last_id is None else (last_order, last_id)))
            for lane, epoch, seen, window, last_order, last_id in sorted(rows)
        ]

    def release(self, lanes: Collection[Lane]) -> None:
        """See `polling.OutboxTable`."""
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            connection.execute(self.sql(RELEASE), self.mine(lanes))

    def request_wakeups(self) -> bool:
        """See `polling.OutboxTable`."""
        self._end_request()
        if self._requests_wakeups:
            return True
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            (holder,) = self._row(connection.execute(self.sql(REQUEST), ()).fetchone())
        self._requests_wakeups = holder == "own"
        return bool(holder != "refused")

    def wait(self, seconds: float) -> bool:
        """See `polling.OutboxTable`."""
        self._end_request()
        self._is_woken = self.kept.notified(seconds)
        return self._is_woken

    @property
    def kept(self) -> KeptSession:
        """The connection. It is open between `open` and `close`."""
        assert self._kept is not None  # noqa: S101
        return self._kept

    def mine(self, lanes: Collection[Lane]) -> dict[str, Any]:
        """The values of a statement about lanes of this relay."""
        return {
            "member": self.member,
            "numbers": [lane.number for lane in lanes],
            "epochs": [lane.epoch for lane in lanes],
        }

    def first(self) -> sql.Composable:
        """The snapshot with which a lane begins."""
        if self._outbox.connect.snapshot == "initial":
            return sql.SQL("{}::pg_snapshot").format(sql.Literal(FIRST))
        return sql.SQL("pg_current_snapshot()")

    def sql(self, statement: str, **parts: sql.Composable) -> sql.Composed:
        """A statement with the names of the outbox."""
        return with_names(self._outbox, statement, **parts)

    def _expect_lanes(self, connection: Session) -> None:
        """Raise UsageProblem if the table has other lanes than the schema file."""
        count, greatest = self._row(connection.execute(self.sql(EXPECTED), ()).fetchone())
        if count != self._outbox.delivery.lanes or greatest != count - 1:
            raise UsageProblem(
                f"invalid delivery.lanes '{self._outbox.delivery.lanes}': expected {count}, as in the table "
                f"{self._outbox.names.lane_table}",
                where=address(self._dsn),
                fix="stop all relays when everything is published, drop the table, then outbox-kit gen-ddl --apply",
            )

    def _examine(self, connection: Any) -> None:
        """Raise UsageProblem if the table cannot be read in order."""

    def _end_request(self) -> None:
        """After a wake-up; later than `wait`, so that the rows are read first."""
        if self._is_woken and self._requests_wakeups:
            with self.kept.use(seconds=ANSWER_SECONDS) as connection:
                connection.execute(self.sql(END_REQUEST), ())
            self._requests_wakeups = False
        self._is_woken = False

    def _row(self, row: tuple[Any, ...] | None) -> tuple[Any, ...]:
        assert row is not None  # noqa: S101 - a select without from has one row
        return row


def with_names(outbox: Outbox, statement: str, **parts: sql.Composable) -> sql.Composed:
    """A statement with the names of an outbox's tables, what is said of this relay's lanes, and other parts."""
    names = outbox.names
    tables = {"lanes": names.lane_table, "members": names.member_table, "table": outbox.table.name}
    tables |= {"failures": names.failure_table, "runs": names.run_table}
    quoted = {name: identifier(names.schema, table) for name, table in tables.items()}
    live = sql.SQL(LIVE)
    lanes_name = sql.Literal(bound(names.schema, names.lane_table))
    owned = sql.SQL(OWNED).format(**quoted, live=live)
    mine = sql.SQL(MINE).format(**quoted, owned=owned)
    return sql.SQL(statement).format(**quoted, lanes_name=lanes_name, live=live, owned=owned, mine=mine, **parts)


def lane_of(outbox: Outbox, key: sql.Composable, event_id: sql.Composable) -> sql.Composed:
    """The expression of an event's lane. key, event_id: expressions of their texts."""
    hashed = sql.SQL("mod(hashtext(coalesce({key}, {id})) & 2147483647, {lanes})")
    return hashed.format(key=key, id=event_id, lanes=sql.Literal(outbox.delivery.lanes))


def lane_of_row(outbox: Outbox) -> sql.Composed:
    """The expression of a row's lane, of the outbox table as `t`; the texts are those that a read gives."""
    read = router_columns(outbox)
    key, event_id = (sql.SQL("t.{}").format(identifier(column)) for column in (read.key, read.id))
    text = sql.SQL("case when {0} is not null then concat({0}) end").format(key)
    return lane_of(outbox, text, sql.SQL("concat({})").format(event_id))
