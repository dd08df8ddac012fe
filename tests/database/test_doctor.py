"""`doctor` names faults of a real server, and its fixes end them."""

import json
import struct
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.databases.postgres import observe
from outbox_kit.doctor.rules import server as server_rules
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import INSERT, Recording, Stepped, drive
from tests.support.faults import FAULTS
from tests.support.servers import Server
from tests.support.servers.postgres import Postgres
from tests.support.waiting import until

APPLY = "outbox-kit gen-ddl --apply"
Found = Callable[[], dict[str, dict[str, Any]]]
POSTGRES = pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)
NEWEST = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
UNLIMITED = "DOC-SERVER-03"  # the servers of the tests have no limit
NOT_STARTED = "DOC-SLOT-01"  # without a slot

# what has happened, and what ends it where that is not the statement of the finding's own fix
ON_POSTGRES = {
    "the role may not log in": ('alter role "{name}_outbox" nologin', None),
    "the role has lost REPLICATION": (
        'alter role "{name}_outbox" noreplication',
        'alter role "{name}_outbox" replication',
    ),
    "privileges were revoked": (
        'revoke all on outbox, outbox_heartbeat from "{name}_outbox"; revoke insert on outbox from application',
        None,
    ),
    "a CHECK was dropped": ("alter table outbox drop constraint outbox_payload_fits", APPLY),
    "a column was dropped or has another type": (
        "alter table outbox alter type type varchar(50)",
        "alter table outbox alter type type text",
    ),
    "the replica identity is full": ("alter table outbox replica identity full", None),
    "the sequence has a cache": ("alter table outbox alter sequence set cache 20", None),
    "autovacuum is off for the table": (
        "alter table outbox set (autovacuum_enabled = off)",
        None,
    ),
    "rows are never deleted": (
        "insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at) "
        "values (gen_random_uuid(), 'Order', '1', 'OrderPlaced', '{{}}', now() - interval '30 days')",
        "delete from outbox",
    ),
    "the publication was dropped": ('drop publication "{name}_outbox"', APPLY),
    "the publication has lost the outbox table": ('alter publication "{name}_outbox" drop table outbox', APPLY),
    "the publication has a condition on rows": (
        "alter publication \"{name}_outbox\" set table outbox where (aggregateid <> '1'), outbox_heartbeat",
        'alter publication "{name}_outbox" set table outbox, outbox_heartbeat',
    ),
    "the publication also publishes updates": (
        "alter publication \"{name}_outbox\" set (publish = 'insert, update')",
        APPLY,
    ),
    "the database is read-only": (
        "alter database {name} set default_transaction_read_only = on",
        "set transaction read write; alter database {name} reset default_transaction_read_only",
    ),
    "all replication slots are in use": (
        "select pg_create_physical_replication_slot('full_' || n) from generate_series(1, "
        "current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots)) n",
        "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name ~ '^full_'",
    ),
}
ON_MYSQL = {
    "privileges were revoked": ("revoke select on {name}.outbox from '{name}_outbox'@'%'", None),
    "a CHECK was dropped": ("alter table outbox drop constraint {check}", APPLY),
    "a column was dropped or has another type": (
        "alter table outbox modify type varchar(50) not null",
        "alter table outbox modify type varchar(255) not null",
    ),
    "the binary log contains incomplete rows": ("set global binlog_row_image = 'MINIMAL'", None),
    "the binary log is deleted early": (
        "set global binlog_expire_logs_seconds = 5400",
        "set global binlog_expire_logs_seconds = {keep}",
    ),
    "the database is read-only": ("set global read_only = on", "set global read_only = off"),
}


@pytest.fixture
def found(kit: Kit) -> Found:
    """Runs doctor: each finding by its rule."""

    def run() -> dict[str, dict[str, Any]]:
        report = json.loads(kit("doctor", "--format", "json", code=None).stdout)
        assert report["verdict"] == ("fail" if "error" in severities(report) else "pass"), report
        return {finding["id"]: finding for finding in report["findings"]}

    return run


def severities(report: dict[str, Any]) -> set[str]:
    return {finding["severity"] for finding in report["findings"]}


def repair(server: Server, name: str, kit: Kit, finding: dict[str, Any], end: str | None) -> None:
    """Do what ends a fault; None: the statements that the finding itself has."""
    if end == APPLY:
        assert APPLY in finding["fix"]
        kit("gen-ddl", "--apply")
    elif end is not None:
        server.ask(end, database=name)
    else:
        for statement in finding["details"] or finding["fix"].split(";")[:1]:
            server.ask(statement, database=name)


