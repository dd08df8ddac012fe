"""Which rows must be among the messages that were read, where the reading or the log begins later than the rows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Range
from outbox_kit.printable import counted
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.table import completeness
from tests.support.records import TOPIC, outbox_of
from tests.support.reports import headline, outcome
from tests.support.request import request_of

NOON = 1_700_000_000_000
PARTITIONS, WHOLE = 6, Window()
KEYS = [next(k for k in map(str, range(999)) if partition_of(k.encode(), PARTITIONS) == p) for p in range(PARTITIONS)]


@dataclass
class Log(CapturedLog):
    """Captured messages as a cluster shows them. lows: the first offset that is still there, by partition.

    policy: the topics' cleanup.policy.
    """

    records: Sequence[CapturedMessage]
    lows: Mapping[int, int] = field(default_factory=dict)
    policy: str = "delete"
    all_topics = False

    def __post_init__(self) -> None:
        super().__init__(outbox_of(), self.records)

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        return {name: {"cleanup.policy": self.policy, "retention.ms": "-1"} for name in names}

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        lows = {r: self.lows.get(r.partition, 0) for r in super().pin(partitions)}
        return [replace(r, start=low, end=max(low, r.end)) for r, low in lows.items()]


@dataclass(frozen=True)
class Event:
    """An event of a partition, so many seconds after noon. offset: None where its message is lost.

    keyed: the partition that its row's key belongs in, where it is another one.
    """

    number: int
    partition: int
    second: int
    offset: int | None
    keyed: int | None = None

    @property
    def event_id(self) -> str:
        return f"00000000-0000-4000-8000-{self.number:012}"

    def row(self) -> str:
        at = NOON + self.second * 1000
        key = KEYS[self.partition if self.keyed is None else self.keyed]
        told = {"id": self.event_id, "key": key, "type": "OrderPlaced", "aggregate": "Order"}
        return json.dumps({**told, "sequence": self.number, "at": at})

    def message(self) -> CapturedMessage:
        headers: list[tuple[str, bytes | None]] = [
            ("id", self.event_id.encode()),
            ("eventType", b"OrderPlaced"),
            ("aggregateType", b"Order"),
            ("sequence", str(self.number).encode()),
        ]
        place = TOPIC, self.partition, self.offset or 0
        return CapturedMessage(place, KEYS[self.partition].encode(), b'{"n": 1}', headers, NOON + self.second * 1000)


def verified(
    folder: Path,
    events: Sequence[Event],
    window: Window = WHOLE,
    lows: Mapping[int, int] | None = None,
    policy: str = "delete",
    **changes: Any,
) -> Result:
    file = folder / "ledger.ndjson"
    file.write_text("\n".join(one.row() for one in events))
    own = outbox_of(**changes)
    log = Log([one.message() for one in events if one.offset is not None], lows or {}, policy)
    request = request_of(own, log, settle=0, window=window, record=PublishedLog(file, own), catch_up=0)
    return Verification(request, lambda _: None).run()


def lost(report: Result) -> set[int]:
    return {int(s.expected.split()[1][-12:]) for one in report.findings if one.id == "LOS-01" for s in one.samples}


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completeness, "QUIET_SECONDS", 0)


OLD = [Event(1, 0, 0, 0), Event(2, 1, 1, 0), Event(3, 2, 2, 0)]  # before the reading
NEW = Event(9, 0, 90, 1)
READ = {TOPIC: {str(partition): int(partition < 3) for partition in range(PARTITIONS)}}
SINCE = Window(Bound(milliseconds=NOON + 60_000))
LATER = Window(Bound(offsets=READ, began_ms=NOON + 5000))


@pytest.mark.parametrize(
    ("more", "window", "expected", "unjudged"),
    [
        pytest.param([], LATER, set(), 0, id="what was there before is not lost"),
        pytest.param([Event(4, 0, 6, None)], LATER, {4}, 0, id="lost as soon as the last run had begun"),
        pytest.param([Event(4, 4, 80, None)], LATER, {4}, 0, id="lost on a partition where nothing has come since"),
        pytest.param([Event(4, 0, -400, None)], LATER, set(), 1, id="of the last run's time"),
        pytest.param([Event(4, 0, -40, 2)], LATER, set(), 0, id="late"),
        pytest.param([Event(4, 0, 40, None)], Window(Bound(back=1)), {4}, 0, id="lost within a minute of the begin"),
        pytest.param([Event(4, 1, 40, None)], SINCE, {4}, 0, id="lost since a time"),
        pytest.param([Event(4, 1, -99, None)], SINCE, set(), 1, id="before a time"),
        pytest.param([Event(4, 3, -99, None)], SINCE, {4}, 0, id="before a time, of a partition that is read whole"),
    ],
)
def test_rows_around_the_begin_of_a_reading_are_judged(
    tmp_path: Path, more: list[Event], window: Window, expected: set[int], unjudged: int
) -> None:
    report = verified(tmp_path, [*OLD, NEW, *more], window)
    assert report.compared
    assert (lost(report), report.compared.unjudged) == (expected, unjudged)
    assert (f"loss of {counted(unjudged, 'row')} not checked" in headline(report)) is bool(unjudged)
    assert (outcome(report, "LOS-01") == "not checked") is (bool(unjudged) and not expected)


@pytest.mark.parametrize("partition", [0, 4])
def test_where_retention_took_a_partition_s_beginning_only_its_own_rows_are_not_judged(
    tmp_path: Path, partition: int
) -> None:
    gone, here = Event(4, 0, 10, None), Event(5, partition, 20, None)
    report = verified(tmp_path, [*OLD, NEW, gone, here], lows={0: 1})
    assert report.compared
    assert (lost(report), report.compared.unjudged) == ((set(), 3) if partition == 0 else ({5}, 2))


def test_where_no_row_could_be_judged_loss_was_not_checked(tmp_path: Path) -> None:
    events = [*(Event(n, 0, n, None) for n in range(5)), Event(9, 1, 0, 0)]
    report = verified(tmp_path, events, lows={0: 5, 1: 1})
    silent = headline(report).rpartition("; not checked: ")[2]
    assert (outcome(report, "LOS-01"), "loss" in silent.split(", ")) == ("not checked", True)


NO_DATA = {"connect": {"snapshot": "no_data"}}


def test_rows_before_the_first_message_are_said_not_to_be_judged(tmp_path: Path) -> None:
    events = [Event(1, 0, -30, None), Event(2, 1, 0, 0), Event(3, 2, 90, None)]
    report = verified(tmp_path, events, **NO_DATA)
    assert (lost(report), "; loss of 1 row not checked" in headline(report)) == ({3}, True)


def test_a_connector_that_had_sent_something_before_had_begun(tmp_path: Path) -> None:
    before = [Event(n, 0, -900 + n, n) for n in range(3)]
    report = verified(tmp_path, [*before, Event(4, 1, 40, None), Event(9, 0, 90, 3)], Window(Bound(back=1)), **NO_DATA)
    assert lost(report) == {4}


@pytest.mark.parametrize(("policy", "expected", "unjudged"), [("delete", {1, 5}, 0), ("compact,delete", {5}, 1)])
def test_what_compaction_takes_is_not_called_lost(
    tmp_path: Path, policy: str, expected: set[int], unjudged: int
) -> None:
    first, last, newest = Event(1, 0, 0, None), Event(2, 0, 1, 1), Event(5, 1, 9, None)
    report = verified(tmp_path, [first, last, Event(4, 1, 8, 0), newest, Event(6, 2, 0, 0)], policy=policy)
    assert report.compared
    assert (lost(report), report.compared.unjudged) == (expected, unjudged)


def test_where_keys_are_not_their_rows_a_row_s_key_says_nothing_of_what_was_trimmed(tmp_path: Path) -> None:
    events = [Event(1, 1, 0, 0, keyed=0), Event(2, 1, 90, 1, keyed=0), Event(3, 2, 91, 0, keyed=1)]
    trimmed = verified(tmp_path, events, lows={1: 1})
    assert lost(trimmed) == set()
    assert {one.id for one in trimmed.findings} >= {"KEY-02"}
