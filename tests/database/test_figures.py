"""The figures that `exporter` and `lag` have of real servers: hostile names, unpublished rows, a slot that is lost."""

import itertools
import json
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.databases import servers
from outbox_kit.exporter.collection import Collection
from outbox_kit.monitoring.metrics import MetricSample
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database import relayed
from tests.database.conftest import Kit, Written
from tests.database.polled import SHORT_LEASE, Recording, drive, write
from tests.database.relayed import Connect, Opened
from tests.support.monitored import OF_LIMIT, values
from tests.support.servers import Server
from tests.support.waiting import until

SECONDS = 30.0
HOSTILE = "o'u\"t b%ox{s}`"
outbox, dsn = relayed.outbox, relayed.dsn
connect, sink, opened = relayed.connect, relayed.sink, relayed.opened
POLLED = [("postgres-18", "position"), ("postgres-16", "delete"), ("postgres-18", "mark"), ("mysql", "delete")]
POLLED += [("mysql", "mark"), ("mariadb", "mark")]


class Workers:
    """Kafka Connect's answers about a connector whose stored offset a test sets."""

    def __init__(self) -> None:
        self.offset: dict[str, Any] = {}

    def status(self, _: str) -> dict[str, Any]:
        part = {"state": "RUNNING", "worker_id": "w"}
        return {"connector": part, "tasks": [{"id": 0, **part}]}

    def offsets(self, _: str) -> list[dict[str, Any]]:
        return [{"partition": {}, "offset": self.offset}] if self.offset else []


def figures(collection: Collection) -> list[MetricSample]:
    collected = collection.collect()
    assert not collected.unanswered, collected.unanswered
    assert not collected.unread, collected.unread
    return [*collected.samples]


def end_of_log(server: Server, name: str, schema: Outbox) -> dict[str, Any]:
    """The stored offset of a connector that has read everything, which was written now."""
    dsn = server.environment(name)["OUTBOX_KIT_DSN"]
    position = servers.get(server.dialect).probe.log_position(dsn, schema) or 0
    if schema.dialect.capture.uses_slot:
        return {"lsn": position, "ts_usec": time.time() * 1e6}
    file = server.ask("show binary logs")[-1][0]
    return {"file": file, "pos": position & (1 << 40) - 1, "ts_sec": time.time()}


