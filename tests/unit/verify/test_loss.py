"""Topics against table, in values."""

import hashlib
import itertools

import numpy as np
import pytest

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import ComparableParts, Row
from outbox_kit.findings.finding import Collector, RecordLocation
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.checks.latency import Latency, measured
from outbox_kit.verify.reading import batch as columns
from outbox_kit.verify.reading.arrival import Arrival, arrival
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.state.engine import hash_of_id
from outbox_kit.verify.state.tally import Tally
from outbox_kit.verify.table import values
from outbox_kit.wire.copies import copies, message_copies
from tests.support.ids import KINDS
from tests.support.records import TOPIC, Record, examined, outbox_of

DAY = 86_400_000
NOW = 1_800_000_000_000


def ids(findings: Collector) -> dict[str, int]:
    return {finding.id: finding.count for finding in findings}


def written(event_id: str, at: int) -> Row:
    return Row(event_id, None, None, None, None, None, at, None)


def findings() -> Collector:
    return Collector(32, CHECKS.get)


PARTS = copies(outbox_of())


def number_of(record: Record, **changes: object) -> int:
    """The number of a record, by hand: SHA-256 of id, headers, key and payload."""
    said = {"eventType": "OrderPlaced", "aggregateType": "Order", "sequence": str(record.number)} | changes
    headers = [str(said[name]) for name in ("aggregateType", "eventType", "sequence")]
    whole = "\x1f".join([record.event_id, *headers, "1", '{"n": 1}'])
    return int(hashlib.sha256(whole.encode()).hexdigest()[:15], 16)


def compared(*records: Record) -> Examination:
    return examined(outbox_of(), *records, held=ComparableParts(PARTS))


def test_the_parts_that_are_compared_are_those_that_the_model_says_are_copies() -> None:
    titles = ["header aggregateType", "header eventType", "header sequence", "key", "payload"]
    assert [part.title for part in PARTS] == titles
    raw = outbox_of(connect={"config": {"transforms.outbox.table.expand.json.payload": "true"}})
    assert "payload" not in [part.title for part in copies(raw)]
    quoted = outbox_of(connect={"config": {"key.converter": "org.apache.kafka.connect.json.JsonConverter"}})
    assert "key" not in [part.title for part in copies(quoted)]


def test_equal_sums_need_no_closer_look_and_copies_do_not_count() -> None:
    record = Record()
    number = number_of(record)
    ledger = {number % 4096: (1, number)}
    once, twice = compared(record), compared(record, record)
    assert values.differing_buckets(once.tally.counts.tolist(), once.tally.sums.tolist(), ledger, []) == []
    assert values.differing_buckets(twice.tally.counts.tolist(), twice.tally.sums.tolist(), ledger, []) == [
        number % 4096
    ]
    assert values.differing_buckets(twice.tally.counts.tolist(), twice.tally.sums.tolist(), ledger, [number]) == []


def test_any_part_that_differs_makes_another_number() -> None:
    record, unusual = Record(), Record(more=(("odd", b"1"),))
    numbers = {number_of(record), number_of(record, sequence=2), number_of(record, eventType="OrderPaid")}
    assert len(numbers) == 3
    # the fast way and the slow one agree
    assert compared(unusual).tally.sums.sum() == number_of(unusual)


@pytest.mark.parametrize("kind", KINDS)
def test_ids_of_every_kind_are_spread_over_buckets_hashes_and_sample(kind: str) -> None:
    ids = list(itertools.islice(KINDS[kind](), 20_000))
    numbers = np.array([digest.number(one, [b"1"]) for one in ids], np.uint64)
    assert np.bincount((numbers & np.uint64(4095)).astype(int), minlength=4096).max() < 30
    assert len({hash_of_id(one) for one in ids}) == len(ids)
    if len(ids[0]) == 36:
        assert columns.ids(ids).tolist() == [hash_of_id(one) for one in ids]
    tally = Tally(findings())
    for n, one in enumerate(ids):
        for position, rank in tally.taken((TOPIC, 0), [n]):
            assert position == 0
            tally.keep(rank, Arrival(RecordLocation(TOPIC, 0, n), one.decode(), b"k", b"t", None, n))
    assert 500 < len(tally.sample) <= 2000


def test_a_sample_of_one_id_that_comes_again_and_again_has_an_end() -> None:
    tally = Tally(findings())
    for n in range(10_000):
        for _, rank in tally.taken((TOPIC, 0), [n]):
            tally.keep(rank, Arrival(RecordLocation(TOPIC, 0, n), "same", b"k", b"t", None, n))
    assert 500 < len(tally.sample) <= 2000


