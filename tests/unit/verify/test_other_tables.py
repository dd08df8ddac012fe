"""Messages of a table of somebody else's: no aggregate's type, ids that are numbers, and topics from a pattern."""

from typing import Any

import pytest

from tests.support.records import Record, examined, named, outbox_of

WITHOUT = ("aggregateType", "sequence")
TABLE = {"existing": True, "columns": {"aggregate_type": None, "aggregate_id": None, "created_at": None}}
BY_TYPE: dict[str, Any] = {"table": TABLE, "routing": {"topic": "{service}.{1}", "pattern": "(Order).*"}}


def message(**changes: Any) -> Record:
    return Record(without=WITHOUT, **changes)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (message(), {}),
        (message(changes=(("eventType", b"OrderLost"),)), {"RTE-02": 1}),
        (message(changes=(("id", b"7001"),)), {"HDR-03": 1}),
        (message(text=b"[]"), {"PAY-02": 1}),
        (Record(without=("sequence",)), {"HDR-05": 1, "RTE-02": 1}),
    ],
)
def test_the_type_alone_tells_the_event(record: Record, expected: dict[str, int]) -> None:
    assert named(examined(outbox_of(**BY_TYPE), record)) == expected


@pytest.mark.parametrize(
    ("event_id", "expected"), [("7000000000000000001", {}), ("x", {"HDR-03": 1}), ("", {"HDR-03": 1})]
)
def test_ids_may_be_numbers(event_id: str, expected: dict[str, int]) -> None:
    outbox = outbox_of(**BY_TYPE | {"table": TABLE | {"ids": "bigint"}})
    records = [message(event_id=str(number), at=number) for number in range(1, 20)]
    found = examined(outbox, *records, message(event_id=event_id, at=20))
    assert named(found) == expected


@pytest.mark.parametrize(("event_id", "expected"), [("f" * 24, {}), ("7000", {"HDR-03": 1}), ("F" * 24, {"HDR-03": 1})])
def test_ids_may_be_mongodb_s_own(event_id: str, expected: dict[str, int]) -> None:
    own = {"database": {"dialect": "mongodb"}, "table": TABLE | {"ids": "objectid"}}
    outbox = outbox_of(**BY_TYPE | own)
    records = [message(event_id=f"6564e2c80000{number:012x}", at=number) for number in range(1, 20)]
    found = examined(outbox, *records, message(event_id=event_id, at=20))
    assert named(found) == expected
