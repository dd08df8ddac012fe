"""What a registry may answer: what is not its payloads' fault is never called so, and nobody waits for long."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from io import BytesIO
from typing import Any

import fastavro
import pytest
from google.protobuf import descriptor_pb2

from outbox_kit.kafka import registry
from outbox_kit.kafka.frame import Fault, Unread
from outbox_kit.kafka.registry import Registry
from tests.support.records import Record, examined, named, outbox_of
from tests.support.worker import Answer, Worker, running

FRAME = b"\0\0\0\0\x07"
ASKED = "GET /schemas/ids/7"
SERIALIZED = f"{ASKED}?format=serialized"
ORDER = {"type": "record", "name": "Order", "fields": [{"name": "n", "type": "int"}]}
GOOD = FRAME + b"\x02"
GONE = Answer(404, {"error_code": 40403, "message": "Schema 7 not found"})


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "WAIT_MS", 1)


def avro(schema: Any) -> Answer:
    return Answer(200, {"schema": json.dumps(schema)})


def unread(worker: Worker, kind: str, value: bytes) -> Unread:
    with pytest.raises(Unread) as error:
        Registry.from_environment(worker.url, kind).document(value)
    return error.value


@contextmanager
def asked(answer: Answer, kind: str = "avro") -> Iterator[Registry]:
    with running({ASKED: [answer], SERIALIZED: [answer]}) as worker:
        yield Registry.from_environment(worker.url, kind)


@pytest.mark.parametrize(
    ("answer", "fault", "said"),
    [
        pytest.param(GONE, Fault.unknown, "schema id 7", id="a schema that is gone"),
        pytest.param(Answer(404, "<html>"), Fault.silent, "404", id="no registry at all"),
        pytest.param(Answer(401, {"error_code": 401, "message": "who?"}), Fault.silent, "401", id="no credentials"),
        pytest.param(Answer(403, {"error_code": 40301, "message": "no"}), Fault.silent, "403", id="no rights"),
        pytest.param(Answer(500, {"error_code": 50001, "message": "no"}), Fault.silent, "500", id="out of order"),
        pytest.param(Answer(200, "<html>hello</html>"), Fault.silent, "no response", id="a page"),
        pytest.param(Answer(200, {"schema": "x" * 500}, cut=40), Fault.silent, "no response", id="half an answer"),
        pytest.param(Answer(200, {}), Fault.silent, "cannot be used", id="no schema in it"),
        pytest.param(Answer(200, {"schema": '{"type": "odd"}'}), Fault.silent, "cannot be used", id="a bad schema"),
        pytest.param(Answer(200, {"schema": "{}", "schemaType": "JSON"}), Fault.unknown, "of JSON", id="another kind"),
    ],
)
def test_what_a_registry_answers_is_told_from_what_a_payload_is(answer: Answer, fault: Fault, said: str) -> None:
    with running({ASKED: [answer]}) as worker:
        found = unread(worker, "avro", GOOD)
    assert found.fault is fault
    assert said in found.actual


def test_a_schema_is_asked_for_once_also_where_it_is_not_there() -> None:
    with running({ASKED: [avro(ORDER)], "GET /schemas/ids/8": [GONE]}) as worker:
        reader = Registry.from_environment(worker.url, "avro")
        for _ in range(3):
            assert reader.document(GOOD) == {"n": 1}
            with pytest.raises(Unread):
                reader.document(b"\0\0\0\0\x08\x02")
    assert sorted(worker.asked) == [ASKED, "GET /schemas/ids/8"]


def test_what_passes_by_itself_is_tried_again() -> None:
    with running({ASKED: [Answer(503, "come back later"), avro(ORDER)]}) as worker:
        assert Registry.from_environment(worker.url, "avro").document(GOOD) == {"n": 1}


def test_a_registry_that_does_not_answer_is_asked_for_one_schema_and_not_for_each() -> None:
    outbox = outbox_of(None, table={"payload": "bytes", "registry": "avro"})
    records = [Record(at=n, text=b"\0\0\0\0%c\x02" % n) for n in range(100)]
    nothing = {f"GET /schemas/ids/{n}": [Answer(200, {}, cut=0)] for n in range(100)}
    with running(nothing) as worker:
        examination = examined(outbox, *records, registry=worker.url)
    assert len(worker.asked) == 1 + registry.TRIES
    assert named(examination) == {"RUN-12": 100}
    (finding,) = examination.tally.findings
    assert finding.severity == "inconclusive"
    assert "no response from the registry" in finding.samples[0].actual


@pytest.mark.parametrize(
    ("name", "sent"),
    [("USER", "Basic bWU6aHVudGVyMg=="), ("TOKEN", "Bearer hunter2")],
)
def test_credentials_come_from_the_environment_and_are_never_told(
    monkeypatch: pytest.MonkeyPatch, name: str, sent: str
) -> None:
    monkeypatch.setenv("OUTBOX_KIT_REGISTRY_USER", "me")
    monkeypatch.setenv(f"OUTBOX_KIT_REGISTRY_{'PASSWORD' if name == 'USER' else name}", "hunter2")
    with running({ASKED: [Answer(401, {"error_code": 401, "message": "not you"})]}) as worker:
        found = unread(worker, "avro", GOOD)
    assert "hunter2" not in str(found.args)
    assert [headers["Authorization"] for headers in worker.headers] == [sent]


LOGICAL = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "total", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "raw", "type": "bytes"},
        {"name": "note", "type": ["null", "string"]},
    ],
}


def test_avro_s_logical_types_are_texts() -> None:
    body = BytesIO()
    written = {"total": Decimal("12.50"), "at": 1_700_000_000_000, "day": 1, "raw": b"\xff\x00", "note": None}
    fastavro.schemaless_writer(body, LOGICAL, written)
    with asked(avro(LOGICAL)) as reader:
        assert reader.document(FRAME + body.getvalue()) == {
            "total": "12.50",
            "at": "2023-11-14T22:13:20+00:00",
            "day": "1970-01-02",
            "raw": "\xff\x00",
            "note": None,
        }


def file() -> descriptor_pb2.FileDescriptorProto:
    """Two messages, one with another inside, and a timestamp."""
    found = descriptor_pb2.FileDescriptorProto(name="shop.proto", package="shop", syntax="proto3")
    found.dependency.append("google/protobuf/timestamp.proto")
    found.message_type.add(name="Zero").nested_type.add(name="Inner").field.add(name="x_y", number=1, type=5, label=1)
    second = found.message_type.add(name="Order")
    second.field.add(name="net_total", number=1, type=5, label=1)
    second.field.add(name="at", number=2, type=11, label=1, type_name=".google.protobuf.Timestamp")
    return found


PROTOBUF = Answer(200, {"schema": base64.b64encode(file().SerializeToString()).decode(), "schemaType": "PROTOBUF"})


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(b"\x02\x02\x08\x05", {"netTotal": 5}, id="the second message"),
        pytest.param(b"\x02\x02\x12\x02\x08\x01", {"netTotal": 0, "at": "1970-01-01T00:00:01Z"}, id="a timestamp"),
        pytest.param(b"\x04\x00\x00\x08\x07", {"xY": 7}, id="a message in another"),
        pytest.param(b"\x00", {}, id="nothing at all"),
    ],
)
def test_a_protobuf_message_is_found_by_its_indexes_and_read_without_a_class(body: bytes, expected: Any) -> None:
    with asked(PROTOBUF, "protobuf") as reader:
        assert reader.document(FRAME + body) == expected


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param(b"\x02\x06\x08\x05", "does not have", id="a message that is not there"),
        pytest.param(b"\x02\x01\x08\x05", "does not have", id="one before the first"),
        pytest.param(b"\x04\x02\x00\x08\x05", "does not have", id="one in one that has none"),
        pytest.param(b"\xff\xff", "does not have", id="no index"),
        pytest.param(b"\x02\x02\x08", "DecodeError", id="a body that is cut off"),
        pytest.param(b"\x02\x02\x48\x05", "UnknownField", id="a field of another message"),
    ],
)
def test_a_protobuf_body_that_its_schema_does_not_read_is_unreadable(body: bytes, said: str) -> None:
    with asked(PROTOBUF, "protobuf") as reader, pytest.raises(Unread) as error:
        reader.document(FRAME + body)
    assert (error.value.fault, said in error.value.actual) == (Fault.unreadable, True), error.value


def test_a_registry_without_a_serialized_form_is_asked_for_the_schema_as_it_stands() -> None:
    refusal = Answer(500, {"error_code": 50001, "message": "no such form"})
    with running({SERIALIZED: [refusal], ASKED: [PROTOBUF]}) as worker:
        assert Registry.from_environment(worker.url, "protobuf").document(FRAME + b"\x00") == {}
    text = Answer(200, {"schema": 'syntax = "proto3"; message Order {}', "schemaType": "PROTOBUF"})
    with running({SERIALIZED: [refusal], ASKED: [text]}) as worker:
        assert unread(worker, "protobuf", FRAME + b"\x00").fault is Fault.silent


def test_a_document_that_breaks_the_registry_s_own_schema_is_told_without_its_values() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "array", "items": {"type": "integer"}}}}
    with asked(Answer(200, {"schema": json.dumps(schema), "schemaType": "JSON"}), "json") as reader:
        assert reader.document(FRAME + b'{"n": [1]}') == {"n": [1]}
        with pytest.raises(Unread) as error:
            reader.document(FRAME + b'{"n": [1, "hunter2"]}')
    found = error.value
    assert (found.fault, found.expected, found.actual) == (
        Fault.broken,
        "a document that is valid against schema id 7",
        "properties/n/items/type violated at /n/1",
    )
