"""MongoDB's generated configs on the real router: what a document becomes, and that the model says the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.router.events import change
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.rows import of_event
from tests.conformance.compare import compare
from tests.support import example_files
from tests.support.jvm import MONGO_LINES, arrived, class_of, java_map

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTBOXES = {outbox.service: outbox for outbox in example_files.of("mongodb")}
LINE = "3.6.1.Final"
PACKAGE = "io.debezium.connector.mongodb"
ID = "00000000-0000-4000-8000-000000000001"
DOCUMENTS = (
    "{}",
    '{"total": 12.5, "n": 1, "wide": 3000000000, "paid": true, "note": null, "who": {"n\u00e4me": "\u00e9\\""}}',
    '{"lines": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}], "tags": ["x", "y"], "none": [], "empty": {}}',
)
BAD = ('{"mixed": ["x", 1]}', '{"hole": [1, null]}')


def record(outbox: Outbox, event: EventType, changes: dict[str, Any], operation: str = "c") -> Any:
    row = of_event(outbox, event, changes)
    config, topic = connector.config(outbox), connector_topics(outbox).rows
    return change("mongodb", config, topic, row, Version.of(LINE), operation=operation)


def sent(service: str, changes: dict[str, Any], event: int = 0, operation: str = "c") -> Any:
    outbox = OUTBOXES[service]
    found = record(outbox, outbox.events[event], changes, operation)
    return arrived(connector.config(outbox), LINE, found)


@pytest.mark.parametrize("payload", DOCUMENTS)
def test_a_document_arrives_as_the_json_that_it_is(payload: str) -> None:
    found = sent("orders-mongo", {"payload": payload, "sequence": 7, "aggregateid": "o-1"})
    assert json.loads(found["value"]) == json.loads(payload)
    assert (found["topic"], found["key"], found["partition"]) == ("outbox.event.Order", b"o-1", None)
    assert [(name, value.decode()) for name, value in found["headers"]] == [
        ("ce_specversion", "1.0"),
        ("ce_source", "/orders-mongo"),
        ("content-type", "application/json"),
        ("id", ID),
        ("eventType", "OrderPlaced"),
        ("aggregateType", "Order"),
        ("sequence", "7"),
        ("tenantId", "text"),
        ("urgent", "true"),
        ("ce_id", ID),
        ("ce_type", "OrderPlaced"),
        ("ce_time", "2026-01-02T03:04:05.000Z"),
        ("ce_subject", "o-1"),
        ("ce_partitionkey", "o-1"),
    ]


def test_a_tombstone_is_a_null_value() -> None:
    found = sent("orders-mongo", {}, event=1)
    assert (found["key"], found["value"], found["topic"]) == (b"1001", None, "outbox.event.Order")


@pytest.mark.parametrize("operation", ["d", "u"])
def test_what_is_no_insert_is_dropped(operation: str) -> None:
    assert sent("orders-mongo", {}, operation=operation) is None


def test_what_is_no_insert_is_not_even_sent_by_the_server() -> None:
    config = connector.config(OUTBOXES["orders-mongo"])
    options = class_of("io.debezium.config.Configuration", LINE).from_(java_map(config))
    told = [class_of(f"{PACKAGE}.{name}", LINE)(options) for name in ("MongoDbConnectorConfig", "Filters$FilterConfig")]
    (maker,) = class_of(f"{PACKAGE}.ChangeStreamPipelineFactory", LINE).class_.getDeclaredConstructors()
    create = maker.getDeclaringClass().getDeclaredMethod("create")
    for hidden in (maker, create):
        hidden.setAccessible(True)
    stages = str(create.invoke(maker.newInstance(told)).getStages())
    assert "fieldName='event.operationType', operator='$in', value=[insert]" in stages


def test_an_owner_s_document_is_keyed_by_its_own_id() -> None:
    found = sent("letters-mongo", {"_id": "6564e2c8000000000000abcd"})
    assert (found["topic"], found["key"]) == ("letters.MailSent", b"6564e2c8000000000000abcd")
    assert found["headers"] == (("id", b"6564e2c8000000000000abcd"), ("eventType", b"MailSent"))


def test_bytes_arrive_as_they_are_stored_and_a_column_chooses_topic_and_partition() -> None:
    found = sent("odd", {'whe"re': "\u0000frame", "destination": "paris", "slot": 3})
    assert (found["topic"], found["partition"], found["value"]) == ("odd.paris", 3, b"\x00frame")


def test_a_text_arrives_byte_for_byte() -> None:
    found = sent("texts", {"payload": '{"b": 1,  "a": [null, "x", 2]}'})
    assert found["value"] == b'{"b": 1,  "a": [null, "x", 2]}'


@pytest.mark.parametrize("line", MONGO_LINES[1:])
@pytest.mark.parametrize("service", OUTBOXES)
def test_the_model_says_the_same(service: str, line: str) -> None:
    outbox = OUTBOXES[service]
    config, payload = connector.config(outbox), outbox.table.columns.payload
    rows = [record(outbox, event, {}, op) for event in outbox.events for op in "cru"]
    rows += [record(outbox, outbox.events[0], {payload: text}) for text in (*DOCUMENTS, *BAD)]
    differences, kinds = compare(config, rows, [line])
    assert differences == []
    assert kinds["Message"] >= 2
    assert kinds["Failed"] == (len(BAD) if outbox.table.payload == "json" else 0)
