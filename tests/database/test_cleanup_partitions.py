"""Partitions that are created ahead and dropped, while others write and read."""

import json
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.databases import servers
from outbox_kit.databases.postgres import partitions
from outbox_kit.kafka.read import Cluster
from outbox_kit.operate.cleanup.kind import KeepTimes, all_kinds
from outbox_kit.operate.cleanup.result import CleanupResult
from outbox_kit.operate.cleanup.run import CleanupLimits, CleanupTask
from outbox_kit.render.cleanup import RowProof
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.support.deliveries import StandIn
from tests.support.servers import Server
from tests.support.servers.psql import PSQL
from tests.support.waiting import until

POSTGRES = pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)
NEWEST = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
OTHERS = pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)
SETTINGS = "delivery: {by: relay, source: table, lanes: 1}\ntable: {retention: partition, keep_days: 2}"
INSERT = """
insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at)
select gen_random_uuid(), 'Order', '1', 'OrderPlaced', '{}', %s from generate_series(1, 3)
"""
PARTITIONS = "select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'outbox'::regclass"
DAY = "create table outbox_{0:%Y%m%d} partition of outbox for values from ('{0} 00:00+00') to ('{1} 00:00+00')"
PUBLISHED = "update outbox_lane set seen = pg_current_snapshot()"
DUMPS = """
select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
where application_name = 'pg_dump' and relation = 'outbox'::regclass and mode = 'AccessShareLock' and granted
"""
PENDING = "select count(*) from pg_inherits where inhdetachpending"
Ask = Callable[..., list[Any]]


@pytest.fixture
def ask(server: Server, name: str) -> Ask:
    return lambda statement, *values: server.ask(statement, *values, database=name)


@pytest.fixture
def days(kit: Kit, written: Written, ask: Ask) -> list[str]:
    """A partitioned outbox with rows of four past days: the names of their partitions, the oldest first."""
    written(SETTINGS)
    kit("gen-ddl", "--apply")
    names = []
    for ago in (5, 4, 3, 1):
        today = "(now() at time zone 'utc')::date"
        ((day, following),) = ask(f"select {today} - {ago}, {today} - {ago - 1}")
        ask(DAY.format(day, following))
        ask(INSERT % f"'{day} 12:00+00'")
        names.append(f"outbox_{day:%Y%m%d}")
    return names


def document(kit: Kit, *arguments: str, code: int = 0) -> dict[str, Any]:
    return json.loads(kit("cleanup", *arguments, "--pause", "0", "--format", "json", code=code).stdout)


def states(result: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["state"] for each in result["partitions"]}


@contextmanager
def writer(server: Server, name: str) -> Iterator[list[int]]:
    """Inserts events, each in a transaction; how many."""
    ended, counts = threading.Event(), [0]

    def write() -> None:
        with psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"], autocommit=True) as connection:
            while not ended.is_set():
                connection.execute(INSERT.encode() % b"now()")
                counts[0] += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield counts
    finally:
        ended.set()
        thread.join()


@POSTGRES
def test_partitions_go_when_all_of_their_rows_are_published(days: list[str], kit: Kit, ask: Ask) -> None:
    ask(INSERT % "now() - interval '40 days'")  # in the default partition
    future = ask("select relname from pg_class where relname ~ '^outbox_[0-9]{8}$' order by 1")[-2:]
    for (name,) in future:
        ask(f"drop table {name}")
    first = document(kit)
    assert states(first) == dict.fromkeys(days[:3], "kept")
    assert first["created"] == [name for (name,) in future]
    ask(PUBLISHED)
    ask(INSERT % f"'{days[1][-8:]} 13:00+00'")  # late, and so not published
    planned = document(kit, "--dry-run")
    assert states(planned) == {days[0]: "planned", days[1]: "kept", days[2]: "planned"}
    assert planned["old"]["removable"] == 12 and planned["old"]["unproven"] == 3
    done = document(kit)
    assert states(done) == {days[0]: "dropped", days[1]: "kept", days[2]: "dropped"}
    assert done["deleted"] == 3 and done["complete"]
    ask(PUBLISHED)
    assert states(document(kit)) == {days[1]: "dropped"}
    assert ask("select count(*) from outbox") == [(3,)]
    ask(INSERT % "now()")
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr


