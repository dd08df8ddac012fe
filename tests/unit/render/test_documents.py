"""MongoDB's validator refuses each kind of bad document, and its commands are what an administrator would type."""

import base64
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from outbox_kit.render import ddl, documents
from outbox_kit.schema.model import Outbox
from tests.support.documents import OUTBOXES, accepts

GOOD: dict[str, dict[str, Any]] = {
    "orders-mongo": {
        "_id": "00000000-0000-4000-8000-000000000001",
        "aggregatetype": "Order",
        "aggregateid": "1001",
        "type": "OrderPlaced",
        "payload": {"total": 1},
        "sequence": 1,
        "tenant": "blue",
        "urgent": False,
        "created_at": datetime(2026, 1, 2, tzinfo=UTC),
    },
    "odd": {
        "_id": 17,
        "eventId": "00000000-0000-4000-8000-000000000001",
        "group": "Order",
        "user": "1001",
        "table": "It's \\ placed",
        'whe"re': b"frame",
        "version": 1,
        "destination": "paris",
        "slot": 5,
        "At": datetime(2026, 1, 2, tzinfo=UTC),
    },
}
MISSING = "left out"
BAD: list[tuple[str, dict[str, Any]]] = [
    ("orders-mongo", {"_id": "00000000-0000-4000-8000-00000000000A"}),
    ("orders-mongo", {"_id": "00000000-0000-4000-8000-000000000001\n"}),
    ("orders-mongo", {"_id": b"0123456789abcdef"}),
    ("orders-mongo", {"type": "OrderPlacd"}),
    ("orders-mongo", {"aggregatetype": "outbox-kit.canary"}),
    ("orders-mongo", {"aggregateid": ""}),
    ("orders-mongo", {"aggregateid": None}),
    ("orders-mongo", {"payload": '{"total": 1}'}),
    ("orders-mongo", {"payload": None}),
    ("orders-mongo", {"payload": MISSING}),
    ("orders-mongo", {"type": "OrderDeleted"}),
    ("orders-mongo", {"sequence": 1.5}),
    ("orders-mongo", {"sequence": MISSING}),
    ("orders-mongo", {"urgent": "no"}),
    ("orders-mongo", {"tenant": MISSING}),
    ("orders-mongo", {"created_at": 1_700_000_000_000}),
    ("orders-mongo", {"lines": []}),
    ("odd", {"destination": "a b"}),
    ("odd", {"destination": "x" * 201}),
    ("odd", {"slot": 6}),
    ("odd", {"slot": -1}),
    ("odd", {'whe"re': "text"}),
]


def changed(service: str, changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**GOOD[service], **changes}.items() if value is not MISSING}


@pytest.mark.parametrize("service", GOOD)
def test_a_good_document_is_taken(service: str) -> None:
    assert accepts(OUTBOXES[service], GOOD[service])


@pytest.mark.parametrize(("service", "changes"), BAD, ids=[f"{name}:{bad!r:.50}" for name, bad in BAD])
def test_a_document_that_would_stop_the_router_or_mislead_a_reader_is_refused(
    service: str, changes: dict[str, Any]
) -> None:
    assert not accepts(OUTBOXES[service], changed(service, changes))


@pytest.mark.parametrize(
    ("service", "changes"),
    [
        ("orders-mongo", {"type": "OrderDeleted", "payload": None}),
        ("orders-mongo", {"aggregatetype": "outbox-kit.canary", "type": "Canary", "payload": {}}),
        ("odd", {"_class": "com.example.Event"}),
    ],
)
def test_what_is_declared_is_taken(service: str, changes: dict[str, Any]) -> None:
    assert accepts(OUTBOXES[service], changed(service, changes))


@pytest.mark.parametrize(
    ("service", "kind", "size"), [("orders-mongo", "object", "$bsonSize"), ("odd", "binData", "$binarySize")]
)
def test_the_payload_s_size_is_asked_as_it_is_stored(service: str, kind: str, size: str) -> None:
    outbox = OUTBOXES[service]
    payload = f"${outbox.table.columns.payload}"
    assert documents.validator(outbox)["$expr"] == {
        "$cond": [
            {"$eq": [{"$type": payload}, kind]},
            {"$and": [{"$gte": [{size: payload}, 1]}, {"$lte": [{size: payload}, 900_000]}]},
            True,
        ]
    }


def commands(outbox: Outbox) -> list[dict[str, Any]]:
    return [dict(step.command) for step in documents.up(outbox)]


def test_old_events_expire_and_a_version_is_one_event() -> None:
    made = {index["name"]: index for one in commands(OUTBOXES["orders-mongo"]) for index in one.get("indexes", ())}
    version = {"aggregatetype": 1, "aggregateid": 1, "sequence": 1}
    assert made["outbox_version"] == {"key": version, "name": "outbox_version", "unique": True}
    aged = {"key": {"created_at": 1}, "name": "outbox_created_at", "expireAfterSeconds": 604_800}
    assert made["outbox_created_at"] == aged


def test_kept_events_lose_the_index_by_which_they_would_go() -> None:
    assert {"dropIndexes": "sel'e\"ct\\", "index": "sel'e\"ct\\_At"} in commands(OUTBOXES["odd"])
    assert not any("expireAfterSeconds" in json.dumps(one) for one in commands(OUTBOXES["odd"]))


def test_an_id_of_another_name_is_unique_too() -> None:
    (indexes,) = (one["indexes"] for one in commands(OUTBOXES["odd"]) if "createIndexes" in one)
    assert indexes[0] == {"key": {"eventId": 1}, "name": "sel'e\"ct\\_id", "unique": True}


def test_the_connector_may_read_the_outbox_and_list_what_there_is_and_no_more() -> None:
    (role,) = (one for one in commands(OUTBOXES["orders-mongo"]) if "createRole" in one)
    assert role["privileges"] == [
        {"resource": {"db": "shop", "collection": "outbox"}, "actions": ["find", "changeStream"]},
        {"resource": {"db": "shop", "collection": ""}, "actions": ["listCollections"]},
    ]


@pytest.mark.parametrize("service", OUTBOXES)
def test_no_line_of_a_remark_leaves_it_and_no_password_is_in_the_script(service: str) -> None:
    script = ddl.up(OUTBOXES[service])
    assert all(len(line) <= 120 for line in script.splitlines() if line.startswith("//") and "createUser" not in line)
    assert not re.search(r"pwd: (?!passwordPrompt)", script)


def test_bytes_are_no_text() -> None:
    assert not accepts(OUTBOXES["odd"], changed("odd", {'whe"re': base64.b64encode(b"x").decode()}))
