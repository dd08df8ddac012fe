"""Hand-overs between a real connector and the relay: no event is lost, and which ones are published twice."""

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.connect.client import Connect
from outbox_kit.databases.postgres import hand_over as hand_over_of_postgres
from outbox_kit.databases.postgres import probe
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.state import observe
from outbox_kit.delivery.handover.to_connector import ToConnector
from outbox_kit.delivery.handover.to_relay import ToRelay
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.wire import connector
from tests.live.conftest import Database, Kit, made
from tests.live.consumed import ids_on
from tests.live.writers import INSERT, LONGEST, writers
from tests.support import slots
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

RELAY, CONNECTOR = ("-f", "outbox.yaml"), ("-f", "connector.yaml")
MANY = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
    select gen_random_uuid(), 'Order', (n %% 7)::text, 'OrderPlaced', '{}' from generate_series(1, %s) n"""


@contextmanager
def shared(stack: Stack, database: Database, kit: Kit, more: str = "") -> Iterator[str]:
    """An outbox with two schema files, for a relay and for a connector; its service."""
    with made(stack, database, kit, f"delivery: {{by: relay}}\n{more}") as service:
        create_topics(AdminClient({"bootstrap.servers": stack.bootstrap}), f"{service}.Order", partitions=3)
        Path("connector.yaml").write_text(Path("outbox.yaml").read_text().replace("by: relay", "by: connector"))
        try:
            yield service
        finally:
            kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive", *CONNECTOR)


@pytest.fixture
def outbox(stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    with shared(stack, database, kit) as service:
        yield service


@contextmanager
def relay(stack: Stack, database: Database, rows: psycopg.Connection) -> Iterator[subprocess.Popen[bytes]]:
    """A relay that reads the log."""
    environment = {**os.environ, **stack.environment(database.name)}
    command = [sys.executable, "-m", "outbox_kit", "--quiet", "relay", *RELAY]
    process = subprocess.Popen(command, env=environment)
    try:
        until(lambda: reader(rows, database) == "outbox-kit relay", "the relay reads")
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENT_SECONDS)


def reader(rows: psycopg.Connection, database: Database) -> str:
    query = "select application_name from pg_replication_slots join pg_stat_replication on pid = active_pid \
        where slot_name = %s"
    return str((rows.execute(query, (f"{database.name}_outbox",)).fetchone() or ("",))[0])


def messages(stack: Stack, topic: str) -> int:
    """How many messages a topic has."""
    consumer = Consumer({"bootstrap.servers": stack.bootstrap, "group.id": "hand-over"})
    try:
        partitions = consumer.list_topics(topic, timeout=60).topics[topic].partitions
        return sum(
            high - low
            for low, high in (consumer.get_watermark_offsets(TopicPartition(topic, number)) for number in partitions)
        )
    finally:
        consumer.close()


def judged(kit: Kit) -> dict[str, Any]:
    """The counts of a verification that finds nothing but copies."""
    document = json.loads(kit("verify", "--format", "json", *CONNECTOR, code=None).stdout)
    findings = {finding["id"] for finding in document["findings"]}
    assert findings <= {"DUP-01", "DUP-02", "RUN-10"}, document["findings"]
    assert document["counts"]["distinct"] == document["counts"]["outbox_rows"] > 0
    counts: dict[str, Any] = document["counts"]
    return counts


@pytest.mark.random
def test_rounds_under_load_lose_nothing(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection, pytestconfig: pytest.Config
) -> None:
    """Doubled are rows of the transaction within which a relay is stopped, or all that it has not confirmed."""
    seed = pytestconfig.getoption("--case-seed")
    kit("deploy-connector", "--yes", "--stable-for", "0", *CONNECTOR)
    with writers(database, seed):
        for _ in range(2):
            assert "twice" not in kit("hand-over", "--yes", *RELAY).stderr
            with relay(stack, database, rows):
                time.sleep(0.5)
                rows.execute("select pg_log_standby_snapshot()")  # so that the slot's restart_lsn passes the offset
                time.sleep(0.5)
            kit("hand-over", "--yes", *CONNECTOR)
    doubled = judged(kit)["copies"]
    assert doubled <= 2 * LONGEST
    with writers(database, seed + 10):
        kit("hand-over", "--yes", *RELAY)
        with relay(stack, database, rows) as process:
            time.sleep(1)
            process.kill()
        unconfirmed = rows_behind(rows, f"{outbox}_outbox")
        kit("hand-over", "--yes", *CONNECTOR)
    assert judged(kit)["copies"] <= doubled + unconfirmed


def rows_behind(rows: psycopg.Connection, slot: str) -> int:
    """The rows in the log behind the position of a slot."""
    slots.wait_until_free(rows, slot)
    rows.execute("select pg_copy_logical_replication_slot(%s, %s, true)", (slot, f"{slot}_copy"))
    count = """select count(*) from pg_logical_slot_peek_binary_changes(%s, pg_current_wal_lsn(), null,
        'proto_version', '1', 'publication_names', %s) where get_byte(data, 0) = ascii('I')"""
    counted = rows.execute(count, (f"{slot}_copy", slot)).fetchone()
    rows.execute("select pg_drop_replication_slot(%s)", (f"{slot}_copy",))  # temporary: this session holds it
    return int((counted or (0,))[0])


def test_a_transaction_that_commits_late_is_published_though_its_rows_are_earlier(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    kit("deploy-connector", "--yes", "--stable-for", "0", *CONNECTOR)
    early, late = str(uuid.uuid4()), str(uuid.uuid4())
    with psycopg.connect(database.dsn) as connection:
        connection.execute(INSERT, (early, "1"))  # its row is before those of the next transactions
        rows.execute(MANY, (20_000,))
        rows.execute(INSERT, (late, "2"))
        until(lambda: messages(stack, f"{outbox}.Order"), "the connector has begun with the large transaction")
        kit("hand-over", "--yes", *RELAY)
    kit("relay", "--once", *RELAY)
    ids = ids_on(stack, f"{outbox}.Order", 20_002)
    assert len({*ids}) == len(ids) == 20_002 and {early, late} < {*ids}


def hand_over(stack: Stack, database: Database, file: str) -> ToRelay | ToConnector:
    outbox = read(Path(file)).outbox(None)
    workers = Connect(stack.environment(database.name)["OUTBOX_KIT_CONNECT"])
    delivery = Debezium(outbox, workers, database.dsn, connector.config(outbox))
    soon = lambda: time.monotonic() + PATIENT_SECONDS  # noqa: E731
    return ToRelay(delivery, print, soon) if outbox.delivery.by == "relay" else ToConnector(delivery, print, soon, soon)


def interrupted_after_each_step(operation: ToRelay | ToConnector) -> list[str]:
    """The names of the steps that are taken if each is followed by an interruption, and a new start."""
    names: list[str] = []
    while True:
        state = observe(operation.delivery)
        operation.refuse(state)
        steps = operation.steps(state)
        if not steps:
            return names
        steps[0].run()
        names.append(steps[0].name)


def test_a_hand_over_continues_after_an_interruption_of_any_step(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    """Also with a connector that is created: it does not publish the rows of before."""
    rows.execute(MANY, (100,))
    kit("relay", "--once", *RELAY)
    to_connector, to_relay = (hand_over(stack, database, name) for name in ("connector.yaml", "outbox.yaml"))
    created = ["create-connector", "set-offset", "resume-connector"]
    assert interrupted_after_each_step(to_connector) == created
    rows.execute(MANY, (100,))
    until(lambda: messages(stack, f"{outbox}.Order") >= 200)
    assert interrupted_after_each_step(to_relay) == ["stop-connector", "keep-offset"]
    assert interrupted_after_each_step(to_connector) == ["resume-connector"]  # no relay has published
    assert interrupted_after_each_step(to_relay) == ["stop-connector", "keep-offset"]
    with relay(stack, database, rows):
        to_connector.delivery.workers.resume(to_connector.delivery.name)  # by mistake, beside the relay
        rows.execute(MANY, (100,))
        until(lambda: messages(stack, f"{outbox}.Order") >= 300)
    taken = interrupted_after_each_step(to_connector)
    assert taken[-1:] in (["resume-connector"], [])  # it tries to read the slot every ten seconds
    rows.execute(MANY, (1,))
    until(lambda: messages(stack, f"{outbox}.Order") >= 301)
    assert judged(kit)["copies"] == 0


def test_messages_in_the_log_are_handed_over(stack: Stack, database: Database, kit: Kit) -> None:
    """With storage: log, and another process's messages between those of the outbox."""
    write = "call outbox_write(id => {}, aggregatetype => 'Order', aggregateid => '1', type => 'OrderPlaced', \
        payload => '{{}}')"
    write, many = (
        write.format("%s"),
        f"do $$ begin for i in 1..5000 loop {write.format('gen_random_uuid()')}; end loop; end $$",
    )
    with (
        shared(stack, database, kit, "table: {storage: log}\n") as service,
        psycopg.connect(database.dsn) as late,
        psycopg.connect(database.dsn, autocommit=True) as rows,
    ):
        kit("deploy-connector", "--yes", "--stable-for", "0", *CONNECTOR)
        ids = [str(uuid.uuid4()) for _ in range(3)]
        late.execute(write, (ids[0],))
        rows.execute("select pg_logical_emit_message(false, 'other', 'x')")
        rows.execute(many)
        rows.execute(write, (ids[1],))
        until(lambda: messages(stack, f"{service}.Order"))
        kit("hand-over", "--yes", *RELAY)
        late.commit()
        rows.execute("select pg_logical_emit_message(true, 'other', 'x')")
        kit("relay", "--once", *RELAY)
        rows.execute("select pg_log_standby_snapshot()")
        rows.execute(write, (ids[2],))
        kit("hand-over", "--yes", *CONNECTOR)
        arrived = ids_on(stack, f"{service}.Order", 5003)
        assert len(arrived) == len({*arrived}) == 5003 and {*ids} < {*arrived}


