"""The relay on MySQL and MariaDB: it publishes what the connector publishes, field by field."""

import json
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient
from typer.testing import Result

from outbox_kit.stack import Stack
from tests.live.consumed import consumed
from tests.live.relayed import CONVERTERS, EXTRA, PAYLOADS, RELEASES
from tests.support.cli import invoke
from tests.support.servers import SERVERS
from tests.support.servers.mysql import MySql
from tests.support.waiting import create_topics

ODD = ("", "key with blanks ", "ü😀", "\t\0'\\", "x" * 255)
TYPES = {
    "amount": ("decimal(12,3)", ["1.5", "-99999.125", None]),
    "at": ("datetime(6)", ["2026-11-24 08:00:00.120000", "1969-12-31 23:59:59", None]),
    "at_seconds": ("datetime", ["2026-11-24 08:00:00", "2000-01-01", None]),
    "moment": ("timestamp(3)", ["2026-11-24 08:00:00.120", "2001-01-01", None]),
    "day": ("date", ["2026-11-24", "1900-01-01", None]),
    "clock": ("time(3)", ["23:59:59.120", "00:00:00", None]),
    "year_of": ("year", ["2026", "1999", None]),
    "ratio": ("float", ["0.1", "16777216", None]),
    "wide_ratio": ("double", ["0.1", "-1e100", None]),
    "huge": ("bigint unsigned", ["18446744073709551615", "1", None]),
    "tiny": ("tinyint(1)", ["1", "-3", None]),
    "is_set": ("bit(1)", [1, 0, None]),
    "bits": ("bit(10)", [513, 0, None]),
    "mood": ("enum('ü','it''s')", ["ü", "it's", None]),
    "moods": ("set('a','b')", ["b,a", "", None]),
    "latin": ("varchar(20) character set latin1", ["äé ", "A", None]),
    "fixed": ("char(5)", ["a  ", "ü😀", None]),
    "octets": ("varbinary(20)", [b"\x00\xff\\x41", b"", None]),
    "padded": ("binary(4)", [b"\x01", b"abcd", None]),
}
DOCUMENTS = (
    r'{"n": 1.50, "a": [1, "é, : b"], "": {}}',
    r'{"a": [10000000.0, 12345678.9, 1e-5, 100.0, -0.0], "b": 18446744073709551615, "c": null}',
    r'{"text": "\u0001\u001f / \" \\ \ud83d\ude00"}',
)
HEADERS = ", ".join(f"{{name: {column}, required: false}}" for column in TYPES)
VARIANTS = {
    "json": f"table: {{name: json_outbox, extra: {EXTRA}}}\n",
    "text": f"table: {{name: text_outbox, payload: text, extra: {EXTRA}}}\ncloudevents: {{}}\n",
    "bytes": f"table: {{name: bytes_outbox, payload: bytes, extra: {EXTRA}}}\n",
    "converters": f"table: {{name: converters_outbox, extra: {EXTRA}}}\n",
    "existing": f"table: {{name: existing_outbox, existing: true, ids: text, extra: [{HEADERS}], "
    "columns: {created_at: null}}\nordering: {sequence: null}\n",
}
CHOSEN = {"mysql": ("text", "converters", "existing"), "mariadb": ("json", "bytes", "existing")}
CREATE = (
    "create table existing_outbox (id varchar(40) character set latin1 primary key, aggregatetype varchar(20), "
    "aggregateid bigint unsigned, type varchar(20), payload json, {columns}) default charset utf8mb4"
)
FILE = """
service: {service}
database: {{dialect: {dialect}, host: 127.0.0.1, port: {port}, name: {database}}}
{text}events:
  - {{type: OrderPlaced, aggregate: Order}}
  - {{type: OrderPaid, aggregate: Order}}
"""


def rows(variant: str) -> Iterator[dict[str, Any]]:
    """Rows with every kind of value."""
    for number in range(30):
        payload = PAYLOADS[number % len(PAYLOADS)]
        row = {"id": str(uuid.uuid4()), "aggregatetype": "Order", "type": ("OrderPlaced", "OrderPaid")[number % 2]}
        if variant == "existing":
            more = {column: values[number % 3] for column, (_, values) in TYPES.items()}
            yield {**row, "aggregateid": number, "payload": DOCUMENTS[number % len(DOCUMENTS)], **more}
            continue
        yield {
            **row,
            "aggregateid": ODD[number % len(ODD)] or f"k{number}",
            "payload": payload.encode() + b"\x00\xff" if variant == "bytes" else payload,
            "tenant": None if number % 3 else ODD[number % len(ODD)],
            "flag": (None, True, False)[number % 3],
            "shard": number % 6 if number % 4 == 0 else None,
            "big": None if number % 5 else (-1) ** number * (2**63 - 1),
        }


