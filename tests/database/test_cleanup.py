"""Rows that are removed, and rows that must stay, in real servers; without Kafka Connect."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.databases import servers
from outbox_kit.databases.mysql import session as mysql_session
from outbox_kit.databases.postgres import session as postgres_session
from outbox_kit.databases.postgres.cleanup import PostgresCleanup
from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import ClocksApart
from outbox_kit.kafka.read import Cluster
from outbox_kit.operate.cleanup.kind import KeepTimes, all_kinds
from outbox_kit.operate.cleanup.run import CleanupLimits, CleanupTask
from outbox_kit.render.cleanup import RowProof
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.support.deliveries import StandIn
from tests.support.servers import Server
from tests.support.waiting import until

POSTGRES = pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)
NEWEST = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
OTHERS = pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)
RELAY_OF_LOG = "delivery: {by: relay}"
INSERT = """
insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at)
select gen_random_uuid(), 'Order', n::text, 'OrderPlaced', '{}', now() - interval '%s days'
from generate_series(1, %s) n
"""
IDS = "select id::text from outbox order by id"
Ask = Callable[..., list[Any]]


@pytest.fixture
def ask(server: Server, name: str) -> Ask:
    return lambda statement, *values: server.ask(statement, *values, database=name)


@pytest.fixture
def slot(ask: Ask, name: str) -> Iterator[Callable[[], None]]:
    """Creates the slot of the relay; calling the value confirms everything that is committed."""
    slot = f"{name}_outbox"

    def confirm() -> None:
        for _ in range(4):  # each time the server takes the first list of running transactions that it reads in the WAL
            ask("select pg_logical_emit_message(true, 'of a test', '')")
            ask("select pg_log_standby_snapshot()")
            ask("select pg_replication_slot_advance(%s, pg_current_wal_insert_lsn())", slot)

    yield confirm
    ask("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s", slot)


def create_slot(ask: Ask, name: str) -> None:
    ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", f"{name}_outbox")


def document(kit: Kit, *arguments: str, code: int = 0) -> dict[str, Any]:
    return json.loads(kit("cleanup", *arguments, "--format", "json", code=code).stdout)


@POSTGRES
def test_a_slot_proves_which_rows_are_published(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask, slot: Callable[[], None]
) -> None:
    written(RELAY_OF_LOG)
    kit("gen-ddl", "--apply")
    ask(INSERT % (30, 100))
    assert "does not exist" in kit("cleanup", code=4).stderr
    create_slot(ask, name)
    ask(INSERT % (8, 5))
    ask(INSERT % (0, 7))
    slot()
    with server.session("postgres", name) as late:  # its transaction begins before the position, and ends after it
        late("begin")
        late("savepoint s")
        late(INSERT % (20, 3))
        slot()
        ask(INSERT % (9, 2))
        late("commit")
    failed = ask(INSERT.replace("gen_random_uuid()", "'11111111-1111-4111-8111-111111111111'") % (9, 1))
    ask(
        "insert into outbox_failure (lane, event_id, row_text, cause, attempts, dead, send_at) values "
        "('x', '11111111-1111-4111-8111-111111111111', '', '', 1, true, now())"
    )
    assert failed == []
    planned = document(kit, "--dry-run")
    assert planned["old"] == {"removable": 105, "unproven": 5, "failed": 1, "future": 0}
    assert ask("select count(*) from outbox") == [(118,)]
    done = document(kit, "--batch", "10", "--pause", "0")
    assert (done["deleted"], done["complete"], done["proof"], done["batches"]) == (105, True, "slot", 11)
    assert done["before"]["rows"] - done["after"]["rows"] == done["after"]["dead_rows"] == 105
    assert done["old"] == {"removable": 0, "unproven": 5, "failed": 1, "future": 0}
    slot()
    assert document(kit)["deleted"] == 5
    assert ask("select count(*) filter (where created_at < now() - interval '1 day'), count(*) from outbox") == [(1, 8)]


@NEWEST
def test_the_lock_of_a_cleanup_keeps_no_dead_row(server: Server, name: str, ask: Ask) -> None:
    with closing(PostgresCleanup(server.environment(name)["OUTBOX_KIT_DSN"])) as session:
        session.open("a table")
        holders = """select pid from pg_stat_activity
            where datname = %s and pid <> pg_backend_pid() and backend_xmin is not null"""
        assert ask(holders, name) == []


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_unpublished_and_failed_rows_stay_whatever_their_age(
    server: Server, kit: Kit, written: Written, ask: Ask, pytestconfig: pytest.Config
) -> None:
    written("delivery: {by: relay, source: table, record: mark}\ntable: {keep_days: 2}")
    kit("gen-ddl", "--apply")
    draw, stay, values = random.Random(pytestconfig.getoption("case_seed")), set[str](), []
    now, day = ("now(6)", "interval {} hour") if server.dialect != "postgres" else ("now()", "interval '{} hours'")
    for number in range(300):
        event, hours, marked = str(uuid.UUID(int=draw.getrandbits(128))), draw.randint(-30, 200), draw.random() < 0.7
        failed = draw.random() < 0.2
        created = f"{now} - {day.format(hours)}" if hours >= 0 else f"{now} + {day.format(-hours)}"
        published = now if marked else "null"
        values.append(f"('{event}', 'Order', '{number}', 'OrderPlaced', '{{}}', {created}, {published})")
        if not marked or hours < 48 or failed:
            stay.add(event)
        if failed:
            store_failure(server, ask, event.upper() if server.dialect != "postgres" else event)
    columns = "id, aggregatetype, aggregateid, type, payload, created_at, published_at"
    ask(f"insert into outbox ({columns}) values {', '.join(values)}")
    planned = document(kit, "--dry-run")
    assert planned["old"]["removable"] == 300 - len(stay) and planned["old"]["future"]
    cut = document(kit, "--limit", "20", "--batch", "7", "--pause", "0", code=3)
    assert cut["deleted"] == 20 and "limit" in cut["unfinished"]
    done = document(kit, "--batch", "7", "--pause", "0")
    assert done["deleted"] == 280 - len(stay)
    assert {str(event) for (event,) in ask("select id from outbox")} == stay
    text = kit("cleanup").stdout
    assert "not proven published" in text and "failed or waiting" in text and "after the clock" in text


def store_failure(server: Server, ask: Ask, event: str) -> None:
    if server.dialect == "postgres":
        ask(
            "insert into outbox_failure (lane, event_id, row_text, cause, attempts, dead, send_at) "
            "values ('x', %s, '', '', 1, true, now())",
            event,
        )
    else:
        ask(
            "insert into outbox_failure (lane, lane_digest, event_id, event_digest, row_text, cause, attempts, dead, "
            "key_hash, failed_at, send_at) values ('x', unhex(sha2('x', 256)), %s, unhex(sha2(%s, 256)), '', '', 1, "
            "true, 0, utc_timestamp(6), utc_timestamp(6))",
            event,
            event,
        )


@NEWEST
def test_each_lane_of_the_relay_must_have_passed_a_row(kit: Kit, written: Written, ask: Ask) -> None:
    written("delivery: {by: relay, source: table, lanes: 2}")
    kit("gen-ddl", "--apply")
    ask(INSERT % (30, 4))
    assert document(kit)["old"]["unproven"] == 4
    ask("update outbox_lane set seen = pg_current_snapshot()")
    ask(INSERT % (30, 3))
    assert document(kit)["deleted"] == 4
    ask("update outbox_lane set seen = pg_current_snapshot() where lane = 0")
    assert document(kit)["old"]["unproven"] == 3
    ask("update outbox_lane set seen = pg_current_snapshot()")
    assert document(kit)["deleted"] == 3
    ask("delete from outbox_lane")
    ask(INSERT % (30, 1))
    assert document(kit)["old"]["unproven"] == 1


@NEWEST
def test_a_lost_slot_a_wrong_table_and_a_wrong_database_are_refused(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask, slot: Callable[[], None]
) -> None:
    written(RELAY_OF_LOG)
    kit("gen-ddl", "--apply")
    ask(INSERT % (30, 3))
    server.ask("alter system set max_slot_wal_keep_size = '1MB'")
    server.reload()
    try:
        create_slot(ask, name)
        for _ in range(3):
            ask("select pg_logical_emit_message(false, 'x', repeat('x', 100)), pg_switch_wal()")
        ask("checkpoint")
        until(lambda: ask("select wal_status from pg_replication_slots") == [("lost",)], "the slot is lost")
        for consent in ((), ("--by-age",)):
            assert "is lost (wal_status=lost)" in kit("cleanup", *consent, code=4).stderr
    finally:
        server.ask("alter system reset max_slot_wal_keep_size")
        server.ask("select pg_reload_conf()")
    ask("select pg_drop_replication_slot(slot_name) from pg_replication_slots")
    assert "the relay was never started" in kit("cleanup", code=4).stderr
    assert ask("select count(*) from outbox") == [(3,)]
    assert document(kit, "--by-age")["deleted"] == 3  # by consent
    ask("alter table outbox rename column aggregateid to customer")
    assert "it has no column 'aggregateid'" in kit("cleanup", "--by-age", code=2).stderr
    ask("drop table outbox")
    assert "does not exist" in kit("cleanup", "--by-age", code=2).stderr
    ask("create view outbox as select 1 as id")
    assert "does not exist" in kit("cleanup", "--by-age", code=2).stderr
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("port:", "name: another, port:"))
    assert "another" in kit("cleanup", "--by-age", code=2).stderr


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_one_cleanup_runs_at_a_time_and_a_killed_one_is_continued(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask
) -> None:
    written("delivery: {by: relay, source: table, record: mark}")
    kit("gen-ddl", "--apply")
    now = "now() - interval '9 days'" if server.dialect == "postgres" else "now(6) - interval 9 day"
    row = "('{}', 'Order', '1', 'OrderPlaced', '{{}}', " + f"{now}, {now})"
    rows = ", ".join(row.format(uuid.uuid4()) for _ in range(60))
    ask(f"insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at, published_at) values {rows}")
    command = [sys.executable, "-m", "outbox_kit", "cleanup", "--batch", "5", "--pause", "0.5"]
    running = subprocess.Popen(command, env={**os.environ, **server.environment(name)}, stdout=subprocess.DEVNULL)
    try:
        until(lambda: ask("select count(*) from outbox")[0][0] < 60, "the first batch is deleted")
        refused = kit("cleanup", code=4).stderr
        assert "another cleanup of this table runs" in refused and "fix" in refused
        running.send_signal(signal.SIGKILL)
    finally:
        running.kill()
        running.wait()
    left = ask("select count(*) from outbox")[0][0]
    assert 0 < left < 60 and left % 5 == 0
    until(lambda: kit("cleanup", "--dry-run", code=None).exit_code == 0, "the server has noticed the end")
    assert document(kit)["deleted"] == left


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_the_lock_of_a_cleanup_ends_with_it(server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in server.environment(name).items():
        monkeypatch.setenv(variable, value)
    unnoticed: list[Any] = []  # connections that have ended for the client, and not yet for a slow server
    with monkeypatch.context() as slow:
        for sessions in (mysql_session, postgres_session):
            slow.setattr(sessions.KeptSession, "close", lambda kept: unnoticed.append(kept))
        for _ in range(2):
            with closing(servers.get(server.dialect).cleanup(os.environ["OUTBOX_KIT_DSN"])) as session:
                session.open("a table")
    for connection in unnoticed:
        connection.close()


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_an_inbox_keeps_ids_that_can_come_again(server: Server, kit: Kit, written: Written, ask: Ask) -> None:
    written("table: {keep_days: 1}")
    kit("gen-ddl", "--inbox", "--apply")
    ago = "now() - interval '{} hours'" if server.dialect == "postgres" else "now(6) - interval {} hour"
    row = "('invoicing', '{}', " + ago + ")"
    rows = ", ".join(row.format(uuid.uuid4(), hours) for hours in (1, 150, 191, 193, 400))
    ask(f"insert into inbox (consumer, message_id, received_at) values {rows}")
    assert "at least 192 hours" in kit("cleanup", "--table", "inbox", "--by-age", "--older-than", "2d", code=2).stderr
    assert "no consumer of the inbox is declared" in kit("cleanup", "--table", "inbox", code=4).stderr
    assert document(kit, "--table", "inbox", "--by-age", "--older-than", "15d")["deleted"] == 1
    assert document(kit, "--table", "inbox", "--by-age")["deleted"] == 1
    assert ask("select count(*) from inbox") == [(3,)]


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_an_inbox_keeps_what_kafka_can_deliver_and_what_nobody_knows(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids of a consumer go before its horizon; not those of a silent consumer, nor of one that is not declared."""
    written("table: {keep_days: 1}")
    kit("gen-ddl", "--inbox", "--apply")
    ago = "now() - interval '{} hours'" if server.dialect == "postgres" else "now(6) - interval {} hour"
    hours = {"it''s": (1, 300, 500), "silent": (400,), "undeclared": (1, 400)}
    rows = [f"('{who}', '{uuid.uuid4()}', {ago.format(each)})" for who, ages in hours.items() for each in ages]
    ask(f"insert into inbox (consumer, message_id, received_at) values {', '.join(rows)}")
    for variable, value in server.environment(name).items():
        monkeypatch.setenv(variable, value)
    dsn, kind = server.environment(name)["OUTBOX_KIT_DSN"], all_kinds()["inbox"]
    limits = CleanupLimits(batch=100, pause_seconds=0, rows=None, wait_seconds=0)
    outbox, kafka = read(Path("outbox.yaml")).outboxes[0], Cluster("localhost:1")
    task = CleanupTask(outbox, kind, dsn, StandIn(), kafka, KeepTimes(), limits, False, print)
    horizons = [("it's", time.time() - 400 * 3600), ("silent", time.time())]
    evidence, now = RowEvidence(RowProof.redelivery, horizons=horizons), time.time()
    with monkeypatch.context() as later, pytest.raises(ClocksApart, match="3 hours behind"):
        later.setattr(time, "time", lambda: now + 3 * 3600)
        task.run(evidence, dry_run=False)
    result = task.run(evidence, dry_run=False)
    assert result.counts is not None
    assert (result.deleted, result.counts.unproven) == (1, 3)
    assert [note.split(":")[0] for note in result.notes] == ["no id of the consumer 'silent' is removed"]
    assert ask("select count(*) from inbox") == [(5,)]


