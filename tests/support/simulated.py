"""A source, a sink and a table of failures that fail at random, on a clock of their own."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from outbox_kit.databases.failures import FailedEvent
from outbox_kit.databases.polling import lanes_lost
from outbox_kit.errors import DatabaseUnreachable, OutboxKitError
from outbox_kit.relay.interface import LaneAges, OutboxEvent, SendResult, SendStatus
from outbox_kit.router.chain import Failed, Message, Outcome

COLUMNS = ("id", "aggregatetype", "aggregateid")


class Clock:
    """Stands for the module `time`: it moves when somebody sleeps, and a little with each question."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        self.now += 0.0001
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass(frozen=True)
class SimulatedEvent:
    number: int
    key: int
    topic: str
    kind: str = ""
    """`poison` is refused by the sink, `unroutable` by the router."""

    @property
    def texts(self) -> tuple[bytes, ...]:
        return str(self.number).encode(), self.topic.encode(), str(self.key).encode()

    @property
    def outcome(self) -> Outcome:
        if self.kind == "unroutable":
            return Failed("transformation", "DataException", "no such field")
        number, _, key = self.texts
        return Message(self.topic, None, key, self.kind.encode(), (("id", number),), 0, True)


@dataclass
class Source:
    """A log whose position is behind the first events that are all final."""

    events: Sequence[SimulatedEvent]
    chance: Random
    clock: Clock
    failing: float = 0.01
    """The share of calls that fail."""
    confirmed: int = 0
    _read: int = 0
    _final: set[int] = field(default_factory=set)
    _open: bool = False

    def open(self) -> None:
        self._perhaps_fail()
        self._open, self._read, self._final = True, self.confirmed, set()

    def read(self, seconds: float) -> Sequence[OutboxEvent]:
        self._perhaps_fail()
        if self._read == len(self.events):
            self.clock.sleep(seconds)
        until = min(len(self.events), self._read + self.chance.randrange(20))
        events = [self._event(number) for number in range(self._read, until)]
        self._read = until
        return events

    def rest(self, _: float) -> None:
        return None

    def finish(self, receipt: Any) -> None:
        assert self._open
        assert receipt not in self._final, "final twice"
        self._final.add(receipt)

    def maintain(self) -> None:
        assert self._open
        self._confirm()

    def close(self) -> None:
        if self._open and self.chance.random() < 0.5:  # or the connection was lost
            self._confirm()
        self._open = False

    def point(self) -> int:
        return len(self.events)

    def passed(self, point: int) -> bool:
        self._confirm()
        return self.confirmed >= point

    def position(self) -> int:
        return self.confirmed

    def oldest(self) -> None:
        return None

    def lane_ages(self) -> LaneAges:
        return LaneAges()

    def outcome(self, row: Mapping[str, str | None]) -> Outcome:
        return self.events[int(row["id"] or 0)].outcome

    def _confirm(self) -> None:
        while self.confirmed in self._final:
            self.confirmed += 1

    def _event(self, number: int) -> OutboxEvent:
        event = self.events[number]
        return OutboxEvent(event.outcome, COLUMNS, event.texts, number)

    def _perhaps_fail(self) -> None:
        if self.chance.random() < self.failing:
            raise DatabaseUnreachable("the replication connection was lost")


@dataclass
class Sink:
    """A sink that refuses, closes topics, loses its connection and answers late; it keeps its interface's promise."""

    chance: Random
    clock: Clock
    closed: Callable[[str], bool] = lambda _: False
    """Whether a topic accepts no messages now."""
    failing: float = 0.02
    delivered: list[Message] = field(default_factory=list)
    sent: int = 0
    _queue: list[tuple[Message, Any]] = field(default_factory=list)
    _full: bool = False
    problem: str = ""
    refused: OutboxKitError | None = None

    def refusal(self) -> OutboxKitError | None:
        return self.refused

    def send(self, message: Message, receipt: Any) -> bool:
        if self._full or len(self._queue) > 50:
            return False
        self._full = self.chance.random() < 0.02
        self._queue.append((message, receipt))
        self.sent += 1
        return True

    def results(self, seconds: float) -> Sequence[SendResult]:
        self._full = False
        if not self._queue:
            self.clock.sleep(seconds)
            return []
        if self.chance.random() < self.failing:
            return self._lost()
        results = []
        for _ in range(self.chance.randrange(len(self._queue) + 1)):
            message, receipt = self._queue.pop(0)
            if message.value == b"poison":
                return [*results, SendResult(receipt, SendStatus.refused, "too large"), *self._unsent()]
            if self.closed(message.topic):
                return [*results, SendResult(receipt, SendStatus.closed, "not authorized"), *self._unsent()]
            self.delivered.append(message)
            results.append(SendResult(receipt, SendStatus.delivered))
        return results

    def close(self) -> None:
        self._lost()

    def _lost(self) -> list[SendResult]:
        """The connection is lost: some messages had arrived all the same."""
        for message, _ in self._queue[: self.chance.randrange(len(self._queue) + 1)]:
            if message.value == b"poison" or self.closed(message.topic):
                break
            self.delivered.append(message)
        return self._unsent()

    def _unsent(self) -> list[SendResult]:
        queue, self._queue = self._queue, []
        return [SendResult(receipt, SendStatus.unsent, "purged") for _, receipt in queue]


@dataclass
class Table:
    """The table of failures, in memory."""

    clock: Clock
    parks: bool = True
    rows: dict[int, tuple[FailedEvent, float]] = field(default_factory=dict)
    numbers: int = 0
    started: dict[int | None, int] = field(default_factory=dict)
    lost: Callable[[], bool] = lambda: False
    """Whether the relay has lost a lane at this moment: a write does nothing then."""
    examined_at: float = 0.0
    """When the relay has looked for due rows the last time."""

    def lanes(self) -> set[str]:
        return {row.lane for row, _ in self.rows.values() if self.parks or not row.dead}

    def every_lane(self) -> set[str]:
        return {row.lane for row, _ in self.rows.values()}

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        self._fence()
        stored = {(row.lane, row.event_id) for row, _ in self.rows.values()}
        for failure in failures:
            if (failure.lane, failure.event_id) in stored:
                continue
            self.numbers += 1
            self.rows[self.numbers] = replace(failure, number=self.numbers), self.clock.now + seconds

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        self.examined_at = self.clock.now
        hindered: set[str] = set()
        due = []
        for row, at in self.rows.values():
            ready = at <= self.clock.now and row.topic not in closed
            if not row.dead and ready and row.lane not in hindered:
                due.append(row)
            if self.parks if row.dead else row.attempts > 0 or not ready:
                hindered.add(row.lane)
        return due[:most]

    def begin(self, numbers: Sequence[int]) -> None:
        self._fence()
        for number in numbers:
            row, at = self.rows[number]
            self.rows[number] = replace(row, attempts=row.attempts + 1), at

    def delivered(self, numbers: Sequence[int]) -> None:
        self._fence()
        for number in numbers:
            del self.rows[number]

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        self._fence()
        row, _ = self.rows[number]
        attempts = row.attempts - (not counted)
        self.rows[number] = replace(row, cause=cause, dead=dead, attempts=attempts), self.clock.now + seconds

    def _fence(self) -> None:
        if self.lost():
            raise lanes_lost("another relay has taken them")

    def starts(self, position: int | None) -> int:
        self.started = {position: self.started.get(position, 0) + 1}
        return self.started[position]

    def stopped(self) -> None:
        self.started = {}
