"""Relays that read the table: failed and old rows, what the server has to do, and its settings."""

import threading
import time
from typing import Any

import pytest
from psycopg import sql

from outbox_kit.databases.postgres.polling import PositionTable
from outbox_kit.relay import engine, failing
from outbox_kit.schema.model import Outbox
from tests.database import relayed
from tests.database.conftest import Kit
from tests.database.polled import MANY, Connection, Recording, Stepped, drive, numbers, write
from tests.database.relayed import Connect, Opened
from tests.support.waiting import until

pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
record, outbox, dsn = relayed.record, relayed.outbox, relayed.dsn
connect, sink, opened = relayed.connect, relayed.sink, relayed.opened
COMMITS = "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()"


def ids(connection: Connection) -> list[Any]:
    return [row[0] for row in connection.execute("select payload::text from outbox order by sequence").fetchall()]


def purge(kit: Kit) -> str:
    """The statement of the job that the runbook names for old rows."""
    assert "outbox-kit cleanup --job" in kit("gen-runbook").stdout
    return kit("cleanup", "--job").stdout.split("$job$")[1]


@pytest.mark.parametrize("record", ["position", "delete", "mark"])
def test_6_events_that_are_added_while_those_before_them_are_published_are_published_too(
    connect: Connect, opened: Opened, sink: Recording
) -> None:
    """Of the same keys: a decision about rows that were read is none about later ones."""
    sink.holds, relay = True, opened(sink)
    with connect() as connection:
        for n in range(3):
            write(connection, "a", n)
    drive([relay], lambda: relay.unstored == 3)
    with connect() as connection:
        for n in range(3, 6):
            write(connection, "a", n)
    sink.holds = False
    drive([relay], lambda: len(sink.sent) == 6 and not relay.unstored)
    assert numbers(sink.sent, "a") == [*range(6)]


