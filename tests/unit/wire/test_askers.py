"""Whoever names a topic, a key or a header names those of the model's message, whatever raw options say."""

import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.contracts import asyncapi
from outbox_kit.databases import canary
from outbox_kit.lint.outboxes import from_schema_file
from outbox_kit.render import ddl
from outbox_kit.render.code import statement, targets
from outbox_kit.render.runbook import runbook
from outbox_kit.router.chain import Message, Unknown
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.verify.contract import contract
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.copies import copies
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.event import send_event
from outbox_kit.wire.headers import header_specs
from outbox_kit.wire.routes import Routes

R = "transforms.outbox."
KAFKA = "org.apache.kafka.connect.transforms."
EXTRA = [{"name": "tenant"}, {"name": "note"}]
SCHEMA_FILE = {
    "service": "shop",
    "database": {"dialect": "postgres"},
    "table": {"extra": EXTRA},
    "events": [{"type": "Placed", "aggregate": "Order"}, {"type": "Left", "aggregate": "Cart"}],
}
ROW = {"aggregateid": "7", "tenant": "acme", "note": "n1"}


def behind(**options: str) -> dict[str, str]:
    """A transformation behind the event router."""
    return {"transforms": "outbox,more", **{f"transforms.more.{name}": value for name, value in options.items()}}


CASES: dict[str, dict[str, str]] = {
    "nothing raw": {},
    "replacement": {f"{R}route.topic.replacement": "live.$1"},
    "one topic": {f"{R}route.topic.replacement": "all"},
    "expression": {f"{R}route.topic.regex": "(Car|Ord)(.*)"},
    "routed by type": {f"{R}route.by.field": "type"},
    "routed by an extra column": {f"{R}route.by.field": "tenant"},
    "keyed by an extra column": {f"{R}table.field.event.key": "tenant"},
    "keyed by the id": {f"{R}table.field.event.key": "id"},
    "another id": {f"{R}table.field.event.id": "note"},
    "another payload": {f"{R}table.field.event.payload": "note"},
    "other placements": {f"{R}table.fields.additional.placement": "type:header:eventType,tenant:header:who"},
    "a predicate": {"predicates.isOutbox.pattern": r"[a-z]+\.public\.outbox"},
    "a topic prefix": {"topic.prefix": "other"},
    "renamed behind": behind(type=f"{KAFKA}RegexRouter", regex=r"outbox\.event\.(.*)", replacement="v2.$1"),
    "a header behind": behind(type=f"{KAFKA}InsertHeader", header="origin", **{"value.literal": "shop"}),
    "headers dropped behind": behind(type=f"{KAFKA}DropHeaders", headers="sequence,note"),
    "another router": {
        "transforms": "mine",
        "transforms.mine.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.mine.predicate": "isOutbox",
        "transforms.mine.table.field.event.key": "note",
        "transforms.mine.route.topic.replacement": "mine.$1",
        "transforms.mine.route.topic.regex": "(.*)",
        "transforms.mine.table.fields.additional.placement": "type:header:eventType",
    },
}
BEHIND = ("a header behind", "headers dropped behind")  # of which the model of the router knows no bytes


def outbox_of(case: str) -> Outbox:
    return Outbox.model_validate({**SCHEMA_FILE, "connect": {"config": CASES[case]}})


def messages(outbox: Outbox) -> list[Message]:
    """What the model of the router makes of a row of each event, by the whole generated config."""
    if outbox.connect.config.get("transforms") == "outbox,more":
        name = str(outbox.connect.config["transforms.more.type"]).removeprefix(KAFKA)
        if name in ("InsertHeader", "DropHeaders"):
            config = {key: value for key, value in outbox.connect.config.items() if not key.startswith("transforms")}
            outbox = outbox.model_copy(update={"connect": outbox.connect.model_copy(update={"config": config})})
    outcomes = [send_event(outbox, event, ROW) for event in outbox.events]
    assert all(isinstance(outcome, Message) and outcome.routed for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, Message)]


def header_names(case: str, message: Message) -> list[str]:
    names = [name for name, _ in message.headers]
    if case == "a header behind":
        return [*names, "origin"]
    return [name for name in names if name not in ("sequence", "note")] if case == "headers dropped behind" else names


def key_column(message: Message) -> str:
    values = {"7": "aggregateid", "acme": "tenant", "n1": "note"}
    return values.get((message.key or b"").decode(), "id")


