"""Where an aggregate's numbers must begin, and where that cannot be said; and which of two places holds the copy."""

from dataclasses import replace
from typing import Any

import pytest

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.support.records import TOPIC, Record, outbox_of
from tests.support.reports import outcome
from tests.unit.verify.topics import DELETED, Topics, verified

DENSE = {"ordering": {"sequence": "version", "assigned_by": "application"}}


def captured(record: Record, topic: str = TOPIC, partitions: int = 6) -> CapturedMessage:
    key = record.key() or b""
    place = topic, partition_of(key, partitions), record.offset()
    return CapturedMessage(place, key, record.value(), record.headers(), record.timestamp()[1])


def numbered(*numbers: int) -> list[CapturedMessage]:
    return [captured(Record(at, number)) for at, number in enumerate(numbers)]


def gaps(report: Result) -> list[tuple[str, str]]:
    return [(s.expected, s.actual) for one in report.findings if one.id == "LOS-02" for s in one.samples]


@pytest.mark.parametrize("engine", ["memory", "disk"])
@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ((1, 2, 3), []),
        ((0, 1, 2), []),
        ((-1, 0, 1), []),
        ((4, 5, 6), [("number 1 before it", "3 numbers missing")]),
        ((4, 6), [("number 1 before it", "3 numbers missing"), ("number 5 before it", "1 number missing")]),
        ((3, 1, 2), []),  # late, which is another finding
        ((3, 2), [("number 1 before it", "1 number missing")]),
    ],
)
def test_an_aggregate_begins_with_the_first_number(
    engine: str, numbers: tuple[int, ...], found: list[tuple[str, str]]
) -> None:
    own = outbox_of(**DENSE)
    assert gaps(verified(own, Topics(own, numbered(*numbers)), engine=engine)) == found


LATER = {"ordering": DENSE["ordering"], "connect": {"snapshot": "no_data"}}
BY_ROW = {"table": {"extra": [{"name": "part"}]}, "routing": {"topic": "{service}.{part}"}}
BY_TYPE = {
    **DENSE,
    "routing": {"topic": "{service}.{type}"},
    "events": [{"type": kind, "aggregate": "Order"} for kind in ("OrderPlaced", "OrderPaid")],
}


@pytest.mark.parametrize(
    ("changes", "log", "asked"),
    [
        pytest.param(DENSE, {"start": 1}, {}, id="retention took the beginning"),
        pytest.param(DENSE, {}, {"window": Window(Bound(back=2))}, id="the reading begins later"),
        pytest.param(LATER, {}, {}, id="there were rows before the connector"),
        pytest.param(DENSE, {"policy": {**DELETED, "cleanup.policy": "compact"}}, {}, id="a compacted topic"),
        pytest.param(DENSE, {"policy": None}, {}, id="a topic that may be compacted"),
        pytest.param(DENSE | BY_ROW, {}, {}, id="rows choose their topics"),
        pytest.param(DENSE | {"routing": {"topic": TOPIC, "key": "id"}}, {}, {}, id="a key of its own for each event"),
    ],
)
def test_where_it_cannot_be_said_nothing_is_said_and_nothing_has_passed(
    changes: dict[str, Any], log: dict[str, Any], asked: dict[str, Any]
) -> None:
    own = outbox_of(**changes)
    report = verified(own, Topics(own, numbered(4, 5, 6), **log), **asked)
    assert gaps(report) == []
    assert outcome(report, "LOS-02") == "not checked"


def test_a_capture_says_nothing_of_beginnings() -> None:
    own = outbox_of(**DENSE)
    report = Verification(Request(own, CapturedLog(own, numbered(4)), None), lambda _: None).run()
    assert (gaps(report), outcome(report, "LOS-02")) == ([], "not checked")