def assert_slot_moves_only_if_allowed(database: Database, rows: psycopg.Connection) -> None:
    """A connector's last confirmation may be lost; its offset says how far it was."""
    outbox, keep = read(Path("outbox.yaml")).outbox(None), hand_over_of_postgres.keep_offset
    rows.execute("insert into outbox_heartbeat (beat_at) values (now())")
    (end,) = rows.execute("select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint").fetchone() or (0,)
    offset = {"lsn": end - 8, "lsn_commit": end}
    assert not keep(database.dsn, outbox, offset)
    assert keep(database.dsn, outbox, offset, advance=True)
    slot = probe.slot(database.dsn, outbox.names.slot)
    assert slot is not None and slot.confirmed == end
    assert not keep(database.dsn, outbox, {"lsn": end - 9, "lsn_commit": end - 8}, advance=True)  # never back
    assert not keep(database.dsn, outbox, None, advance=True)


def test_what_is_not_possible_is_refused_and_changes_nothing(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    def refused(code: int, *arguments: str) -> str:
        result = kit("hand-over", "--yes", *arguments, code=code)
        return result.stderr

    assert f"replication slot '{outbox}_outbox' does not exist" in refused(4, *RELAY)
    kit("relay", "--once", *RELAY)
    assert f"connector '{outbox}-outbox' is not registered" in refused(2, *RELAY)
    assert "Kafka Connect does not answer" in refused(4, "--connect", "http://127.0.0.1:1", *RELAY)
    Path("elsewhere.yaml").write_text(Path("outbox.yaml").read_text().replace(f"name: {database.name}", "name: shop"))
    assert f"is connected to '{database.name}'" in refused(2, "-f", "elsewhere.yaml")
    assert "not confirmed" in kit("hand-over", *CONNECTOR, code=2).stderr
    rows.execute(
        "insert into outbox_failure (lane, event_id, row_text, cause, attempts, dead, send_at) "
        "values ('[]', '1', '{}', 'too large', 5, true, now())"
    )
    assert "1 dead letter and 0 waiting events in table 'outbox_failure'" in refused(2, *CONNECTOR)
    assert "create-connector" in kit("hand-over", "--dry-run", "--leave-failed", "--format", "json", *CONNECTOR).stdout
    rows.execute("delete from outbox_failure")
    rows.execute("alter table outbox_relay drop column connector_offset")  # as if an older release had created it
    assert "column connector_offset of public.outbox_relay does not exist" in refused(4, *RELAY)
    assert "column connector_offset of public.outbox_relay does not exist" in kit("status", code=1).stdout
    kit("relay", "--once", *RELAY)
    kit("gen-ddl", "--apply", *RELAY)
    with relay(stack, database, rows):
        message = refused(4, "--wait", "0", *CONNECTOR)
        assert "(outbox-kit relay) reads it" in message and "left  step 1: wait until the relay" in message
        assert "a relay reads replication slot" in kit("deploy-connector", "--yes", *CONNECTOR, code=4).stderr
    assert_slot_moves_only_if_allowed(database, rows)
    other = Path("other.yaml")
    other.write_text(Path("connector.yaml").read_text().replace("connect: {", f"connect: {{slot: {outbox}_other, "))
    kit("deploy-connector", "--yes", "--stable-for", "0", "-f", "other.yaml")
    for file in (RELAY, CONNECTOR):
        assert f"connector '{outbox}-outbox' is not the connector of this outbox" in refused(2, *file)
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive", "-f", "other.yaml")
    assert rows.execute("select count(*) from outbox_relay where connector_offset is not null").fetchone() == (0,)
