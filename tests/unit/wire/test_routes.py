"""Where events go, asked of the config that is generated and not of the schema file's words."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.contracts import asyncapi
from outbox_kit.render.runbook import runbook
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.routes import Routes

R = "transforms.outbox."
OWN = {"transforms": "outbox,own", "transforms.own.type": "com.example.Own"}
KAFKA = "org.apache.kafka.connect.transforms."


def outbox(**more: Any) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": "postgres"},
            "events": [{"type": "Placed", "aggregate": "Order"}, {"type": "Left", "aggregate": "Cart"}],
            **more,
        }
    )


def overridden(config: dict[str, str], **more: Any) -> Outbox:
    return outbox(connect={"config": config}, **more)


def test_topics_and_headers_of_the_declared_events() -> None:
    found = Routes(outbox(routing={"topic": "{service}.{aggregate}.v1"}))
    assert found.topics == ["shop.Cart.v1", "shop.Order.v1"]
    assert found.headers == ("id", "eventType", "aggregateType", "sequence")
    assert (found.by_key, found.canary, found.ends) == (True, "shop.outbox-kit.canary.v1", ("shop.", ".v1"))


@pytest.mark.parametrize(
    ("config", "topics", "canary"),
    [
        ({f"{R}route.topic.replacement": "new.$1"}, ["new.Cart", "new.Order"], "new.outbox-kit.canary"),
        ({f"{R}route.topic.replacement": "all"}, ["all"], "all"),
        ({f"{R}route.topic.regex": "(Car|Ord)(.*)"}, ["outbox.event.Car", "outbox.event.Ord"], "outbox-kit.canary"),
        ({f"{R}route.by.field": "type"}, ["outbox.event.Left", "outbox.event.Placed"], "outbox.event.Canary"),
        (
            {
                "transforms": "outbox,renamed",
                "transforms.renamed.type": f"{KAFKA}RegexRouter",
                "transforms.renamed.regex": "outbox\\.event\\.(.*)",
                "transforms.renamed.replacement": "shop.$1",
            },
            ["shop.Cart", "shop.Order"],
            "shop.outbox-kit.canary",
        ),
    ],
)
def test_a_raw_option_that_routes_otherwise_is_heeded(config: dict[str, str], topics: list[str], canary: str) -> None:
    found = Routes(overridden(config))
    assert (found.topics, found.canary, found.assumed) == (topics, canary, "")


def test_the_column_that_a_raw_option_routes_by_is_the_one_that_is_asked_everywhere() -> None:
    extra = [{"name": "tenant"}]
    own = overridden({f"{R}route.by.field": "tenant", f"{R}table.field.event.key": "tenant"}, table={"extra": extra})
    found = Routes(own)
    assert (router_columns(own).route, router_columns(own).key) == ("tenant", "tenant")
    assert (found.topics, found.topic("x"), found.of_event(own.events[0])) == ([], "outbox.event.x", None)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"connect": {"config": OWN}}, "com.example.Own"),
        ({"connect": {"debezium": "2.4"}}, "Debezium before 2.5"),
        ({"connect": {"config": {f"{R}route.by.field": "nowhere"}}}, "the connector's task would fail"),
        ({"connect": {"config": {f"{R}route.topic.replacement": "$7"}}}, "the connector's task would fail"),
    ],
)
def test_what_the_model_does_not_know_is_said_and_only_then_the_schema_file_s_words_hold(
    changes: dict[str, Any], why: str
) -> None:
    found = Routes(outbox(**changes))
    assert why in found.assumed and why in found.caveat
    assert (found.topics, found.canary) == (
        ["outbox.event.Cart", "outbox.event.Order"],
        "outbox.event.outbox-kit.canary",
    )
    assert (found.headers[0], found.by_key, found.ends) == ("id", True, ("outbox.event.", ""))


@pytest.mark.parametrize(
    "config",
    [
        {"value.converter": "io.confluent.connect.avro.AvroConverter"},
        {"transforms": "outbox,more", "transforms.more.type": f"{KAFKA}InsertHeader", "transforms.more.header": "a"},
        {"transforms": "outbox,some", "transforms.some.type": f"{KAFKA}Filter", "transforms.some.predicate": "isX"},
    ],
)
def test_what_has_no_say_in_a_topic_need_not_be_known(config: dict[str, str]) -> None:
    found = Routes(overridden(config))
    assert (found.topics, found.assumed) == (["outbox.event.Cart", "outbox.event.Order"], "")


def test_rows_that_choose_their_topic_and_their_partition() -> None:
    extra = [{"name": "destination"}, {"name": "slot", "kind": "integer", "to": "partition"}]
    found = Routes(outbox(table={"extra": extra}, routing={"topic": "to.{destination}"}))
    assert (found.topics, found.topic("paris"), found.by_key) == ([], "to.paris", False)
    assert (found.pattern, found.of_event(found.outbox.events[0])) == ("to.{destination}", None)


@pytest.mark.parametrize("pattern", ["", "{tenant}"], ids=["by aggregate", "by row"])
def test_every_page_names_the_topics_that_the_connector_writes(pattern: str) -> None:
    changes = {"table": {"extra": [{"name": "tenant"}]}, "routing": {"topic": "old.{tenant}"}} if pattern else {}
    own = overridden({f"{R}route.topic.replacement": "new.$1"}, **changes)
    page, document = runbook(Routes(own)), asyncapi.document(own, "1.0.0")
    named = [f"new.{pattern}"] if pattern else ["new.Cart", "new.Order"]
    assert all(f"`{topic}`" in page for topic in (*named, "new.outbox-kit.canary"))
    assert "old." not in page and "outbox.event." not in page
    assert [channel["address"] for channel in document["channels"].values()] == ([] if pattern else named)


def test_a_page_says_where_it_does_not_know(tmp_path: Path) -> None:
    own = overridden(OWN)
    assert "com.example.Own" in runbook(Routes(own))
    assert "com.example.Own" in asyncapi.document(own, "1.0.0")["info"]["description"]
    file = tmp_path / "outbox.yaml"
    file.write_text(
        "service: shop\ndatabase: {dialect: postgres}\nevents: [{type: Placed, aggregate: Order}]\n"
        "connect: {config: {transforms: 'outbox,own', transforms.own.type: com.example.Own}}\n"
    )
    for command in ("gen-runbook", "gen-contracts"):
        told = CliRunner().invoke(app, [command, "-f", str(file)])
        assert told.exit_code == 0 and "com.example.Own" in told.stderr


def test_a_name_that_raw_options_replace_is_not_judged_by_the_schema_file() -> None:
    events = [{"type": "Placed", "aggregate": "an order"}]
    with pytest.raises(ValueError, match="which becomes part of a topic's name"):
        outbox(events=events)
    own = overridden({f"{R}route.topic.replacement": "orders"}, events=events)
    assert Routes(own).topics == ["orders"]
    assert connector.config(own)[f"{R}route.topic.replacement"] == "orders"


@pytest.mark.parametrize(
    ("routing", "order", "cart", "gone"),
    [
        ({}, set(), set(), []),
        ({"previous_topics": ["{service}.{aggregate}"]}, {"shop.Order"}, {"shop.Cart"}, ["shop.Cart", "shop.Order"]),
        (
            {"previous_topics": ["by.{type}", "all"]},
            {"by.Placed", "all"},
            {"by.Left", "all"},
            ["all", "by.Left", "by.Placed"],
        ),
        ({"previous_topics": ["outbox.event.Order"]}, set(), {"outbox.event.Order"}, []),  # which both had once
        (
            {"topic": "new.{1}", "pattern": "(.).*", "previous_topics": ["old.{1}"]},
            {"old.P"},
            {"old.L"},
            ["old.L", "old.P"],
        ),
    ],
)
def test_previous_topics_of_the_declared_events(
    routing: dict[str, Any], order: set[str], cart: set[str], gone: list[str]
) -> None:
    own = outbox(routing=routing)
    routes = Routes(own)
    assert [routes.previous(event) for event in own.events] == [order, cart]
    assert routes.previous_topics == gone
    assert connector.config(own) == connector.config(outbox(routing={**routing, "previous_topics": []}))


def test_a_topic_begins_with_its_change_if_all_its_events_were_on_another_one() -> None:
    routes = Routes(outbox(routing={"previous_topics": ["outbox.event.Order"]}))
    assert [routes.begins_with_move(f"outbox.event.{name}") for name in ("Order", "Cart")] == [False, True]
    assert [routes.moved_to(f"outbox.event.{name}") for name in ("Order", "Cart")] == [set(), {"outbox.event.Order"}]


def test_a_topic_that_raw_options_changed_has_previous_ones_too() -> None:
    own = overridden(
        {f"{R}route.topic.replacement": "new.$1"}, routing={"previous_topics": ["outbox.event.{aggregate}"]}
    )
    assert Routes(own).topics == ["new.Cart", "new.Order"]
    assert Routes(own).previous_topics == ["outbox.event.Cart", "outbox.event.Order"]


CONTEXT = tuple(f"__debezium.context.{name}" for name in ("connectorLogicalName", "taskId", "connectorName", "runId"))
SWITCHED_ON = {"extended.headers.enabled": "true"}


def test_debezium_s_own_headers_are_part_of_the_contract_where_they_are_switched_on() -> None:
    assert Routes(outbox()).context == ()
    written = overridden(SWITCHED_ON)
    assert Routes(written).context == CONTEXT
    assert Routes(written).headers == ("id", "eventType", "aggregateType", "sequence")
    (message, *_) = asyncapi.document(written, "1")["components"]["messages"].values()
    headers = message["headers"]
    assert [name for name in headers["properties"] if name in CONTEXT] == list(CONTEXT)
    assert not {*CONTEXT} & {*headers["required"]}  # what an older release has sent lacks them
    assert headers["properties"][CONTEXT[3]]["format"] == "uuid"
    assert all(name in runbook(Routes(written)) for name in CONTEXT)


def test_a_relay_sends_none_of_them_and_a_later_step_can_remove_them() -> None:
    assert Routes(overridden(SWITCHED_ON, delivery={"by": "relay"})).context == ()
    dropped = {
        "transforms": "outbox,drop",
        "transforms.drop.type": f"{KAFKA}DropHeaders",
        "transforms.drop.headers": CONTEXT[3],
    }
    assert Routes(overridden(SWITCHED_ON | dropped)).context == CONTEXT[:3]


def test_an_older_release_has_fewer_of_them() -> None:
    written = outbox(connect={"debezium": "3.3", "config": SWITCHED_ON})
    assert Routes(written).context == CONTEXT[:3]
    assert Routes(outbox(connect={"debezium": "3.1", "config": SWITCHED_ON})).context == ()
    assert Routes(outbox(connect={"debezium": "3.2.0"})).context == CONTEXT[:3]  # which cannot switch them off
