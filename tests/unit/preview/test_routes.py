"""Where events go, asked of the config that is generated and not of the schema file's words."""

from typing import Any

from outbox_kit.preview.routes import Routes
from outbox_kit.schema.model import Outbox


def outbox(**more: Any) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": "postgres"},
            "events": [{"type": "Placed", "aggregate": "Order"}, {"type": "Left", "aggregate": "Cart"}],
            **more,
        }
    )


def test_topics_and_headers_of_the_declared_events() -> None:
    found = Routes(outbox(routing={"topic": "{service}.{aggregate}.v1"}))
    assert found.topics == ["shop.Cart.v1", "shop.Order.v1"]
    assert found.headers == ("id", "eventType", "aggregateType", "sequence")
    assert found.by_key


def test_a_raw_option_that_routes_otherwise_is_heeded() -> None:
    config = {"transforms.outbox.route.topic.replacement": "elsewhere.$1"}
    assert Routes(outbox(connect={"config": config})).topics == ["elsewhere.Cart", "elsewhere.Order"]


def test_a_raw_option_that_the_model_does_not_know_leaves_the_schema_files_words() -> None:
    config = {"transforms": "outbox,own", "transforms.own.type": "com.example.Own"}
    found = Routes(outbox(connect={"config": config}))
    assert found.topics == ["outbox.event.Cart", "outbox.event.Order"]
    assert (found.headers[0], found.by_key) == ("id", True)


def test_rows_that_choose_their_topic_and_their_partition() -> None:
    extra = [{"name": "destination"}, {"name": "slot", "kind": "integer", "to": "partition"}]
    found = Routes(outbox(table={"extra": extra}, routing={"topic": "to.{destination}"}))
    assert (found.topics, found.topic("paris"), found.by_key) == ([], "to.paris", False)