@pytest.mark.parametrize("server", ["postgres-18", "mysql"], indirect=True)
def test_dead_letters_are_discarded_by_an_age_that_is_named(
    server: Server, kit: Kit, written: Written, ask: Ask
) -> None:
    written("delivery: {by: relay, source: table, record: mark}")
    kit("gen-ddl", "--apply")
    events = [str(uuid.uuid4()) for _ in range(4)]
    columns = "id, aggregatetype, aggregateid, type, payload"
    for event in events:
        ask(f"insert into outbox ({columns}) values (%s, 'Order', '1', 'OrderPlaced', '{{}}')", event)
        store_failure(server, ask, event)
    ago = "interval '100 days'" if server.dialect == "postgres" else "interval 100 day"
    ask(f"update outbox_failure set failed_at = failed_at - {ago} where event_id in (%s, %s)", *events[:2])
    ask("update outbox_failure set dead = false where event_id = %s", events[1])
    letters = ("--table", "dead-letters")
    assert "no default age" in kit("cleanup", *letters, "--dry-run", code=2).stderr
    assert "--allow-destructive" in kit("cleanup", *letters, "--older-than", "90d", code=2).stderr
    assert document(kit, *letters, "--older-than", "90d", "--dry-run")["old"]["removable"] == 1
    done = document(kit, *letters, "--older-than", "90d", "--allow-destructive")
    assert (done["way"], done["deleted"]) == ("discard", 1)
    assert sorted(event for (event,) in ask("select event_id from outbox_failure")) == sorted(events[1:])
    assert ask("select id from outbox where published_at is not null") in ([(events[0],)], [(uuid.UUID(events[0]),)])


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_the_statement_of_a_job_proves_what_it_deletes(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask
) -> None:
    written("delivery: {by: relay, source: table, record: mark}")
    kit("gen-ddl", "--apply")
    now = "now() - interval '{} days'" if server.dialect == "postgres" else "now(6) - interval {} day"
    row = "('{}', 'Order', '1', 'OrderPlaced', '{{}}', " + now + ", {})"
    events = [str(uuid.uuid4()) for _ in range(4)]
    marks = ("now()", "null", "now()", "now()")
    rows = ", ".join(row.format(event, age, mark) for event, age, mark in zip(events, (9, 9, 9, 1), marks, strict=True))
    ask(f"insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at, published_at) values {rows}")
    store_failure(server, ask, events[2])
    script = kit("cleanup", "--job").stdout
    if server.dialect == "postgres":
        ask(script.split("$job$")[1])
    else:
        server.script(name, script)
        ((event, statement),) = server.ask(
            "select event_name, event_definition from information_schema.events where event_schema = %s", name
        )
        assert event == f"{name} outbox cleanup"
        ask(statement)
    assert sorted(str(event) for (event,) in ask("select id from outbox")) == sorted(events[1:])


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_the_outcomes_of_a_barrier_go_when_no_check_back_can_come(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask
) -> None:
    written()
    kit("gen-ddl", "--barrier", "--apply")
    table = "two_phase_barrier"
    now = "now() - interval '{} days'" if server.dialect == "postgres" else "now(6) - interval {} day"
    writer = "gen_random_uuid()" if server.dialect == "postgres" else "uuid()"
    rows = ", ".join(f"('{age}', 'committed', {writer}, {now.format(age)})" for age in (1, 13, 15))
    ask(f"insert into {table} (message_id, outcome, writer, decided_at) values {rows}")
    assert "at least 336 hours" in kit("cleanup", "--table", "barrier", "--older-than", "7d", code=2).stderr
    assert document(kit, "--table", "barrier", "--dry-run")["old"]["removable"] == 1
    assert document(kit, "--table", "barrier")["deleted"] == 1
    assert sorted(int(age) for (age,) in ask(f"select message_id from {table}")) == [1, 13]


@POSTGRES
def test_a_coordinator_s_finished_messages_go_and_its_open_ones_stay(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask
) -> None:
    assert server.dialect == "postgres" and name
    written()
    kit("gen-ddl", "--apply")
    kit("gen-ddl", "--coordinator", "--apply")
    states = [("submitted", 8), ("aborted", 8), ("submitted", 6), ("prepared", 900)]
    for number, (state, days) in enumerate(states):
        ask(
            "insert into outbox_two_phase (message_id, protocol, check_back, events, digest, state, prepared_at, "
            "check_at, finished_at) values (%s, 'v1', 'http://h/', '[]', '', %s, "
            "now() - make_interval(days => %s), 'infinity', "
            "case when %s = 'prepared' then null else now() - make_interval(days => %s) end)",
            str(number),
            state,
            days,
            state,
            days,
        )
    assert document(kit, "--table", "two-phase")["deleted"] == 2
    assert sorted(number for (number,) in ask("select message_id from outbox_two_phase")) == ["2", "3"]
