"""The stop rule, with the events that a broker gives only when it pleases: a fake of the client's consumer."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from confluent_kafka import KafkaError

from outbox_kit.kafka import read
from outbox_kit.kafka.headers import UNREADABLE, readable
from outbox_kit.kafka.partitioner import partition_of

TOPIC = "t"


@dataclass(frozen=True)
class Message:
    """A record, or with an error code an event of the partition."""

    at: int
    code: int | None = None
    where: int = 0
    nameless: bool = False

    def error(self) -> KafkaError | None:
        return None if self.code is None else KafkaError(self.code)

    def topic(self) -> str:
        return TOPIC

    def partition(self) -> int:
        return self.where

    def offset(self) -> int:
        return self.at

    def headers(self) -> None:
        if self.nameless:
            raise SystemError("returned a result with an exception set")


EOF = KafkaError._PARTITION_EOF


class Fake:
    """Gives prepared batches, then nothing."""

    def __init__(self, batches: list[list[Message]]) -> None:
        self.batches = iter(batches)
        self.paused: list[int] = []
        self.closed = False

    def assign(self, _: Any) -> None: ...

    def consume(self, _most: int, _seconds: float) -> list[Message]:
        return next(self.batches, [])

    def pause(self, places: list[Any]) -> None:
        self.paused += [place.partition for place in places]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(read, "IDLE_SECONDS", 0.05)

    def run(*batches: list[Message], ends: tuple[int, ...] = (5,), start: int = 0) -> tuple[list[int], Any, Fake]:
        fake = Fake(list(batches))
        monkeypatch.setattr(read, "Consumer", lambda _: fake)
        plan = read.Reading([read.Range(TOPIC, p, start, end) for p, end in enumerate(ends)])
        seen = [m.offset() for _, _, ms in read.Cluster("b:1").read(plan, time.monotonic() + 30) for m in ms]
        return seen, plan, fake

    yield run


def records(*offsets: int, where: int = 0) -> list[Message]:
    return [Message(at, where=where) for at in offsets]


def test_the_last_record_ends_it(reading: Any) -> None:
    seen, plan, fake = reading(records(0, 1, 2, 3, 4))
    assert (seen, plan.complete, fake.closed) == ([0, 1, 2, 3, 4], True, True)


def test_an_end_behind_invisible_records_ends_it(reading: Any) -> None:
    seen, plan, _ = reading(records(0, 1), [Message(5, EOF)])
    assert (seen, plan.complete, plan.progress[TOPIC, 0].visible) == ([0, 1], True, 2)


def test_an_old_end_does_not_end_it(reading: Any) -> None:
    seen, plan, _ = reading(records(0, 1), [Message(2, EOF)], records(2, 3, 4))
    assert (seen, plan.complete) == ([0, 1, 2, 3, 4], True)


def test_what_comes_after_the_end_is_left_out_and_its_partition_paused(reading: Any) -> None:
    seen, plan, fake = reading(records(3, 4, 5, 6), records(9, where=1), ends=(5, 10))
    assert (seen, plan.complete) == ([3, 4, 9], True)
    assert 0 in fake.paused


def test_a_gap_over_the_end_ends_it(reading: Any) -> None:
    seen, plan, _ = reading(records(0), records(7))
    assert (seen, plan.complete) == ([0], True)


def test_silence_is_not_the_end(reading: Any) -> None:
    seen, plan, _ = reading(records(0, 1))
    assert (seen, plan.complete, plan.progress[TOPIC, 0].position) == ([0, 1], False, 2)


def test_a_partition_s_error_is_kept_and_the_others_go_on(reading: Any) -> None:
    gone = [Message(0, KafkaError.UNKNOWN_TOPIC_OR_PART, where=1)]
    seen, plan, _ = reading(gone, records(0, 1, 2, 3, 4), ends=(5, 5))
    assert (seen, plan.complete, plan.progress[TOPIC, 0].done) == ([0, 1, 2, 3, 4], False, True)
    assert plan.progress[TOPIC, 1].error


def test_a_record_whose_headers_cannot_be_read_has_a_stand_in_that_may_be_asked() -> None:
    record = readable(Message(7, nameless=True))
    assert (record.offset(), record.headers() is UNREADABLE, record.headers() is UNREADABLE) == (7, True, True)
    fine = Message(8)
    assert readable(fine) is fine


def test_an_empty_range_asks_no_broker(reading: Any) -> None:
    seen, plan, fake = reading(start=5)
    assert (seen, plan.complete, fake.closed) == ([], True, False)


# keys and what Java's producer makes of them: murmur2 of the bytes, positive, modulo the partitions
@pytest.mark.parametrize("partitions", [1, 3, 12])
@pytest.mark.parametrize("key", [b"", b"1", b"21", b"foobar", b"\xff\xfe\x00"])
def test_a_key_s_partition_is_java_s(key: bytes, partitions: int) -> None:
    assert partition_of(key, partitions) == (murmur2(key) & 0x7FFFFFFF) % partitions


def murmur2(data: bytes) -> int:
    """The hash as its author describes it, with the seed of Kafka's producer."""
    m, mask = 0x5BD1E995, 0xFFFFFFFF
    h = (0x9747B28C ^ len(data)) & mask
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        k = int.from_bytes(data[at : at + 4], "little") * m & mask
        k = (k ^ k >> 24) * m & mask
        h = (h * m & mask) ^ k
    if rest := data[whole:]:
        h = (h ^ int.from_bytes(rest, "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return h ^ h >> 15


def test_the_hash_is_the_one_that_kafka_tests_itself_with() -> None:
    assert murmur2(b"21") == -973932308 & 0xFFFFFFFF
    assert murmur2(b"foobar") == -790332482 & 0xFFFFFFFF
