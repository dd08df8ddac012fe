"""The relay on the real stack: the connector's messages, nothing lost, refused messages set aside."""

import json
import os
import signal
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit, made
from tests.live.consumed import consumed
from tests.live.relayed import CONVERTERS, EXTRA, PAYLOADS
from tests.live.relays import INSERT, MANY, committed, drop_slot, lines, running, slot, verdict
from tests.support.collector import collecting
from tests.support.faults import FAULTS
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

RELAY = "delivery: {by: relay}\n"
VARIANTS = {
    "json": f"table: {{extra: {EXTRA}}}\n",
    "text": f"table: {{payload: text, extra: {EXTRA}}}\ncloudevents: {{}}\n",
    "bytes": f"table: {{payload: bytes, extra: {EXTRA}}}\n",
    "converters": f"table: {{extra: {EXTRA}}}\n",
    "log": f"table: {{storage: log, extra: {EXTRA}}}\n",
}
ODD = ("", "key with blanks", "ü😀", "\t", "x" * 300)


def rows(variant: str) -> Iterator[dict[str, Any]]:
    """Rows with every kind of value."""
    for number in range(60):
        payload = PAYLOADS[number % len(PAYLOADS)]
        yield {
            "id": str(uuid.uuid4()),
            "aggregatetype": "Order",
            "aggregateid": ODD[number % len(ODD)] or f"k{number}",
            "type": ("OrderPlaced", "OrderPaid")[number % 2],
            "payload": payload.encode() + b"\x00\xff" if variant == "bytes" else payload,
            "tenant": None if number % 3 else ODD[number % len(ODD)],
            "flag": (None, True, False)[number % 3],
            # in a message of the log a null has no type, and the connector's task would fail
            "shard": number % 6 if variant == "log" or number % 4 == 0 else None,
            "big": None if number % 5 else (-1) ** number * (2**63 - 1),
        }


def insert(connection: psycopg.Connection, table: str, row: Mapping[str, Any], *, log: bool) -> None:
    names, marks = ", ".join(row), ", ".join(["%s"] * len(row))
    if log:
        arguments = ", ".join(f"{name} => %s" for name in row)
        connection.execute(f"call {table}_write({arguments})".encode(), tuple(row.values()))
    else:
        connection.execute(f"insert into {table} ({names}) values ({marks})".encode(), tuple(row.values()))


FILE = """
service: {service}
database: {{dialect: postgres, name: {database}, host: {host}, port: {port}}}
{text}events:
  - {{type: OrderPlaced, aggregate: Order}}
  - {{type: OrderPaid, aggregate: Order}}
"""


def schema_files(stack: Stack, database: Database, variant: str) -> str:
    """Two schema files for one table: a connector's, and a relay's with a slot and topics of its own; the service."""
    service = f"{database.name}{variant}"
    options = json.dumps({"poll.interval.ms": "100", **(CONVERTERS if variant == "converters" else {})})
    table = VARIANTS[variant].replace("table: {", f"table: {{name: {variant}_outbox, ")
    files = {
        "connector": f'routing: {{topic: "{{service}}.{{aggregate}}"}}\n'
        f"connect: {{heartbeat_ms: 500, config: {options}}}\n",
        "relay": f'routing: {{topic: "relay.{{service}}.{{aggregate}}"}}\n{RELAY}'
        f"connect: {{slot: {service}_r, config: {options}}}\n",
    }
    for name, text in files.items():
        place = {"host": stack.postgres_host, "port": stack.postgres_port, "database": database.name}
        Path(f"{variant}-{name}.yaml").write_text(FILE.format(service=service, text=table + text, **place))
    return service


def test_it_publishes_what_the_connector_publishes(
    stack: Stack, database: Database, kit: Kit, admin: AdminClient
) -> None:
    """Field by field, for every kind of payload and other converters, from one table by two slots."""
    written: dict[str, list[str]] = {}
    for variant in VARIANTS:
        service = schema_files(stack, database, variant)
        kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD", "-f", f"{variant}-relay.yaml")
        create_topics(admin, f"{service}.Order", f"relay.{service}.Order", partitions=6)
        kit("deploy-connector", "--yes", "--stable-for", "0", "-f", f"{variant}-connector.yaml")
        kit("relay", "--once", "-f", f"{variant}-relay.yaml")  # makes its slot
        with psycopg.connect(database.dsn) as connection:
            written[variant] = [row["id"] for row in rows(variant)]
            for event_id, row in zip(written[variant], rows(variant), strict=True):
                insert(connection, f"{variant}_outbox", {**row, "id": event_id}, log=variant == "log")
    for variant, ids in written.items():
        service = f"{database.name}{variant}"
        kit("relay", "--once", "-f", f"{variant}-relay.yaml")
        relayed, connected = consumed(stack, f"relay.{service}.Order", ids), consumed(stack, f"{service}.Order", ids)
        assert {*relayed} == {*connected} == {*ids}, variant
        for event_id in ids:
            ours, theirs = relayed[event_id], connected[event_id]
            for part in ("key", "value", "headers", "partition"):
                assert getattr(ours, part)() == getattr(theirs, part)(), f"{variant}: {part}"
            assert ours.timestamp()[0] == theirs.timestamp()[0], variant
        if variant == "text":  # the key chooses the partition of rows whose shard is null
            document = json.loads(kit("verify", "--format", "json", "-f", f"{variant}-relay.yaml", code=None).stdout)
            assert "partition" in document["compared"]["sampled_parts"] and "KEY-04" not in str(document["findings"])
        kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive", "-f", f"{variant}-connector.yaml")
        drop_slot(database, f"{service}_r")


