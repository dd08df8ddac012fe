"""Whose order is judged: an aggregate's, which its key tells alone or with its type, or which no message tells."""

import uuid
from typing import Any

import pytest

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.reading.captured import CapturedMessage
from outbox_kit.verify.result import Result
from tests.support.reports import outcome
from tests.unit.verify.topics import Topics, verified

NUMBERED = {"assigned_by": "application"}
EVENTS = [
    {"type": "OrderPlaced", "aggregate": "Order"},
    {"type": "OrderPaid", "aggregate": "Order", "follows": ["OrderPlaced"]},
    {"type": "CustomerMoved", "aggregate": "Customer"},
]
Event = tuple[str, str, int]  # type, key and number
AGGREGATES = {event["type"]: event["aggregate"] for event in EVENTS} | {"OrderSeen": "Order"}


def judged(events: list[Event], engine: str = "memory", **changes: Any) -> Result:
    """What is said of events on the topics of an outbox of two aggregates."""
    base = {"service": "shop", "database": {"dialect": "postgres"}, "routing": {"topic": "{service}"}, "events": EVENTS}
    outbox, offsets, records = Outbox.model_validate(base | changes), dict[tuple[str, int], int](), []
    for number, (kind, key, sequence) in enumerate(events):
        topic = outbox.routing.topic.format(service="shop", aggregate=AGGREGATES[kind], type=kind)
        here = topic, partition_of(key.encode(), 6)
        texts = {"id": str(uuid.UUID(int=number)), "eventType": kind, "aggregateType": AGGREGATES[kind]}
        headers = {name: text.encode() for name, text in texts.items()} | {"sequence": b"%d" % sequence}
        place = (*here, offsets.setdefault(here, 0))
        offsets[here] += 1
        records.append(CapturedMessage(place, key.encode(), b"{}", list(headers.items()), 1_700_000_000_000 + number))
    return verified(outbox, Topics(outbox, records), engine=engine)


def errors(report: Result) -> list[tuple[str, int]]:
    return [(one.id, one.count) for one in report.findings if one.severity.value == "error"]


@pytest.mark.parametrize("engine", ["memory", "disk"])
@pytest.mark.parametrize(
    ("events", "found"),
    [
        pytest.param([("OrderPlaced", "1", 1), ("CustomerMoved", "1", 1), ("OrderPaid", "1", 2)], [], id="clean"),
        pytest.param(
            [("OrderPlaced", "1", 1), ("CustomerMoved", "1", 2), ("OrderPaid", "1", 2), ("CustomerMoved", "1", 1)],
            [("ORD-01", 1)],
            id="disorder of one of them",
        ),
        pytest.param(
            [("OrderPlaced", "1", 1), ("CustomerMoved", "1", 2), ("OrderPaid", "1", 3)],
            [("LOS-02", 2)],
            id="gaps that the other one's numbers do not fill",
        ),
        pytest.param(
            [("CustomerMoved", "1", 1), ("OrderPlaced", "1", 1), ("OrderPlaced", "1", 1)],
            [("DUP-04", 1)],
            id="one number twice in one of them",
        ),
        pytest.param(
            [("OrderPlaced", "1", 1), ("OrderSeen", "1", 2), ("OrderPaid", "1", 3)],
            [("RTE-02", 1)],
            id="a number of an event that is not declared",
        ),
    ],
)
def test_aggregates_of_two_types_with_one_key_on_one_topic_have_numbers_of_their_own(
    engine: str, events: list[Event], found: list[tuple[str, int]]
) -> None:
    assert errors(judged(events, engine, ordering=NUMBERED)) == found


def test_numbers_of_the_database_say_nothing_across_aggregates() -> None:
    assert errors(judged([("OrderPlaced", "1", 2), ("CustomerMoved", "1", 1)])) == []
    assert errors(judged([("OrderPlaced", "1", 2), ("OrderPaid", "1", 1)])) == [("ORD-01", 1)]


@pytest.mark.parametrize("engine", ["memory", "disk"])
@pytest.mark.parametrize("ordering", [NUMBERED, {}], ids=["application", "database"])
def test_where_the_key_is_not_the_aggregate_s_id_no_order_is_judged(engine: str, ordering: dict[str, str]) -> None:
    table = {"extra": [{"name": "tenant", "to": None, "required": True}]}
    events = [("OrderPaid", "north", 2), ("OrderPlaced", "north", 1), ("OrderPlaced", "north", 1)]
    routing = {"topic": "{service}", "key": "tenant"}
    report = judged(events, engine, table=table, routing=routing, ordering=ordering)
    assert errors(report) == []
    assert {outcome(report, check) for check in ("ORD-01", "ORD-02", "DUP-04", "LOS-02")} == {"not checked"}
    assert report.why_unchecked(CHECKS.get("ORD-01"), "shop") == "the message key is not the aggregate id"
    assert "ORD-05" in {one.id for one in report.findings}


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_what_may_follow_is_not_judged_where_an_aggregate_s_events_are_on_several_topics(engine: str) -> None:
    report = judged([("OrderPlaced", "1", 1), ("OrderPaid", "1", 2)], engine, routing={"topic": "{service}.{type}"})
    assert errors(report) == []
    assert outcome(report, "ORD-02", "shop.OrderPaid") == "not checked"


def test_that_an_event_is_the_first_is_said_only_where_the_first_must_be_there() -> None:
    paid: list[Event] = [("OrderPaid", "1", 2)]
    assert errors(judged(paid)) == [("ORD-02", 1)]
    assert errors(judged(paid, connect={"snapshot": "no_data"})) == []
    after = [*paid, ("OrderPaid", "1", 3)]
    assert errors(judged(after, connect={"snapshot": "no_data"})) == [("ORD-02", 1)]