def test_11_a_dead_letter_and_what_waits_for_it_do_not_expire(
    connect: Connect, opened: Opened, sink: Recording, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a decision ends them, which says how many they are."""
    monkeypatch.setattr(failing, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(failing, "LONGEST_SECONDS", 0.02)
    monkeypatch.setattr(failing, "POLL_SECONDS", 0.02)
    sink.refuses = lambda message: b"bad" in (message.value or b"")
    with connect() as connection:
        connection.autocommit = True
        write(connection, "bad", 1)
        write(connection, "bad", 2)
        stored = "select count(*) filter (where dead), count(*) from outbox_failure"
        relay = opened(sink)
        drive([relay], lambda: connection.execute(stored).fetchone() == (1, 2))
        relay.stop()
        times = connection.execute(
            "select attname from pg_attribute where attrelid = 'outbox_failure'::regclass and atttypid = "
            "'timestamptz'::regtype and not attisdropped"
        ).fetchall()
        changes = ", ".join(f"{column} = now() - interval '1 year'" for (column,) in times)
        connection.execute(f"update outbox_failure set {changes}".encode())
        write(connection, "good", 3)
        drive([opened(sink)], lambda: numbers(sink.sent, "good") == [3])
        connection.execute(purge(kit).encode())
        assert connection.execute(stored).fetchone() == (1, 2)
        discarded = kit("relay", "dead", "discard", "--all", "--yes", "--allow-destructive")
        assert "1 dead letter" in discarded.stdout + discarded.stderr


def test_7_the_runbook_s_purge_deletes_no_unpublished_row(
    connect: Connect, opened: Opened, sink: Recording, kit: Kit
) -> None:
    statement = purge(kit)
    with connect() as connection:
        for n in range(3):
            write(connection, f"k{n}", n)
        connection.execute("update outbox set created_at = now() - interval '30 days'")
        connection.commit()
        assert (connection.execute(statement.encode()).fetchone() or ())[0] == 0  # no relay has begun
        connection.commit()
        relay = opened(sink)
        drive([relay], lambda: len(sink.sent) == 3)
        relay.stop()
        for n in (3, 4):
            write(connection, "k1", n)
        connection.execute("update outbox set created_at = now() - interval '30 days'")
        connection.commit()
        connection.execute(statement.encode())
        assert ids(connection) == ['["k1",3]', '["k1",4]']
        connection.commit()
        drive([opened(sink)], lambda: numbers(sink.sent, "k1") == [1, 3, 4])


@pytest.mark.parametrize("record", ["delete"])
def test_7_the_relay_deletes_no_row_that_is_neither_published_nor_stored_as_failed(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "DRAIN_SECONDS", 0.1)
    with connect() as connection:
        for n in range(4):
            write(connection, "a", n)
    sink.most = 1
    relay = opened(sink)
    drive([relay], lambda: len(sink.sent) == 1)
    relay.stop()
    with connect() as connection:
        assert '["a",1]' in ids(connection)  # of a batch that is not final no row is deleted
    sink.most, sink.refuses = None, lambda message: message.value == b'["a",1]'
    with connect() as connection:
        connection.autocommit = True
        drive([opened(sink)], lambda: not ids(connection))
        stored = connection.execute("select row_text::json ->> 'payload' from outbox_failure order by number")
        assert [row[0] for row in stored] == ['["a",1]', '["a",2]', '["a",3]']


def test_25_more_failed_events_than_a_batch_has_hold_up_no_other(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "AT_ONCE", 5)
    monkeypatch.setattr(failing, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(failing, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(failing, "LONGEST_SECONDS", 0.02)
    sink.refuses = lambda message: b"bad" in (message.value or b"")
    with connect() as connection:
        for n in range(20):
            write(connection, f"bad{n}", n)
        for n in range(5):
            write(connection, "good", n)
    relay = opened(sink, most_rows=5)
    drive([relay], lambda: numbers(sink.sent, "good") == [0, 1, 2, 3, 4])
    with connect() as connection:
        connection.autocommit = True
        dead = "select count(*) from outbox_failure where dead"
        drive([relay], lambda: connection.execute(dead).fetchone() == (20,))
        write(connection, "good", 5)
        drive([relay], lambda: numbers(sink.sent, "good") == [0, 1, 2, 3, 4, 5])


def test_31_ten_quiet_minutes_cost_at_most_a_statement_each_second(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The relay's clock is the test's, and the statements are counted by the server."""
    passed, real = [0.0], time.monotonic()

    def wait(_: Any, seconds: float) -> bool:
        passed[0] += seconds
        return False

    with connect() as connection:
        connection.autocommit = True
        before = committed(connection)
        relay = opened(sink)
        with monkeypatch.context() as patched:
            patched.setattr(PositionTable, "wait", wait)
            patched.setattr(time, "monotonic", lambda: real + passed[0])
            while passed[0] < 600:
                relay.step()
        relay.dropped()
        assert 100 < committed(connection) - before <= 600


def committed(connection: Connection) -> int:
    """Transactions of the database when no other session is open; of a relay each statement is one."""
    others = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    until(lambda: connection.execute(others).fetchone() == (0,), "the relay's sessions have ended")
    connection.execute("select pg_stat_force_next_flush()")
    row = connection.execute(COMMITS).fetchone()
    assert row is not None
    return int(row[0])


def test_32_and_the_pending_rows_are_read_by_an_index(
    connect: Connect, opened: Opened, sink: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[str] = []
    fetched = PositionTable._fetched

    def explained(table: PositionTable, query: sql.Composed, values: dict[str, Any]) -> list[list[bytes | None]]:
        with table.kept.use() as connection:
            explain = sql.Composed([sql.SQL("explain (costs off) "), query])
            plans.append("\n".join(row[0] for row in connection.execute(explain, values)))
        return fetched(table, query, values)

    with connect() as connection:
        connection.execute(MANY, (5000, 5000, 30_000))
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze outbox")
        monkeypatch.setattr(PositionTable, "_fetched", explained)
        sink.holds = True
        relay = opened(sink)
        drive([relay], lambda: len(relay.relay._in_flight) >= 1000)
        assert all("Index Scan using outbox_order" in plan and "Seq Scan on outbox" not in plan for plan in plans)
        sink.holds = False
        drive([relay], lambda: len(sink.sent) == 30_000)
        drive([relay], lambda: not relay.unstored)
        plans.clear()
        write(connection, "a", 1)
        drive([relay], lambda: len(sink.sent) == 30_001)
        assert any("outbox_txid" in plan for plan in plans) and not any("Seq Scan on outbox" in plan for plan in plans)


def test_42_no_serialisation_failure_in_a_database_whose_transactions_are_serialisable(
    connect: Connect, opened: Opened, sink: Recording, name: str
) -> None:
    with connect() as connection:
        connection.execute(f"alter database {name} set default_transaction_isolation = 'serializable'".encode())
    relay = opened(sink)
    with connect() as connection:
        write(connection, "a", 1)
    drive([relay], lambda: len(sink.sent) == 1)
    for change in ("outbox_member set place = place", "outbox_lane set lane = lane"):
        with connect() as other:
            other.execute(f"update {change}".encode())
            timer = threading.Timer(0.3, other.commit)  # while the relay's statement waits for the row
            timer.start()
            relay.source._next_renewal = relay.source._next_store = 0.0
            relay.step()
            timer.join()
    drive([relay], lambda: not relay.unstored)


@pytest.mark.parametrize("record", ["position", "delete"])
def test_texts_do_not_depend_on_the_database_s_settings(
    connect: Connect, outbox: Outbox, dsn: str, name: str, sink: Recording
) -> None:
    with connect() as connection:
        connection.execute(f"alter database {name} set datestyle = 'German, DMY'".encode())
        connection.execute(f"alter database {name} set timezone = 'Asia/Tokyo'".encode())
        connection.execute(f"alter database {name} set client_encoding = 'latin1'".encode())
        connection.execute("alter table outbox add at timestamptz default '2026-02-01T10:00:00Z'")
        connection.execute(
            "insert into outbox (id, aggregatetype, aggregateid, type, payload) values "
            "(gen_random_uuid(), 'Order', 'ü', 'OrderPlaced', '{}')"
        )
    relay = Stepped(outbox, dsn, sink).open()
    try:
        rows = relay.table.read([*relay.source._cursors[0].lanes], relay.source._cursors[0].position, 10)
        (texts,) = rows.texts
        row = dict(zip(rows.table.names, texts, strict=True))
        assert row["at"] == b"2026-02-01 10:00:00+00" and row["aggregateid"] == "ü".encode()
    finally:
        relay.dropped()
