"""A log that is followed: every window finds what a bounded run would have found of it by then, and once."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prometheus_client import generate_latest

from outbox_kit.errors import KafkaUnreachable, UsageProblem
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.follow import Follower, WindowResult
from outbox_kit.verify.metrics import Metrics
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.state import follower as state
from outbox_kit.verify.window_report import RENDERED
from tests.support.records import PARTITIONS, TOPIC, Record, outbox_of
from tests.support.request import request_of, with_settings

Placed = tuple[int, Record]
OUTBOX = outbox_of(ordering={"assigned_by": "application"})
# what is said of records one by one: windows of copies, and gaps that are filled later, are told otherwise
ERRORS = ("ORD-01", "ORD-02", "DUP-03", "DUP-04", "DUP-05", "KEY-04", "KEY-05", "RUN-13", "PAY-02")


@dataclass
class Growing:
    """A log that grows. away: whether no broker answers. patience: whether the next readings come to their ends."""

    records: dict[int, list[Record]] = field(default_factory=lambda: {n: [] for n in range(PARTITIONS)})
    read_again: list[int] = field(default_factory=list)
    away: bool = False
    patience: list[bool] = field(default_factory=list)
    all_topics = False

    def write(self, *placed: Placed) -> None:
        for partition, record in placed:
            self.records[partition].append(replace(record, at=len(self.records[partition])))

    def topics(self) -> dict[str, int]:
        if self.away:
            raise KafkaUnreachable("no broker answers", where="localhost:1")
        return {TOPIC: PARTITIONS}

    def hidden(self, _: Sequence[str]) -> dict[str, str]:
        return {}

    def settings(self, _: Sequence[str]) -> dict[str, dict[str, str]]:
        return {}

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        return [Range(t, p, 0, len(self.records[p])) for t, p in partitions]

    def at(self, *_: Any) -> dict[tuple[str, int], int]:
        return {}

    def read(self, reading: Reading, _: float) -> Iterator[tuple[str, int, list[Any]]]:
        whole = self.patience.pop(0) if self.patience else True
        for r in reading.ranges:
            end = r.end if whole else (r.start + r.end) // 2
            found = self.records[r.partition][r.start : end]
            reading.progress[r.topic, r.partition] = Progress(r, end, len(found), done=end == r.end)
            self.read_again.append(r.end - r.start)
            if found:
                yield r.topic, r.partition, list(found)


@dataclass
class Followed:
    """A log and who follows it."""

    folder: Path
    remember: int = 20
    log: Growing = field(default_factory=Growing)
    start: Window = field(default_factory=Window)
    printed: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    form: str = "text"
    outbox: Outbox = field(default_factory=lambda: OUTBOX)

    def __post_init__(self) -> None:
        self.request = request_of(self.outbox, self.log, settle=0, window=self.start)  # type: ignore[arg-type]
        self.again()

    def again(self) -> None:
        """Another process goes on."""
        with state.locked(self.folder):
            self.follower = Follower(
                self.request, self.folder, self.remember, self.said.append, RENDERED[self.form], self.printed.append
            )

    def window(self, *placed: Placed) -> WindowResult:
        self.log.write(*placed)
        return self.follower.window()

    def whole(self) -> Result:
        return Verification(with_settings(self.request, window=Window(), engine="memory"), lambda _: None).run()


def at_home(record: Record) -> Placed:
    return partition_of(record.key() or b"", PARTITIONS), record


def found(told: WindowResult) -> dict[str, int]:
    return {one.id: one.count for one in told.fresh if one.severity != "info" and one.id != "PAY-10"}


@pytest.fixture
def followed(tmp_path: Path) -> Followed:
    return Followed(tmp_path / "state")


E = [at_home(Record(number=n)) for n in range(0, 60)]  # one aggregate's, by their numbers


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_window_without_messages_does_not_read_as_verified(tmp_path: Path, form: str) -> None:
    followed = Followed(tmp_path / "state", form=form)
    followed.window(E[1])
    verified = followed.printed[-1]
    followed.window()
    empty = followed.printed[-1]
    nothing = "no new messages, nothing was verified"
    assert (nothing in verified, nothing in empty) == (False, True)
    if form == "text":
        assert "PASS window 1: 1 event" in verified and "PASS" not in empty


def test_what_crosses_a_window_s_border_is_found_in_the_window_it_comes_in(followed: Followed) -> None:
    assert found(followed.window(E[1], E[2], E[4])) == {"LOS-02": 1}
    assert found(followed.window()) == {}
    assert found(followed.window(E[3])) == {"ORD-01": 1}
    assert found(followed.window(E[5], E[2])) == {"DUP-01": 1}
    assert found(followed.window(E[6])) == {}
    assert followed.follower.state.totals.copies == 1


def test_a_restart_s_copies_are_no_disorder_in_whatever_windows_they_come(followed: Followed) -> None:
    assert found(followed.window(*E[1:6])) == {}
    assert found(followed.window(*E[3:5])) == {"DUP-02": 2}
    assert found(followed.window(*E[5:9])) == {"DUP-01": 1}


def test_older_windows_become_one_row_for_each_key(tmp_path: Path) -> None:
    one = Followed(tmp_path / "state", remember=2)
    for n in range(1, 13):
        assert found(one.window(E[n], at_home(Record(number=n, named=b"other")))) == {}
        rows = list((one.folder / state.ROWS).iterdir())
        assert len(rows) <= 4
    base = next((one.folder / state.ROWS).glob("base-*"))
    count = duckdb.sql(f"select count(*), max(seq) from '{base}/*/*/*.parquet'").fetchall()
    assert count == [(2, 10)]
    assert found(one.window(E[14])) == {"LOS-02": 1}


def test_what_is_older_than_what_is_remembered_is_not_called_disorder(tmp_path: Path) -> None:
    one = Followed(tmp_path / "state", remember=1)
    for n in range(1, 9):
        one.window(E[n])
    assert found(one.window(E[2], E[9])) == {"RUN-13": 1}
    assert found(one.window(E[9])) == {"DUP-01": 1}
    assert found(one.window(E[10])) == {}


def test_what_came_again_from_where_the_reading_begins_is_not_all_that_there_is(tmp_path: Path) -> None:
    one = Followed(tmp_path / "state", remember=1)
    one.window(*E[1:5])
    one.window(*E[5:9])
    (again,) = one.window(*E[5:9]).fresh
    assert "likely cause: a restart:" in again.samples[0].actual


def test_the_second_reading_does_not_go_back_beyond_what_is_remembered(tmp_path: Path) -> None:
    one = Followed(tmp_path / "state", remember=2)
    for n in range(1, 30):
        one.window(E[n])
    one.log.read_again.clear()
    assert found(one.window(E[29])) == {"DUP-01": 1}
    assert max(one.log.read_again) <= 5
    one.log.read_again.clear()
    one.window(E[30])
    assert max(one.log.read_again) == 1


def test_it_begins_where_it_is_told_to_and_forgives_what_was_there_before(tmp_path: Path) -> None:
    log = Growing()
    log.write(*E[1:6])
    one = Followed(tmp_path / "state", log=log, start=Window(Bound(back=0)))
    assert (one.window().result.events, one.window(*E[4:7]).result.events) == (0, 3)
    assert found(one.window(E[3], E[7])) == {}


def test_another_process_goes_on_where_the_last_one_was(followed: Followed) -> None:
    followed.window(*E[1:4])
    followed.again()
    told = followed.window(E[2], E[5])
    assert (told.number, told.result.events, found(told)) == (2, 2, {"DUP-01": 1, "LOS-02": 1})
    followed.again()
    assert (found(followed.window()), len(followed.printed)) == ({}, 3)
    assert followed.follower.state.totals.events == {TOPIC: 5}


class Killed(BaseException):
    """What stops a process wherever it is."""


@pytest.mark.parametrize("step", range(1, 9))
def test_killed_at_any_step_it_loses_and_repeats_nothing(
    followed: Followed, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Every change of a file is a step; the process ends at one of them, and leaves everything as it is."""
    followed.remember = followed.follower.remember = 1
    followed.window(*E[1:4])
    left = [step]

    def counted(change: Any) -> Any:
        def changed(*given: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return change(*given, **named)

        return changed

    with monkeypatch.context() as patched:
        for name in ("rename", "replace", "write_text"):
            patched.setattr(Path, name, counted(getattr(Path, name)))
        try:
            followed.window(E[2], E[5])
        except Killed:
            pass
        else:
            assert step > 6, "every step is reached"
    followed.again()
    followed.window(E[6])
    text = "".join(dict.fromkeys(followed.printed))  # who is killed after a line and before its note prints it again
    assert [text.count(check) for check in ("DUP-01", "LOS-02")] == [1, 1]
    assert followed.follower.state.totals.events == {TOPIC: 6}
    kept = {one.name for one in (followed.folder / state.ROWS).iterdir()}
    assert kept == set(followed.follower.state.folders)


def test_brokers_that_are_away_are_told_of_once_and_the_window_is_judged_later(followed: Followed) -> None:
    followed.window(E[1])
    followed.log.away = True
    told = [followed.window(E[3]), followed.window()]
    assert [(one.judged, one.result.verdict, one.number) for one in told] == [(False, "inconclusive", 2)] * 2
    assert len(followed.said) == 1
    followed.log.away = False
    assert found(followed.window()) == {"LOS-02": 1}
    assert followed.follower.state.totals.problems == 2


def test_what_could_not_be_read_in_time_is_read_by_the_next_window(followed: Followed) -> None:
    followed.log.patience = [False]
    told = followed.window(*E[1:5])
    assert (told.result.events, told.result.verdict, {f.id for f in told.fresh}) == (
        2,
        "inconclusive",
        {"RUN-01", "RUN-11"},
    )
    assert (followed.window().result.events, followed.follower.state.totals.events[TOPIC]) == (2, 4)


def test_doubts_that_could_not_be_settled_leave_the_window_to_the_next(followed: Followed) -> None:
    followed.window(*E[1:5])
    followed.log.patience = [True, False]
    told = followed.window(E[2])
    assert (told.judged, told.result.verdict, told.totals.problems) == (False, "inconclusive", 1)
    assert "not verified" in followed.printed[-1]
    assert (found(followed.window()), followed.follower.state.totals.copies) == ({"DUP-01": 1}, 1)


def test_a_topic_that_was_made_anew_is_not_gone_on_with(followed: Followed) -> None:
    followed.window(*E[1:5])
    followed.log.records = {n: [] for n in range(PARTITIONS)}
    assert not followed.window(E[1]).judged
    assert "ends at" in followed.said[-1]


def test_metrics_are_what_was_counted(followed: Followed) -> None:
    metrics = Metrics("shop")
    assert generate_latest(metrics.registry) == b""
    metrics.ended(followed.window(*E[1:3], E[1]))
    lines = generate_latest(metrics.registry).decode().splitlines()
    for line in (
        'outbox_kit_events_total{service="shop",topic="shop.Order"} 3.0',
        'outbox_kit_copies_total{service="shop"} 1.0',
        'outbox_kit_findings_total{check="DUP-01",service="shop",severity="warning",topic="shop.Order"} 1.0',
        'outbox_kit_windows_total{service="shop",verdict="pass"} 1.0',
        'outbox_kit_windows_total{service="shop",verdict="fail"} 0.0',
        'outbox_kit_verdict{service="shop",verdict="pass"} 1.0',
        'outbox_kit_unread_offsets{partition="0",service="shop",topic="shop.Order"} 0.0',
    ):
        assert line in lines


def test_a_window_in_which_nothing_is_there_keeps_the_verdict(followed: Followed) -> None:
    metrics = Metrics("shop")

    def verdicts(window: WindowResult) -> list[str]:
        metrics.ended(window)
        lines = generate_latest(metrics.registry).decode().splitlines()
        return [
            line.split('verdict="')[1].split('"')[0] for line in lines if line.endswith("} 1.0") and "_verdict{" in line
        ]

    assert verdicts(followed.window(E[1])) == ["pass"]
    assert verdicts(followed.window(E[3], E[2])) == ["fail"]
    assert verdicts(followed.window()) == ["fail"]
    assert verdicts(followed.window(E[4])) == ["pass"]


def test_a_condition_is_told_when_it_begins(followed: Followed) -> None:
    told = [{one.id for one in followed.window(E[n]).fresh} for n in range(1, 4)]
    assert told == [{"RUN-11"}, set(), set()]


def test_a_window_is_one_line_of_json(tmp_path: Path) -> None:
    one = Followed(tmp_path / "state", form="json")
    one.window(*E[1:3], E[1])
    one.log.away = True
    one.window()
    first, second = (json.loads(text) for text in one.printed)
    assert all(text.count("\n") == 1 for text in one.printed)
    assert (first["window"], first["counts"]["events"], first["counts"]["copies"]) == (1, 3, 1)
    assert (second["window"], second["verdict"], second["problem"]["where"]) == (2, "inconclusive", "localhost:1")


def test_a_state_is_one_follower_s_and_one_schema_file_s(followed: Followed) -> None:
    followed.window()
    with (
        state.locked(followed.folder),
        pytest.raises(UsageProblem, match="another verify follow"),
        state.locked(followed.folder),
    ):
        pass
    with pytest.raises(UsageProblem, match="another schema file"):
        state.load(followed.folder, outbox_of(service="other"))
    (followed.folder / state.FILE).write_text("{")
    with pytest.raises(UsageProblem, match="invalid state folder"):
        state.load(followed.folder, OUTBOX)


EVENTS = st.tuples(
    st.sampled_from([b"1", b"2", b"x"]),
    st.integers(1, 6),
    st.sampled_from([b'{"n": 1}'] * 5 + [b'{"n": 2}']),
    st.integers(0, 9),
    st.sampled_from([0] * 9 + [1]),
)


def record(key: bytes, number: int, text: bytes, event_id: int, stray: int) -> Placed:
    made = Record(0, number, text, key, f"00000000-0000-0000-0000-00000000000{event_id}")
    return (partition_of(key, PARTITIONS) + stray) % PARTITIONS, made


def counted(reports: Sequence[Any]) -> Counter[str]:
    return sum((Counter({f.id: f.count for f in one if f.id in ERRORS}) for one in reports), Counter())


APART = ("KEY-05", "DUP-03")


@settings(max_examples=12)
@given(st.lists(st.lists(EVENTS, max_size=8), min_size=1, max_size=6))
@example([[(b"x", 2, b"{}", 4, 0)], [(b"2", 1, b"{}", 4, 1), (b"x", 2, b"{}", 4, 1)]])
def test_windows_find_what_a_bounded_run_finds(windows: list[list[Any]]) -> None:
    with TemporaryDirectory() as folder:
        one = Followed(Path(folder) / "state")
        told = [one.window(*(record(*event) for event in window)) for window in windows]
        whole = one.whole()
        ours, theirs = counted([t.fresh for t in told]), counted([whole.findings])
        assert ours.keys() == theirs.keys()
        # of an event's copies in several partitions, windows know which came first, and a bounded run does not
        assert {c: n for c, n in ours.items() if c not in APART} == {c: n for c, n in theirs.items() if c not in APART}
        assert sum(t.result.copies for t in told) == whole.copies
        assert ours["KEY-05"] >= theirs["KEY-05"]


LIFE = ["OrderPlaced", "OrderPaid", "OrderClosed"]
LIVES = outbox_of(
    events=[
        {"type": "OrderPlaced", "aggregate": "Order", "follows": []},
        {"type": "OrderPaid", "aggregate": "Order", "follows": ["OrderPlaced", "OrderPaid"]},
        {"type": "OrderClosed", "aggregate": "Order"},
    ]
)


@settings(max_examples=10)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from([b"1", b"2"]), st.sampled_from(LIFE)), max_size=5), max_size=8),
    st.integers(1, 3),
)
def test_an_aggregate_s_path_goes_on_from_window_to_window(windows: list[list[Any]], remember: int) -> None:
    numbers: Counter[bytes] = Counter()
    with TemporaryDirectory() as folder:
        one, reports = Followed(Path(folder) / "state", remember, outbox=LIVES), []
        for window in windows:
            placed = []
            for key, kind in window:
                numbers[key] += 1
                placed.append(at_home(Record(0, numbers[key], named=key, changes=(("eventType", kind.encode()),))))
            reports.append(one.window(*placed).fresh)
        whole = {f.id: f.count for f in one.whole().findings}
        assert counted(reports)["ORD-02"] == whole.get("ORD-02", 0)
        assert "ORD-01" not in counted(reports)