@contextmanager
def dumping(server: Server, name: str, ask: Ask) -> Iterator[None]:
    """A pg_dump that has locked all tables, and waits for its reader."""
    ask("create table long as select repeat('x', 1000) as text from generate_series(1, 1000)")  # fills the pipe
    command = [PSQL.with_name("pg_dump"), "-d", server.environment(name)["OUTBOX_KIT_DSN"]]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as dump:
        try:
            until(lambda: ask(DUMPS) == [(1,)], "the dump has its locks")
            yield
        finally:
            dump.kill()
    until(lambda: ask(DUMPS) == [(0,)], "the dump has ended")


@NEWEST
def test_writers_are_not_stopped_by_a_drop_that_a_dump_blocks(
    server: Server, name: str, days: list[str], kit: Kit, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "PAUSE_SECONDS", 0.05)
    ask(PUBLISHED)
    with dumping(server, name, ask):
        with writer(server, name) as written:
            until(lambda: written[0] > 0)
            before = written[0]
            blocked = document(kit, code=3)
            assert written[0] > before + 5
        assert states(blocked) == dict.fromkeys(days[:3], "blocked") and not blocked["complete"]
        assert "behind partition" in blocked["partitions"][1]["why"]
        assert any("pg_dump" in detail for detail in blocked["partitions"][0]["details"])
        assert any("pg_dump" in holder["what"] for holder in blocked["before"]["holders"])
    assert set(states(document(kit)).values()) == {"dropped"}


@NEWEST
def test_future_partitions_are_created_around_what_is_in_the_way(
    server: Server, name: str, days: list[str], kit: Kit, ask: Ask
) -> None:
    """Rows of a day for which no partition was created are in the default partition."""
    today, tomorrow = (f"outbox_{datetime.now(UTC) + timedelta(days=ahead):%Y%m%d}" for ahead in (0, 1))
    for partition in (today, tomorrow):
        ask(f"drop table {partition}")
    ask(INSERT % "now()")
    with psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"]) as reader:
        reader.execute("select count(*) from outbox")  # has a lock on the default partition too
        blocked = document(kit)
        assert blocked["created"] == [] and "locks were not granted" in blocked["notes"][-1]
    done = document(kit)
    assert done["created"] == [tomorrow]
    assert any(f"partition {today} was not created" in note for note in done["notes"])
    ask(INSERT % "now()")
    assert ask("select count(*) from outbox_other") == [(6,)]


@POSTGRES
def test_a_pending_detach_is_finished_by_the_next_run(
    server: Server, name: str, days: list[str], kit: Kit, ask: Ask
) -> None:
    ask("drop table outbox_other")  # with a default partition nothing is detached concurrently
    ask(PUBLISHED)
    command = [sys.executable, "-m", "outbox_kit", "cleanup"]
    with psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"]) as reader:
        reader.execute("select count(*) from outbox")
        environment = {**os.environ, **server.environment(name)}
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: ask(PENDING) == [(1,)], "the detach is pending")
            with writer(server, name) as written:
                until(lambda: written[0] > 5, "writers go on")
        finally:
            running.kill()
            running.wait()
        ask("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'outbox-kit cleanup'")
    until(lambda: kit("cleanup", "--dry-run", code=None).exit_code == 0, "the lock is free")
    assert ask(PENDING) == [(1,)]
    assert states(document(kit)) == dict.fromkeys(days[:3], "dropped")
    assert ask("select count(*) from pg_class where relname = any(%s)", days[:3]) == [(0,)]


