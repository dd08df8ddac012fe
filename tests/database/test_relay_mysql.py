"""A relay that reads a table of MySQL or MariaDB: what these servers do differently, on real ones."""

import os
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.databases.failures import FailedEvent, FailureCounts
from outbox_kit.databases.mysql import polling, session
from outbox_kit.databases.mysql.scripts import key_hash
from outbox_kit.databases.polling import PolledRows, Position
from outbox_kit.errors import DatabaseRefused, LanesLost, UsageProblem
from outbox_kit.relay import engine
from outbox_kit.relay.sources import pace
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import SHORT_LEASE, Aggregates, Recording, Stepped, drive, first_copies, numbers, write
from tests.support.frozen import freeze
from tests.support.servers.mysql import MySql
from tests.support.servers.mysql_connection import MySqlConnection
from tests.support.waiting import PATIENT_SECONDS, until

pytestmark = pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)
BOTH = pytest.mark.parametrize("record", ["delete", "mark"])
RELAY = "delivery: {by: relay}"
TABLES = ("outbox_failure", "outbox_relay", "outbox_lane", "outbox_member")
KEYS = ("a", "A", "a ", " a", "ä", "ß", "ss", "\0", "a\0b", "'", '"', "\\", "%s", "😀", "k" * 255, "1", "1.0", "01")
EXISTING = """
table: {existing: true, ids: text, columns: {created_at: null}}
ordering: {sequence: null}
delivery: {by: relay, record: delete}
"""


@pytest.fixture
def dsn(server: MySql, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    environment = server.environment(name)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    return environment["OUTBOX_KIT_DSN"]


@pytest.fixture
def connect(server: MySql, name: str) -> Callable[[], MySqlConnection]:
    return lambda: server.connection("boss", name)


@pytest.fixture
def record() -> str:
    return "delete"


@pytest.fixture
def outbox(kit: Kit, written: Written, record: str) -> Outbox:
    return made(kit, written, f"delivery: {{by: relay, record: {record}}}")


def made(kit: Kit, written: Written, more: str = RELAY) -> Outbox:
    written(more, writers="" if "existing" in more else "application")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    return read(Path("outbox.yaml")).outboxes[0]


@pytest.fixture
def opened(dsn: str) -> Iterator[Callable[..., Stepped]]:
    """Opens relays, which end with the test."""
    relays: list[Stepped] = []

    def opened(outbox: Outbox, sink: Recording, *, address: str = "", **options: Any) -> Stepped:
        relays.append(Stepped(outbox, address or dsn, sink, **options))
        return relays[-1].open()

    yield opened
    for relay in relays:
        relay.dropped()


Connect = Callable[[], MySqlConnection]
Opened = Callable[..., Stepped]


def rows_of(relay: Stepped, numbers: Sequence[int] | None = None) -> PolledRows:
    """What a read of some lanes gives."""
    owned = [lane for lane in relay.source.lanes() if numbers is None or lane.number in numbers]
    return relay.table.read(owned, Position(), 5000)


def explained(relay: Stepped, connect: Connect, chosen: str) -> str:
    """How the server reads unpublished rows."""
    table: Any = relay.table
    parts = {**table._parts, "chosen": chosen.format(table._parts["lane"])}
    query = table._sql(table.row_scripts.read, parts)
    with connect() as connection:
        return str(connection.execute(f"explain {query % {'most': 5000}}").fetchall())


@pytest.mark.parametrize("assigned_by", ["database", "application"])
def test_39_the_rows_are_read_in_the_order_of_an_index(
    connect: Connect, kit: Kit, written: Written, opened: Opened, assigned_by: str
) -> None:
    outbox = made(kit, written, f"{RELAY}\nordering: {{assigned_by: {assigned_by}}}")
    with connect() as connection:
        connection.execute(
            "insert into outbox (id, aggregatetype, aggregateid, type, payload, sequence) "
            "with recursive n as (select 1 as n union all select n + 1 from n where n < 900) "
            "select concat('00000000-0000-4000-8000-', lpad(n, 12, '0')), 'Order', n, 'OrderPlaced', '{}', n from n"
        )
    relay = opened(outbox, Recording())
    for chosen in ("true", "{} in (1, 2, 3)"):
        plan = explained(relay, connect, chosen).lower()
        assert "sort" not in plan and ("primary" in plan or "relay" in plan), plan
    assert len(rows_of(relay).texts) == 900


@BOTH
def test_39_ten_relays_at_once_meet_no_deadlock(
    server: MySql, connect: Connect, outbox: Outbox, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    retried: list[float] = []
    monkeypatch.setattr("outbox_kit.databases.scripts.RETRY_SECONDS", Pauses(retried))
    aggregates, ended, errors = Aggregates(connect, 60), threading.Event(), list[BaseException]()
    relays = [Stepped(outbox, dsn, Recording(), lease=60) for _ in range(10)]

    def run(relay: Stepped) -> None:
        try:
            relay.open()
            while not ended.is_set():
                relay.step()
            relay.stop()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(relay,)) for relay in relays]
    with aggregates.written(4, 39):
        for thread in threads:
            thread.start()
        time.sleep(2.5)
    expected = aggregates.versions()
    sent = lambda: [message for relay in relays for message in relay.sink.sent]  # noqa: E731
    deadline = time.monotonic() + PATIENT_SECONDS
    while len(sent()) < sum(map(len, expected.values())) and time.monotonic() < deadline and not errors:
        time.sleep(0.1)
    ended.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(retried) <= 3, retried
    for relay in relays:
        for key, versions in first_copies(relay.sink.sent).items():
            assert versions == sorted(versions), key
    assert sorted(numbers(sent())) == sorted((key, version) for key, each in expected.items() for version in each)


