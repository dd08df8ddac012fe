"""A topic that was changed on purpose: events on a previous topic are delivered, and what is unknown is not judged."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.findings import baseline
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Range
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.table import completeness
from tests.support.reports import outcome, rendered
from tests.support.request import request_of

NOON = 1_700_000_000_000
PARTITIONS, KEY = 6, "1"
HOME = partition_of(KEY.encode(), PARTITIONS)
REGIONS = {"extra": [{"name": "region"}]}
OLD, OLDER, NEW, OTHER = "shop.Order", "legacy", "shop.Order.v2", "shop.Customer.v2"


def outbox_of(previous: Sequence[str] = ("shop.{aggregate}",), **changes: Any) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": "postgres"},
            "routing": {"topic": "{service}.{aggregate}.v2", "previous_topics": list(previous)},
            "events": [
                {"type": "OrderPlaced", "aggregate": "Order", "initial": True},
                {"type": "OrderPaid", "aggregate": "Order", "follows": ["OrderPlaced"]},
            ],
            **changes,
        }
    )


@dataclass(frozen=True)
class Event:
    """An event of one aggregate, so many seconds after noon. topic: None if it has no message."""

    number: int
    topic: str | None
    second: int
    offset: int = 0
    kind: str = "OrderPlaced"
    aggregate: str = "Order"
    more: Sequence[tuple[str, bytes | None]] = ()
    """Headers beside the usual ones."""

    @property
    def event_id(self) -> str:
        return f"00000000-0000-4000-8000-{self.number:012}"

    def row(self) -> str:
        values = {"id": self.event_id, "key": KEY, "type": self.kind, "aggregate": self.aggregate}
        return json.dumps({**values, "sequence": self.number, "at": NOON + self.second * 1000})

    def message(self) -> CapturedMessage:
        headers: list[tuple[str, bytes | None]] = [
            ("id", self.event_id.encode()),
            ("eventType", self.kind.encode()),
            ("aggregateType", self.aggregate.encode()),
            ("sequence", str(self.number).encode()),
            *self.more,
        ]
        place = self.topic or "", HOME, self.offset
        return CapturedMessage(place, KEY.encode(), b'{"n": 1}', headers, NOON + self.second * 1000)


@dataclass
class Topics(CapturedLog):
    """Messages as a cluster shows them. lows: the first offset of a topic's partitions that retention left."""

    outbox: Outbox
    records: Sequence[CapturedMessage]
    lows: Mapping[str, int] = field(default_factory=dict)
    retention: str = "-1"
    all_topics = False

    def __post_init__(self) -> None:
        super().__init__(self.outbox, self.records)
        self._topics |= dict.fromkeys(self.lows, PARTITIONS)

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        return {name: {"cleanup.policy": "delete", "retention.ms": self.retention} for name in names}

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        lows = {r: self.lows.get(r.topic, 0) if r.partition == HOME else 0 for r in super().pin(partitions)}
        return [replace(r, start=low, end=max(low, r.end)) for r, low in lows.items()]


def verified(
    folder: Path,
    events: Sequence[Event],
    own: Outbox | None = None,
    lows: Mapping[str, int] | None = None,
    **asked: Any,
) -> Result:
    own, file = own or outbox_of(), folder / "published.ndjson"
    rows = {event.event_id: event.row() for event in reversed(events)}
    file.write_text("\n".join(rows.values()))
    log = Topics(own, [event.message() for event in events if event.topic], lows or {}, asked.pop("retention", "-1"))
    request = request_of(own, log, settle=0, record=PublishedLog(file, own), catch_up=0, **asked)
    return Verification(request, lambda _: None).run()


def errors(result: Result) -> dict[str, list[str]]:
    """The findings that fail, with the places they were seen at."""
    return {
        finding.id: sorted({str(sample.location) for sample in finding.samples})
        for finding in result.findings
        if finding.severity in ("error", "inconclusive")
    }


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completeness, "QUIET_SECONDS", 0)


BEFORE = [Event(1, OLD, 0), Event(2, OLD, 1, 1)]
AFTER = [Event(3, NEW, 600), Event(4, NEW, 601, 1)]