@NEWEST
def test_a_detached_partition_is_dropped_or_attached_again(days: list[str], kit: Kit, ask: Ask) -> None:
    ask(PUBLISHED)
    foreign = "create table outbox_20200101 as select * from outbox limit 0"
    ask(foreign)  # of somebody, without the comment of a cleanup
    for partition in days[:2]:
        ((bounds,),) = ask(f"select pg_get_expr(relpartbound, oid) from pg_class where relname = '{partition}'")
        ask(f"alter table outbox detach partition {partition}")
        comment = f'outbox-kit cleanup: detached from "public"."outbox" {bounds}'.replace("'", "''")
        ask(f"comment on table {partition} is '{comment}'")
    ask(
        f"insert into {days[1]} select (r).* from (select jsonb_populate_record(x, jsonb_build_object('id', "
        f"gen_random_uuid(), 'txid', pg_current_xact_id()::text)) as r from {days[1]} as x limit 1) as y"
    )
    result = states(document(kit))
    assert result == {days[0]: "dropped", days[1]: "kept", days[2]: "dropped"}
    names = {name for (name,) in ask(PARTITIONS)}
    assert days[1] in names and days[0] not in names
    assert ask("select obj_description(%s::regclass, 'pg_class')", days[1]) == [(None,)]
    assert ask("select count(*) from pg_class where relname = 'outbox_20200101'") == [(1,)]


@OTHERS
def test_partitions_of_mysql_and_mariadb_go_after_the_connector_has_passed_them(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("table: {retention: partition, keep_days: 2}")
    kit("gen-ddl", "--apply")
    ((first, bound),) = ask(
        "select partition_name, partition_description from information_schema.partitions "
        "where table_schema = %s and table_name = 'outbox' order by partition_ordinal_position limit 1",
        name,
    )
    past = "partition p20200101 values less than (1577923200), partition p20200102 values less than (1578009600)"
    ask(f"alter table outbox reorganize partition {first} into ({past}, partition {first} values less than ({bound}))")
    event = "('{}', 'Order', '1', 'OrderPlaced', '{{}}', '2020-01-01 12:00')"
    columns = "id, aggregatetype, aggregateid, type, payload, created_at"
    ask(f"insert into outbox ({columns}) values {event.format(uuid.uuid4())}")
    waits = run(server, name, StandIn("behind"), monkeypatch)
    assert waits.removals == {} and "behind" in waits.unfinished and not waits.complete
    done = run(server, name, StandIn(), monkeypatch)
    assert {n: r.state for n, r in done.removals.items()} == dict.fromkeys(("p20200101", "p20200102"), "dropped")
    assert ask("select count(*) from outbox") == [(0,)]


@OTHERS
def test_rows_are_deleted_after_the_connector_has_passed_the_point_behind_them(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    written()
    kit("gen-ddl", "--apply")
    row = "('{}', 'Order', '1', 'OrderPlaced', '{{}}', now(6) - interval {} day)"
    columns = "id, aggregatetype, aggregateid, type, payload, created_at"
    rows = ", ".join(row.format(uuid.uuid4(), number % 10) for number in range(2000))
    ask(f"insert into outbox ({columns}) values {rows}")
    assert run(server, name, StandIn("behind"), monkeypatch).deleted == 0
    late = {"behind": True}

    class Moving(StandIn):
        def point(self) -> int:
            if late.pop("behind", False):  # a row that is committed behind the point has not been chosen
                ask(f"insert into outbox ({columns}) values {row.format(uuid.uuid4(), 30)}")
            return super().point()

    moving = run(server, name, Moving(), monkeypatch, most=400)
    assert (moving.deleted, moving.rows.proof) == (400, RowProof.point)
    expected = ask("select count(*) from outbox where created_at < now(6) - interval 7 day")[0][0]
    assert run(server, name, StandIn(), monkeypatch).deleted == expected > 0


def run(
    server: Server, name: str, delivery: StandIn, monkeypatch: pytest.MonkeyPatch, most: int | None = None
) -> CleanupResult:
    environment = server.environment(name)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert servers.get(server.dialect).cleanup is not None
    limits = CleanupLimits(batch=100, pause_seconds=0, rows=most, wait_seconds=0)
    outbox, kind = read(Path("outbox.yaml")).outboxes[0], all_kinds()["outbox"]
    dsn = environment["OUTBOX_KIT_DSN"]
    task = CleanupTask(outbox, kind, dsn, delivery, Cluster("localhost:1"), KeepTimes(), limits, False, print)
    return task.run(task.evidence(), dry_run=False)