def test_a_connector_with_hostile_names(
    server: Server, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in server.environment(name).items():
        monkeypatch.setenv(variable, value)
    written(f"table: {{name: {json.dumps(HOSTILE)}}}\nconnect: {{heartbeat_ms: 500}}")
    kit("gen-ddl", "--apply")
    schema = read(Path("outbox.yaml")).outboxes[0]
    ident, names = schema.dialect.quote_ident, schema.names
    table = ident(names.schema, HOSTILE)

    def ask(statement: str) -> list[Any]:
        return server.ask(statement, database=name)

    if schema.dialect.capture.uses_slot:
        ask(f"select pg_create_logical_replication_slot('{names.slot}', 'pgoutput')")
        ask(f"insert into {ident(names.schema, names.heartbeat_table)} values (clock_timestamp())")
    else:
        ask(f"insert into {ident(names.schema, names.heartbeat_table)} (id) values (1)")
    ask(f"create table {ident(*names.inbox)} (consumer varchar(9), message_id varchar(40))")
    workers = Workers()
    workers.offset = end_of_log(server, name, schema)
    dsn = server.environment(name)["OUTBOX_KIT_DSN"]
    try:
        with closing(Collection(schema, dsn, workers, SECONDS)) as collection:  # type: ignore[arg-type]
            before = figures(collection)
            assert values(before, "heartbeat_seconds")[""] < 60
            assert values(before, "table_rows").keys() == {"outbox", "inbox"}
            if schema.dialect.capture.uses_slot:
                assert values(before, "table_published") == {names.publication: 1}
                ask(f"alter publication {ident(names.publication)} set table {table} where (aggregateid = '1')")
                assert values(figures(collection), "table_published") == {names.publication: 0}
                ask(f"drop publication {ident(names.publication)}")
                assert values(figures(collection), "table_published") == {names.publication: 0}
            time.sleep(1.1)  # MySQL's stored offsets have whole seconds
            for _ in range(20):
                ask(
                    f"insert into {table} (id, aggregatetype, aggregateid, type, payload) "
                    f"values ('{uuid.uuid4()}', 'Order', '1', 'OrderPlaced', '1')"
                )
            assert values(figures(collection), "pending_events") == {"": 20}
            assert values(figures(collection), "inserted_rows_total")["outbox"] == 20
            assert values(figures(collection), "oldest_seconds")[""] > 0

        def purged() -> bool:
            ask("flush binary logs")  # MariaDB keeps a file until InnoDB has written what is in it
            ask(f"purge binary logs to '{ask('show binary logs')[-1][0]}'")
            return values(figures(begun), "offset_in_log") == {"": 0}

        with closing(Collection(schema, dsn, workers, SECONDS)) as begun:  # type: ignore[arg-type]
            assert values(figures(begun), "pending_events") == {"": 20}  # by the time of the stored offset
            workers.offset = end_of_log(server, name, schema)
            if schema.dialect.capture.uses_slot:
                ask(f"select pg_replication_slot_advance('{names.slot}', pg_current_wal_lsn())")
            until(lambda: values(figures(begun), "pending_events") == {"": 0}, "all rows are confirmed")
            if schema.dialect.capture.deletes_log:
                assert values(figures(begun), "offset_in_log") == {"": 1}
                until(purged, "the log at the stored offset is deleted")
    finally:
        if schema.dialect.capture.uses_slot:
            ask(f"select pg_drop_replication_slot('{names.slot}')")


@pytest.mark.parametrize(("server", "record"), POLLED, indirect=["server"])
def test_unpublished_rows_of_relays_that_read_the_table(
    outbox: Outbox, dsn: str, connect: Connect, sink: Recording, opened: Opened
) -> None:
    with closing(Collection(outbox, dsn, None, SECONDS)) as collection:
        empty = figures(collection)
        assert values(empty, "pending_events") == values(empty, "oldest_seconds") == values(empty, "relays") == {"": 0}
        with connect() as connection:
            for number in range(30):
                write(connection, "k", number)
        waiting = figures(collection)
        assert values(waiting, "pending_events") == {"": 30} and values(waiting, "oldest_seconds")[""] > 0
        relay = opened(sink, lease=SHORT_LEASE)
        drive([relay], lambda: len(sink.sent) == 30 and not relay.unstored)
        sent = figures(collection)
        assert values(sent, "pending_events") == values(sent, "oldest_seconds") == {"": 0}
        assert values(sent, "relays") == {"": 1} and not values(sent, "relay_hangs")
        until(lambda: values(figures(collection), "relay_hangs"), "the relay that makes no round is named")
        assert values(figures(collection), "relays") == {"": 0}
        sink.refuses = lambda _: True
        relay.dropped()
        relay = opened(sink)
        with connect() as connection:
            for number in range(3):
                write(connection, str(number), number)
        drive([relay], lambda: values(figures(collection), "parked_keys") == {"": 3})
        assert values(figures(collection), "failed_attempts")[""] >= 1


@pytest.fixture
def limited(server: Server) -> Iterator[Server]:
    """A server with a limit for slots."""
    server.ask("alter system set max_slot_wal_keep_size = '64MB'")
    server.reload()
    yield server
    server.ask("alter system reset max_slot_wal_keep_size")
    server.reload()


@pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
def test_a_slot_that_reaches_its_limit(limited: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    kit("gen-ddl", "--apply")
    schema = read(Path("outbox.yaml")).outboxes[0]
    slot = schema.names.slot

    def ask(statement: str) -> Any:
        return limited.ask(statement, database=name)

    def write_wal() -> None:
        ask("create table filled as select repeat(md5(n::text), 30) from generate_series(1, 20000) n")
        ask("drop table filled")
        ask("select pg_switch_wal()")

    ask(f"select pg_create_logical_replication_slot('{slot}', 'pgoutput')")
    dsn = limited.environment(name)["OUTBOX_KIT_DSN"]
    try:
        with closing(Collection(schema, dsn, None, SECONDS)) as collection:
            figures(collection)
            write_wal()
            used = figures(collection)
            assert {sample.metric for sample in used} >= OF_LIMIT
            assert 0 < values(used, "slot_used_share")[slot] < 1
            assert 0 < values(used, "slot_full_seconds")[slot] < float("inf")
            for _ in itertools.takewhile(lambda _: values(figures(collection), "slot_status")["lost"] == 0, range(20)):
                write_wal()
                ask("checkpoint")
            lost = figures(collection)
            assert values(lost, "slot_status")["lost"] == 1
            assert not values(lost, "slot_safe_bytes") and not values(lost, "slot_full_seconds")
        document = json.loads(kit("lag", "--wait", "0", "--timeout", "1", "--format", "json", code=4).stdout)
        assert "OutboxSlotLost" in {each["alert"] for each in document["passed"]}  # although Kafka Connect is missing
        assert "slot_bytes" in document["never_fires"][0]
    finally:
        ask(f"select pg_drop_replication_slot('{slot}')")