@pytest.mark.parametrize(
    ("value", "row", "unsaid", "expected"),
    [
        (b'{"a": 1.0, "b": [2]}', '{"b":[2],"a":1}', False, 0),
        (b'{"a": "2020-01-01 00:00:00"}', '{"a": "2020-01-01 00:00:00.000000"}', False, 0),
        (b'{"a": 1}', '{"a": 2}', False, 1),
        (b"text", "text", False, 0),
        (b"text", b"text", False, 0),
        (b"text", None, False, 1),
        (None, "text", False, 1),
        (None, None, False, 0),
        (b"text", None, True, 0),
    ],
)
def test_a_value_of_the_sample_is_held_against_its_row_as_it_is_or_as_json(
    value: bytes | None, row: str | bytes | None, unsaid: bool, expected: int
) -> None:
    record, found = Record(text=value), findings()
    payload = [part for part in PARTS if part.place == "payload"]
    sample = arrival(outbox_of(), RecordLocation(TOPIC, 0, record.at), record, payload)
    assert sample is not None
    rows = {record.event_id: Row(record.event_id, None, None, None, None, None, NOW, None, (row,))}
    assert values.compare_fields(ComparableParts((), tuple(payload)), [sample], rows, found, {}, unsaid=unsaid) == 1
    assert ids(found) == ({"PAY-12": 1} if expected else {})
    assert values.compare_fields(ComparableParts((), tuple(payload)), [sample], {}, found, {}, unsaid=unsaid) == 0


@pytest.mark.parametrize(
    ("shard", "partition", "key", "expected"),
    [
        ("1", 1, b"k", 0),
        ("1", 0, b"k", 1),
        (None, partition_of(b"k", 6), b"k", 0),
        (None, (partition_of(b"k", 6) + 1) % 6, b"k", 1),
        (None, 5, b"", 0),
    ],
)
def test_the_key_chooses_the_partition_of_a_row_whose_column_is_null(
    shard: str | None, partition: int, key: bytes, expected: int
) -> None:
    """As Debezium's router: a message without a partition is given one by the producer."""
    extra = {"name": "shard", "kind": "integer", "to": "partition", "required": False}
    outbox = outbox_of(table={"extra": [extra]})
    parts = ComparableParts((), message_copies(outbox).unless_null)
    assert [part.place for part in parts.sampled] == ["partition"]
    assert "partition" not in {part.place for part in copies(outbox)}
    needed = outbox_of(table={"extra": [extra | {"required": True}]})
    assert "partition" in {part.place for part in copies(needed)} and not message_copies(needed).unless_null
    record, found = Record(named=key), findings()
    sample = arrival(outbox, RecordLocation(TOPIC, partition, record.at), record, parts.sampled)
    assert sample is not None
    rows = {record.event_id: Row(record.event_id, None, None, None, None, None, NOW, None, (shard,))}
    values.compare_fields(parts, [sample], rows, found, {TOPIC: 6}, unsaid=False)
    assert ids(found) == ({"KEY-04": 1} if expected else {})


@pytest.mark.parametrize(
    ("table", "oldest", "since"),
    [
        ({"retention": "forever"}, NOW - 99 * DAY, 0),
        ({"retention": "external", "existing": True}, NOW, None),
        ({"retention": "delete", "keep_days": 7}, None, None),
        ({"retention": "delete", "keep_days": 7}, NOW - 8 * DAY, NOW - 7 * DAY),
        ({"retention": "delete", "keep_days": 7}, NOW - 2 * DAY, NOW - 2 * DAY),
    ],
)
def test_the_table_covers_no_more_than_it_surely_has(
    table: dict[str, object], oldest: int | None, since: int | None
) -> None:
    assert values.covered_since(outbox_of(table=table), oldest, NOW) == since


def test_latency_is_of_the_events_whose_rows_are_there_and_clocks_that_differ_are_named() -> None:
    arrivals = [Arrival(RecordLocation("t", 0, n), str(n), b"k", b"A", b"1", NOW + n) for n in range(100)]
    findings = Collector(8, CHECKS.get)
    took = measured(arrivals, {str(n): written(str(n), NOW) for n in range(1, 100)}, findings)
    assert took == Latency(99, 50, 95, 99, 99, tuple((NOW + n, n) for n in range(1, 100)))
    assert not list(findings)
    assert measured(arrivals, {}, findings) is None
    measured(arrivals, {"7": written("7", NOW + 2000)}, findings)
    assert [(found.id, found.samples[0].actual) for found in findings] == [("LAT-03", "1993 ms before it")]