@pytest.mark.parametrize("case", CASES)
def test_the_answers_are_those_of_the_model_s_messages(case: str) -> None:
    outbox = outbox_of(case)
    routes, sent = Routes(outbox), messages(outbox)
    assert routes.assumed == ""
    known = [routes.of_event(event) for event in outbox.events]
    assert known in ([message.topic for message in sent], [None, None])
    assert routes.topics == sorted({topic for topic in known if topic is not None})
    if None in known:
        assert routes.topic("acme") == sent[0].topic
    assert list(routes.headers) == header_names(case, sent[0])
    assert routes.key == router_columns(outbox).key == key_column(sent[0])
    assert routes.keyed_by_aggregate is (routes.key == "aggregateid")
    assert routes.by_key and sent[0].partition is None
    headers = {name: (value or b"").decode() for name, value in sent[0].headers}
    row = {**ROW, "type": "Placed", "aggregatetype": "Order", "sequence": 1}
    for name, column in routes.columns.headers.items():
        assert headers[name] == str(row[column]), name
    assert headers["id"] == str(row.get(routes.columns.id, headers["id"]))
    assert (sent[0].value == b"n1") is (routes.columns.payload == "note")
    placed = {part.name: part.column for part in copies(outbox) if part.place == "header"}
    assert case in BEHIND or placed == routes.columns.headers
    keyed = [part.column for part in copies(outbox) if part.place == "key"]
    assert case in BEHIND or routes.key == "id" or keyed == [routes.key]


@pytest.mark.parametrize("case", CASES)
def test_the_runbook_names_them(case: str) -> None:
    outbox = outbox_of(case)
    page, sent, routes = runbook(Routes(outbox)), messages(outbox), Routes(outbox)
    rows = dict(re.findall(r"^\| ([^|]+) \| (.*) \|$", page, re.MULTILINE))
    topics = sorted({message.topic for message in sent}) if routes.topics else [routes.pattern]
    assert rows["event topics"] == ", ".join(f"`{topic}`" for topic in topics)
    assert rows["message key"] == f"column `{key_column(sent[0])}`"
    assert set(rows["headers"].split(", ")) == {f"`{name}`" for name in header_names(case, sent[0])}
    prefix = connector.config(outbox)["topic.prefix"]
    assert rows["other topics of the connector"].startswith(f"`{prefix}.heartbeat.{prefix}`")
    assert f"`{routes.canary}`" in page
    assert topics == ["outbox.event.Cart", "outbox.event.Order"] or "`outbox.event.Order`" not in page


@pytest.mark.parametrize("case", CASES)
def test_the_asyncapi_document_names_them(case: str) -> None:
    outbox = outbox_of(case)
    document, sent = asyncapi.document(outbox, "1.0.0"), messages(outbox)
    addresses = [channel["address"] for channel in document["channels"].values()]
    assert addresses == (sorted({message.topic for message in sent}) if Routes(outbox).topics else [])
    for message, own in zip(document["components"]["messages"].values(), sent, strict=True):
        assert set(message["headers"]["properties"]) == set(header_names(case, own))
        assert message["x-outbox"]["key"] == {"column": key_column(own)}
        for example in message.get("examples", ()):
            assert [*example["headers"]] == header_names(case, own)


@pytest.mark.parametrize("case", CASES)
def test_verify_expects_them(case: str) -> None:
    outbox = outbox_of(case)
    known, sent = contract(outbox), messages(outbox)
    topics = [event.topic for event in known.events.values()]
    assert topics == ([message.topic for message in sent] if Routes(outbox).topics else [None, None])
    assert list(known.names) == header_names(case, sent[0])
    assert {rule.name for rule in known.headers} <= set(header_names(case, sent[0]))
    assert known.ordered is (known.sequence and key_column(sent[0]) == "aggregateid")
    if known.route_header:
        assert dict(sent[0].headers)[known.route_header] in (b"Order", b"Placed", b"acme")


@pytest.mark.parametrize("case", CASES)
def test_the_linter_and_the_preview_name_them(case: str, tmp_path: Path) -> None:
    outbox = outbox_of(case)
    file = tmp_path / "outbox.yaml"
    file.write_text(json.dumps({**SCHEMA_FILE, "connect": {"config": CASES[case]}}))
    (subject,) = from_schema_file(read(file), None)
    assert subject.topics == Routes(outbox).topics
    outcomes = [outcome for _, _, outcome in subject.previews]
    assert case in BEHIND or {outcome.topic for outcome in outcomes if isinstance(outcome, Message)} >= {
        *subject.topics
    }
    row = tmp_path / "row.json"
    row.write_text(json.dumps(ROW))
    told = CliRunner().invoke(
        app, ["preview", str(file), "--event", "Placed", "--row-file", str(row), "--format", "json"]
    )
    if case not in BEHIND:
        (shown,), expected = json.loads(told.stdout)["messages"], messages(outbox)[0]
        assert (shown["topic"], shown["key"]) == (expected.topic, (expected.key or b"").decode())
        assert [header["name"] for header in shown["headers"]] == [name for name, _ in expected.headers]


