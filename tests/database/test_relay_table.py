"""A relay that reads the table: the traps of such relays, by number, on a real server."""

import random
import time

import pytest

from outbox_kit.errors import LanesLost, UsageProblem
from outbox_kit.relay import failing
from outbox_kit.relay.sources import pace
from outbox_kit.schema.model import Outbox
from tests.database import relayed
from tests.database.polled import SHORT_LEASE, Aggregates, Recording, drive, first_copies, numbers, write
from tests.database.relayed import Connect, Opened

POSITION, POSTGRES_DELETE, MARK = (("postgres-18", record) for record in ("position", "delete", "mark"))
MYSQL, MARIADB = ("mysql", "delete"), ("mariadb", "delete")
MYSQL_MARK, MARIADB_MARK = ("mysql", "mark"), ("mariadb", "mark")


def on(*kinds: tuple[str, str]) -> pytest.MarkDecorator:
    """Servers, and how the relay records there what is published."""
    return pytest.mark.parametrize(("server", "record"), kinds, indirect=["server"])


RECORDS = on(POSITION, POSTGRES_DELETE, MARK, MYSQL, MARIADB, MYSQL_MARK, MARIADB_MARK)
BY_POSITION = on(POSITION)
outbox, dsn, connect, sink, opened = relayed.outbox, relayed.dsn, relayed.connect, relayed.sink, relayed.opened


