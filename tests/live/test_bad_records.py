"""Records that nobody would write, on a real topic: each is a finding, none ends the run, all reports are written."""

import ctypes
import json
import uuid
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as xml

import confluent_kafka
import pytest
from confluent_kafka import Producer

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.reading import read_pass
from tests.live.scratch import GOOD, HOME, PARTITIONS, Message, Scratch, changed
from tests.support.reports import FORMATS, rendered

BAD = b"\xff\xfe\x00\x80"
STANDARD = ("id", "eventType", "aggregateType", "sequence")
MEGABYTE = 1_000_000


def everywhere(value: bytes | None) -> Message:
    """A message all of whose fields hold one thing."""
    return Message(key=value, value=value, headers=tuple((name, value) for name in STANDARD))  # type: ignore[misc]


def wider(**headers: bytes) -> Message:
    return replace(GOOD, headers=(*GOOD.wire(), *headers.items()))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(everywhere(BAD), {"HDR-03": 2, "KEY-03": 1, "RTE-02": 1}, id="bytes everywhere"),
        pytest.param(everywhere(b""), {"HDR-03": 2, "KEY-01": 1, "RTE-02": 1}, id="empty everywhere"),
        pytest.param(everywhere(None), {"HDR-01": 4, "KEY-01": 1}, id="null everywhere"),
        *(
            pytest.param(changed(GOOD, **{name: BAD}), {check: 1}, id=f"bytes as {name}")
            for name, check in zip(STANDARD, ("HDR-03", "RTE-02", "RTE-02", "HDR-03"), strict=True)
        ),
        pytest.param(changed(GOOD, sequence=b"1" * MEGABYTE), {"HDR-03": 1}, id="a megabyte of digits"),
        pytest.param(changed(GOOD, eventType=b"x" * MEGABYTE), {"RTE-02": 1}, id="a megabyte of type"),
        pytest.param(replace(GOOD, key=b"k" * MEGABYTE), {}, id="a megabyte of key"),
        pytest.param(wider(**{f"h{n}": b"x" for n in range(1000)}), {"HDR-05": 1000}, id="a thousand headers"),
        pytest.param(wider(**{"x" * MEGABYTE: b"x" * MEGABYTE}), {"HDR-05": 1}, id="a megabyte of a header's name"),
        pytest.param(wider(**{"\x1b[2J\x00<b>&\u202e]]>": b""}), {"HDR-05": 1}, id="a header's name for a terminal"),
        pytest.param(
            wider(tenant=b"a" * 50_000 + b"!"), {"HDR-03": 1}, id="what a pattern could be busy with for ever"
        ),
        pytest.param(
            replace(GOOD, value=b"[" * 100_000 + b"]" * 100_000), {"PAY-02": 1, "PAY-13": 1}, id="a payload of depth"
        ),
        pytest.param(replace(GOOD, value=b'{"n": 1' + b"0" * 5000 + b"}"), {"PAY-09": 1}, id="a number of length"),
    ],
)
def test_a_record_that_nobody_would_write_is_a_finding(
    scratch: Scratch,
    message: Message,
    expected: dict[str, int],
) -> None:
    ruled = {"headers": [{"name": "tenant", "required": False, "pattern": "(a+)+"}]}
    scratch.outbox = Outbox.model_validate(scratch.outbox.model_dump(by_alias=True) | ruled)
    scratch.send(message, Message(key=b"2"))
    report = scratch.verify()
    assert {f.id: f.count for f in report.findings if f.id != "RUN-11"} == expected
    assert report.events == 2
    texts = {name: rendered(name, report) for name in FORMATS}
    assert json.loads(texts["json"])["counts"]["events"] == 2
    assert xml.fromstring(texts["junit"].split("\n", 1)[1]) is not None  # noqa: S314 - our own
    assert max(map(len, texts.values())) < 200_000
    assert "\x1b" not in texts["text"]


def produced(scratch: Scratch, message: Message, *more: tuple[bytes, bytes]) -> None:
    """Write a message with headers whose names are bytes, which Python's client would not: by its own library."""
    (path,) = (Path(confluent_kafka.__file__).parents[1] / "confluent_kafka.libs").glob("librdkafka*")
    library, why = ctypes.CDLL(str(path)), ctypes.create_string_buffer(500)
    library.rd_kafka_conf_new.restype = library.rd_kafka_new.restype = ctypes.c_void_p
    settings = ctypes.c_void_p(library.rd_kafka_conf_new())
    library.rd_kafka_conf_set(settings, b"bootstrap.servers", scratch.stack.bootstrap.encode(), why, 500)
    producer = ctypes.c_void_p(library.rd_kafka_new(0, settings, why, 500))
    told: list[object] = [1, scratch.topic.encode(), 3, ctypes.c_int32(HOME)]  # the tags of topic, partition, ...
    for tag, content in ((5, message.key), (4, message.value)):  # ... key, and value
        told += [tag, content, ctypes.c_size_t(len(content or b""))]
    for name, value in ((name.encode(), value) for name, value in message.wire()):
        told += [9, name, value, ctypes.c_ssize_t(len(value))]
    for name, value in more:
        told += [9, name, value, ctypes.c_ssize_t(len(value))]
    assert library.rd_kafka_producev(producer, *told, 0) == 0
    assert library.rd_kafka_flush(producer, 30_000) == 0
    library.rd_kafka_destroy(producer)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_header_s_name_that_is_no_text_ends_nothing(
    scratch: Scratch,
    workers: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(read_pass, "WORTH_A_PROCESS", 0)
    scratch.send(GOOD, *(Message(key=b"2", sequence=n) for n in range(500)))
    produced(scratch, Message(sequence=2), (b"\xff\xfe name", b"x"))
    scratch.send(Message(sequence=3), GOOD)  # the copy makes it read the partition once more
    report = scratch.verify(workers=workers)
    assert {f.id: f.count for f in report.findings if f.id != "RUN-11"} == {"HDR-04": 1, "DUP-01": 1}
    assert report.events == 504


def test_another_client_s_partitioner_is_named(scratch: Scratch) -> None:
    producer = Producer({"bootstrap.servers": scratch.stack.bootstrap})  # librdkafka's default: CRC32
    keys = [str(number).encode() for number in range(30)]
    for key in keys:
        producer.produce(scratch.topic, b'{"n": 1}', key, headers=Message(key=key).wire())
    assert producer.flush(30) == 0
    scratch.send(*(Message(key=key, sequence=2, event_id=str(uuid.uuid4())) for key in keys))  # as Connect does it
    found = {one.id: one for one in scratch.verify().findings}
    elsewhere = found["KEY-04"].count
    assert 0 < elsewhere < len(keys)
    assert all("librdkafka's default partitioner" in sample.actual for sample in found["KEY-04"].samples)
    assert (found["KEY-05"].count, found["ORD-03"].count) == (elsewhere, elsewhere)
    assert partition_of(keys[0], PARTITIONS) in range(PARTITIONS)