def schema_files(stack: Stack, of: MySql, database: str, variant: str) -> str:
    """Two schema files for one table: a connector's, and a relay's with topics of its own; the service."""
    service = f"{database}{variant}"
    options = json.dumps({"poll.interval.ms": "100", **(CONVERTERS if variant == "converters" else {})})
    connect = f'connect: {{bootstrap: "{stack.bootstrap}", heartbeat_ms: 500, debezium: "{RELEASES[of.dialect]}", '
    texts = {
        "connector": f'routing: {{topic: "{{service}}.{{aggregate}}"}}\n{connect}config: {options}}}\n',
        "relay": f'routing: {{topic: "relay.{{service}}.{{aggregate}}"}}\ndelivery: {{by: relay, record: delete}}\n'
        f"{connect}config: {options}}}\n",
    }
    place = {"dialect": of.dialect, "port": of.port, "database": database, "service": service}
    for kind, text in texts.items():
        Path(f"{variant}-{kind}.yaml").write_text(FILE.format(text=VARIANTS[variant] + text, **place))
    return service


def insert(cursor: Any, table: str, row: Mapping[str, Any]) -> None:
    names, marks = ", ".join(row), ", ".join(["%s"] * len(row))
    cursor.execute(f"insert into {table} ({names}) values ({marks})", tuple(row.values()))


@pytest.mark.parametrize("dialect", CHOSEN)
def test_it_publishes_what_the_connector_publishes(
    stack: Stack, admin: AdminClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with SERVERS[dialect]() as server:
        assert isinstance(server, MySql)
        compare(stack, server, admin)


def compare(stack: Stack, server: MySql, admin: AdminClient) -> None:
    name = f"t{uuid.uuid4().hex[:8]}"
    environment = {**stack.environment("postgres"), **server.environment(name)}

    def kit(*arguments: str) -> Result:
        return invoke(*arguments, environment=environment)

    server.create(name)
    columns = ", ".join(f"{column} {kind}" for column, (kind, _) in TYPES.items())
    server.ask(CREATE.format(columns=columns), database=name)
    written: dict[str, list[str]] = {}
    password = stack.environment("postgres")["OUTBOX_DB_PASSWORD"]
    for variant in CHOSEN[server.dialect]:
        service = schema_files(stack, server, name, variant)
        create_topics(admin, f"{service}.Order", f"relay.{service}.Order", partitions=6)
        for kind in ("connector", "relay"):
            server.script(name, kit("gen-ddl", "-f", f"{variant}-{kind}.yaml").stdout)
        server.ask(f"alter user {service}_outbox@'%%' identified by %s account unlock", password)
        kit("deploy-connector", "--yes", "--stable-for", "0", "-f", f"{variant}-connector.yaml")
        with server.connection("boss", name) as connection:
            connection.execute("set time_zone = '+00:00'")
            listed = list(rows(variant))
            for row in listed:
                insert(connection.cursor(), f"{variant}_outbox", row)
        written[variant] = [row["id"] for row in listed]
    for variant, ids in written.items():
        service = f"{name}{variant}"
        kit("relay", "--once", "-f", f"{variant}-relay.yaml")
        assert server.ask(f"select count(*) from {name}.{variant}_outbox") == [(0,)]
        relayed, connected = consumed(stack, f"relay.{service}.Order", ids), consumed(stack, f"{service}.Order", ids)
        assert {*relayed} == {*connected} == {*ids}, variant
        for event_id in ids:
            ours, theirs = relayed[event_id], connected[event_id]
            for part in ("key", "value", "partition"):
                assert getattr(ours, part)() == getattr(theirs, part)(), f"{variant}: {part}"
            assert dict(ours.headers()) == dict(theirs.headers()), variant
            assert ours.headers() == theirs.headers(), variant
            assert ours.timestamp()[0] == theirs.timestamp()[0], variant
        kit("remove", "--reset-offsets", "--allow-destructive", "-f", f"{variant}-connector.yaml")
