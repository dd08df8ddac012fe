"""The real Debezium Server with the file that gen-connector writes: RabbitMQ's queue and a server of HTTP.

What arrives is as docs/debezium-server.md describes it, and no event is lost by a server that is killed.
"""

import base64
import json
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.database.conftest import Kit
from tests.support.servers import PASSWORD, Server
from tests.support.servers.debezium_server import debezium_server
from tests.support.servers.rabbitmq import Broker, rabbitmq
from tests.support.waiting import until

SCHEMA = """
service: shop
database: {{dialect: postgres, host: 127.0.0.1, port: {port}, name: {name}, user: {name}_reader}}
table: {{extra: [{{name: tenant, kind: text, required: false, as: tenantId}}]}}
events: [{{type: OrderPlaced, aggregate: Order}}{more}]
connect: {{heartbeat_ms: 1000, slot: {name}_slot, publication: {name}_publication}}
"""
TOMBSTONE = ", {type: OrderDeleted, aggregate: Order, tombstone: true}"
TOPIC = "outbox.event.Order"
INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload, tenant) values (%s, 'Order', %s, %s, %s, %s)"
)
POSITION = "select confirmed_flush_lsn - '0/0' from pg_replication_slots where slot_name = %s"


class OutboxEvent(NamedTuple):
    """A row that is inserted."""

    id: uuid.UUID
    key: str
    payload: str | None
    tenant: str | None

    @property
    def type(self) -> str:
        return "OrderDeleted" if self.payload is None else "OrderPlaced"


class Arrival(NamedTuple):
    """A message at a sink, with the headers as JSON values."""

    headers: dict[str, Any]
    body: bytes


def events(first: int, count: int) -> list[OutboxEvent]:
    """Events of three keys with texts of all kinds."""
    words = ['say "ü"', "a,b\\c", "日本 🎉", "null", "x" * 5_000, "'$1 ${x}'"]
    return [
        OutboxEvent(
            uuid.uuid4(), f"k ü{n % 3}", json.dumps({"n": n, "s": words[n % 6]}), None if n % 4 else words[n % 6]
        )
        for n in range(first, first + count)
    ]


@pytest.fixture(scope="module")
def server(started: Callable[[str], Server]) -> Server:
    return started("postgres-18")


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with rabbitmq() as running:
        yield running


@pytest.fixture
def described(kit: Kit, server: Server, name: str) -> Iterator[Callable[[str], str]]:
    """Makes the outbox, and the properties for a sink."""

    def properties(sink: str, *, tombstone: bool = False) -> str:
        text = SCHEMA.format(port=server.port, name=name, more=TOMBSTONE if tombstone else "")
        Path("outbox.yaml").write_text(text)
        kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
        return kit("gen-connector", "--target", "debezium-server", "--sink", sink).stdout

    yield properties
    server.drop_slots(name)


def insert(server: Server, name: str, rows: Sequence[OutboxEvent]) -> None:
    for row in rows:
        server.ask(INSERT, row.id, row.key, row.type, row.payload, row.tenant, database=name)


def arrived(arrivals: Sequence[Arrival], rows: Sequence[OutboxEvent]) -> None:
    """Every row arrived with its key, its headers and its payload; in the order of its key, but for duplicates."""
    first: dict[str, Arrival] = {}
    for arrival in arrivals:
        first.setdefault(arrival.headers["id"], arrival)
    assert first.keys() == {str(row.id) for row in rows}
    for number, row in enumerate(rows, 1):
        arrival = first[str(row.id)]
        assert arrival.body == (row.payload or "").encode()
        assert {name: value for name, value in arrival.headers.items() if name != "id"} == {
            "message-key": row.key,
            "eventType": row.type,
            "aggregateType": "Order",
            "sequence": number,
            "tenantId": row.tenant,
        }
    for key in {row.key for row in rows}:
        expected = [str(row.id) for row in rows if row.key == key]
        assert [id for id, arrival in first.items() if arrival.headers["message-key"] == key] == expected