def test_events_on_a_previous_topic_are_delivered(tmp_path: Path) -> None:
    result = verified(tmp_path, [*BEFORE, *AFTER])
    assert (errors(result), result.topics, result.previous) == ({}, {OLD: 2, NEW: 2}, {OLD})
    assert [outcome(result, check) for check in ("RTE-01", "LOS-01", "ORD-01", "KEY-04")] == ["passed"] * 4
    assert "shop.Order (2 messages in 6 partitions, previous topic)" in rendered("text", result)
    assert "shop.Order (previous)" in rendered("html", result)
    topics = json.loads(rendered("json", result))["topics"]
    assert {topic["name"]: topic["previous"] for topic in topics} == {OLD: True, NEW: False}


def test_members_of_payloads_are_examined_on_previous_topics_too(tmp_path: Path) -> None:
    properties = {"m": {"type": "integer"}}
    event = {"type": "OrderPlaced", "aggregate": "Order", "payload": {"type": "object", "properties": properties}}
    result = verified(tmp_path, [*BEFORE, *AFTER], outbox_of(events=[event]))
    places = {(finding.id, str(sample.location)) for finding in result.findings for sample in finding.samples}
    assert {("PAY-10", OLD), ("PAY-10", NEW), ("PAY-11", NEW)} == {(i, p) for i, p in places if i[:5] == "PAY-1"}


def test_without_the_key_the_same_events_are_lost(tmp_path: Path) -> None:
    result = verified(tmp_path, [*BEFORE, *AFTER], outbox_of(()))
    assert set(errors(result)) == {"LOS-01"}


def test_order_is_judged_within_a_topic_and_not_checked_across_topics(tmp_path: Path) -> None:
    swapped = [Event(2, OLD, 0), Event(1, OLD, 1, 1), *AFTER]
    own = outbox_of(ordering={"assigned_by": "application"})
    result = verified(tmp_path, swapped, own)
    assert errors(result) == {"ORD-01": [f"{OLD}-{HOME}@1"]}
    reason = "an aggregate may have events on a previous topic: see routing.previous_topics"
    assert result.why_unchecked(CHECKS.get("LOS-02")) == reason


PAID = Event(3, NEW, 600, kind="OrderPaid")
PAID_AGAIN = Event(4, NEW, 601, 1, kind="OrderPaid")
BY_DATABASE: dict[str, Any] = {}
BY_APPLICATION = {"ordering": {"assigned_by": "application"}}


@pytest.mark.parametrize("numbers", [BY_DATABASE, BY_APPLICATION])
def test_a_step_between_two_events_of_one_topic_is_judged(tmp_path: Path, numbers: dict[str, Any]) -> None:
    result = verified(tmp_path, [*BEFORE, PAID, PAID_AGAIN], outbox_of(**numbers))
    assert errors(result) == {"ORD-02": [f"{NEW}-{HOME}@1"]}
    assert result.findings[0].samples[0].actual == "after OrderPaid"


OVERLAPPING = "an aggregate's events on this topic and on another one of its topics may overlap in time"


@pytest.mark.parametrize(
    ("events", "topics"),
    [
        pytest.param([*BEFORE, PAID, Event(5, OLD, 601, 2), replace(PAID_AGAIN, second=602)], {OLD, NEW}, id="between"),
        pytest.param([replace(PAID, second=-9), *BEFORE, PAID_AGAIN], {OLD, NEW}, id="moved back"),
        pytest.param([PAID, PAID_AGAIN], {NEW}, id="deleted"),
    ],
)
def test_a_step_is_not_judged_if_an_event_between_may_be_on_the_other_topic(
    tmp_path: Path, events: list[Event], topics: set[str]
) -> None:
    result = verified(tmp_path, events)
    assert "ORD-02" not in errors(result)
    assert {
        topic for topic in result.topics if result.why_unchecked(CHECKS.get("ORD-02"), topic) == OVERLAPPING
    } == topics


def test_a_missing_number_tells_that_an_event_is_on_another_topic(tmp_path: Path) -> None:
    events = [replace(PAID, second=-100), *BEFORE, replace(PAID_AGAIN, number=5)]
    assert errors(verified(tmp_path, events, outbox_of(**BY_APPLICATION))) == {}


