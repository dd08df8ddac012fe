"""Relays that share a table: lanes that move, relays that hang or end, and which process has what."""

import itertools
import os
import time
from pathlib import Path

import pytest

from outbox_kit.relay import failing
from outbox_kit.relay.metrics import RelayMetrics
from outbox_kit.relay.sources import pace
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database import relayed
from tests.database.conftest import Kit
from tests.database.polled import MANY, SHORT_LEASE, Recording, Stepped, drive, numbers, write
from tests.database.relayed import Connect, Opened

pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
record, outbox, dsn = relayed.record, relayed.outbox, relayed.dsn
connect, sink, opened = relayed.connect, relayed.sink, relayed.opened


def test_14_lanes_that_move_while_events_are_in_flight_double_only_those(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        connection.execute(MANY, (50, 50, 2000))
    first = opened(sink, lease=10, most_rows=200)
    drive([first], lambda: len(sink.sent) == 2000)
    with connect() as connection:
        connection.execute(MANY, (50, 50, 300))
    sink.holds = True
    drive([first], lambda: first.unstored > 0)
    second_sink = Recording()
    second = opened(second_sink, lease=10, most_rows=200)
    end = time.monotonic() + 1.5
    drive([first, second], lambda: time.monotonic() > end)
    assert len(first.owned) == 16 and not second_sink.sent  # no lane leaves while its events are in flight
    sink.holds = False
    drive([first, second], lambda: len(first.owned) == 8 == len(second.owned))

    def sent() -> list[object]:
        return [*numbers(sink.sent), *numbers(second_sink.sent)]

    assert len(sent()) == len(set(sent())) + 300 == 2300  # the second 300 have the numbers of the first

    with connect() as connection:
        connection.execute("update outbox set payload = '[\"old\",0]'")
        connection.execute(MANY, (50, 50, 400))
    before = len(sent())
    second_sink.most = len(second_sink.sent) + 20
    drive([first, second], lambda: len(second_sink.sent) == second_sink.most)
    in_flight = second.unstored
    second.kill()
    drive([first], lambda: len(first.owned) == 16 and len(set(sent()[before - 300 :])) >= 400 and not first.unstored)
    assert 0 <= len(sent()) - before - 400 <= in_flight < 400


def test_15_an_event_that_is_refused_is_tried_by_one_of_several_relays(
    connect: Connect, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(failing, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(failing, "FIRST_SECONDS", 0.2)
    tried: list[float] = []

    def refuses(message: Message) -> bool:
        if message.value != b'["poison",0]':
            return False
        tried.append(time.monotonic())
        return True

    def recording() -> Recording:
        made = Recording()
        made.refuses = refuses
        return made

    relays = [opened(recording(), lease=SHORT_LEASE) for _ in range(3)]
    drive(relays, lambda: all(len(relay.owned) >= 5 for relay in relays))
    with connect() as connection:
        write(connection, "poison", 0)
    drive(relays, lambda: len(tried) == 2)
    owner = next(relay for relay in relays if relay.progress.refused)
    relays.remove(owner)
    owner.kill()
    relays.append(opened(recording(), lease=SHORT_LEASE))  # a start sends no stored event before its time
    count = "select count(*) filter (where dead), max(attempts) from outbox_failure"
    with connect() as connection:
        connection.autocommit = True
        drive(relays, lambda: connection.execute(count).fetchone() == (1, 5))
        end = time.monotonic() + 0.5
        drive(relays, lambda: time.monotonic() > end)
    assert len(tried) == 5
    pauses = [after - before for before, after in itertools.pairwise(tried)]
    assert all(pause >= 0.2 * 2**number * 0.8 for number, pause in enumerate(pauses))


def test_16_an_acknowledgement_goes_to_the_outbox_of_its_event(
    connect: Connect, outbox: Outbox, dsn: str, kit: Kit, opened: Opened, sink: Recording, name: str
) -> None:
    text = Path("outbox.yaml").read_text().replace(f"service: {name}", f"service: {name}b")
    Path("other.yaml").write_text(text.replace("database: {", f"database: {{name: {name}, ") + "table: {name: other}\n")
    kit("gen-ddl", "--apply", "-f", "other.yaml")
    other_sink = Recording()
    other = Stepped(read(Path("other.yaml")).outboxes[0], dsn, other_sink).open()
    relay = opened(sink)
    try:
        with connect() as connection:
            for n in range(5):
                write(connection, "a", n)
            connection.execute(shared_insert("other"))
        sink.holds = True
        drive([relay, other], lambda: relay.relay._in_flight and len(other_sink.sent) == 5)
        other.stop()
        with connect() as connection:
            at = "select count(*) from {} where seen::text <> '1:1:'"
            assert connection.execute(at.format("outbox_lane").encode()).fetchone() == (0,)
            assert connection.execute(at.format("other_lane").encode()).fetchone() == (16,)
        sink.holds = False
        drive([relay], lambda: len(sink.sent) == 5)
    finally:
        other.dropped()


def shared_insert(table: str) -> bytes:
    return (
        f"insert into {table} (id, aggregatetype, aggregateid, type, payload) "
        "select id, aggregatetype, aggregateid, type, payload from outbox"
    ).encode()


def test_17_a_relay_that_starts_takes_no_event_that_another_has_in_flight(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    relay = opened(sink, lease=SHORT_LEASE)
    sink.holds = True
    with connect() as connection:
        connection.execute(MANY, (20, 20, 50))
    drive([relay], lambda: len(relay.relay._in_flight) == 50)
    started_sink = Recording()
    started = opened(started_sink, lease=SHORT_LEASE)
    end = time.monotonic() + 1.25 * SHORT_LEASE
    drive([relay, started], lambda: time.monotonic() > end)
    assert not started_sink.sent and not started.owned
    sink.holds = False
    drive([relay, started], lambda: len(sink.sent) + len(started_sink.sent) == 50 and started.owned)
    assert len(sink.sent) == 50


def test_47_without_any_relay_status_says_so_and_how_old_the_unpublished_events_are(
    connect: Connect, opened: Opened, sink: Recording, kit: Kit
) -> None:
    relay = opened(sink)
    assert "1 more" not in kit("status").stdout
    relay.kill()
    with connect() as connection:
        write(connection, "a", 1)
        connection.execute("update outbox set created_at = now() - interval '100 seconds'")
        connection.execute("update outbox_member set lease_until = clock_timestamp()")
    shown = kit("status", code=1).stdout
    assert "problem    the relay is not running" in shown
    assert "oldest     unpublished event: 100 s" in shown or "oldest     unpublished event: 101 s" in shown
    assert "ended without giving up its lanes" in shown


def test_48_of_two_relays_the_one_that_hangs_or_is_stalled_is_named(
    connect: Connect, opened: Opened, sink: Recording, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    stalled_sink = Recording()
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: 1111)
        relay = opened(sink, lease=SHORT_LEASE)
        patched.setattr(os, "getpid", lambda: 2222)
        stalled = opened(stalled_sink, lease=SHORT_LEASE)
    drive([relay, stalled], lambda: len(relay.owned) == 8 == len(stalled.owned))
    stalled_sink.holds = True
    with connect() as connection:
        connection.execute(MANY, (100, 100, 100))
        connection.execute("update outbox set created_at = now() - interval '300 seconds'")
    drive([relay, stalled], lambda: stalled.relay._in_flight and sink.sent and not relay.unstored)
    problems = [line for line in kit("status", code=1).stdout.splitlines() if line.startswith("problem")]
    assert len(problems) == 1 and "2222' is stalled or late" in problems[0]
    drive([relay], lambda: len(relay.owned) == 16 and not relay.unstored)
    shown = kit("status", code=1).stdout
    problems = [line for line in shown.splitlines() if line.startswith("problem")]
    assert len(problems) == 1 and "2222' hangs" in problems[0]
    assert "everything is published" in shown and "1111: 16 lanes" in shown


def test_49_after_a_kill_another_relay_goes_on_when_the_lease_has_ended(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    relay = opened(sink, lease=SHORT_LEASE)
    drive([relay], lambda: len(relay.owned) == 16)
    relay.kill()
    with connect() as connection:
        connection.autocommit = True
        write(connection, "a", 1)
        started = opened(sink, lease=SHORT_LEASE)
        drive([started], lambda: sink.sent)
        late = "select extract(epoch from clock_timestamp() - min(lease_until))::float from outbox_member"
        (seconds,) = connection.execute(late).fetchone() or (None,)
    assert seconds is not None and seconds < 30 * (1 + pace.LONGEST_SECONDS)


def test_metrics_show_which_worker_and_which_lane_is_behind(connect: Connect, opened: Opened, sink: Recording) -> None:
    relays = [opened(sink, lease=3), opened(second_sink := Recording(), lease=3)]
    drive(relays, lambda: [len(relay.owned) for relay in relays] == [8, 8])
    sink.holds = True
    with connect() as connection:
        connection.execute(MANY, (50, 50, 300))
    drive(relays, lambda: relays[0].unstored and second_sink.sent and not relays[1].unstored)
    time.sleep(0.1)
    stalled, other = (lane_ages(relay) for relay in relays)
    assert {worker for worker, _ in stalled} == {relays[0].source.member}
    assert {worker for worker, _ in other} == {relays[1].source.member}
    assert {int(lane) for _, lane in stalled} == relays[0].owned and {int(lane) for _, lane in other} == relays[1].owned
    assert min(stalled.values()) > 0 == max(other.values())
    sink.holds = False
    drive(relays, lambda: not any(relay.unstored for relay in relays))
    assert max(lane_ages(relays[0]).values()) == 0


def lane_ages(relay: Stepped) -> dict[tuple[str, str], float]:
    """The samples of the metric by worker and lane."""
    (metric,) = (m for m in RelayMetrics("orders", relay.progress).collect() if m.name.endswith("lane_oldest_seconds"))
    return {(sample.labels["worker"], sample.labels["lane"]): sample.value for sample in metric.samples}
