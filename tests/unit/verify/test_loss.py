"""Topics against table, in values."""

from collections import defaultdict
from dataclasses import dataclass

import pytest

from outbox_kit.finding import Findings, Place
from outbox_kit.preview.routes import Routes
from outbox_kit.verify import loss
from outbox_kit.verify.catalogue import severities
from outbox_kit.verify.contract import contract
from outbox_kit.verify.loss import Arrival, Latency, fingerprint_of, latency
from tests.unit.verify.record import TOPIC, Record, examined, outbox_of

DAY = 86_400_000
NOW = 1_800_000_000_000


@dataclass(frozen=True)
class Row:
    """A row as the ledger gives it."""

    event_id: str
    key: str = "1"
    type: str = "OrderPlaced"
    sequence: str | None = "1"
    aggregate: str = "Order"
    route: str | None = "Order"
    milliseconds: int = NOW


def arrived(record: Record) -> loss.Arrival:
    found = loss.arrival(Place(TOPIC, 0, record.at), record)
    assert found is not None
    return found


def ids(findings: Findings) -> dict[str, int]:
    return {finding.check: finding.count for finding in findings}


def findings() -> Findings:
    return Findings(severities(exactly_once=False), 32)


def test_equal_sums_need_no_closer_look_and_copies_do_not_count() -> None:
    record = Record()
    fingerprint = fingerprint_of(record.event_id.encode())
    ledger = {fingerprint & 4095: (1, fingerprint)}
    once, twice = examined(outbox_of(), record), examined(outbox_of(), record, record)
    assert loss.unequal(once.tally.counts.tolist(), once.tally.sums.tolist(), ledger, []) == []
    assert loss.unequal(twice.tally.counts.tolist(), twice.tally.sums.tolist(), ledger, []) == [fingerprint & 4095]
    assert loss.unequal(twice.tally.counts.tolist(), twice.tally.sums.tolist(), ledger, [fingerprint]) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({}, {}),
        ({"key": "2"}, {"KEY-02": 1}),
        ({"type": "OrderPaid"}, {"HDR-06": 1}),
        ({"sequence": "2"}, {"HDR-06": 1}),
        ({"sequence": None}, {}),
    ],
)
def test_a_message_is_held_against_its_row(row: dict[str, str], expected: dict[str, int]) -> None:
    record, found = Record(), findings()
    loss.alike(outbox_of(), [arrived(record)], {record.event_id: Row(record.event_id, **row)}, found)
    assert ids(found) == expected


def test_a_message_whose_row_is_gone_is_held_against_nothing() -> None:
    found = findings()
    loss.alike(outbox_of(), [arrived(Record())], {}, found)
    assert ids(found) == {}


def test_a_message_without_a_row_is_a_phantom_only_where_the_table_is_complete() -> None:
    record = Record()
    at = record.timestamp()[1]
    for since, expected in ((at, {"LOS-03": 1}), (at + 1, {})):
        found = findings()
        assert loss.compare(contract(outbox_of()), [arrived(record)], {}, found, since, {}) == []
        assert ids(found) == expected


@pytest.mark.parametrize(
    ("table", "oldest", "since"),
    [
        ({"retention": "keep"}, NOW - 99 * DAY, 0),
        ({"retention": "delete", "keep_days": 7}, None, NOW),
        ({"retention": "delete", "keep_days": 7}, NOW - 7 * DAY, NOW - 6 * DAY),
        # a quiet service: the cleanup has been behind the oldest row, long ago
        ({"retention": "delete", "keep_days": 7}, NOW - 2 * DAY, NOW - 2 * DAY),
        ({"retention": "partition", "keep_days": 1}, NOW - DAY, NOW - DAY // 2),
    ],
)
def test_the_table_covers_no_more_than_it_surely_has(table: dict[str, object], oldest: int | None, since: int) -> None:
    assert loss.covered_since(outbox_of(table=table), oldest, NOW) == since


def test_a_row_from_before_what_the_topic_still_has_is_not_called_lost() -> None:
    rows = {name: Row(name, milliseconds=at) for name, at in (("old", 1), ("edge", 5), ("new", 9))}
    since: defaultdict[str, int] = defaultdict(int, {TOPIC: 5})
    assert loss.due(Routes(outbox_of()), rows, ["edge", "new", "old"], since) == ["edge", "new"]


def test_latency_is_of_the_events_whose_rows_are_there_and_clocks_that_differ_are_named() -> None:
    arrivals = [Arrival(Place("t", 0, n), str(n), b"k", b"A", b"1", NOW + n) for n in range(100)]
    findings = Findings(severities(exactly_once=False), 8)
    took = latency(arrivals, {str(n): Row(str(n), milliseconds=NOW) for n in range(1, 100)}, findings)
    assert took == Latency(99, 50, 95, 99, 99, tuple((NOW + n, n) for n in range(1, 100)))
    assert not list(findings)
    assert latency(arrivals, {}, findings) is None
    latency(arrivals, {"7": Row("7", milliseconds=NOW + 2000)}, findings)
    assert [(found.check, found.samples[0].actual) for found in findings] == [("LAT-03", "1993 ms before it")]