def test_events_of_an_aggregate_that_were_on_several_topics_at_a_time_are_not_judged(tmp_path: Path) -> None:
    events = [Event(1, "by.OrderPlaced", 0), Event(2, "by.OrderPaid", 1, kind="OrderPaid")]
    again = [Event(3, "by.OrderPlaced", 2, 1), Event(4, "by.OrderPaid", 3, 1, kind="OrderPaid")]
    result = verified(tmp_path, [*events, *again], outbox_of(("by.{type}",)))
    assert errors(result) == {}
    assert "more than one topic" in result.why_unchecked(CHECKS.get("ORD-02"), "by.OrderPaid")


def test_a_topic_may_begin_in_the_middle_of_an_aggregate_s_life(tmp_path: Path) -> None:
    own = outbox_of(ordering={"assigned_by": "application"})
    result = verified(tmp_path, [Event(1, OLD, 0), Event(2, NEW, 600, kind="OrderPaid")], own)
    assert errors(result) == {}


def test_an_event_that_a_restart_sent_to_the_new_topic_too_is_a_duplicate(tmp_path: Path) -> None:
    again = Event(2, NEW, 300)
    result = verified(tmp_path, [*BEFORE, again, *(replace(event, offset=event.offset + 1) for event in AFTER)])
    assert (errors(result), result.copies) == ({}, 1)
    (duplicate,) = [finding for finding in result.findings if finding.id == "DUP-01"]
    assert duplicate.samples[0].actual == f"a duplicate of {OLD}-{HOME}@1, from before its topic was changed"


def test_an_event_that_is_sent_to_the_previous_topic_after_the_new_one_has_two_producers(tmp_path: Path) -> None:
    result = verified(tmp_path, [*BEFORE, *AFTER, Event(3, OLD, 700, 2)])
    assert errors(result) == {"DUP-05": [f"{OLD}-{HOME}@2"]}


def test_several_previous_topics_and_one_of_them_is_the_topic_of_another_event(tmp_path: Path) -> None:
    events = [
        {"type": "OrderPlaced", "aggregate": "Order"},
        {"type": "CustomerAdded", "aggregate": "Customer"},
    ]
    own = outbox_of((OLDER, "shop.{aggregate}", OTHER), events=events)
    here = [Event(1, OLDER, 0), Event(2, OTHER, 1), Event(3, OLD, 2), Event(4, NEW, 600)]
    customers = [Event(5, OTHER, 3, 1, "CustomerAdded", "Customer"), Event(6, NEW, 700, 1, "CustomerAdded", "Customer")]
    result = verified(tmp_path, [*here, *customers], own)
    assert errors(result) == {"RTE-01": [f"{NEW}-{HOME}@1"]}  # which is no previous topic of a customer's event
    assert result.previous == {OLDER, OLD, "shop.Customer"}


LOST_BEFORE, LOST_AFTER = Event(8, None, 2), Event(9, None, 700)


def test_a_row_that_is_on_neither_topic_is_lost(tmp_path: Path) -> None:
    result = verified(tmp_path, [*BEFORE, *AFTER, LOST_BEFORE, LOST_AFTER])
    (finding,) = [finding for finding in result.findings if finding.id == "LOS-01"]
    assert (finding.count, finding.subject) == (2, NEW)


def test_if_the_previous_topic_was_deleted_only_rows_from_after_the_change_are_judged(tmp_path: Path) -> None:
    gone = [replace(event, topic=None) for event in BEFORE]
    result = verified(tmp_path, [*gone, *AFTER])
    assert errors(result) == {}
    assert result.compared is not None and result.compared.unjudged == 2
    note = f"the previous topic '{OLD}' does not exist: the loss of older rows is not checked"
    assert note in result.notes and outcome(result, "LOS-01") == "not checked"
    lost = verified(tmp_path, [*gone, *AFTER, LOST_AFTER])
    (finding,) = [finding for finding in lost.findings if finding.id == "LOS-01"]
    assert finding.count == 1 and "000000000009" in finding.samples[0].expected