@pytest.fixture
def relayed(stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    """The tables of an outbox that a relay publishes; its service."""
    with made(stack, database, kit, RELAY) as service:
        yield service
        drop_slot(database, slot(service))


def test_rows_of_before_and_after_the_first_start_are_published_once(
    kit: Kit, relayed: str, rows: psycopg.Connection
) -> None:
    for number in range(2500):
        rows.execute(INSERT, (uuid.uuid4(), str(number % 7), "{}"))
    kit("relay", "--once")
    rows.execute(INSERT, (uuid.uuid4(), "7", "{}"))
    kit("relay", "--once")
    result = verdict(kit)
    assert result["verdict"] == "pass"
    assert (result["counts"]["distinct"], result["counts"]["copies"]) == (2501, 0)
    assert "none" in kit("status", code=1).stdout  # it is not running now
    report = json.loads(kit("doctor", "--format", "json", code=1).stdout)
    errors = {finding["id"] for finding in report["findings"] if finding["severity"] == "error"}
    assert errors == {FAULTS["a relay does not run"]} and FAULTS["a topic of events was deleted"] in report["passed"]


def test_the_trace_of_a_row_is_continued_and_its_header_is_as_it_was_written(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, parent, event = uuid.uuid4().hex, "00f067aa0ba902b7", str(uuid.uuid4())
    traceparent = f"00-{trace}-{parent}-01"
    with (
        made(stack, database, kit, f"{RELAY}table: {{extra: [{{name: traceparent}}]}}\n") as service,
        collecting() as collector,
    ):
        columns = "id, aggregatetype, aggregateid, type, payload, traceparent"
        values = (event, "Order", "1", "OrderPlaced", "{}", traceparent)
        rows.execute(f"insert into outbox ({columns}) values (%s, %s, %s, %s, %s, %s)".encode(), values)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address)
        kit("relay", "--once")
        (span,) = collector.spans
        assert (span.trace_id.hex(), span.parent_span_id.hex(), span.name) == (trace, parent, f"send {service}.Order")
        headers = dict(consumed(stack, f"{service}.Order", [event])[event].headers())
        assert headers["traceparent"] == traceparent.encode()
        drop_slot(database, slot(service))


def test_a_refused_message_is_set_aside_with_those_behind_it(
    kit: Kit, relayed: str, rows: psycopg.Connection, admin: AdminClient
) -> None:
    create_topics(admin, f"{relayed}.Order", partitions=3, max_message_bytes="3000")
    for number in range(300):
        payload = json.dumps({"n": number, "text": os.urandom(10_000 if number == 100 else 30).hex()})
        rows.execute(INSERT, (uuid.uuid4(), str(number % 7), payload))
    kit("relay", "--once", code=1)
    failed = rows.execute("select lane, cause, attempts from outbox_failure order by number").fetchall()
    assert len(failed) == 29  # of 300 events of 7 keys, those of one key from number 100 on
    assert {lane for lane, _, _ in failed} == {'["Order","2"]'}
    assert (failed[0][1], failed[0][2]) == ("Broker: Message size too large", 1)
    assert {attempts for _, _, attempts in failed[1:]} == {0}
    assert verdict(kit)["counts"]["distinct"] == 271
    assert "28 waiting events" in kit("status", code=1).stdout or "29 waiting events" in kit("status", code=1).stdout


def test_a_stop_within_a_transaction_of_many_rows_causes_no_duplicates(
    stack: Stack, database: Database, kit: Kit, relayed: str, rows: psycopg.Connection
) -> None:
    kit("relay", "--once")  # makes its slot
    rows.execute(MANY, (20_000,))
    with running(stack, database) as relay:
        until(lambda: committed(stack, relayed) > 0, "the first events")
        relay.terminate()
        assert relay.wait(PATIENT_SECONDS) == 0
    kit("relay", "--once")
    counts = verdict(kit)["counts"]
    assert (counts["distinct"], counts["copies"]) == (20_000, 0)


def test_a_second_relay_waits_and_takes_over(
    stack: Stack, database: Database, kit: Kit, relayed: str, rows: psycopg.Connection
) -> None:
    with running(stack, database) as first:
        until(lambda: active(rows, relayed), "the first relay reads")
        with running(stack, database, "--listen", "0") as second:
            address = next(line for line in second.stderr or () if "health" in line).split("http://")[1].split("/")[0]
            assert "another process reads the replication slot" in "".join(lines(second, 3))
            assert get(address, "/health")[0] == 200
            assert get(address, "/ready")[0] == 503
            first.send_signal(signal.SIGKILL)
            rows.execute(INSERT, (uuid.uuid4(), "1", "{}"))
            until(lambda: get(address, "/ready")[0] == 200, "the second relay is ready")
            until(
                lambda: 'outbox_kit_relay_published_total{service="' + relayed + '"} 1.0' in get(address, "/metrics")[1]
            )
            second.send_signal(signal.SIGTERM)
            assert second.wait(PATIENT_SECONDS) == 0
    assert verdict(kit)["verdict"] == "pass"


def active(rows: psycopg.Connection, service: str) -> bool:
    query = "select active from pg_replication_slots where slot_name = %s"
    return bool((rows.execute(query, (slot(service),)).fetchone() or (False,))[0])


def get(address: str, page: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{address}{page}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
