"""Tables of somebody else's: what a preset stands for, what may be null, and what does not hold together."""

import re
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.contracts.yaml import written
from outbox_kit.databases import canary
from outbox_kit.databases.existing import expect
from outbox_kit.errors import BadSchemaFile, TableDiffers, UnknownName, UsageProblem
from outbox_kit.render import code, connector, ddl
from outbox_kit.render.code import targets
from outbox_kit.router.chain import Message
from outbox_kit.router.events import RowColumn
from outbox_kit.schema import presets
from outbox_kit.schema.read import complaints, read
from outbox_kit.versions import Version
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.event import send_event
from outbox_kit.wire.routes import Routes, routing_topic
from outbox_kit.wire.send import send
from tests.support.presets import KNOWN, document, outbox


@pytest.mark.parametrize(("preset", "dialect"), KNOWN)
def test_every_preset_says_where_its_events_go_and_what_its_owner_does(preset: str, dialect: str) -> None:
    own, known = outbox(preset, dialect), presets.get(preset)
    sent = send_event(own, own.events[0], {})
    assert isinstance(sent, Message) and sent.key
    route = Routes(own).route(own.events[0]) or "x"
    assert not Routes(own).assumed and Routes(own).topic(route) == routing_topic(own)(route)
    assert own.table.existing != bool(own.table.source)
    assert all(text.endswith(".") for text in (known.title, known.owner, known.lacks or "."))
    script = ddl.up(own)
    assert bool(re.search(r"create (or \w+ )?trigger", script)) is bool(own.table.source)
    assert (" check (" in script.lower()) is not own.table.existing


def test_what_the_file_says_lies_over_the_preset() -> None:
    own = outbox(
        "cap", table={"preset": "cap", "name": "mine", "columns": {"payload": "Body"}}, routing={"topic": "all"}
    )
    assert (own.table.name, own.table.columns.payload, own.table.columns.type) == ("mine", "Body", "Name")
    assert (Routes(own).topics, own.database.db_schema, own.ordering.sequence) == (["all"], "cap", None)


@pytest.mark.parametrize(("preset", "topic"), [("masstransit", "shop.Shop.OrderPlaced"), ("cap", "OrderPlaced")])
def test_a_stored_word_becomes_a_topic(preset: str, topic: str) -> None:
    own = outbox(preset)
    assert Routes(own).topics == [topic]


def test_a_file_with_a_preset_is_read_and_a_wrong_one_said_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(written(document("spring-modulith")))
    assert read(path).outbox().table.columns.payload == "serialized_event"
    path.write_text(written(document("spring-modulit")))
    with pytest.raises(BadSchemaFile) as problem:
        read(path)
    assert f"{path}:5:3: no preset 'spring-modulit'; did you mean 'spring-modulith'?" in problem.value.details[0]
    with pytest.raises(UnknownName, match="not known for mysql"):
        presets.spread(document("postgres-minimal", "mysql"))


EXISTING = {"existing": True, "columns": {"aggregate_type": None, "aggregate_id": None, "created_at": None}}
TWO = [{"type": "A", "aggregate": "X"}, {"type": "A", "aggregate": "Y"}]


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (
            {"table": {"columns": {"aggregate_id": None}}},
            "table.columns.aggregate_id: null needs table.existing: true",
        ),
        ({"table": {"ids": "bigint"}}, "table.ids: bigint needs table.existing: true"),
        ({"table": {"retention": "external"}}, "table.retention: external needs table.existing: true"),
        ({"table": EXISTING | {"ids": "objectid"}}, "invalid table.ids 'objectid': PostgreSQL has no objectid"),
        (
            {"database": {"dialect": "mongodb"}, "table": {"source": {"table": "t", "columns": {}}}},
            "MongoDB has no triggers; capture the table directly",
        ),
        ({"table": EXISTING}, "unknown placeholder '{aggregate}' in routing.topic: expected {service}, {type}, a"),
        ({"table": EXISTING | {"retention": "delete"}, "routing": {"topic": "t"}}, "needs the column created_at"),
        (
            {"table": EXISTING, "routing": {"topic": "{type}"}, "events": TWO},
            "without aggregate_type no column names the aggregate",
        ),
        ({"table": EXISTING | {"source": {"table": "t", "columns": {}}}}, "remove table.existing or table.source"),
        (
            {"table": {"source": {"table": "t", "columns": {}}}},
            "table.source.columns has no expression for 'aggregate_type'",
        ),
        (
            {"table": {"source": {"table": "t", "columns": {"typ": "1"}}}},
            "unknown column 'typ' in table.source.columns; did you mean 'type'?",
        ),
        ({"routing": {"topic": "{1}", "pattern": "(X)"}}, "routing.pattern does not match 'OrderPlaced'"),
        ({"routing": {"topic": "{1}", "pattern": "(X"}}, "invalid routing.pattern: expected a regular expression"),
        ({"routing": {"topic": "{2}", "pattern": "(.*)"}}, "unknown placeholder '{2}' in routing.topic"),
        ({"routing": {"topic": "{type}", "pattern": "(.*)"}}, "only the pattern's groups"),
        ({"routing": {"topic": "{1}", "pattern": "(O.*)d", "key": "no"}}, "unknown column 'no' in routing.key"),
    ],
)
def test_what_does_not_hold_together_is_said(more: dict[str, Any], complaint: str) -> None:
    said = complaints({key: value for key, value in document("x").items() if key != "table"} | more)
    assert complaint in " ".join(said), said


