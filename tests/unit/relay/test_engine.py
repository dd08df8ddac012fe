"""The engine against a source, a sink and a table that fail at random: nothing is lost, each lane keeps its order."""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from outbox_kit.databases.failures import FailedEvent
from outbox_kit.errors import KafkaRefused
from outbox_kit.relay import engine, failing
from outbox_kit.relay.engine import Relay
from outbox_kit.relay.exactly_once.table import ExactlyOnceFailures
from outbox_kit.relay.failing import Failing
from outbox_kit.relay.interface import SendResult
from outbox_kit.relay.lanes import Lanes
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from tests.support.simulated import Clock, SimulatedEvent, Sink, Source, Table

OUTBOX = Outbox.model_validate(
    {
        "service": "shop",
        "database": {"dialect": "postgres"},
        "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
        "delivery": {"by": "relay"},
    }
)
ATTEMPTS = 5
Simulation = tuple[Relay, Source, Sink, Table]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    simulated = Clock()
    for module in (engine, failing):
        monkeypatch.setattr(module, "time", simulated)
    return simulated


def relay(
    source: Source,
    sink: Sink,
    table: Table,
    stopped: Callable[[], bool] = lambda: False,
    attempts: int = ATTEMPTS,
) -> Relay:
    progress, lanes = RelayProgress(), Lanes(OUTBOX)
    return Relay(source, sink, table, lanes, Failing(table, lanes, attempts, progress), progress, [].append, stopped)


def events(chance: Random, count: int, *, poison: float) -> list[SimulatedEvent]:
    kinds = {"poison": poison, "unroutable": poison / 2}
    return [
        SimulatedEvent(
            number,
            chance.randrange(8),
            chance.choice(("a", "b")),
            next((kind for kind, share in kinds.items() if chance.random() < share), ""),
        )
        for number in range(count)
    ]


def parked(row: FailedEvent, table: Table) -> bool:
    """Whether a row waits behind a dead one of its lane."""
    behind = (other.dead and other.lane == row.lane and other.number < row.number for other, _ in table.rows.values())
    return table.parks and any(behind)


def settle(table: Table, source: Source, sink: Sink, clock: Clock) -> None:
    """Run until no event waits but those that a dead one of their lane keeps back."""
    source.failing = sink.failing = 0.0
    table.lost = lambda: False
    for _ in range(100):
        publish_once(source, sink, table)
        clock.now += 100
        if all(row.dead or parked(row, table) for row, _ in table.rows.values()):
            return
    raise AssertionError([row for row, _ in table.rows.values()])


def publish_once(source: Source, sink: Sink, table: Table) -> None:
    """Run with `once`, which is to end when nothing is left that can be sent and was not."""
    before = {number: row.attempts for number, (row, _) in table.rows.items()}
    closed = {topic for topic in ("a", "b") if sink.closed(topic)}
    relay(source, sink, table).run(once=True)
    ended = table.examined_at  # a row may have become due since
    left = [
        row
        for row in table.due(10_000, closed)
        if row.attempts == before.get(row.number, 0) and table.rows[row.number][1] <= ended
    ]
    assert not left, "it has ended early"
    attempts = {row.number: row.attempts - before.get(row.number, 0) for row, _ in table.rows.values()}
    assert all(made <= 1 for made in attempts.values()), "an event was sent twice"


def judge(source: Source, sink: Sink, table: Table) -> None:
    numbers = [int(message.headers[0][1] or b"") for message in sink.delivered]
    lanes: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number in dict.fromkeys(numbers):
        event = source.events[number]
        lanes[event.topic, event.key].append(number)
    for lane, order in lanes.items():
        assert order == sorted(order), lane
    dead = {int(row.event_id) for row, _ in table.rows.values() if row.dead}
    waiting = {int(row.event_id) for row, _ in table.rows.values() if not row.dead}
    assert {event.number for event in source.events} == {*numbers} | dead | waiting, "lost"
    assert not {*numbers} & dead
    first_dead: dict[tuple[str, int], int] = {}
    for number in sorted(dead):
        event = source.events[number]
        assert event.kind, f"{number} is dead"
        first_dead.setdefault((event.topic, event.key), number)
    for number in waiting - {*numbers}:  # parked; others were read again after a restart
        event = source.events[number]
        assert table.parks
        assert first_dead[event.topic, event.key] < number
    if table.parks:
        for lane, number in first_dead.items():
            assert all(other < number for other in lanes.get(lane, [])), f"an event behind dead {number} was sent"
    else:
        assert dead == {event.number for event in source.events if event.kind}