class Pauses:
    """The pauses between attempts, which are noted when they are needed."""

    def __init__(self, noted: list[float]) -> None:
        self._noted = noted

    def __iter__(self) -> Iterator[float]:
        yield 0.01
        for pause in (0.05, 0.2, 0.5):
            self._noted.append(pause)
            yield pause


@BOTH
@pytest.mark.parametrize("count", [1, 20, 600])
def test_what_is_published_is_stored_while_later_rows_are_not_committed(
    connect: Connect, outbox: Outbox, opened: Opened, record: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outbox_kit.databases.scripts.RETRY_SECONDS", ())
    sink = Recording()
    with connect() as connection, connect() as late:
        for number in range(count):
            write(connection, f"k{number}", number)
        connection.commit()
        for number in range(5):
            write(late, "late", number)
        relay = opened(outbox, sink)
        drive([relay], lambda: len(sink.sent) == count and not any(each.batches for each in relay.source._cursors))
        unpublished = "" if record == "delete" else " where published_at is null"
        assert connection.execute(f"select count(*) from outbox{unpublished}").fetchone() == (0,)
        late.commit()
    drive([relay], lambda: len(sink.sent) == count + 5)


def test_42_a_lock_of_another_session_is_waited_for_and_not_reported(
    connect: Connect, outbox: Outbox, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outbox_kit.databases.mysql.session.LOCK_SECONDS", 1)
    monkeypatch.setattr("outbox_kit.databases.scripts.RETRY_SECONDS", (0.1, 0.1))
    sink = Recording()
    with connect() as connection:
        write(connection, "a", 1)
    relay = opened(outbox, sink)
    with connect() as other:
        other.execute("select * from outbox for update")
        released = threading.Timer(1.5, other.rollback)
        released.start()
        drive([relay], lambda: len(sink.sent) == 1 and not any(each.batches for each in relay.source._cursors))
        released.join()
        other.execute("select * from outbox_lane for update")
        write(other, "b", 2)
        with pytest.raises(DatabaseRefused, match="refused a statement"):
            relay.table._kept.run("update outbox_lane set owner = owner", {})  # type: ignore[attr-defined]
        other.rollback()
    drive([relay], lambda: rows_of(relay).texts == [])
    assert relay.lines == []


@BOTH
def test_41_changes_of_others_are_no_errors_under_snapshot_isolation(
    server: MySql, connect: Connect, outbox: Outbox, opened: Opened
) -> None:
    """What MariaDB does from 11.8 on, where this release does it if it is told."""
    if server.dialect == "mariadb":
        server.ask("set global innodb_snapshot_isolation = on")
    try:
        aggregates, sink = Aggregates(connect, 10), Recording()
        relays = [opened(outbox, sink, lease=SHORT_LEASE) for _ in range(2)]
        with aggregates.written(3, 41):
            end = time.monotonic() + 1.5
            drive(relays, lambda: time.monotonic() > end)
        expected = aggregates.versions()
        drive(relays, lambda: sum(map(len, first_copies(sink.sent).values())) >= sum(map(len, expected.values())))
        assert first_copies(sink.sent) == expected
    finally:
        if server.dialect == "mariadb":
            server.ask("set global innodb_snapshot_isolation = off")


def test_each_row_is_of_one_lane_whatever_its_key_is(connect: Connect, outbox: Outbox, opened: Opened) -> None:
    with connect() as connection:
        for number, key in enumerate(KEYS):
            write(connection, key, number)
        hashes = connection.execute("select aggregateid, crc32(aggregateid) from outbox order by sequence").fetchall()
    assert hashes == tuple((key, key_hash(key)) for key in KEYS)
    relay = opened(outbox, Recording())
    for lane in range(16):
        expected = [key for key in KEYS if key_hash(key) % 16 == lane]
        rows = rows_of(relay, [lane])
        at = rows.table.names.index("aggregateid")
        assert [row[at] for row in rows.texts] == [key.encode() for key in expected]


IDS = {
    "char(26) collate utf8mb4_general_ci": [("é", "É"), ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "b\\'\"%s{}")],
    "varchar(255) character set latin1 collate latin1_swedish_ci": [("a", "A"), ("ä", "x ")],
    "varchar(255) collate utf8mb4_bin": [("a", "a\0"), ("😀", "x  ")],
    "binary(16)": [(bytes(range(16)), bytes(16)), (b"\xff" * 16, b"\x00\x5c\x78" + b"a" * 13)],
    "bigint": [(2**63 - 1, 2**63 - 2), (-1, 0)],
}


@pytest.mark.parametrize("kind", IDS)
def test_rows_of_an_existing_table_are_deleted_by_their_exact_ids(
    server: MySql, name: str, connect: Connect, kit: Kit, written: Written, opened: Opened, kind: str
) -> None:
    with connect() as connection:
        connection.execute(
            f"create table outbox (id {kind} not null, aggregatetype varchar(20) not null, aggregateid varchar(255), "
            "type varchar(20) not null, payload longtext, key ids (id)) default charset utf8mb4 collate utf8mb4_bin"
        )
        for pair in IDS[kind]:
            for event_id in pair:
                values = (event_id, None if event_id == pair[0] else "key")
                connection.execute("insert into outbox values (%s, 'Order', %s, 'OrderPlaced', '1')", values)
    written(EXISTING, writers="")
    server.script(name, kit("gen-ddl").stdout)  # which `--apply` refuses for ids that are bytes
    relay = opened(read(Path("outbox.yaml")).outboxes[0], Recording())
    before = rows_of(relay)
    assert len(before.texts) == 4
    assert sum(len(rows_of(relay, [lane]).texts) for lane in range(16)) == 4
    for count, event_id in enumerate(before.ids, 1):
        assert relay.table.store([*relay.source.lanes()], Position(), [event_id])
        assert sorted(rows_of(relay).ids) == sorted(before.ids[count:])


def test_an_existing_table_without_an_index_of_its_ids_is_refused(
    connect: Connect, kit: Kit, written: Written, opened: Opened
) -> None:
    with connect() as connection:
        columns = "aggregatetype varchar(20), aggregateid varchar(20), type varchar(20), payload text"
        connection.execute(f"create table outbox (id varchar(36) not null, {columns}, key (id(4)))")
    with pytest.raises(UsageProblem, match="no index that begins with the column 'id'"):
        opened(made(kit, written, EXISTING), Recording())


def failed(key: str, event_id: str) -> FailedEvent:
    return FailedEvent(0, f'["Order","{key}"]', event_id, "t", f'{{"aggregateid":"{key}"}}', "refused", 1)


def test_12_failed_events_of_a_lane_that_was_lost_are_not_changed(
    connect: Connect, outbox: Outbox, opened: Opened
) -> None:
    frozen = opened(outbox, Recording(), lease=SHORT_LEASE)
    frozen.failures.add([failed("a", "1"), failed("b", "2")], 0)
    (first, second) = frozen.failures.due(10, [])
    time.sleep(1.2 * SHORT_LEASE)
    for change in changes(frozen, first.number):
        with pytest.raises(LanesLost):
            change()
    other = opened(outbox, Recording(), lease=5)
    drive([other], lambda: len(other.owned) == 16)
    for change in changes(frozen, first.number):
        with pytest.raises(LanesLost):
            change()
    assert frozen.failures.counts() == FailureCounts(0, 2)
    with connect() as connection:
        stored = "select number, cause, attempts from outbox_failure"
        assert connection.execute(stored).fetchall() == ((first.number, "refused", 1), (second.number, "refused", 1))
    # a relay writes about the events of its own lanes only, even if it has others
    number = next(lane.number for lane in other.source.lanes() if lane.number == key_hash("a") % 16)
    other.source._cursors[0].lanes = [lane for lane in other.source.lanes() if lane.number != number]
    assert [event.event_id for event in other.failures.due(10, [])] == ["2"]
    for change in changes(other, first.number):
        with pytest.raises(LanesLost):
            change()
    other.failures.delivered([second.number])
    assert other.failures.counts() == FailureCounts(0, 1)


def changes(relay: Stepped, number: int) -> list[Callable[[], None]]:
    table = relay.failures
    return [
        lambda: table.add([failed("a", "3")], 0),
        lambda: table.begin([number]),
        lambda: table.delivered([number]),
        lambda: table.postpone(number, "later", 0, dead=True, counted=True),
    ]


def test_large_and_repeated_failures_are_stored_once_and_in_order(outbox: Outbox, opened: Opened) -> None:
    relay = opened(outbox, Recording(), lease=120)  # 48 MB take longer than a lease on a busy machine
    text = "x" * 3_000_000
    large = [FailedEvent(0, f'["{n}"]', str(n), None, f'{{"payload":"{text}"}}', text, 1) for n in range(8)]
    small = [failed("k" * 300, f"e{n}") for n in range(1200)]
    relay.failures.add([*large, *small], 0)
    relay.failures.add([*small, *large], 0)
    assert relay.failures.counts() == FailureCounts(0, 1208)
    relay.failures.delivered([event.number for event in relay.failures.due(8, [])])
    # of a lane, those behind one that was tried wait
    assert [event.event_id for event in relay.failures.due(2000, [])] == ["e0"]


def test_the_role_may_do_what_the_relay_does_and_no_more(
    server: MySql, name: str, connect: Connect, outbox: Outbox, opened: Opened, kit: Kit
) -> None:
    with connect() as connection:
        for number in range(3):
            write(connection, "a", number)
    sink = Recording()
    sink.refuses = lambda message: message.value == b'["a",1]'
    address = f"mysql://{name}_outbox@127.0.0.1:{server.port}/{name}"
    relay = opened(outbox, sink, address=address)
    drive([relay], lambda: relay.failures.counts().waiting == 2)
    relay.stop()
    assert numbers(sink.sent) == [("a", 0)]
    granted = {str(row[0]) for row in server.ask(f"show grants for {name}_outbox")}
    assert len(granted) == 6 and not any("REPLICATION" in grant or "RELOAD" in grant for grant in granted)
    assert any("SELECT, DELETE ON" in grant and "`outbox`" in grant for grant in granted)


def test_gen_ddl_lists_the_tables_and_removes_them(server: MySql, name: str, kit: Kit, written: Written) -> None:
    written(RELAY)
    changes = kit("gen-ddl", "--apply").stdout
    assert all(f"+ table {table}\n" in changes and f"on {table} to {name}_outbox" in changes for table in TABLES)
    assert "heartbeat" not in changes
    assert kit("gen-ddl", "--apply").stdout == ""
    server.ask("drop table outbox_lane", database=name)
    problems = kit("status", code=None).stdout
    assert f"table {name}.outbox_lane does not exist" in problems
    kit("gen-ddl", "--apply")
    assert "not running" in kit("status", code=1).stdout
    removed = kit("gen-ddl", "--down", "--apply", "--allow-destructive").stdout
    assert all(f"- table {table}\n" in removed for table in TABLES)
    assert server.tables(name) == server.roles(name) == []


def test_every_query_of_the_runbook_runs(server: MySql, name: str, kit: Kit, written: Written) -> None:
    written(RELAY)
    kit("gen-ddl", "--apply")
    lines = [line.strip() for line in kit("gen-runbook").stdout.splitlines()]
    queries = [shlex.split(line)[-1] for line in lines if " --defaults-extra-file=outbox.cnf -e " in line]
    assert len(queries) == 5
    for query in queries:
        server.ask(query, database=name)


def test_no_lost_wake_ups_are_reported_where_there_are_none(
    connect: Connect, outbox: Outbox, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "MOST_LOST", 1)
    sink = Recording()
    relay = opened(outbox, sink)
    drive([relay], lambda: relay.source._pace._pause >= pace.AT_REST_SECONDS)
    with connect() as connection:
        write(connection, "a", 1)
    drive([relay], lambda: len(sink.sent) == 1)
    assert relay.source._pace.lost == 1 and relay.lines == []


def test_30_a_frozen_server_is_reported_and_the_relay_goes_on(
    server: MySql, connect: Connect, outbox: Outbox, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(polling, "READ_SECONDS", 1.0)
    monkeypatch.setattr(engine, "LONGEST_PAUSE", 0.5)
    pid, sink, ended = server.pid, Recording(), threading.Event()
    relay = Stepped(outbox, dsn, sink, lease=3)
    relay.relay.stopped = ended.is_set
    thread = threading.Thread(target=relay.relay.run)
    thread.start()
    try:
        with connect() as connection:
            write(connection, "a", 1)
        until(lambda: len(sink.sent) == 1)
        freeze(pid)
        until(lambda: any("error: " in line for line in relay.lines))
        until(lambda: not relay.progress.connected)
        os.kill(pid, signal.SIGCONT)
        with connect() as connection:
            write(connection, "a", 2)
        until(lambda: distinct(sink) == [("a", 1), ("a", 2)])
        with connect() as connection:  # the server ends the relay's connections
            own = "select id from information_schema.processlist where db = %s and id <> connection_id()"
            for (number,) in connection.execute(own, (outbox.names.database,)).fetchall():
                with suppress(Exception):
                    connection.execute(f"kill {number}")
            write(connection, "a", 3)
        until(lambda: distinct(sink) == [("a", 1), ("a", 2), ("a", 3)])
        assert len(relay.lines) < 20
    finally:
        os.kill(pid, signal.SIGCONT)
        ended.set()
        thread.join(60)


def distinct(sink: Recording) -> list[tuple[str, int]]:
    """The events that were sent, without those that were sent again because their record was interrupted."""
    return list(dict.fromkeys(numbers(sink.sent)))