@pytest.mark.parametrize("case", CASES)
def test_the_canary_s_message_is_where_the_probe_waits_for_it(case: str) -> None:
    outbox, event_id = outbox_of(case), uuid.uuid4()
    if case in BEHIND:
        outbox = outbox_of("nothing raw")
    row = {
        column: str(value) if isinstance(value, uuid.UUID) else value
        for column, value in canary.row(outbox, event_id).items()
    }
    sent = send_event(outbox, outbox.events[0], row)
    assert isinstance(sent, Message) and sent.routed
    assert sent.topic == Routes(outbox).canary
    assert ("id", str(event_id).encode()) in sent.headers


@pytest.mark.parametrize("case", CASES)
def test_the_script_and_the_generated_code_name_them(case: str) -> None:
    outbox = outbox_of(case)
    sent, script = messages(outbox)[0], ddl.up(outbox)
    assert f"\"{key_column(sent)}\"::text <> ''" in script or f"\"{key_column(sent)}\" <> ''" in script
    written = statement.values(outbox, targets.get("python-psycopg"))
    said = {value.column: value.why for value in written if value.column in ("tenant", "note") and value.why}
    headers = {column: name for name, column in router_columns(outbox).headers.items()}
    assert said == {column: f"the header {headers[column]}" for column in ("tenant", "note") if column in headers}


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"transforms": "outbox,own", "transforms.own.type": "com.example.Own"}, "com.example.Own"),
        ({"topic.naming.strategy": "com.example.Topics"}, "topic.naming.strategy: com.example.Topics"),
        ({"topic.delimiter": "-"}, "topic.delimiter: -"),
    ],
)
def test_what_cannot_be_modelled_is_said_to_be_unknown(config: dict[str, str], why: str) -> None:
    outbox = Outbox.model_validate({**SCHEMA_FILE, "connect": {"config": config}})
    assert why in Routes(outbox).assumed
    assert isinstance(send_event(outbox, outbox.events[0], {}), Unknown)
    assert all(event.topic is None for event in contract(outbox).events.values())


def test_a_key_that_a_later_transformation_makes_is_unknown() -> None:
    config = behind(type=f"{KAFKA}ValueToKey", fields="orderId")
    outbox = Outbox.model_validate({**SCHEMA_FILE, "connect": {"config": config}})
    routes = Routes(outbox)
    assert (routes.key, routes.keyed_by_aggregate, contract(outbox).ordered) == (None, False, False)
    assert "set by a transformation after the event router" in runbook(routes)
    messages = asyncapi.document(outbox, "1.0.0")["components"]["messages"].values()
    assert [message["x-outbox"]["key"] for message in messages] == [{"column": None}] * 2


def test_a_raw_topic_prefix_names_the_connector_s_other_topics() -> None:
    topics = connector_topics(outbox_of("a topic prefix"))
    assert (topics.rows, topics.heartbeat_rows) == ("other.public.outbox", "other.public.outbox_heartbeat")
    assert (topics.heartbeat, topics.history) == ("other.heartbeat.other", "other.schema-history")
    config: dict[str, Any] = connector.config(outbox_of("a topic prefix"))
    assert config["predicates.isOutbox.pattern"] == r"other\.public\.outbox"


@pytest.mark.parametrize(
    ("option", "column"), [("table.field.event.timestamp", "created_at"), ("route.by.field", "hidden")]
)
def test_a_column_that_a_raw_option_makes_the_router_read_is_captured(option: str, column: str) -> None:
    table = {"extra": [{"name": "hidden", "to": None}]}
    plain, own = (
        connector.config(Outbox.model_validate({**SCHEMA_FILE, "table": table, "connect": {"config": config}}))
        for config in ({}, {f"{R}{option}": column})
    )
    assert column in plain["column.exclude.list"] and column not in own["column.exclude.list"]


def test_an_attribute_of_cloudevents_that_a_raw_option_changes() -> None:
    config = {"transforms.ceSource.static.value": "/elsewhere", f"{R}table.field.event.key": "tenant"}
    outbox = Outbox.model_validate({**SCHEMA_FILE, "cloudevents": {}, "connect": {"config": config}})
    sent = send_event(outbox, outbox.events[0], ROW)
    assert isinstance(sent, Message)
    headers = dict(sent.headers)
    assert (headers["ce_source"], headers["ce_partitionkey"], sent.key) == (b"/elsewhere", b"acme", b"acme")
    specs = {spec.name: spec for spec in header_specs(Routes(outbox))}
    assert specs["ce_source"].values == ("/elsewhere",)
    assert set(specs) == set(headers)
