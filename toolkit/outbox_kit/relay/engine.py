"""One relay: reads events, sends their messages, and reports to the source which are final.

It runs in one thread and never waits long for one side: the source is maintained while the sink is full, and messages
are acknowledged while nothing is read.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from outbox_kit.databases.failures import FailedEvent, FailureTable
from outbox_kit.errors import EnvironmentProblem, OutboxKitError, ProducerFenced, SlotInUse
from outbox_kit.printable import counted
from outbox_kit.relay import lanes
from outbox_kit.relay.failing import Failing
from outbox_kit.relay.interface import LaneAges, OutboxEvent, SendResult, SendStatus, Sink, Source
from outbox_kit.relay.lanes import Lanes
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.router.values import Dropped

MOST_IN_FLIGHT = 10_000
IDLE_SECONDS = 0.25  # for the first event, while nothing is in flight
ACK_SECONDS = 0.005  # for the first acknowledgement, before events are looked for again
FULL_SECONDS = 0.05  # for room in the sink
CHECK_SECONDS = 0.1
STANDBY_SECONDS = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # after a failure of the database
DRAIN_SECONDS = 10.0
REPORT_SECONDS = 10.0
Sent = OutboxEvent | FailedEvent


@dataclass
class Relay:
    """A relay of one outbox."""

    source: Source
    sink: Sink
    table: FailureTable
    lanes: Lanes
    failing: Failing
    """The failed events, and what waits behind them."""
    progress: RelayProgress
    """What it has done, for metrics."""
    report: Callable[[str], None]
    """Takes a line about a change of its state."""
    stopped: Callable[[], bool]
    """Whether it is to end."""
    _numbers: int = 0
    _in_flight: dict[int, Sent] = field(default_factory=dict)
    _backlog: deque[Sent] = field(default_factory=deque)
    _returned: list[tuple[int, Sent]] = field(default_factory=list)
    _failed: bool = False
    _failures: tuple[int, int] = (0, 0)
    """The counts of refused messages and dead letters that were reported."""
    _next_report: float = 0.0

    def run(self, *, once: bool = False) -> None:
        """Publish until it is to end. once: end when everything is published that was committed before now.

        Problems of the database are reported, and tried again after a pause; with `once` they are raised, and what the
        sink refuses for good.
        """
        pause = FIRST_PAUSE
        while not self.stopped():
            try:
                self._opened(once=once)
                return
            except (SlotInUse, ProducerFenced) as problem:
                if once:
                    raise
                self._reported(problem, "waiting until the other process ends")
                self._pause(STANDBY_SECONDS)
            except EnvironmentProblem as problem:
                if once:
                    raise
                if self.progress.connected:
                    pause = FIRST_PAUSE
                self._reported(problem, f"trying again every {LONGEST_PAUSE:.0f} s at the latest")
                self._pause(pause * random.uniform(0.8, 1.2))  # noqa: S311 - so that relays do not try at once
                pause = min(LONGEST_PAUSE, pause * 2)
            finally:
                self._closed()

    def sent(self, number: int) -> Sent:
        """What was given to the sink under a number, and has no result yet."""
        return self._in_flight[number]

    def _opened(self, *, once: bool) -> None:
        """One connection of the source, until it is to end or fails."""
        self.progress.connected = False
        self.source.open()
        self.progress.connected, self.progress.problem = True, ""
        self.report("connected: publishing")
        self.failing.begin(self.source.position(), once=once)
        point = self.source.point() if once else None
        next_check = 0.0
        while not self.stopped():
            self._step()
            if point is not None and time.monotonic() >= next_check:
                next_check = time.monotonic() + CHECK_SECONDS
                if refusal := self.sink.refusal():
                    raise refusal
                if not (self._in_flight or self._backlog) and self.source.passed(point):
                    self._backlog.extend(self.failing.due())
                    if not self._backlog:
                        break
        self._drain()
        self.table.stopped()

    def _closed(self) -> None:
        """Forget what is not final: it is read again."""
        self.sink.close()
        self.source.close()
        self._in_flight.clear()
        self._backlog.clear()
        self._returned.clear()
        self._failed = False
        self.failing.forget()
        self.progress.connected, self.progress.lane_oldest = False, LaneAges()

    def _step(self) -> None:
        """One round: send again, read, acknowledge, store failures."""
        self._publish(self.source.read)
        self._retry()
        self._watch()

    def _publish(self, read: Callable[[float], Sequence[OutboxEvent] | None]) -> bool:
        """Send again, read, acknowledge, store. Whether `read`, of the source, had nothing more: None."""
        self.progress.last_round = time.monotonic()
        self.source.maintain()  # first, so that nothing more is sent of what another relay publishes now
        events: Sequence[OutboxEvent] | None = ()
        if not self._failed:
            self._send_backlog()
        if not (self._failed or self._backlog or len(self._in_flight) >= MOST_IN_FLIGHT):
            events = read(0.0 if self._in_flight else IDLE_SECONDS)
            self.progress.read += len(events or ())
            for event in events or ():
                if self._backlog or not self._handled(event):
                    self._backlog.append(event)
        wait = FULL_SECONDS if self._backlog else 0.0 if events or not self._in_flight else ACK_SECONDS
        self._settle(self.sink.results(wait))
        self.failing.store(self.source.finish)
        return events is None

    def _handled(self, sent: Sent) -> bool:
        """Whether an event is in flight, stored or final now; if not, it and all behind it must wait."""
        if isinstance(sent, FailedEvent):
            return self.failing.returns(sent) or self._send(sent)
        if self.failing.waits(sent):
            return True
        if isinstance(sent.outcome, Dropped):
            self.source.finish(sent.receipt)
            return True
        return self._send(sent)

    def _send(self, sent: Sent) -> bool:
        """Whether the sink has taken an event's message, or the event has none and is stored."""
        outcome = sent.outcome if isinstance(sent, OutboxEvent) else self.source.outcome(lanes.row_of(sent))
        message = lanes.chosen(outcome)
        if message is None:
            if self._in_flight:  # earlier events of its lane may fail yet, and are stored before it then
                return False
            self.failing.unroutable(sent, lanes.failure(outcome))
            return True
        self._numbers += 1
        self._in_flight[self._numbers] = sent
        if self.sink.send(message, self._numbers):
            return True
        del self._in_flight[self._numbers]
        return False

    def _send_backlog(self) -> None:
        while self._backlog and self._handled(self._backlog[0]):
            self._backlog.popleft()

    def _settle(self, results: Sequence[SendResult]) -> None:
        """Take note of results. After a failure nothing is sent before everything in flight has one.

        What comes back is sent again in its order, and what fails is stored before what is read later.
        """
        for number, status, cause in results:
            sent = self._in_flight.pop(number)
            if status is SendStatus.delivered:
                self._delivered(sent)
                continue
            self._failed = True
            if status is not SendStatus.unsent:
                self.failing.failed(sent, cause, closed=status is SendStatus.closed)
            else:
                self._returned.append((number, sent))
        if self._failed and not self._in_flight:
            self._returned.sort(key=itemgetter(0), reverse=True)
            self._backlog.extendleft(sent for _, sent in self._returned)
            self._returned.clear()
            self._failed = False

    def _delivered(self, sent: Sent) -> None:
        self.progress.published += 1
        if isinstance(sent, OutboxEvent):
            self.source.finish(sent.receipt)
        else:
            self.failing.delivered(sent)

    def _retry(self) -> None:
        """Send stored events whose time has come, when everything before is acknowledged."""
        if self.failing.due_now() and not self._backlog and not self._failed:
            self._backlog.extend(self.failing.due())

    def _drain(self) -> None:
        """Publish what was read, and the rest of what was read in part, so that nothing of it is published again.

        What is not acknowledged in time is sent again by the next relay.
        """
        until, complete = time.monotonic() + DRAIN_SECONDS, False
        while not complete and time.monotonic() < until:
            complete = self._publish(self.source.rest) and not (self._in_flight or self._backlog)

    def _watch(self) -> None:
        """Report that the sink cannot be reached, and that it can be again."""
        self.progress.in_flight = len(self._in_flight) + len(self._backlog)
        self.progress.oldest, self.progress.lane_oldest = self.source.oldest(), self.source.lane_ages()
        problem, before = self.sink.problem, self.progress.problem
        if problem and not before:
            self.report(f"waiting: {problem}")
        elif before and not problem:
            self.report("publishing again")
        self.progress.problem = problem
        if self._failures != (self.progress.refused, self.progress.dead) and time.monotonic() >= self._next_report:
            self._report_failures()

    def _report_failures(self) -> None:
        """Report refused messages and dead letters since the last report; not more often than every few seconds."""
        refused, dead = self.progress.refused - self._failures[0], self.progress.dead - self._failures[1]
        self._failures = self.progress.refused, self.progress.dead
        self._next_report = time.monotonic() + REPORT_SECONDS
        counts = f"{counted(refused, 'refused message')} and {counted(dead, 'new dead letter')}"
        self.report(f"{counts}; events behind them wait. See them: outbox-kit relay keys, outbox-kit relay dead list")

    def _reported(self, problem: OutboxKitError, then: str) -> None:
        """Report a problem of the source, if it is another one than the last."""
        if problem.what != self.progress.problem:
            self.report("\n".join([*problem.lines(), f"  then  {then}"]))
        self.progress.problem = problem.what

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self.stopped() and time.monotonic() < until:
            self.progress.last_round = time.monotonic()
            time.sleep(0.05)