@pytest.mark.parametrize(("kept", "unjudged"), [((), 2), ((Event(2, OLD, 400, 1),), 1)])
def test_if_retention_shortened_the_previous_topic_older_rows_are_not_judged(
    tmp_path: Path, kept: tuple[Event, ...], unjudged: int
) -> None:
    gone = [replace(event, topic=None) for event in BEFORE if event.number not in {k.number for k in kept}]
    lows = {OLD: 1 if kept else 2}
    result = verified(tmp_path, [*gone, *kept, *AFTER, LOST_AFTER], lows=lows, retention="1000")
    assert result.compared is not None and result.compared.unjudged == unjudged
    assert (set(errors(result)), result.findings[0].count) == ({"LOS-01"}, 1)
    assert any(f"the previous topic '{OLD}' does not begin at offset 0" in note for note in result.notes)
    assert {finding.subject for finding in result.findings if finding.id == "CFG-05"} == {NEW}


def test_after_the_change_the_previous_topic_has_no_new_messages(tmp_path: Path) -> None:
    undone = Event(5, OLD, 900, 2)
    (note,) = verified(tmp_path, [*BEFORE, *AFTER, undone]).notes[-1:]
    assert note.startswith(f"the previous topic '{OLD}' has messages up to 2023-11-14 22:28:20")
    assert note.endswith("the change was undone, or two connectors publish the table")
    assert not any("up to" in note for note in verified(tmp_path, [*BEFORE, *AFTER]).notes)


def test_the_offsets_of_before_the_change_continue_on_both_topics(tmp_path: Path) -> None:
    """The rows of before the offsets were judged by the run that wrote them."""
    offsets = {OLD: {str(n): 2 * (n == HOME) for n in range(PARTITIONS)}}
    window = Window(Bound(offsets=offsets, began_ms=NOON + 120_000))
    later = Event(7, OLD, 200, 2)
    result = verified(tmp_path, [*BEFORE, later, *AFTER, replace(LOST_BEFORE, second=300)], window=window)
    (finding,) = [finding for finding in result.findings if finding.severity == "error"]
    assert (finding.id, finding.count, result.topics) == ("LOS-01", 1, {OLD: 1, NEW: 2})
    assert "000000000008" in finding.samples[0].expected


def test_a_previous_topic_that_may_not_be_seen_was_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Topics, "hidden", lambda _, names: dict.fromkeys(set(names) & {OLD}, "no permission"))
    result = verified(tmp_path, AFTER)
    assert errors(result) == {"RUN-07": [OLD]}
    assert not any("does not exist" in note for note in result.notes)


def test_rows_that_choose_their_topics_had_previous_ones(tmp_path: Path) -> None:
    own = outbox_of((OLDER,), routing={"topic": "by.{region}", "previous_topics": [OLDER]}, table=REGIONS)
    eu = [("region", b"eu")]
    events = [Event(1, OLDER, 0, more=eu), Event(2, "by.eu", 600, more=eu), Event(3, "by.us", 700, more=eu)]
    result = verified(tmp_path, events, own)
    assert errors(result) == {"RTE-01": [f"by.us-{HOME}@0"]}
    assert result.topics == {"by.eu": 1, "by.us": 1, OLDER: 1}


def test_the_canary_s_former_topic_is_no_topic_of_events(tmp_path: Path) -> None:
    own = outbox_of(("{service}.{aggregate}.v1.v2",))
    canary = Event(9, "shop.outbox-kit.canary.v1.v2", 0, kind="Canary", aggregate="outbox-kit.canary")
    result = verified(tmp_path, [*AFTER, canary], own)
    assert "RTE-05" not in {finding.id for finding in result.findings}


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_every_engine_reports_the_same(tmp_path: Path, engine: str) -> None:
    events = [Event(2, OLD, 0), Event(1, OLD, 1, 1), *AFTER, Event(4, NEW, 602, 2), Event(3, OLD, 700, 2)]
    found = errors(verified(tmp_path, events, engine=engine))
    assert found == {"ORD-01": [f"{OLD}-{HOME}@1"], "DUP-05": [f"{OLD}-{HOME}@2"]}


def test_an_accepted_finding_on_a_previous_topic_stays_accepted(tmp_path: Path) -> None:
    odd = Event(7, OLD, 2, 2, "OrderBurned")
    first = verified(tmp_path, [*BEFORE, odd, *AFTER])
    assert set(errors(first)) == {"RTE-02"}
    accepted = Policy(baseline=baseline.baseline(baseline.document("verify", first.findings), "verify"))
    assert verified(tmp_path, [*BEFORE, odd, *AFTER], policy=accepted).verdict is Verdict.passed
