"""CloudEvents on the wire, in both modes: what readers of the binding would trip over has a name."""

import json
from typing import Any

import pytest

from outbox_kit.wire import connector
from tests.support.records import Record, examined, named, outbox_of

BINARY = outbox_of(cloudevents={"source": "/shop"})
STRUCTURED = outbox_of(cloudevents={"mode": "structured"})
ID = "6f1f8a5e-0000-4000-8000-000000000001"
ATTRIBUTES: dict[str, bytes | None] = {
    "ce_specversion": b"1.0",
    "ce_source": b"/shop",
    "content-type": b"application/json",
    "ce_id": ID.encode(),
    "ce_type": b"OrderPlaced",
    "ce_time": b"2026-11-20T10:00:00.123456Z",
    "ce_subject": b"1",
    "ce_partitionkey": b"1",
}
EVENT = {"specversion": "1.0", "id": "a", "source": "/shop", "type": "OrderPlaced", "data": {"n": 1}}
JSON = {"content-type": b"application/cloudevents+json"}


def binary(changes: dict[str, bytes | None], **more: Any) -> Record:
    headers = {name: value for name, value in {**ATTRIBUTES, **changes}.items() if value is not None}
    return Record(event_id=ID, changes=tuple(headers.items()), **more)


def structured(changes: dict[str, Any], headers: dict[str, bytes] = JSON) -> Record:
    event = {name: value for name, value in {**EVENT, **changes}.items() if value is not None}
    return Record(text=json.dumps(event).encode(), changes=tuple(headers.items()))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {}),
        ({"content-type": b"application/cloudevents+json; charset=UTF-8"}, {"CE-01": 1}),
        ({"ce_source": None}, {"CE-02": 1}),
        ({"ce_id": None}, {"CE-02": 1}),
        ({"ce_source": None, "source": b"/shop"}, {"CE-03": 1, "HDR-05": 1}),
        ({"ce_subject": b"\xff"}, {"CE-03": 1}),
        ({"ce_subject": b'"1"'}, {"CE-03": 1}),
        ({"content-type": None}, {"CE-04": 1}),
        ({"content-type": b"text/plain"}, {"CE-04": 1}),
        ({"ce_time": b"20.11.2026"}, {"CE-06": 1}),
        ({"ce_time": None}, {}),
        ({"ce_partitionkey": b"2"}, {"CE-07": 1}),
        ({"ce_specversion": b"1"}, {"HDR-03": 1}),
        ({"ce_type": b"OrderPaid"}, {"HDR-06": 1}),
        ({"ce_traceparent": b"x"}, {"HDR-05": 1}),
    ],
)
def test_binary_mode(changes: dict[str, bytes | None], expected: dict[str, int]) -> None:
    assert named(examined(BINARY, binary(changes))) == expected


@pytest.mark.parametrize(
    ("changes", "headers", "expected"),
    [
        ({}, JSON, {}),
        ({}, {"content-type": b"Application/CloudEvents+JSON"}, {}),
        ({}, {}, {"CE-05": 1}),
        ({}, {"content-type": b"application/json"}, {"CE-01": 1}),
        ({}, {"ce_specversion": b"1.0"}, {"CE-01": 1, "HDR-05": 1}),
        ({"source": None}, JSON, {"CE-02": 1}),
        ({"id": 7}, JSON, {"CE-02": 1}),
        ({"specversion": "0.3"}, JSON, {"CE-02": 1}),
        ({"time": "now"}, JSON, {"CE-06": 1}),
        ({"time": "2026-11-20T10:00:00+01:00"}, JSON, {}),
        ({"partitionkey": "2"}, JSON, {"CE-07": 1}),
        ({"partitionkey": "1"}, JSON, {}),
    ],
)
def test_structured_mode(changes: dict[str, Any], headers: dict[str, bytes], expected: dict[str, int]) -> None:
    assert named(examined(STRUCTURED, structured(changes, headers))) == expected


def test_a_batch_is_judged_as_its_records_are() -> None:
    good, bad = binary({}), binary({"ce_partitionkey": b"2"}, at=1)
    assert named(examined(BINARY, good, bad, *(binary({}, at=n) for n in range(2, 9)))) == {"CE-07": 1}


def test_what_others_send_is_not_judged_as_a_cloud_event() -> None:
    assert named(examined(outbox_of(), binary({}))) == {"HDR-05": len(ATTRIBUTES)}


def test_a_column_of_one_s_own_wins_over_the_attribute() -> None:
    own = outbox_of(cloudevents={}, table={"extra": [{"name": "origin", "as": "ce_source"}]})
    config = connector.config(own)
    assert "transforms.ceSource.type" not in config
    assert "origin:header:ce_source" in config["transforms.outbox.table.fields.additional.placement"]
    assert named(examined(own, binary({"ce_source": b"urn:anything"}))) == {}
