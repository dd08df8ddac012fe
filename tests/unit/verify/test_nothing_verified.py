"""A topic on which no record could be verified is never a pass, whatever its records are."""

from typing import Any

import pytest

from outbox_kit.findings.baseline import baseline, document
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.verify.record import CANARY
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.wire.connector_topics import connector_topics
from tests.support.records import TOPIC, Record, outbox_of
from tests.support.request import request_of

EVENT = {"id", "eventType", "aggregateType", "sequence"}


def verified(own: Outbox, *records: Record, topic: str = TOPIC, **asked: Any) -> tuple[Result, dict[str, str]]:
    """A run over captured records, and its findings: each check with the topic it is about."""
    least = own.connect.topics.partitions
    log = [
        CapturedMessage(
            (topic, partition_of(one.key() or b"", least) if one.key() else 0, at),
            one.key(),
            one.value(),
            one.headers(),
            one.timestamp()[1],
        )
        for at, one in enumerate(records)
    ]
    report = Verification(request_of(own, CapturedLog(own, log), **asked), lambda _: None).run()
    return report, {one.id: one.subject for one in report.findings if one.id not in ("RUN-11", "PAY-11")}


def renamed(n: int) -> Record:
    """An event whose header `id` has another name."""
    record = Record(n, n, without=("id",))
    return Record(n, n, without=("id",), more=(("eventId", record.event_id.encode()),))


def canary() -> Record:
    aggregate, kind = CANARY
    return Record(changes=(("aggregateType", aggregate), ("eventType", kind)))


ALL = tuple(EVENT)


@pytest.mark.parametrize(
    ("records", "expected", "verdict"),
    [
        pytest.param([renamed(n) for n in range(40)], {"HDR-01"}, Verdict.failed, id="no header id"),
        pytest.param([Record(n, without=ALL) for n in range(3)], {"RTE-03", "RUN-06"}, Verdict.inconclusive, id="bare"),
        pytest.param(
            [Record(without=ALL, more=(("traceparent", b"x"),))],
            {"RTE-03", "RUN-06"},
            Verdict.inconclusive,
            id="somebody else's",
        ),
        pytest.param(
            [Record(without=ALL, text=None)], {"RTE-03", "RUN-06"}, Verdict.inconclusive, id="bare tombstones"
        ),
        pytest.param([Record(named=None)], {"KEY-01"}, Verdict.failed, id="no key"),
        pytest.param([Record(changes=(("eventType", b"Other"),))], {"RTE-02"}, Verdict.failed, id="undeclared"),
        pytest.param([canary()], {"RUN-06"}, Verdict.inconclusive, id="canaries"),
        pytest.param([], {"RUN-06"}, Verdict.inconclusive, id="nothing"),
        pytest.param([Record(without=ALL), Record(1)], {"RTE-03"}, Verdict.passed, id="an event among others"),
        pytest.param([renamed(0), Record(1)], {"HDR-01"}, Verdict.failed, id="an event among those without an id"),
    ],
)
def test_what_was_not_verified_is_no_pass(records: list[Record], expected: set[str], verdict: Verdict) -> None:
    report, found = verified(outbox_of(), *records)
    assert (set(found), report.verdict) == (expected, verdict)


def test_it_is_said_of_the_topic_even_where_another_one_is_well() -> None:
    own = outbox_of(events=[{"type": "OrderPlaced", "aggregate": name} for name in ("Order", "Cart")])
    bare = CapturedMessage(("shop.Cart", 0, 0), b"1", b"{}", [], 0)
    event = Record()
    good = CapturedMessage((TOPIC, partition_of(b"1", 6), 0), b"1", event.value(), event.headers(), 0)
    report = Verification(Request(own, CapturedLog(own, [bare, good]), None), lambda _: None).run()
    assert {(one.id, one.subject) for one in report.findings if one.id == "RUN-06"} == {("RUN-06", "shop.Cart")}
    assert (report.verdict, report.events) == (Verdict.inconclusive, 1)


def test_weighing_the_errors_otherwise_makes_no_pass_of_it() -> None:
    other = Record(changes=(("eventType", b"Other"),))
    report, _ = verified(outbox_of(), other, policy=Policy({"RTE-02": Severity.info}))
    assert report.verdict is Verdict.inconclusive


def test_findings_that_are_known_make_no_pass_of_it() -> None:
    other = Record(changes=(("eventType", b"Other"),))
    first, _ = verified(outbox_of(), other)
    known = Policy(baseline=baseline(document("verify", first.findings), "verify"))
    report, found = verified(outbox_of(), other, policy=known)
    assert (set(found), report.verdict) == ({"RTE-02", "RUN-06"}, Verdict.inconclusive)


def test_heartbeats_that_were_captured_too_are_nobody_s_events() -> None:
    own = outbox_of()
    report, found = verified(own, Record(without=ALL), topic=connector_topics(own).heartbeat)
    assert (found, report.verdict) == ({"RUN-06": "*"}, Verdict.inconclusive)


def test_a_record_with_a_member_payload_that_is_no_object_is_only_a_stray() -> None:
    _, found = verified(outbox_of(), Record(), Record(1, without=ALL, text=b'{"payload": "x"}'))
    assert set(found) == {"RTE-03"}