def test_rabbitmq_gets_every_event_of_a_server_that_is_killed(
    described: Callable[..., str], server: Server, name: str, broker: Broker, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTBOX_KIT_SINK_URL", broker.url)
    properties = described("rabbitmq", tombstone=True)
    with broker.channel() as channel:
        for queue in ("events", "verified"):
            channel.queue_declare(queue, durable=True)
            channel.queue_bind(queue, "amq.topic", "outbox.event.#")
    environment = {
        "RABBITMQ_HOST": "127.0.0.1",
        "RABBITMQ_PORT": str(broker.port),
        "RABBITMQ_USER": "guest",
        "RABBITMQ_PASSWORD": "guest",
        "OUTBOX_DB_PASSWORD": PASSWORD,
    }
    rows = events(0, 30)
    with debezium_server(properties, environment) as running, broker.channel() as channel:
        insert(server, name, rows)
        arrivals: list[Arrival] = []

        def received() -> int:
            for method, sent, body in iter(lambda: channel.basic_get("events", auto_ack=True), (None, None, None)):
                assert (method.routing_key, sent.delivery_mode, sent.message_id) == (TOPIC, 2, None)
                arrivals.append(Arrival({n: json.loads(v) for n, v in sent.headers.items()}, body))
            return len({arrival.headers["id"] for arrival in arrivals})

        until(lambda: received() > 5, "the first events have arrived")
        running.kill()
        more = [*events(30, 20), OutboxEvent(uuid.uuid4(), "k ü1", None, None)]
        insert(server, name, more)
        running.start()
        until(lambda: received() == len(rows) + len(more), "every event has arrived")
        (position,) = server.ask(POSITION, f"{name}_slot")
        until(lambda: server.ask(POSITION, f"{name}_slot") > [position], "an idle server confirms its position")
        verified(kit, broker, "verified", len(rows) + len(more))
    arrived(arrivals, [*rows, *more])


def verified(kit: Kit, broker: Broker, queue: str, count: int) -> None:
    """`verify` reads the queue twice and leaves every message, and names the row whose message somebody took."""
    for _ in range(2):
        passed = json.loads(kit("verify", "--queue", queue, "--format", "json").stdout)
        assert passed["verdict"] == "pass", passed["findings"]
        assert {finding["id"] for finding in passed["findings"]} <= {"DUP-01", "DUP-02"}
    with broker.channel() as channel:  # what it does not acknowledge is back in the queue when it is closed
        messages = list(iter(lambda: channel.basic_get(queue)[:2], (None, None)))
        event_id = json.loads(messages[0][1].headers["id"])
        for method, sent in messages:
            if json.loads(sent.headers["id"]) == event_id:  # a message may have duplicates
                channel.basic_ack(method.delivery_tag)
        assert len(messages) >= count
    failed = kit("verify", "--queue", queue, code=1).stdout
    assert event_id in failed and "LOS-01" in failed
    with broker.channel() as channel:
        channel.basic_consume(queue, lambda *_: None)
        refused = kit("verify", "--queue", queue, code=2).stderr
    assert "has 1 consumers" in refused
    assert "cannot be read" in kit("verify", "--queue", "nowhere", code=4).stderr


@contextmanager
def http_sink() -> Iterator[tuple[str, list[Arrival]]]:
    """A server that accepts everything: its address, and what it has received, heartbeats among it."""
    arrivals: list[Arrival] = []

    class Sink(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            assert self.headers["content-type"] == "application/json"
            prefix = "x-debezium-"
            sent = {n.lower().removeprefix(prefix): v for n, v in self.headers.items() if n.lower().startswith(prefix)}
            arrivals.append(Arrival({n: json.loads(base64.b64decode(v)) for n, v in sent.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing: pytest shows what a test prints."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/events", arrivals
    finally:
        server.shutdown()
        server.server_close()


NAMES = {"eventtype": "eventType", "aggregatetype": "aggregateType", "tenantid": "tenantId"}
"""The sink writes the names of headers in capitals."""


def test_a_server_of_http_gets_every_event_and_heartbeats(
    described: Callable[..., str], server: Server, name: str
) -> None:
    with http_sink() as (url, arrivals):
        environment = {"SINK_URL": url, "OUTBOX_DB_PASSWORD": PASSWORD}
        rows = events(0, 12)
        with debezium_server(described("http"), environment):
            insert(server, name, rows)
            until(lambda: sum("id" in arrival.headers for arrival in list(arrivals)) >= len(rows), "every event")
            until(lambda: any(not arrival.headers for arrival in list(arrivals)), "a heartbeat")
    sent = [Arrival({NAMES.get(n, n): v for n, v in a.headers.items()}, a.body) for a in arrivals if a.headers]
    arrived(sent, rows)