def examine(server: Server, name: str, kit: Kit, found: Found, faults: dict[str, tuple[str, str | None]]) -> None:
    """Inject each fault, and end it again."""
    healthy = set(found())
    for fault, (statement, end) in faults.items():
        server.ask(statement, database=name)
        finding = found()[FAULTS[fault]]
        repair(server, name, kit, finding, end)
        assert set(found()) == healthy, fault


@POSTGRES
def test_faults_of_postgresql(server: Server, name: str, kit: Kit, written: Written, found: Found) -> None:
    written()
    before = found()
    assert set(before) == {UNLIMITED, "DOC-OUTBOX-01"} and before["DOC-OUTBOX-01"]["severity"] == "info"
    kit("gen-ddl", "--apply")
    assert set(found()) == {UNLIMITED, NOT_STARTED}
    faults = {
        fault: (act.format(name=name), end and end.format(name=name)) for fault, (act, end) in ON_POSTGRES.items()
    }
    examine(server, name, kit, found, faults)


KINDS = {
    "partitions": "table: {retention: partition}",
    "log": "table: {storage: log}",
    "deleted at once": "table: {payload: bytes, retention: delete_on_insert}",
    "versions": "ordering: {sequence: version, assigned_by: application}",
    "a relay of the log": "delivery: {by: relay}",
    "relays that delete": "delivery: {by: relay, source: table, record: delete}",
}


@POSTGRES
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wrong_with_what_gen_ddl_has_made(kind: str, kit: Kit, written: Written, found: Found) -> None:
    written(KINDS[kind])
    kit("gen-ddl", "--apply")
    assert {rule for rule, finding in found().items() if finding["severity"] != "info"} <= {UNLIMITED}


@NEWEST
def test_names_in_statements_are_quoted(server: Server, name: str, kit: Kit, written: Written, found: Found) -> None:
    hostile = "We\"ird %s 'x'"
    table = json.dumps(hostile)
    written(f"table: {{name: {table}}}")
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("dialect:", f"user: {table}, schema: {table}, dialect:"))
    kit("gen-ddl", "--apply")
    healthy = set(found())
    title = '"{0}"."{0}"'.format(hostile.replace('"', '""'))
    for statement in (f"alter table {title} replica identity full", f"revoke insert on {title} from application"):
        server.ask(statement, database=name)
    broken = found()
    assert set(broken) - healthy == {FAULTS["the replica identity is full"], FAULTS["privileges were revoked"]}
    for rule in set(broken) - healthy:
        repair(server, name, kit, broken[rule], None)
    assert set(found()) == healthy