def test_a_key_in_two_partitions_has_no_gaps_that_can_be_named() -> None:
    own = outbox_of(**DENSE)
    one, two, three = numbered(1, 2, 3)
    elsewhere = replace(two, place=(TOPIC, (two.place[1] + 1) % 6, 0))
    report = verified(own, Topics(own, [one, elsewhere, three]))
    assert {one.id for one in report.findings} >= {"KEY-04", "KEY-05", "ORD-03"}
    assert gaps(report) == []


def test_an_aggregate_whose_events_are_on_several_topics_has_no_gaps_on_each() -> None:
    own = outbox_of(**BY_TYPE)
    records = [
        captured(Record(0, 1), "shop.OrderPlaced"),
        captured(Record(0, 2, changes=(("eventType", b"OrderPaid"),)), "shop.OrderPaid"),
        captured(Record(1, 3), "shop.OrderPlaced"),
    ]
    report = verified(own, Topics(own, records))
    assert (gaps(report), outcome(report, "LOS-02")) == ([], "not checked")


TWO = {"events": [{"type": "OrderPlaced", "aggregate": name} for name in ("Cart", "Order")]}


def copies(report: Result) -> list[tuple[str, int, str]]:
    return [
        (s.location.topic, s.location.partition, s.expected)
        for one in report.findings
        if one.id == "DUP-05"
        for s in one.samples
    ]


@pytest.mark.parametrize("earlier", [0, 60_000])
@pytest.mark.parametrize(("aggregate", "wrong"), [("Order", "shop.Cart"), ("Cart", "shop.Order")])
def test_the_copy_is_the_one_on_the_topic_where_the_event_does_not_belong(
    earlier: int, aggregate: str, wrong: str
) -> None:
    own, right = outbox_of(**TWO), f"shop.{aggregate}"
    event = Record(changes=(("aggregateType", aggregate.encode()),))
    original, copy = captured(event, right), captured(event, wrong)
    copy = replace(copy, milliseconds=copy.milliseconds - earlier)
    (found,) = copies(verified(own, Topics(own, [copy, original])))
    assert found == (wrong, copy.place[1], f"only the message at {right}-{copy.place[1]}@0")


@pytest.mark.parametrize("step", [1, 5])
def test_the_copy_is_the_one_in_the_partition_where_its_key_does_not_belong(step: int) -> None:
    own = outbox_of()
    original = captured(Record())
    home = original.place[1]
    copy = replace(original, place=(TOPIC, (home + step) % 6, 0))
    (found,) = copies(verified(own, Topics(own, [copy, original])))
    assert found == (TOPIC, (home + step) % 6, f"only the message at {TOPIC}-{home}@0")


def test_where_no_place_is_better_the_later_one_is_the_copy() -> None:
    extra = {"table": {"extra": [{"name": "part", "kind": "integer", "to": "partition"}]}}
    own = outbox_of(**extra)
    later = captured(Record())
    earlier = replace(later, place=(TOPIC, (later.place[1] + 1) % 6, 0), milliseconds=later.milliseconds - 1)
    for log in ([earlier, later], [later, earlier]):
        (found,) = copies(verified(own, Topics(own, log)))
        assert found[1] == later.place[1]


PAID = {"type": "OrderPaid", "aggregate": "Order"}


@pytest.mark.parametrize(
    ("paid", "start", "expected"),
    [
        ({"initial": False}, 0, "passed"),
        ({"initial": False}, 1, "not checked"),  # nothing but the first event can be wrong, and it may be gone
        ({"follows": ["OrderPlaced"]}, 1, "passed"),
        ({}, 0, "not checked"),
    ],
)
def test_which_events_may_begin_is_checked_only_where_beginnings_are_there(
    paid: dict[str, Any], start: int, expected: str
) -> None:
    events = [{"type": "OrderPlaced", "aggregate": "Order"}, {**PAID, **paid}]
    own = outbox_of(events=events)
    assert outcome(verified(own, Topics(own, numbered(1, 2), start)), "ORD-02") == expected
