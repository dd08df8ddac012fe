"""Wake-ups of relays that read a table: which transactions notify, and that no row waits for the next look."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.relay import engine
from outbox_kit.relay.sources import pace
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database import relayed
from tests.database.conftest import Kit, Written
from tests.database.polled import Recording, Stepped, drive, numbers, write
from tests.database.relayed import Connect, Opened

pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
record, outbox, dsn = relayed.record, relayed.outbox, relayed.dsn
connect, sink, opened = relayed.connect, relayed.sink, relayed.opened

FOREVER = 10_000.0
NOTIFYING = """
select count(pg_advisory_lock(hashtextextended('"public"."outbox_lane"', moment)))
from generate_series((extract(epoch from clock_timestamp()) * 100)::bigint - 1,
                     (extract(epoch from clock_timestamp()) * 100)::bigint + 3000) as moment
"""
"""The locks of a transaction that notifies, for the next 30 seconds."""


@pytest.fixture
def only_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay that has requested wake-ups does not look again without one."""
    polled = pace.Pace.polled

    def until_woken(own: pace.Pace, now: float, rows: int, *, may_rest: bool = True) -> None:
        polled(own, now, rows, may_rest=may_rest)
        if may_rest and not rows:
            own._pause, own._next = FOREVER, now + FOREVER

    monkeypatch.setattr(pace.Pace, "polled", until_woken)


class Listener:
    """Counts notifications."""

    def __init__(self, connection: psycopg.Connection[Any], channel: str) -> None:
        self._connection = connection
        connection.execute(f'listen "{channel}"'.encode())

    def count(self) -> int:
        """Those since the last call; all of transactions that have ended."""
        return len([*self._connection.notifies(timeout=0.2)])


@contextmanager
def listener(dsn: str, channel: str = "outbox_lane") -> Iterator[Listener]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield Listener(connection, channel)


def rests(relay: Stepped) -> bool:
    """Whether the relay would not look again without a wake-up."""
    return relay.source._pace._pause >= FOREVER


def requests(relay: Stepped) -> bool:
    return relay.table._requests_wakeups  # type: ignore[attr-defined, no-any-return]


def rounds(relays: list[Stepped], seconds: float) -> None:
    end = time.monotonic() + seconds
    drive(relays, lambda: time.monotonic() > end)


def test_36_transactions_notify_only_while_a_relay_waits(
    connect: Connect, dsn: str, opened: Opened, sink: Recording
) -> None:
    with connect() as writer, listener(dsn) as notifications:
        assert isinstance(writer, psycopg.Connection)
        writer.autocommit = True
        write(writer, "a", 0)
        assert notifications.count() == 0  # no relay runs
        relay = opened(sink)
        drive([relay], lambda: requests(relay))
        write(writer, "a", 1)
        assert notifications.count() == 1
        drive([relay], lambda: not requests(relay))
        for number in range(2, 30):
            write(writer, "a", number)
        assert notifications.count() == 0
        drive([relay], lambda: requests(relay))
        assert numbers(sink.sent, "a") == [*range(30)]
        with ExitStack() as block:  # a relay that hangs while it waits
            others = [block.enter_context(psycopg.connect(dsn)) for _ in range(20)]
            began = time.monotonic()
            for number, other in enumerate(others):
                write(other, f"k{number}", number)
            most = (time.monotonic() - began) * 100 + 2
            for other in others:
                other.commit()
            assert 1 <= notifications.count() <= most
        drive([relay], lambda: len(sink.sent) == 50)


@pytest.mark.usefixtures("only_woken")
@pytest.mark.parametrize("ends", ["commit", "savepoint", "rollback"])
def test_37_no_relay_begins_to_wait_while_a_transaction_with_rows_is_open(
    connect: Connect, opened: Opened, sink: Recording, ends: str
) -> None:
    relay = opened(sink)
    with connect() as writer:
        assert isinstance(writer, psycopg.Connection)
        write(writer, "a", 1)  # before the relay waits for the first time
        rounds([relay], 0.5)
        assert not rests(relay) and not requests(relay)
        assert relay.source._pace._pause <= pace.UNREQUESTED_SECONDS
        writer.rollback() if ends == "rollback" else writer.commit()
        drive([relay], lambda: len(sink.sent) == (ends != "rollback") and rests(relay))
        if ends == "savepoint":
            with writer.transaction():
                with writer.transaction(force_rollback=True):
                    write(writer, "a", 2)  # notifies, and is rolled back
                drive([relay], lambda: rests(relay))
                write(writer, "a", 3)
                drive([relay], lambda: rests(relay))
            drive([relay], lambda: numbers(sink.sent) == [("a", 1), ("a", 3)])


