"""The failed events of one relay: which lanes wait, what is stored, and when it is sent again."""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.databases.failures import FailedEvent, FailureTable
from outbox_kit.relay.interface import OutboxEvent
from outbox_kit.relay.lanes import Lanes
from outbox_kit.relay.progress import RelayProgress

FIRST_SECONDS, LONGEST_SECONDS = 2.0, 60.0
"""From one attempt to the next."""
POLL_SECONDS, IDLE_SECONDS = 1.0, 10.0
"""From look to look at the table, while a lane waits and while none does."""
AT_ONCE = 500
SPLIT = 8
"""Each attempt of an event divides the number of events that are sent together with it."""
CAREFUL_AFTER, CAREFUL_EVENTS = 3, 1000
"""Starts without progress after which events are stored before they are sent, and for how many events."""
WAITS = "waits for an earlier event of its lane"


@dataclass
class _Destination:
    """A topic that accepts no messages."""

    failures: int = 0
    until: float = 0.0
    """By time.monotonic(): then one message is tried."""


@dataclass
class Failing:
    """The failed events of one relay."""

    table: FailureTable
    lanes: Lanes
    attempts: int
    """Of an event, after which it is a dead letter."""
    progress: RelayProgress
    _waiting: set[str] = field(default_factory=set)
    _unstored: list[tuple[OutboxEvent, FailedEvent, float]] = field(default_factory=list)
    _sent: set[int] = field(default_factory=set)
    _hindered: set[str] = field(default_factory=set)
    _shut: set[str | None] = field(default_factory=set)
    _done: list[int] = field(default_factory=list)
    _closed: dict[str, _Destination] = field(default_factory=dict)
    _careful: int = 0
    _once: bool = False
    _tried: set[tuple[str, str]] = field(default_factory=set)
    """With `once`, the lanes and ids of the events that were refused since `begin`."""
    _next: float = 0.0
    _most: int = AT_ONCE
    """Of stored events to look at: doubled while all of them are sent together."""

    @property
    def active(self) -> bool:
        """Whether a new event may have to wait."""
        return bool(self._waiting) or self._careful > 0 or bool(self._closed)

    def begin(self, position: int | None, *, once: bool = False) -> None:
        """Look at the table at a start. position: of the source.

        once: send each event at most once, and try no topic again that accepts no messages, so that what is left at the
        end does not depend on how long it took. Many starts at one position mean an event that ends the process: events
        are then stored before they are sent, so that their attempts are counted.
        """
        starts = self.table.starts(position)  # first: from here on no other relay stores an event
        self._waiting = self.table.lanes()
        self._careful = CAREFUL_EVENTS if starts >= CAREFUL_AFTER else 0
        self._next, self._most, self._once = 0.0, AT_ONCE, once
        self._tried.clear()

    def refresh(self) -> None:
        """Look at which lanes wait, before events of other lanes than up to now are read."""
        self._waiting = self.table.lanes() | {failed.lane for _, failed, _ in self._unstored}

    def forget(self) -> None:
        """Forget what was not stored: it is read again."""
        self._unstored.clear()
        self._sent.clear()
        self._done.clear()

    def waits(self, event: OutboxEvent) -> bool:
        """Whether a new event waits; it is stored then."""
        if not self.active:
            return False
        lane = self.lanes.lane(event)
        if self._careful:
            self._careful -= 1
            self._add(event, lane, "stored before it is sent, because the relay has ended several times here", 0.0)
            return True
        if lane in self._waiting:
            self._add(event, lane, WAITS, 0.0)
            return True
        topic = getattr(event.outcome, "topic", None)
        destination = self._closed.get(topic) if topic else None
        if destination is not None:
            self._add(event, lane, f"topic '{topic}' accepts no messages", 0.0)
            return True
        return False

    def fail(self, event: OutboxEvent, cause: str, *, dead: bool, attempts: int = 1, seconds: float = 0.0) -> None:
        """Store an event that was not published, and let later ones of its lane wait."""
        self.progress.dead += dead
        lane = self.lanes.lane(event)
        self._waiting.add(lane)
        failed = self.lanes.failed(event, cause, attempts=attempts, dead=dead)
        self._note_attempt(failed)
        self._unstored.append((event, failed, seconds))

    def failed(self, sent: OutboxEvent | FailedEvent, cause: str, *, closed: bool) -> None:
        """An event was not accepted. closed: because its topic accepts none, which is no attempt of the event."""
        self.progress.refused += not closed
        if closed:
            self._close(sent)
        if isinstance(sent, OutboxEvent):
            attempts = 0 if closed else 1
            self.fail(sent, cause, dead=self.attempts <= attempts, attempts=attempts, seconds=_pause(1))
            return
        self._sent.discard(sent.number)
        self._hindered.add(sent.lane)
        self._note_attempt(sent)
        attempts = sent.attempts + (not closed)
        dead = not closed and attempts >= self.attempts
        self.progress.dead += dead
        self.table.postpone(sent.number, cause, _pause(attempts), dead=dead, counted=not closed)

    def unroutable(self, sent: OutboxEvent | FailedEvent, cause: str) -> None:
        """The router makes no message of an event, and would not the next time: it is a dead letter at once."""
        if isinstance(sent, OutboxEvent):
            self.fail(sent, cause, dead=True)
            return
        self._sent.discard(sent.number)
        self._hindered.add(sent.lane)
        self.progress.dead += 1
        self.table.postpone(sent.number, cause, 0.0, dead=True, counted=True)

    def returns(self, sent: FailedEvent) -> bool:
        """Whether a stored event is not sent now, since one before it has failed; its attempt is taken back then."""
        if sent.lane not in self._hindered and sent.topic not in self._shut:
            return False
        self._sent.discard(sent.number)
        self.table.postpone(sent.number, sent.cause, 0.0, dead=False, counted=False)
        return True

    def delivered(self, sent: FailedEvent) -> None:
        """A stored event was published."""
        self._sent.discard(sent.number)
        self._done.append(sent.number)
        if sent.topic is not None:
            self._closed.pop(sent.topic, None)
        if not self._sent:
            self._removed()

    def store(self, finish: Callable[[Any], None]) -> None:
        """Store what is to wait; it is final for the source then. finish: the source's."""
        if self._done:
            self._removed()
        if not self._unstored:
            return
        events, self._unstored = self._unstored, []
        begin = 0
        for end in range(1, len(events) + 1):
            if end == len(events) or events[end][2] != events[begin][2]:
                self.table.add([failed for _, failed, _ in events[begin:end]], events[begin][2])
                begin = end
        for event, _, _ in events:
            finish(event.receipt)
        self._next = min(self._next, time.monotonic() + POLL_SECONDS)

    def at_rest(self) -> bool:
        """Send no stored events for a moment; whether none is in flight, so that lanes can be given up."""
        self._next = max(self._next, time.monotonic() + POLL_SECONDS)
        return not (self._sent or self._unstored or self._done)

    def due_now(self) -> bool:
        """Whether it is time to look for events that are to be sent again."""
        return not self._sent and time.monotonic() >= self._next

    def due(self) -> Sequence[FailedEvent]:
        """The events that are to be sent now, whose attempt is counted; looks at the table."""
        now = time.monotonic()
        if not self.active:
            self.refresh()
            if not self.active:  # no event is stored, or only dead ones that are passed
                self.progress.lanes, self._next = 0, now + IDLE_SECONDS
                return ()
        events = self._stored(now)
        while worn := [event for event in events if event.attempts >= self.attempts]:
            for event in worn:
                self.progress.dead += 1
                cause = f"the relay has ended {event.attempts} times while it was published"
                self.table.postpone(event.number, cause, 0.0, dead=True, counted=True)
            events = self._stored(now)  # with what they have kept back
        if events:
            self.table.begin([event.number for event in events])
            self._sent, self._hindered, self._shut = {event.number for event in events}, set(), set()
        else:
            self.refresh()
        self.progress.lanes = len(self._waiting)
        self._next = now + (0.0 if events else POLL_SECONDS if self.active else IDLE_SECONDS)
        return events

    def _stored(self, now: float) -> Sequence[FailedEvent]:
        """The stored events that are to be sent now. now: by time.monotonic()."""
        closed = [topic for topic, destination in self._closed.items() if now < destination.until]
        most = self._most + len(self._tried)  # of those that were tried, each may be due again
        events = self.table.due(most, closed)
        events = [event for event in events if (event.lane, event.event_id) not in self._tried][: self._most]
        for topic in self._closed.keys() - {*closed}:  # one is tried
            of_topic = [event for event in events if event.topic == topic]
            events = [event for event in events if event.topic != topic or event is of_topic[0]]
        chosen = _together(events, self.attempts)
        self._most = min(AT_ONCE, 2 * (self._most if len(chosen) == len(events) else len(chosen)))
        return chosen

    def _note_attempt(self, failed: FailedEvent) -> None:
        if self._once:
            self._tried.add((failed.lane, failed.event_id))

    def _add(self, event: OutboxEvent, lane: str, cause: str, seconds: float) -> None:
        self._waiting.add(lane)
        self._unstored.append((event, self.lanes.failed(event, cause), seconds))

    def _removed(self) -> None:
        done, self._done = self._done, []
        self.table.delivered(done)

    def _close(self, sent: OutboxEvent | FailedEvent) -> None:
        topic = sent.topic if isinstance(sent, FailedEvent) else getattr(sent.outcome, "topic", None)
        if topic is not None:
            self._shut.add(topic)
            destination = self._closed.setdefault(topic, _Destination())
            destination.failures += 1
            destination.until = math.inf if self._once else time.monotonic() + _pause(destination.failures)


def _together(events: Sequence[FailedEvent], attempts: int) -> Sequence[FailedEvent]:
    """The first of some events, which are sent together: if one of them ends the process, each has an attempt more.

    The more attempts an event has, the fewer are sent with it. Its last attempt is made alone, so that no event becomes
    a dead letter because of another one. attempts: after which an event is a dead letter.
    """
    most = AT_ONCE
    for place, event in enumerate(events):
        is_last = event.attempts + 1 >= attempts
        most = 1 if is_last else min(most, max(1, AT_ONCE // SPLIT**event.attempts))
        if place >= most:
            return events[:place]
    return events


def _pause(attempts: int) -> float:
    """Seconds until the next attempt: doubled each time, and a fifth more or less, so that not all come at once."""
    seconds: float = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** max(attempts - 1, 0))
    return seconds * random.uniform(0.8, 1.2)  # noqa: S311
