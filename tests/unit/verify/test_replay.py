"""Copies, disorder and collisions told apart."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.findings.finding import Collector
from outbox_kit.verify.checks import CHECKS, duplicates
from outbox_kit.verify.reading.replay import Replay
from tests.support.records import TOPIC, Record, examined, named, outbox_of, settled
from tests.unit.verify.replays import EVENTS, HERE, judged, log

BEGAN = Record().timestamp()[1]


def test_a_window_sent_again_is_one_finding_and_no_disorder() -> None:
    found, replay, _ = judged(log(*EVENTS[:6], *EVENTS[2:9]))
    assert (found, len(replay.copies)) == ({"DUP-02": 4}, 4)


def test_two_restarts_are_two_windows() -> None:
    found, _, findings = judged(log(*EVENTS[:10], *EVENTS[7:30], *EVENTS[25:]))
    assert found == {"DUP-02": 8}
    assert [sample.location.offset for finding in findings for sample in finding.samples] == [10, 33]


def test_a_window_sent_three_times_counts_every_copy() -> None:
    found, replay, _ = judged(log(*EVENTS[:3], *EVENTS[:3], *EVENTS[:3]))
    assert (found, len(replay.copies)) == ({"DUP-02": 6}, 6)


def test_one_late_event_is_disorder_and_its_copy_is_a_copy() -> None:
    one, two, three = EVENTS[:3]
    assert judged(log(one, three, two))[0] == {"ORD-01": 1}
    assert judged(log(one, three, two, two))[0] == {"ORD-01": 1, "DUP-01": 1}


def test_two_events_with_one_number_collide() -> None:
    assert judged(log(EVENTS[0], Record(number=1)))[0] == {"DUP-04": 1}


def test_one_id_with_another_payload_is_a_conflict_too() -> None:
    other = Record(number=1, text=b'{"n": 2}', event_id=EVENTS[0].event_id)
    assert judged(log(EVENTS[0], other))[0] == {"DUP-01": 1, "DUP-03": 1}


@pytest.mark.parametrize("more", [(), (("tenant", b"other"),)], ids=["a header less", "another header"])
def test_one_id_with_another_header_is_a_conflict(more: tuple[tuple[str, bytes], ...]) -> None:
    own = outbox_of(table={"extra": [{"name": "tenant"}]})
    first = Record(more=(("tenant", b"acme"),))
    records = [first, replace(first, at=1, more=more)]
    assert named(settled(examined(own, *records), *[records] * 3)) == {"DUP-01": 1, "DUP-03": 1}


def test_copies_of_what_retention_took_are_no_disorder() -> None:
    left = [r for r in log(*EVENTS[:5], *EVENTS[2:7]) if r.at >= 3]
    found, _, _ = judged(left, cut=True)
    assert found == {"RUN-02": 1, "DUP-02": 2}


def test_disorder_within_what_is_left_is_still_found_where_the_log_has_lost_its_beginning() -> None:
    left = [r for r in log(*EVENTS[:4], EVENTS[5], EVENTS[4]) if r.at >= 3]
    assert judged(left, cut=True)[0] == {"ORD-01": 1}


@given(st.integers(1, 30), st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=5))
def test_restarts_anywhere_are_never_disorder(first: int, restarts: list[tuple[int, int]]) -> None:
    """A connector that goes back to any stored position and on from there: only copies, and each of them counted."""
    sent, reached = EVENTS[:first], first
    for back, on in restarts:
        begin = max(0, reached - back)
        sent = [*sent, *EVENTS[begin : reached + on]]
        reached = max(reached, min(40, reached + on))
    found, replay, _ = judged(log(*sent))
    assert found.keys() <= {"DUP-01", "DUP-02"}
    assert sum(found.values()) == len(replay.copies) == len(sent) - len({e.event_id for e in sent})


def told(*stretches: list[Record], oldest: int | None = None) -> list[str]:
    """What is said of the copies, where a stretch is a list and all of them are one partition's log."""
    records = log(*(event for stretch in stretches for event in stretch))
    examination = examined(outbox_of(), *records, partition=HERE)
    findings = Collector(32, CHECKS.get)
    replay = Replay(examination.contract, findings, oldest=oldest)
    for doubts in examination.engine.suspects(gaps=True, split=True):
        replay.begin(doubts)
        replay.take(TOPIC, HERE, records)
    replay.finish()
    return [sample.actual.partition("likely cause: ")[2] for found in findings for sample in found.samples]


def test_the_cause_of_copies_is_what_repeats_events_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(EVENTS[:10], EVENTS[5:12])[0].startswith("a restart: ")
    assert told(EVENTS[:10], EVENTS)[0].startswith("a restart, or a repeated snapshot: ")
    assert "the order differs" in told(EVENTS[:10], [*EVENTS[2:6], EVENTS[7], EVENTS[6], *EVENTS[8:12]])[0]
    assert "2 events in between missing" in told(EVENTS[:10], [*EVENTS[2:5], *EVENTS[7:12]])[0]
    monkeypatch.setattr(duplicates, "STORED_MS", 3)  # a record here is a millisecond
    monkeypatch.setattr(duplicates, "LATE_MS", 0)
    assert told(EVENTS[:10], EVENTS[5:12])[0].startswith("an offset reset: ")
    assert told(EVENTS[:10], EVENTS)[0].startswith("a repeated snapshot: ")
    assert told(EVENTS[:10], EVENTS[5:12], oldest=BEGAN + 5)[0].startswith("a repeated snapshot: ")
    assert told(EVENTS[:10], EVENTS[5:12], oldest=BEGAN + 4)[0].startswith("an offset reset: ")


def test_a_table_read_in_another_order_is_few_stretches_and_no_disorder() -> None:
    apart = [Record(number=1, named=str(key).encode()) for key in range(200)]
    shuffled = [apart[n ^ 1] for n in range(200)]  # each two are the other way round
    found, replay, findings = judged(log(*apart, *shuffled))
    assert (found, len(replay.copies)) == ({"DUP-02": 200}, 200)
    assert [len(finding.samples) for finding in findings] == [1]