@pytest.mark.usefixtures("only_woken")
def test_37_no_relay_begins_to_wait_before_the_end_of_a_transaction_for_which_another_has_notified(
    connect: Connect, dsn: str, opened: Opened, sink: Recording
) -> None:
    relay = opened(sink)
    drive([relay], lambda: rests(relay))
    with psycopg.connect(dsn, autocommit=True) as other, connect() as writer:
        other.execute(NOTIFYING)
        write(writer, "a", 1)
        other.execute("notify outbox_lane")
        drive([relay], lambda: not rests(relay))
        rounds([relay], 0.5)
        assert not rests(relay) and not requests(relay)
        writer.commit()
        drive([relay], lambda: len(sink.sent) == 1 and rests(relay))


@pytest.mark.usefixtures("only_woken")
def test_37_no_row_of_many_writers_waits_for_the_next_look(connect: Connect, opened: Opened, sink: Recording) -> None:
    seed = random.randrange(10**6)
    relay, rested = opened(sink), 0
    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(written_at_random, connect, f"k{number}", seed + number) for number in range(3)]
        while not all(writer.done() for writer in writers):
            before = rests(relay)
            relay.step()
            rested += rests(relay) and not before
        count = sum(writer.result() for writer in writers)
    drive([relay], lambda: len(sink.sent) == count)
    assert rested, f"seed {seed}"


def written_at_random(connect: Connect, key: str, seed: int) -> int:
    """Commit transactions of some milliseconds with pauses between them; how many rows."""
    chance, count = random.Random(seed), 0
    with connect() as connection:
        for number in range(50):
            write(connection, key, number)
            time.sleep(chance.choice((0, 0.001, 0.005, 0.03)))
            if chance.random() < 0.8:
                connection.commit()
                count += 1
            else:
                connection.rollback()
            time.sleep(chance.choice((0, 0.005, 0.03, 0.1)))
    return count


def test_37_of_several_relays_each_is_woken_whichever_requests_it(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "IDLE_SECONDS", 0.01)  # the relays take turns
    relays = [opened(sink, lease=5) for _ in range(2)]
    drive(relays, lambda: len(relays[0].owned) == 8 == len(relays[1].owned))

    def all_wait() -> bool:
        pauses = [relay.source._pace._pause for relay in relays]
        return sum(map(requests, relays)) == 1 and min(pauses) > pace.UNREQUESTED_SECONDS

    with connect() as writer:
        for number in range(3):
            drive(relays, all_wait)
            for key in range(30):  # of the lanes of all
                write(writer, f"k{key}", number)
            writer.commit()
            drive(relays, lambda: len(sink.sent) == 30 * (number + 1))  # noqa: B023
            # a look may come upon the rows before the wake-up does
            drive(relays, lambda: all(relay.source._pace.lost == 0 for relay in relays))
        drive(relays, all_wait)
        ended = next(relay for relay in relays if requests(relay))
        relays.remove(ended)
        ended.kill()
        drive(relays, all_wait)  # the other one requests it
        assert not any(relay.lines for relay in relays)


def test_37_an_idle_relay_is_woken_while_another_publishes(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "IDLE_SECONDS", 0.01)
    busy, idle = relays = [opened(sink, lease=5) for _ in range(2)]
    drive(relays, lambda: len(busy.owned) == len(idle.owned) == 8)
    drive(relays, lambda: requests(idle) or requests(busy))
    with connect() as writer:
        write(writer, "a", 0)
        writer.commit()
        drive(relays, lambda: len(sink.sent) == 1)
        if idle.progress.published:
            busy, idle = idle, busy
        for number in range(1, 40):  # of one key: the other relay publishes nothing
            write(writer, "a", number)
            writer.commit()
            drive(relays, lambda: len(sink.sent) == number + 1)  # noqa: B023
        assert idle.progress.published == 0
        drive(relays, lambda: requests(idle) or requests(busy))
    assert idle.source._pace.lost == busy.source._pace.lost == 0


def test_two_outboxes_of_hostile_names_do_not_share_the_locks(
    server: Any, name: str, kit: Kit, written: Written, dsn: str, sink: Recording
) -> None:
    outboxes: list[Outbox] = []
    for table in ("outbox", "100%s"):
        text = f'delivery: {{by: relay, source: table}}\ntable: {{name: "{table}"}}'
        written(text)
        kit("gen-ddl", "--apply")
        outboxes.append(read(Path("outbox.yaml")).outboxes[0])
    relays = [Stepped(each, dsn, sink).open() for each in outboxes]
    try:
        drive(relays, lambda: all(map(requests, relays)))
        with listener(dsn, outboxes[1].names.lane_table) as second, psycopg.connect(dsn) as writer:
            insert: Callable[[str], bytes] = lambda table: (  # noqa: E731
                f'insert into "{table}" (id, aggregatetype, aggregateid, type, payload) '
                "values (gen_random_uuid(), 'Order', 'a', 'OrderPlaced', '[1]')"
            ).encode()
            writer.execute(insert(outboxes[0].table.name))
            writer.commit()
            assert second.count() == 0
            writer.execute(insert(outboxes[1].table.name))
            writer.commit()
            assert second.count() == 1
        drive(relays, lambda: len(sink.sent) == 2)
    finally:
        for relay in relays:
            relay.dropped()
