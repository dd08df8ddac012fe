"""The outbox table as a source that several relays share: each reads the lanes that it owns.

Lanes with the same position are read together, as a cursor. A batch of rows is stored as published when all of its
rows, and all batches before, are final.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.databases.polling import (
    Lane,
    Membership,
    OutboxTable,
    OwnedLanes,
    PolledRows,
    Position,
    fair_share,
    lanes_lost,
)
from outbox_kit.errors import EnvironmentProblem, LanesLost
from outbox_kit.relay.interface import LaneAges, OutboxEvent
from outbox_kit.relay.sources.pace import GAP_SECONDS, SHORTEST_SECONDS, Pace
from outbox_kit.relay.sources.routes import RowRoutes
from outbox_kit.router.chain import Outcome
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.shape import Config

LEASE_SECONDS = 15.0
MOST_ROWS = 5000
FIRST_ROWS = 500
"""Of the first batch, as the size of its rows is not known."""
BATCH_BYTES = 16 << 20
"""About as much is read at once."""
SAMPLE = 16
"""Every so many rows are measured."""
STORE_SECONDS = 0.5
"""From one time that positions are stored to the next, while rows are read."""
SILENCE = (
    "no wake-ups arrive, so new rows are published up to two seconds late: the trigger of gen-ddl is missing, or a "
    "connection pooler in transaction mode is in between"
)


@dataclass(slots=True)
class _Batch:
    """Rows that were read together."""

    open: int
    """Its rows that are not final."""
    end: Position
    ids: Sequence[str]
    written: float
    """When its first row was written, in seconds since 1970."""


@dataclass
class _Cursor:
    """Lanes that are read together."""

    lanes: list[Lane]
    position: Position
    """Behind everything that was read."""
    batches: deque[_Batch] = field(default_factory=deque)
    """Those that are not stored as published."""
    unfinished: bool = False
    """Whether there were more rows than were read."""

    def oldest(self) -> float | None:
        """When the oldest row that is not final was written, in seconds since 1970; None if all are."""
        return next((batch.written for batch in self.batches if batch.open), None)

    def published(self) -> list[_Batch]:
        """Remove the first batches that are final."""
        batches = []
        while self.batches and self.batches[0].open == 0:
            batches.append(self.batches.popleft())
        return batches


@dataclass(frozen=True)
class _Owned:
    """See `OwnedLanes`."""

    source: "TableSource"

    def __call__(self) -> Collection[int]:
        return [lane.number for lane in self.source.lanes()]

    def lanes(self) -> Collection[Lane]:
        return self.source.lanes()

    @property
    def member(self) -> str:
        return self.source.member


class TableSource:
    """See `Source`."""

    def __init__(
        self,
        outbox: Outbox,
        table: OutboxTable,
        config: Config,
        report: Callable[[str], None],
        *,
        lease_seconds: float = LEASE_SECONDS,
        most_rows: int = MOST_ROWS,
    ) -> None:
        """config: the connector's that the schema file generates. report: takes a line about a change of its state.

        lease_seconds: after which other relays may take the lanes of one that does not answer. most_rows: of a batch.
        """
        self._outbox, self._table, self._report = outbox, table, report
        self._routes = RowRoutes(outbox, config)
        self._lease_seconds, self._most_rows = lease_seconds, most_rows
        self._batch_rows = min(FIRST_ROWS, most_rows)
        self._cursors: list[_Cursor] = []
        self._pace, self._surplus = self._new_pace(), 0
        self._renewed = self._next_renewal = self._next_store = 0.0
        self._marks: list[str] = []
        self._silent = False
        self.on_claim: Callable[[], None] = lambda: None
        """Called when lanes were taken, before their rows are read."""
        self.at_rest: Callable[[], bool] = lambda: True
        """Whether no stored event is in flight; called before lanes are given up, until it is true."""

    @property
    def owned(self) -> OwnedLanes:
        """The lanes of this relay at each moment."""
        return _Owned(self)

    def lanes(self) -> Sequence[Lane]:
        """The lanes of this relay now."""
        return [lane for cursor in self._cursors for lane in cursor.lanes]

    @property
    def member(self) -> str:
        """The name of this relay among the others."""
        return self._table.member

    def open(self) -> None:
        """See `Source`."""
        self._cursors.clear()
        self._marks.clear()
        self._routes.forget()
        self._pace, self._surplus = self._new_pace(), 0
        began = time.monotonic()
        self._table.open(self._lease_seconds)
        self._renewed = began
        self._share(self._table.renew(self._lease_seconds))

    def read(self, seconds: float) -> Sequence[OutboxEvent]:
        """See `Source`."""
        self.maintain()
        if self._surplus:
            return []
        cursors = [cursor for cursor in self._cursors if cursor.unfinished and self._may_read(cursor)]
        if cursors:
            return self._events([self._read(cursors[0])])
        remaining = self._pace.remaining(time.monotonic())
        if remaining and self._table.wait(min(seconds, remaining)):
            self._pace.woken()
        if self._pace.remaining(time.monotonic()):
            return []
        return self._look()

    def rest(self, _: float) -> Sequence[OutboxEvent] | None:
        """See `Source`: a batch is read as a whole."""
        return None

    def finish(self, receipt: Any) -> None:
        """See `Source`."""
        receipt.open -= 1

    def maintain(self) -> None:
        """See `Source`."""
        now = time.monotonic()
        if now - self._renewed >= self._lease_seconds:
            raise self._lost("the relay has not run for longer than its lease")
        at_rest = all(batch.open == 0 for cursor in self._cursors for batch in cursor.batches)
        if now >= self._next_store or (at_rest and (self._surplus or not self._table.reads_ahead)):
            self._store()
        if self._surplus and self.at_rest() and not any(cursor.batches for cursor in self._cursors):
            self._give_up()
        if now >= self._next_renewal:
            membership = self._table.renew(self._lease_seconds)
            self._renewed = now
            self._share(membership)

    def close(self) -> None:
        """See `Source`."""
        try:
            if time.monotonic() - self._renewed < self._lease_seconds:
                self._store()
        except EnvironmentProblem:
            pass
        finally:
            self._cursors.clear()
            self._table.close()

    def point(self) -> int:
        """See `Source`: the number of a mark of the table."""
        self._marks.append(self._table.mark())
        return len(self._marks) - 1

    def passed(self, point: int) -> bool:
        """See `Source`."""
        self._store()
        return self._table.passed(self._marks[point])

    def position(self) -> int | None:
        """See `Source`."""
        return self._table.position()

    def oldest(self) -> float | None:
        """See `Source`."""
        return min((oldest for cursor in self._cursors if (oldest := cursor.oldest())), default=None)

    def lane_ages(self) -> LaneAges:
        """See `Source`."""
        by_cursor = [(cursor, cursor.oldest()) for cursor in self._cursors]
        ages = {lane.number: oldest for cursor, oldest in by_cursor for lane in cursor.lanes}
        return LaneAges(self.member, ages)

    def outcome(self, row: Mapping[str, str | None]) -> Outcome:
        """See `Source`."""
        return self._routes.outcome(row, self._table.columns)

    def _may_read(self, cursor: _Cursor) -> bool:
        return self._table.reads_ahead or not cursor.batches

    def _look(self) -> Sequence[OutboxEvent]:
        """Look for new rows of all cursors, up to one moment."""
        self._join_cursors()
        readable = [cursor for cursor in self._cursors if not cursor.unfinished and self._may_read(cursor)]
        may_rest = self._may_rest(readable)
        reads, window = [], None
        for cursor in readable:
            cursor.position = cursor.position._replace(window=window)
            rows, batch = self._read(cursor)
            window = rows.window
            reads.append((rows, batch))
        if reads or not self._cursors:
            self._pace.polled(time.monotonic(), sum(len(rows.texts) for rows, _ in reads), may_rest=may_rest)
        if self._pace.without_wakeups and not self._silent and self._table.wakes:
            self._silent = True
            self._report(SILENCE)
        elif self._silent and not self._pace.lost:
            self._silent = False
            self._report("wake-ups arrive again")
        return self._events(reads)

    def _may_rest(self, readable: Sequence[_Cursor]) -> bool:
        """Whether nothing is missed if the next look is late: wake-ups are requested, which this does, or do not exist.

        readable: the cursors that are looked at next. Rows of others would not be seen after the request.
        """
        if not self._table.wakes or not self._cursors:
            return True
        return self._pace.is_quiet and len(readable) == len(self._cursors) and self._table.request_wakeups()

    def _new_pace(self, lost: int = 0) -> Pace:
        return Pace(GAP_SECONDS if self._table.wakes else SHORTEST_SECONDS, lost)

    def _read(self, cursor: _Cursor) -> tuple[PolledRows, _Batch]:
        most = self._batch_rows
        rows = self._table.read(cursor.lanes, cursor.position, most)
        batch = _Batch(len(rows.texts), rows.end, rows.ids, rows.written or time.time())
        cursor.position, cursor.unfinished = rows.end, len(rows.texts) == most
        if rows.texts:
            cursor.batches.append(batch)
            self._batch_rows = min(self._most_rows, fitting(rows.texts, most))
        return rows, batch

    def _events(self, reads: Sequence[tuple[PolledRows, _Batch]]) -> Sequence[OutboxEvent]:
        now, events = time.time_ns() // 1_000_000, []
        for rows, batch in reads:
            route, names = self._routes.of(rows.table), rows.table.names
            events += [OutboxEvent(route(texts, now), names, texts, batch) for texts in rows.texts]
        return events

    def _store(self) -> None:
        """Store what is published. Raises LanesLost."""
        self._next_store = time.monotonic() + STORE_SECONDS
        for cursor in self._cursors:
            if batches := cursor.published():
                ids = [event_id for batch in batches for event_id in batch.ids]
                if not self._table.store(cursor.lanes, batches[-1].end, ids):
                    raise self._lost("another relay has taken them")

    def _share(self, membership: Membership) -> None:
        """Take lanes, or prepare to give some up, by the members of now. Raises LanesLost."""
        lanes = {*self.lanes()}
        if not membership.alive or not lanes <= {*membership.lanes}:
            raise self._lost("another relay has taken them" if membership.alive else "its lease has ended")
        share = fair_share(self._outbox.delivery.lanes, membership.members, self._table.member)
        self._surplus = max(0, len(lanes) - share)
        lacks = share - len(lanes)
        if lacks > 0 and membership.free:
            lacks -= self._take(lacks)
        often = self._lease_seconds / (12 if lacks > 0 else 3)
        self._next_renewal = time.monotonic() + often

    def _take(self, most: int) -> int:
        """Take free lanes; how many."""
        claimed = self._table.claim(most)
        for lane, position in claimed:
            cursor = next((each for each in self._cursors if not each.batches and each.position == position), None)
            if cursor is None:
                self._cursors.append(_Cursor([lane], position, unfinished=position.window is not None))
            else:
                cursor.lanes.append(lane)
        if claimed:
            self._pace = self._new_pace(self._pace.lost)
            self.on_claim()
        return len(claimed)

    def _give_up(self) -> None:
        """Give up the lanes that are others' share, at a moment when everything read is published."""
        lanes = sorted(self.lanes(), reverse=True)[: self._surplus]
        for cursor in self._cursors:
            leaving = [lane for lane in cursor.lanes if lane in lanes]
            if leaving and not self._table.store(leaving, cursor.position, ()):
                raise self._lost("another relay has taken them")
            cursor.lanes = [lane for lane in cursor.lanes if lane not in lanes]
        self._table.release(lanes)
        self._cursors = [cursor for cursor in self._cursors if cursor.lanes]
        self._surplus = 0

    def _join_cursors(self) -> None:
        """Read lanes together that are at one position."""
        joined: dict[Position, _Cursor] = {}
        cursors = []
        for cursor in self._cursors:
            other = joined.get(cursor.position)
            if cursor.batches:
                cursors.append(cursor)
            elif other is None:
                joined[cursor.position] = cursor
                cursors.append(cursor)
            else:
                other.lanes += cursor.lanes
        self._cursors = cursors

    def _lost(self, why: str) -> LanesLost:
        self._cursors.clear()
        return lanes_lost(why)


def fitting(rows: Sequence[Sequence[bytes | None]], before: int) -> int:
    """How many rows to read next, by the size of those that were read last: at most four times as many as before.

    before: how many were asked for.
    """
    sample = rows[::SAMPLE]
    size = sum(len(text) for row in sample for text in row if text) // len(sample)
    return max(1, min(before * 4, BATCH_BYTES // max(size, 1)))