def test_what_needs_a_table_of_ours_is_refused_for_another_s() -> None:
    own = outbox("spring-modulith")
    with pytest.raises(UsageProblem, match="inserts no canary row"):
        canary.allow(own)
    for preset in ("spring-modulith", "nservicebus"):
        with pytest.raises(UsageProblem, match="no code can be generated"):
            code.files(outbox(preset), targets.get("python-psycopg"))
    assert connector.config(outbox("debezium", "mysql"))["skipped.operations"] == "u,d,t"


CAP = {"Id": "bigint", "Name": "character varying(200)", "Content": "text"}


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        (CAP, ""),
        (CAP | {"Id": "integer", "Content": "jsonb", "Name": "some_enum"}, ""),
        (CAP | {"Id": "uuid"}, "'Id' is uuid; expected bigint or an equivalent type"),
        (CAP | {"Content": "bytea"}, "'Content' is bytea"),
        ({"Id": "bigint", "name": "text", "Content": "text"}, "'Name' is missing; did you mean 'name'?"),
        ({}, "does not exist"),
    ],
)
def test_columns_of_another_s_table_are_of_types_that_the_router_takes(found: dict[str, str], complaint: str) -> None:
    if not complaint:
        expect(outbox("cap"), found)
        return
    with pytest.raises(TableDiffers) as problem:
        expect(outbox("cap"), found)
    assert complaint in " ".join(problem.value.lines())


def test_a_time_may_be_of_any_type_that_is_one() -> None:
    table = {"id": "uuid", "type": "text", "content": "jsonb"}
    for kind in ("timestamp with time zone", "timestamp without time zone", "timestamp(3) without time zone"):
        expect(outbox("postgres-minimal"), table | {"occurred_on_utc": kind})
    with pytest.raises(TableDiffers):
        expect(outbox("postgres-minimal"), table | {"occurred_on_utc": "bigint"})


def test_sql_server_s_own_types_are_taken_too() -> None:
    """As its connector sends them: its dialect is not needed for that, the router is the same."""
    own = outbox("sqlserver-outbox")
    row = [
        RowColumn("Id", "uniqueidentifier", "0FA5C3D2-7A54-4A3C-9B52-6C9A6C1F1A11"),
        RowColumn("OccurredOn", "datetime2(7)", "2026-01-02T03:04:05"),
        RowColumn("MessageType", "nvarchar(255)", "OrderPlaced"),
        RowColumn("Payload", "nvarchar", '{"n": 1}'),
        RowColumn("CorrelationId", "uniqueidentifier", None, optional=True),
        RowColumn("Destination", "nvarchar(255)", "orders"),
    ]
    sent = send("sqlserver", connector.config(own), connector_topics(own).rows, row, Version.of("3.6"))
    assert isinstance(sent, Message)
    assert (sent.topic, sent.key, sent.value) == ("shop.orders", row[0].value.encode(), b'{"n": 1}')
    assert dict(sent.headers) == {"id": sent.key, "eventType": b"OrderPlaced", "correlationId": None}