@pytest.mark.random
@pytest.mark.parametrize("parks", [True, False], ids=["park", "pass"])
def test_nothing_is_lost_and_each_lane_keeps_its_order(
    parks: bool,
    clock: Clock,
    pytestconfig: pytest.Config,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seed = pytestconfig.getoption("--case-seed")
    for number in range(seed, seed + 60):
        chance = Random(number)
        monkeypatch.setattr(failing, "random", Random(number))  # of the pauses: the seed repeats them too
        source = Source(events(chance, 200, poison=chance.choice((0.0, 0.01, 0.05))), chance, clock)
        closed_until = clock.now + chance.choice((0.0, 0.0, 20.0, 200.0))
        sink = Sink(chance, clock, lambda topic, until=closed_until: topic == "b" and clock.now < until)  # type: ignore[misc]
        losing = chance.choice((0.0, 0.005))
        table = Table(clock, parks, lost=lambda chance=chance, losing=losing: chance.random() < losing)  # type: ignore[misc]
        for _ in range(chance.randrange(4)):  # ended at some moment, with all that was in flight
            stop = clock.now + chance.uniform(0.0, 3.0)
            relay(source, sink, table, lambda stop=stop: clock.now > stop).run()  # type: ignore[misc]
        try:
            settle(table, source, sink, clock)
            judge(source, sink, table)
        except AssertionError as cause:
            raise AssertionError(f"--case-seed {number}") from cause


class Killed(BaseException):
    """The process ends at once."""


@pytest.mark.parametrize("attempts", [1, 2, ATTEMPTS])
def test_26_a_message_that_ends_the_process_becomes_a_dead_letter(clock: Clock, attempts: int) -> None:
    """Trap 26: the attempts of each event are counted once the process has ended at one position several times.

    Only that message becomes a dead letter, however many were sent with it.
    """
    source = Source([SimulatedEvent(number, number % 3, "a") for number in range(600)], Random(1), clock, failing=0.0)
    table = Table(clock, parks=False)

    class Deadly(Sink):
        def send(self, message: object, receipt: object) -> bool:
            if message.headers[0][1] == b"13":  # type: ignore[attr-defined]
                raise Killed
            return super().send(message, receipt)  # type: ignore[arg-type]

    delivered: list[int] = []
    for starts in range(40):
        sink = Deadly(Random(starts), clock, failing=0.0)
        source._open = False
        clock.now += 100
        try:
            stopped = lambda end=clock.now + 60: clock.now > end  # noqa: E731
            relay(source, sink, table, stopped, attempts).run()
            break
        except Killed:
            pass
        finally:
            delivered += [int(message.headers[0][1] or b"") for message in sink.delivered]
    (dead,) = (row for row, _ in table.rows.values())
    assert (dead.event_id, dead.dead) == ("13", True)
    assert "ended" in dead.cause
    assert {*delivered} == {*range(600)} - {13}


def test_24_a_topic_that_is_closed_holds_up_no_other_and_uses_up_no_attempts(clock: Clock) -> None:
    """Traps 24 and 29."""
    chance = Random(2)
    source = Source([SimulatedEvent(n, n % 5, "b" if n < 200 else "a") for n in range(400)], chance, clock, failing=0.0)
    open_at = clock.now + 1800
    sink, table = Sink(chance, clock, lambda topic: topic == "b" and clock.now < open_at, failing=0.0), Table(clock)
    end = clock.now + 1700
    relay(source, sink, table, lambda: clock.now > end).run()
    assert [message.topic for message in sink.delivered] == ["a"] * 200
    assert len(table.rows) == 200
    assert {row.attempts for row, _ in table.rows.values()} == {0}
    assert not any(row.dead for row, _ in table.rows.values())
    assert sink.sent < 200 + 200, "the closed topic is tried again and again"
    end = open_at + 120
    relay(source, sink, table, lambda: clock.now > end).run()
    assert not table.rows
    judge(source, sink, table)


def test_a_refused_event_is_sent_so_often_and_is_a_dead_letter_then(clock: Clock) -> None:
    source = Source([SimulatedEvent(0, 1, "a", "poison"), SimulatedEvent(1, 1, "a")], Random(3), clock, failing=0.0)
    sink, table = Sink(Random(3), clock, failing=0.0), Table(clock)
    end = clock.now + 300
    relay(source, sink, table, lambda: clock.now > end).run()
    first, second = (row for row, _ in table.rows.values())
    assert (first.dead, first.attempts, first.cause) == (True, ATTEMPTS, "too large")
    assert (second.dead, second.attempts) == (False, 0)
    assert json.loads(first.lane) == ["a", "1"]
    assert sink.delivered == []


def test_once_sends_no_event_twice_however_long_it_takes(clock: Clock) -> None:
    kinds = {0: "poison", 5: "poison"}
    source = Source(
        [SimulatedEvent(n, n % 5, "a", kinds.get(n, "")) for n in range(2000)], Random(4), clock, failing=0.0
    )

    class Slow(Sink):
        def results(self, seconds: float) -> Sequence[SendResult]:
            clock.sleep(1.0)
            return super().results(seconds)

    sink, table, began = Slow(Random(4), clock, failing=0.0), Table(clock), clock.now
    publish_once(source, sink, table)
    assert clock.now - began > 60
    (first, *behind) = (row for row, _ in table.rows.values())
    assert (first.event_id, first.attempts) == ("0", 1)
    assert len(behind) == 399


def test_once_ends_with_the_reason_if_the_sink_refuses_the_relay_and_waits_without_it(clock: Clock) -> None:
    class Shut(Sink):
        def send(self, message: Message, receipt: Any) -> bool:  # noqa: ARG002 - a sink's
            return False

    source, sink = Source([SimulatedEvent(0, 1, "a")], Random(4), clock, failing=0.0), Shut(Random(4), clock)
    sink.refused = KafkaRefused("Kafka authentication failed")
    with pytest.raises(KafkaRefused):
        relay(source, sink, Table(clock)).run(once=True)
    end = clock.now + 300
    relay(source, sink, Table(clock), lambda: clock.now > end).run()


def test_once_publishes_what_waited_for_an_event_that_it_gives_up(clock: Clock) -> None:
    """With `pass`, the events that are due have used up their attempts in processes that were killed."""
    source = Source([SimulatedEvent(n, 1, "a") for n in range(4)], Random(5), clock, failing=0.0, confirmed=4)
    sink, table = Sink(Random(5), clock, failing=0.0), Table(clock, parks=False)
    lane = Lanes(OUTBOX).lane(source._event(0))
    rows = [FailedEvent(0, lane, str(n), "a", json.dumps({"id": str(n)}), "", ATTEMPTS * (n < 2)) for n in range(4)]
    table.add(rows, 0.0)
    publish_once(source, sink, table)
    assert [row.event_id for row, _ in table.rows.values()] == ["0", "1"]
    assert len(sink.delivered) == 2


@pytest.mark.random
@pytest.mark.parametrize("parks", [True, False], ids=["park", "pass"])
def test_once_publishes_what_is_stored_first_though_the_log_must_be_read_before(
    parks: bool, clock: Clock, pytestconfig: pytest.Config
) -> None:
    """Exactly once, after several kills at one position: all events are stored; none is sent before all are read."""
    seed = pytestconfig.getoption("--case-seed")
    for number in range(seed, seed + 60):
        chance = Random(number)
        source = Source([SimulatedEvent(n, n % 8, "a") for n in range(100)], chance, clock, failing=0.0)
        sink, table = Sink(chance, clock, failing=0.0), Table(clock, parks)
        table.started = {0: failing.CAREFUL_AFTER}

        class Log:
            stored = None

            @property
            def begun(self, source: Source = source) -> bool:
                return source.passed(100)

        fenced = ExactlyOnceFailures(table, Log())  # type: ignore[arg-type]
        relay(source, sink, fenced).run(once=True)  # type: ignore[arg-type]
        assert len(sink.delivered) == 100, f"--case-seed {number}"
        assert not table.rows


def test_an_event_that_is_read_again_is_not_published_beside_its_dead_letter(clock: Clock) -> None:
    """Exactly once with `pass`: the relay before has ended between the dead letter and the position behind it."""
    source = Source([SimulatedEvent(n, 1, "a") for n in range(3)], Random(6), clock, failing=0.0)
    sink, table = Sink(Random(6), clock, failing=0.0), Table(clock, parks=False)
    event = source._event(0)
    table.add([Lanes(OUTBOX).failed(event, "too large", attempts=ATTEMPTS, dead=True)], 0.0)

    class Log:
        stored = None

        @property
        def begun(self) -> bool:
            return source.passed(3)

    relay(source, sink, ExactlyOnceFailures(table, Log())).run(once=True)  # type: ignore[arg-type]
    assert [row.event_id for row, _ in table.rows.values()] == ["0"]
    assert [message.headers[0][1] for message in sink.delivered] == [b"1", b"2"]
