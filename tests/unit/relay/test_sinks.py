"""The sinks of the schema file are the modules of their folder, and what the schema file refuses of them."""

from typing import Any, get_args

import pytest

from outbox_kit.errors import UsageProblem
from outbox_kit.relay import sinks
from outbox_kit.relay.turns import Turns
from outbox_kit.schema.fields import DeliverySettings
from outbox_kit.schema.read import complaints

FILE = {
    "service": "orders",
    "database": {"dialect": "postgres"},
    "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
}


def refusals(delivery: dict[str, Any], **more: Any) -> list[str]:
    return complaints({**FILE, "delivery": delivery, **more})


def test_every_sink_is_a_module_and_every_module_a_sink() -> None:
    assert sorted(get_args(DeliverySettings.model_fields["sink"].annotation)) == sinks.names()


@pytest.mark.parametrize(
    "delivery",
    [
        {},
        {"by": "relay"},
        {"by": "relay", "sink": "http"},
        {"by": "relay", "sink": "rabbitmq"},
        {"by": "relay", "sink": "rabbitmq", "exchange": ""},
        {"by": "relay", "sink": "rabbitmq", "exchange": "shop.events"},
    ],
)
def test_what_is_accepted(delivery: dict[str, Any]) -> None:
    assert refusals(delivery) == []


@pytest.mark.parametrize(
    ("delivery", "expected"),
    [
        ({"sink": "http"}, "invalid delivery.sink 'http': expected kafka with delivery.by: connector"),
        ({"by": "relay", "sink": "redis"}, "invalid 'delivery.sink' 'redis': expected kafka, rabbitmq, http"),
        ({"by": "relay", "exchange": "x"}, "delivery.exchange needs delivery.sink: rabbitmq; remove the key"),
        ({"by": "relay", "sink": "rabbitmq", "exchange": "a b"}, "at most 127 characters of A-Z a-z 0-9 . _ : -"),
    ],
)
def test_what_is_refused(delivery: dict[str, Any], expected: str) -> None:
    assert any(expected in text for text in refusals(delivery)), refusals(delivery)


def test_a_header_that_http_has_for_itself_is_refused() -> None:
    table = {"extra": [{"name": "place", "kind": "text", "to": "header", "as": "Host"}]}
    expected = "invalid header name 'Host': expected a name that an HTTP request may have, with delivery.sink: http"
    assert any(expected in text for text in refusals({"by": "relay", "sink": "http"}, table=table))
    assert refusals({"by": "relay"}, table=table) == []


def test_an_address_that_is_missing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sinks.VARIABLE, raising=False)
    with pytest.raises(UsageProblem, match="the sink's address is missing") as problem:
        sinks.address("amqp://host")
    assert problem.value.fix == 'export OUTBOX_KIT_SINK_URL="amqp://host"'


def test_one_of_a_lane_has_its_turn() -> None:
    turns: Turns[int] = Turns()
    assert turns.begin(("t", b"a"), 1)
    assert not turns.begin(("t", b"a"), 2)
    assert turns.begin(("t", b"b"), 3)
    assert turns.begin(None, 4) and turns.begin(None, 5)
    assert turns.accepted(("t", b"a")) == 2
    assert not turns.begin(("t", b"a"), 6)
    assert list(turns.refused(("t", b"a"))) == [6]
    assert turns.begin(("t", b"a"), 7)
    assert not turns.begin(("t", b"a"), 8)
    assert list(turns.withdraw()) == [8]
    assert not turns.begin(("t", b"a"), 9)
    assert turns.accepted(("t", b"a")) == 9
    assert turns.accepted(("t", b"a")) is None
    assert turns.begin(("t", b"a"), 10)