@POSTGRES
def test_what_a_user_may_not_see_is_not_passed(server: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    kit("gen-ddl", "--apply")
    server.ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", f"{name}_outbox", database=name)
    report = json.loads(kit("doctor", "--format", "json", user="nobody").stdout)
    server.ask("select pg_drop_replication_slot(%s)", f"{name}_outbox")
    reasons = report["not_checked_because"]
    assert reasons["the heartbeat was not read"] == ["DOC-OUTBOX-11"]
    assert reasons["the rows of the outbox table were not read"] == ["DOC-OUTBOX-07"]
    assert reasons["the user may not see the sessions of other users"] == ["DOC-SERVER-07"]
    assert "DOC-ROLES-04" in report["passed"]


@NEWEST
def test_a_transaction_that_is_open_for_long(
    server: Server, name: str, kit: Kit, written: Written, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    written()
    kit("gen-ddl", "--apply")
    monkeypatch.setattr(server_rules, "LONGEST_TRANSACTION_SECONDS", 0.0)
    assert isinstance(server, Postgres)
    with psycopg.connect(server.dsn(name), application_name="forgotten") as connection:
        connection.execute("insert into outbox_heartbeat values (now())")
        finding = found()[FAULTS["a transaction is open for long"]]
        assert "forgotten" in finding["message"]
        server.ask(finding["fix"])
        until(lambda: FAULTS["a transaction is open for long"] not in found(), "the transaction has ended")
        connection.close()


@NEWEST
def test_only_what_replays_the_log_is_a_standby(
    server: Server, name: str, kit: Kit, written: Written, found: Found
) -> None:
    written()
    kit("gen-ddl", "--apply")
    server.ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", f"{name}_outbox", database=name)
    rule = "DOC-SLOT-09"
    with ExitStack() as connections:
        for replication in ("true", "database"):
            address = psycopg.conninfo.make_conninfo(server.dsn(name), replication=replication)
            connections.callback(psycopg.pq.PGconn.connect(address.encode()).finish)
        with streaming(server, name) as receiver:  # as pg_receivewal and pg_basebackup do
            assert rule not in found()
            receiver.put_copy_data(b"r" + struct.pack(">qqqqb", 1 << 24, 1 << 24, 1 << 24, 0, 0))
            receiver.flush()
            until(lambda: rule in found(), "the standby has replayed a position")
    until(lambda: rule not in found(), "the standby has gone")
    server.ask("select pg_drop_replication_slot(%s)", f"{name}_outbox")


@contextmanager
def streaming(server: Server, name: str) -> Iterator[psycopg.pq.PGconn]:
    """A connection that reads the server's log physically."""
    (position,) = server.ask("select pg_current_wal_flush_lsn()::text")[0]
    reader = psycopg.pq.PGconn.connect(psycopg.conninfo.make_conninfo(server.dsn(name), replication="true").encode())
    try:
        reader.send_query(f"START_REPLICATION PHYSICAL {position}".encode())
        result = reader.get_result()
        assert result is not None and result.status == psycopg.pq.ExecStatus.COPY_BOTH, result.error_message
        yield reader
    finally:
        reader.finish()


@NEWEST
def test_the_log_of_a_slot_reaches_its_limit(
    server: Server, name: str, kit: Kit, written: Written, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With little written: the rest of a segment counts as a whole one."""
    written()
    kit("gen-ddl", "--apply")
    monkeypatch.setattr(observe, "RATE_SECONDS", 0.3)
    server.ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", f"{name}_outbox", database=name)
    server.ask("alter system set max_slot_wal_keep_size = '64MB'")
    server.reload()
    try:
        assert set(found()) == {"DOC-SERVER-04", FAULTS["the connector was stopped, and its slot retains log"]}
        with writing(server, name):
            about_to = found()[FAULTS["the slot is about to exceed max_slot_wal_keep_size"]]
        assert about_to["severity"] == "error" and "until replication slot" in about_to["message"]
        for _ in range(8):
            server.ask("select pg_logical_emit_message(true, 'test', 'x')", database=name)
            server.ask("select pg_switch_wal()")
        server.ask("checkpoint")
        lost = found()[FAULTS["max_slot_wal_keep_size was exceeded"]]
        assert "is lost" in lost["message"] and "remove --drop-slot" in lost["fix"]
    finally:
        server.ask("select pg_drop_replication_slot(%s)", f"{name}_outbox")
        server.ask("alter system reset max_slot_wal_keep_size")
        server.reload()


@contextmanager
def writing(server: Server, name: str) -> Iterator[None]:
    """Log is written for the length of a block."""
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(0.01):
            server.ask("select pg_logical_emit_message(true, 'test', repeat('x', 20000))", database=name)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@NEWEST
def test_faults_of_a_relay(server: Server, name: str, kit: Kit, written: Written, found: Found) -> None:
    assert isinstance(server, Postgres)
    written("delivery: {by: relay, source: table, attempts: 1}")
    kit("gen-ddl", "--apply")
    runs = FAULTS["a relay does not run"]
    assert {rule: finding["severity"] for rule, finding in found().items()} == {runs: "info"}
    sink = Recording()
    sink.refuses = lambda message: message.key == b"bad"
    relay = Stepped(read(Path("outbox.yaml")).outboxes[0], server.dsn(name), sink).open()
    with psycopg.connect(server.dsn(name), autocommit=True) as connection:
        for _ in range(3):
            connection.execute(INSERT, (str(uuid.uuid4()), "bad", "{}"))
    drive([relay], lambda: relay.failures.counts().dead == 1 and relay.failures.counts().waiting == 2)
    letters = found()
    assert set(letters) == {FAULTS["an event is a dead letter"], FAULTS["a lane waits for an event"]}
    assert "of a test" in letters[FAULTS["an event is a dead letter"]]["message"]
    assert "3 events" in letters[FAULTS["a lane waits for an event"]]["message"]
    relay.stop()
    assert found()[runs]["severity"] == "error"
    kit("relay", "dead", "discard", "--all", "--yes", "--allow-destructive")


@pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)
def test_faults_of_mysql_and_mariadb(server: Server, name: str, kit: Kit, written: Written, found: Found) -> None:
    written()
    assert {rule: finding["severity"] for rule, finding in found().items()} == {"DOC-OUTBOX-01": "info"}
    kit("gen-ddl", "--apply")
    assert found() == {}
    ((check, *_), *_) = server.checks(name)
    ((_, keep),) = server.ask("show global variables like 'binlog_expire_logs_seconds'")
    own = {"name": name, "check": check, "keep": keep}
    faults = {fault: (act.format(**own), end and end.format(**own)) for fault, (act, end) in ON_MYSQL.items()}
    examine(server, name, kit, found, faults)
