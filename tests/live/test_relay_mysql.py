"""The relay on MySQL and MariaDB: it publishes what the connector publishes, field by field."""

import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient
from typer.testing import Result

from outbox_kit.databases.ledger import mark_time
from outbox_kit.databases.mysql import ledger
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.verify.follow import Follower
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.state import follower as state
from tests.live.consumed import consumed
from tests.live.relayed import CONVERTERS, EXTRA, PAYLOADS, RELEASES
from tests.support.cli import invoke
from tests.support.request import request_of
from tests.support.servers import PASSWORD, SERVERS
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
        "relay": f'routing: {{topic: "relay.{{service}}.{{aggregate}}"}}\n'
        f"delivery: {{by: relay, record: {record_of(variant)}}}\n{connect}config: {options}}}\n",
    }
    place = {"dialect": of.dialect, "port": of.port, "database": database, "service": service}
    for kind, text in texts.items():
        Path(f"{variant}-{kind}.yaml").write_text(FILE.format(text=VARIANTS[variant] + text, **place))
    return service


def followed(stack: Stack, server: MySql, name: str, variant: str, kit: Callable[..., Result]) -> None:
    """A follower compares rows that are marked between its windows, each once."""
    file, folder = Path(f"{variant}-relay.yaml"), Path(f"{variant}-state")
    request = request_of(
        read(file).outbox(),
        Cluster(stack.bootstrap),
        server.environment(name)["OUTBOX_KIT_DSN"],
        timeout=60,
        settle=0,
        catch_up=5,
        window=Window(Bound(back=0)),
    )
    table, found = f"{variant}_outbox", Counter[str]()

    def written(published_at: str | None) -> None:
        with server.connection("boss", name) as connection:
            row = {**next(rows(variant)), "id": str(uuid.uuid4()), "published_at": published_at}
            insert(connection.cursor(), table, row)

    with state.locked(folder):
        follower = Follower(request, folder, 20, lambda _: None, lambda _: "", lambda _: None)
        follower.window()
        written(None)
        written("2026-01-01")  # which no relay sends
        follower.window()
        kit("relay", "--once", "-f", str(file))
        ((now,),) = server.ask("select floor(unix_timestamp(current_timestamp(6)) * 1000)")
        deadline = time.monotonic() + 60
        while mark_time(follower.state.compared.mark) < now + 1500:
            assert time.monotonic() < deadline, found
            found += Counter({f.id: f.count for f in follower.window().fresh if f.severity is not Severity.info})
    assert found == {"LOS-01": 1}


def record_of(variant: str) -> str:
    """How the relay of a variant records what is published."""
    return "mark" if variant in ("text", "json") else "delete"


def insert(cursor: Any, table: str, row: Mapping[str, Any]) -> None:
    names, marks = ", ".join(row), ", ".join(["%s"] * len(row))
    cursor.execute(f"insert into {table} ({names}) values ({marks})", tuple(row.values()))


@pytest.mark.parametrize("dialect", CHOSEN)
def test_it_publishes_what_the_connector_publishes(
    stack: Stack, admin: AdminClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ledger, "CLOCKS_MS", 0)  # it is one machine
    monkeypatch.setattr(ledger, "STATEMENT_MS", 500)
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    with SERVERS[dialect]() as server:
        assert isinstance(server, MySql)
        compare(stack, server, admin)


def compare(stack: Stack, server: MySql, admin: AdminClient) -> None:
    name = f"t{uuid.uuid4().hex[:8]}"
    environment = {**stack.environment("postgres"), **server.environment(name)}

    def kit(*arguments: str) -> Result:
        return invoke(*arguments, environment=environment, patient=True)

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
        left = "published_at is null" if record_of(variant) == "mark" else "true"
        assert server.ask(f"select count(*) from {name}.{variant}_outbox where {left}") == [(0,)]
        if record_of(variant) == "mark":
            verify = ("verify", "-f", f"{variant}-relay.yaml", "--format", "json")
            report = json.loads(invoke(*verify, environment=environment).stdout)
            assert {finding["id"] for finding in report["findings"]} == {"PAY-09"}  # of the large numbers above
        relayed, connected = consumed(stack, f"relay.{service}.Order", ids), consumed(stack, f"{service}.Order", ids)
        assert {*relayed} == {*connected} == {*ids}, variant
        for event_id in ids:
            ours, theirs = relayed[event_id], connected[event_id]
            for part in ("key", "value", "partition"):
                assert getattr(ours, part)() == getattr(theirs, part)(), f"{variant}: {part}"
            assert dict(ours.headers()) == dict(theirs.headers()), variant
            assert ours.headers() == theirs.headers(), variant
            assert ours.timestamp()[0] == theirs.timestamp()[0], variant
        if variant == "text":
            followed(stack, server, name, variant, kit)
        kit("remove", "--reset-offsets", "--allow-destructive", "-f", f"{variant}-connector.yaml")