@RECORDS
def test_1_a_transaction_that_commits_late_is_not_passed_over(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as early, connect() as late:
        write(late, "a", 1)
        write(early, "b", 2)
        early.commit()
        relay = opened(sink)
        drive([relay], lambda: len(sink.sent) == 1)
        late.commit()
        drive([relay], lambda: len(sink.sent) == 2)
    assert numbers(sink.sent) == [("b", 2), ("a", 1)]


@on(POSITION, POSTGRES_DELETE, MARK, MYSQL)
def test_2_nothing_is_lost_or_overtaken_under_writers_rollbacks_savepoints_and_restarts(
    connect: Connect, outbox: Outbox, dsn: str, opened: Opened, sink: Recording
) -> None:
    seed = random.randrange(10**6)
    chance, aggregates = random.Random(seed), Aggregates(connect, 40)
    relay = opened(sink, most_rows=50, lease=SHORT_LEASE)
    with aggregates.written(8, seed):
        until = time.monotonic() + 6
        while time.monotonic() < until:
            drive([relay], lambda: chance.random() < 0.02)
            relay.kill() if chance.random() < 0.5 else relay.stop()
            relay = opened(sink, most_rows=50, lease=SHORT_LEASE)
    expected = aggregates.versions()
    drive([relay], lambda: sum(map(len, first_copies(sink.sent).values())) >= sum(map(len, expected.values())))
    assert first_copies(sink.sent) == expected, f"seed {seed}"


@RECORDS
def test_3_a_stop_within_rows_of_one_moment_loses_none(connect: Connect, opened: Opened, sink: Recording) -> None:
    with connect() as connection:
        for n in range(7):
            write(connection, f"k{n}", n)
        connection.execute("update outbox set created_at = now()")
    sink.most = 3
    relay = opened(sink, most_rows=2, lease=SHORT_LEASE)
    drive([relay], lambda: len(sink.sent) == 3)
    relay.kill()
    sink.most = None
    drive([opened(sink, most_rows=2)], lambda: len(set(numbers(sink.sent))) == 7)


@BY_POSITION
def test_4_a_restored_table_is_refused_if_its_transactions_have_not_begun(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        write(connection, "a", 1)
        connection.execute("update outbox set txid = '99999999999'")
    with pytest.raises(UsageProblem, match="restored from another one"):
        opened(sink)


@RECORDS
def test_5_events_behind_one_that_fails_wait_and_those_before_are_final(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(failing, "FIRST_SECONDS", 0.05)
    with connect() as connection:
        for n in range(1, 5):
            write(connection, "a", n)
            write(connection, "b", n)
    refused: list[int] = []
    sink.refuses = lambda message: message.value == b'["a",2]' and len(refused) < 2 and not refused.append(1)  # type: ignore[func-returns-value]
    relay = opened(sink)
    drive([relay], lambda: numbers(sink.sent, "b") == [1, 2, 3, 4])
    assert numbers(sink.sent, "a") == [1]
    drive([relay], lambda: len(sink.sent) == 8)
    assert numbers(sink.sent, "a") == [1, 2, 3, 4] and len(refused) == 2


@RECORDS
def test_9_a_crash_between_acknowledgement_and_position_sends_the_same_event_again(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        write(connection, "a", 1)
    relay = opened(sink, lease=SHORT_LEASE)
    relay.source._next_store = float("inf")
    relay.source._table.store = lambda *_: True  # type: ignore[method-assign]
    drive([relay], lambda: len(sink.sent) == 1)
    relay.kill()
    drive([opened(sink)], lambda: len(sink.sent) == 2)
    ids = [dict(message.headers)["id"] for message in sink.sent]
    assert ids[0] == ids[1]


@RECORDS
def test_10_a_graceful_stop_within_a_batch_neither_loses_nor_doubles(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        for n in range(100):
            write(connection, f"k{n % 7}", n)
    relay = opened(sink, most_rows=10)
    drive([relay], lambda: len(sink.sent) >= 20)
    relay.stop()
    drive([opened(sink)], lambda: len(sink.sent) >= 100)
    assert len(sink.sent) == 100 and len(set(numbers(sink.sent))) == 100


@RECORDS
def test_12_a_relay_that_sleeps_past_its_lease_is_fenced(
    connect: Connect, opened: Opened, record: str, sink: Recording
) -> None:
    with connect() as connection:
        write(connection, "a", 1)
    frozen = opened(sink, lease=SHORT_LEASE)
    sink.holds = True
    drive([frozen], lambda: frozen.relay._in_flight)
    other_sink = Recording()
    other = opened(other_sink)
    drive([other], lambda: len(other_sink.sent) == 1 and len(other.owned) == 16)
    drive([other], lambda: not any(cursor.batches for cursor in other.source._cursors))
    with connect() as connection:
        lanes = connection.execute("select * from outbox_lane order by lane").fetchall()
    sink.holds = False
    cursor = next(cursor for cursor in frozen.source._cursors if cursor.batches)
    assert frozen.table.store(cursor.lanes, cursor.batches[0].end, cursor.batches[0].ids) is False
    with connect() as connection:
        write(connection, "a", 2)
    with pytest.raises(LanesLost):
        frozen.step()
    frozen.dropped()
    with connect() as connection:
        assert connection.execute("select * from outbox_lane order by lane").fetchall() == lanes
        assert connection.execute("select count(*) from outbox").fetchone() == (1 if record == "delete" else 2,)
    drive([other], lambda: numbers(other_sink.sent) == [("a", 1), ("a", 2)])
    assert sink.sent == []


@BY_POSITION
def test_12_a_position_is_not_written_after_the_lease_even_if_nobody_took_the_lane(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        write(connection, "a", 1)
    relay = opened(sink)
    drive([relay], lambda: any(cursor.batches for cursor in relay.source._cursors) and sink.sent)
    with connect() as connection:
        connection.execute("update outbox_member set lease_until = clock_timestamp() - interval '1 second'")
    with pytest.raises(LanesLost, match="lost its lanes"):
        relay.source._store()
    with connect() as connection:
        assert connection.execute("select count(*) from outbox_lane where last_id is not null").fetchone() == (0,)
        assert connection.execute("select distinct seen::text from outbox_lane").fetchall() == [("1:1:",)]


@RECORDS
def test_13_relays_that_come_and_go_never_own_one_lane_at_once(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    aggregates = Aggregates(connect, 30)
    relays = [opened(sink, lease=SHORT_LEASE, most_rows=50)]
    with aggregates.written(3, 7):
        for count in (2, 3):
            relays.append(opened(sink, lease=SHORT_LEASE, most_rows=50))
            drive(relays, lambda: sorted(len(relay.owned) for relay in relays) == SHARES[len(relays)])
            assert set.union(*(relay.owned for relay in relays)) == set(range(16)) and len(relays) == count
        relays.pop(0).stop()
        drive(relays, lambda: sorted(len(relay.owned) for relay in relays) == SHARES[2])
        relays.pop(0).kill()
        drive(relays, lambda: len(relays[0].owned) == 16)
    expected = aggregates.versions()
    drive(relays, lambda: sum(map(len, first_copies(sink.sent).values())) >= sum(map(len, expected.values())))
    assert first_copies(sink.sent) == expected


SHARES = {1: [16], 2: [8, 8], 3: [5, 5, 6]}


@BY_POSITION
def test_18_leases_hold_whatever_the_host_s_clock_says(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = opened(sink, lease=SHORT_LEASE)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 300)
    other = opened(sink, lease=SHORT_LEASE)
    drive([relay, other], lambda: len(relay.owned) == 8 and len(other.owned) == 8)
    with connect() as connection:
        write(connection, "a", 1)
    drive([relay, other], lambda: len(sink.sent) == 1)
    monkeypatch.setattr(time, "time", lambda: real() - 300)
    third = opened(sink, lease=SHORT_LEASE)
    drive([relay, other, third], lambda: sorted(len(each.owned) for each in (relay, other, third)) == SHARES[3])


@RECORDS
def test_19_each_key_is_in_order_when_one_in_twenty_is_refused(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(failing, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(failing, "LONGEST_SECONDS", 0.05)
    chance, aggregates = random.Random(19), Aggregates(connect, 100)
    sink.refuses = lambda _: chance.random() < 0.05
    relays = [opened(sink, lease=6, most_rows=100) for _ in range(2)]
    with aggregates.written(8, 19):
        until = time.monotonic() + 3
        drive(relays, lambda: time.monotonic() > until)
    expected = aggregates.versions()
    sink.refuses = lambda _: False
    drive(relays, lambda: sum(map(len, first_copies(sink.sent).values())) >= sum(map(len, expected.values())))
    assert first_copies(sink.sent) == expected


@RECORDS
def test_20_a_key_s_order_is_that_of_its_changes_and_not_of_the_transactions_numbers(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    relay = opened(sink)
    with connect() as old, connect() as first, connect() as second:
        second.execute("create table other (n int)")
        second.commit()
        for polls_between in (False, True):
            for with_old_writer in (False, True):
                count = len(sink.sent)
                if with_old_writer:
                    old.execute("insert into other values (1)")
                first.execute("insert into other values (2)")  # its number is lower, its event comes later
                write(second, "a", count + 1)
                second.commit()
                if polls_between:
                    drive([relay], lambda: len(sink.sent) == count + 1)  # noqa: B023
                write(first, "a", count + 2)
                first.commit()
                drive([relay], lambda: len(sink.sent) == count + 2, 10)  # noqa: B023
                old.rollback()
    assert numbers(sink.sent, "a") == list(range(1, 9))


@RECORDS
def test_21_rows_of_one_moment_keep_the_order_of_their_insertion(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        for n in range(50):
            write(connection, "a", n)
        connection.execute("update outbox set created_at = now()")
    drive([opened(sink, most_rows=7)], lambda: len(sink.sent) == 50)
    assert numbers(sink.sent, "a") == list(range(50))


@BY_POSITION
def test_23_a_sequence_that_hands_out_several_numbers_is_refused(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        connection.execute("alter table outbox alter column sequence set cache 20")
    with pytest.raises(UsageProblem, match="several numbers at once"):
        opened(sink)


@BY_POSITION
def test_35_no_transaction_is_open_while_the_sink_is_waited_for(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    with connect() as connection:
        write(connection, "a", 1)
    relay = opened(sink)
    sink.holds = True
    drive([relay], lambda: relay.relay._in_flight)
    with connect() as connection:
        states = connection.execute(
            "select distinct state, backend_xmin from pg_stat_activity where application_name like 'outbox-kit%%' "
            "and datname = current_database()"
        ).fetchall()
    assert states == [("idle", None)]


@BY_POSITION
def test_37_rows_arrive_without_wake_ups_and_their_loss_is_reported(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "MOST_LOST", 2)
    with connect() as connection:
        connection.execute("alter table outbox disable trigger outbox_wake")
    relay = opened(sink)
    for count in (1, 2):
        drive([relay], lambda: relay.source._pace._pause >= pace.AT_REST_SECONDS)
        with connect() as connection:
            write(connection, "a", count)
        drive([relay], lambda: len(sink.sent) == count, 5)  # noqa: B023
    assert any("no wake-ups arrive" in line for line in relay.lines)
    with connect() as connection:
        connection.execute("alter table outbox enable trigger outbox_wake")
    drive([relay], lambda: relay.source._pace._pause >= pace.LONGEST_SECONDS)
    with connect() as connection:
        write(connection, "a", 3)
    drive([relay], lambda: any("arrive again" in line for line in relay.lines))


@BY_POSITION
def test_no_row_is_updated_or_deleted_by_position(connect: Connect, opened: Opened, sink: Recording) -> None:
    with connect() as connection:
        for n in range(500):
            write(connection, f"k{n}", n)
    relay = opened(sink)
    drive([relay], lambda: len(sink.sent) == 500)
    relay.stop()
    with connect() as connection:
        connection.execute("select pg_stat_force_next_flush()")
        changed = connection.execute(
            "select n_tup_ins, n_tup_upd, n_tup_del, n_dead_tup from pg_stat_user_tables where relname = 'outbox'"
        ).fetchone()
    assert changed == (500, 0, 0, 0)
