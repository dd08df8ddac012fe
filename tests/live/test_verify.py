"""Every anomaly seeded by hand into a real topic: exactly the expected checks speak up."""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka import read
from outbox_kit.kafka.new_topics import NewTopics
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.transactions import TransactionalProducer
from outbox_kit.schema.model import Outbox
from outbox_kit.stack import Stack
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.run import Verification
from outbox_kit.verify.table import completeness, values
from tests.live.scratch import GOOD, HOME, OTHER, PARTITIONS, Message, Scratch, changed, make
from tests.support.reports import FORMATS, rendered
from tests.support.request import request_of
from tests.support.waiting import create_topics, until


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([GOOD, replace(GOOD, sequence=2, event_id=str(uuid.uuid4()))], {}, id="nothing wrong"),
        pytest.param([Message(value=None, type=b"OrderGone")], {}, id="a declared tombstone"),
        pytest.param([replace(GOOD, key=None)], {"KEY-01": 1}, id="no key"),
        pytest.param([replace(GOOD, key=b"")], {"KEY-01": 1}, id="an empty key"),
        pytest.param([replace(GOOD, key=b'"1"')], {"KEY-03": 1}, id="a quoted key"),
        pytest.param([replace(GOOD, key=b"\xff\xfe")], {"KEY-03": 1}, id="a key that is no text"),
        pytest.param([replace(GOOD, partition=OTHER)], {"KEY-04": 1}, id="a key in the wrong partition"),
        pytest.param(
            [GOOD, Message(sequence=2, partition=OTHER)],
            {"KEY-04": 1, "KEY-05": 1, "ORD-03": 1},
            id="a key in two partitions",
        ),
        pytest.param([changed(GOOD, sequence=None)], {"HDR-01": 1}, id="a header missing"),
        pytest.param([replace(GOOD, headers=(*GOOD.wire(), ("id", b"x")))], {"HDR-02": 1, "HDR-03": 1}, id="two ids"),
        pytest.param([changed(GOOD, id=b"no uuid at abcdefabcdef")], {"HDR-03": 1}, id="an id that is no UUID"),
        pytest.param([GOOD, changed(Message(), sequence=b"one")], {"HDR-03": 1}, id="a sequence that is no number"),
        pytest.param([changed(GOOD, eventType=b'"OrderPlaced"')], {"HDR-04": 1, "RTE-02": 1}, id="a quoted header"),
        pytest.param(
            [changed(GOOD, id=b"36-characters-but-no-id-abcdefabcdef")], {"HDR-03": 1}, id="an id of the length"
        ),
        pytest.param([replace(GOOD, type=b"OrderPlaecd")], {"RTE-02": 1}, id="an undeclared event"),
        pytest.param([replace(GOOD, headers=())], {"RTE-03": 1, "RUN-06": 1}, id="a stray record"),
        pytest.param(
            [replace(GOOD, headers=(), value=b'{"before":null,"after":{},"op":"c","source":{}}')],
            {"RTE-04": 1},
            id="a raw change record",
        ),
        pytest.param([replace(GOOD, value=b"{n: 1}")], {"PAY-01": 1}, id="no JSON"),
        pytest.param([replace(GOOD, value=b"\xff\xfe\x00")], {"PAY-01": 1}, id="bytes"),
        pytest.param([replace(GOOD, value=b'{"n": "one"}')], {"PAY-02": 1}, id="the schema broken"),
        pytest.param([replace(GOOD, value=b'"{\\"n\\": 1}"')], {"PAY-03": 1}, id="JSON in JSON"),
        pytest.param([replace(GOOD, value=b'{"schema":{},"payload":{"n":1}}')], {"PAY-04": 1}, id="a wrapper"),
        pytest.param([replace(GOOD, value=None)], {"PAY-05": 1}, id="an undeclared tombstone"),
        pytest.param([replace(GOOD, value=b"\x00\x00\x00\x00\x07\x02")], {"PAY-06": 1}, id="a registry's frame"),
        pytest.param([replace(GOOD, value=b'"eyJuIjogMX0="')], {"PAY-08": 1}, id="base64 of JSON"),
        pytest.param([changed(GOOD, extra=b"x")], {"HDR-05": 1}, id="a header more"),
        pytest.param(
            [replace(GOOD, value=b'{"n": 1, "x": "' + b"x" * 10_000_000 + b'"}')], {"PAY-10": 1}, id="ten megabytes"
        ),
        pytest.param([Message(sequence=1), Message(sequence=3), Message(sequence=2)], {"ORD-01": 1}, id="disorder"),
        pytest.param([GOOD, GOOD], {"DUP-01": 1}, id="one duplicate"),
        pytest.param([GOOD, replace(GOOD, value=b'{"n": 2}')], {"DUP-01": 1, "DUP-03": 1}, id="one id, two events"),
        pytest.param([GOOD, Message(sequence=1)], {"DUP-04": 1}, id="one number, two events"),
    ],
)
def test_one_anomaly_is_one_finding(scratch: Scratch, messages: list[Message], expected: dict[str, int]) -> None:
    scratch.send(*messages)
    assert scratch.findings() == expected


def test_a_stretch_sent_again_is_a_restart_and_not_disorder(scratch: Scratch) -> None:
    events = [Message(sequence=n) for n in range(1, 9)]
    scratch.send(*events[:6], *events[2:])
    report = scratch.verify()
    assert {f.id: f.count for f in report.findings if f.id != "RUN-11"} == {"DUP-02": 4}
    assert "a restart" in next(f for f in report.findings if f.id == "DUP-02").samples[0].actual
    assert (report.verdict, report.events, report.copies) == ("pass", 12, 4)


def test_exactly_once_makes_a_duplicate_an_error(scratch: Scratch) -> None:
    scratch.send(GOOD, GOOD)
    scratch.outbox = scratch.outbox.model_copy(update={"delivery_guarantee": "exactly-once"})
    assert scratch.verify().verdict == "fail"


def test_an_application_s_numbers_may_have_no_gap(scratch: Scratch) -> None:
    ordering = scratch.outbox.ordering.model_copy(update={"assigned_by": "application"})
    scratch.outbox = scratch.outbox.model_copy(update={"ordering": ordering})
    scratch.send(*(Message(sequence=n) for n in (1, 2, 4, 5)))
    assert scratch.findings() == {"LOS-02": 1}
    scratch.send(Message(sequence=3))
    assert scratch.findings() == {"ORD-01": 1}


def test_without_a_sequence_duplicates_are_still_found_and_order_is_said_to_be_unchecked(scratch: Scratch) -> None:
    ordering = scratch.outbox.ordering.model_copy(update={"sequence": None})
    scratch.outbox = scratch.outbox.model_copy(update={"ordering": ordering})
    one = changed(GOOD, sequence=None)
    scratch.send(one, one, changed(Message(), sequence=None))
    assert scratch.findings() == {"ORD-05": 1, "DUP-01": 1}


def test_a_quiet_service_s_cleaned_rows_are_no_phantoms() -> None:
    outbox = Outbox.model_validate(
        {"service": "s", "database": {"dialect": "postgres"}, "events": [{"type": "A", "aggregate": "B"}]}
    )
    day = 86_400_000
    now = 100 * day
    assert values.covered_since(outbox, now - 2 * day, now) == now - 2 * day  # older messages' rows may be gone
    assert values.covered_since(outbox, now - 9 * day, now) == now - 7 * day
    assert values.covered_since(outbox, None, now) is None


def test_an_event_on_another_declared_topic_and_an_undeclared_topic_are_named(
    scratch: Scratch, admin: AdminClient
) -> None:
    declared = scratch.outbox.model_dump(by_alias=True)
    declared["events"] = [*declared["events"], {"type": "CartOpened", "aggregate": "Cart"}]
    scratch.outbox = Outbox.model_validate(declared)
    cart, stranger = (f"{scratch.outbox.service}.{name}" for name in ("Cart", "Stranger"))
    make(admin, cart)
    make(admin, stranger)
    scratch.send(GOOD, Message(topic=cart))
    assert scratch.findings() == {"RTE-01": 1, "RTE-05": 1}


def test_a_topic_that_is_not_there_and_one_without_events_are_inconclusive(scratch: Scratch) -> None:
    assert (scratch.findings(), scratch.verify().verdict) == ({"RUN-06": 1}, "inconclusive")
    routing = scratch.outbox.routing.model_copy(update={"topic": "{service}.not.there.{aggregate}"})
    scratch.outbox = scratch.outbox.model_copy(update={"routing": routing})
    assert scratch.findings() == {"RUN-06": 1, "RUN-08": 1}


def transactional(
    stack: Stack, topic: str, messages: list[Message], end: Callable[[Producer], None], name: str = ""
) -> Producer:
    producer = Producer({"bootstrap.servers": stack.bootstrap, "transactional.id": name or str(uuid.uuid4())})
    producer.init_transactions(30)
    producer.begin_transaction()
    for message in messages:
        producer.produce(topic, message.value, message.key, 0, headers=message.wire())
    producer.flush(30)
    end(producer)
    return producer


def test_the_reading_ends_behind_commit_and_abort_markers_and_before_an_open_transaction(scratch: Scratch) -> None:
    key = next(k for k in map(str, range(99)) if partition_of(k.encode(), PARTITIONS) == 0).encode()
    numbered = [Message(key=key, sequence=n) for n in range(1, 12)]
    transactional(scratch.stack, scratch.topic, numbered[:5], lambda p: p.commit_transaction(30))
    assert (scratch.findings(), scratch.verify().events) == ({"RUN-05": 1}, 5)
    transactional(scratch.stack, scratch.topic, numbered[5:9], lambda p: p.abort_transaction(30))
    assert (scratch.findings(), scratch.verify().events) == ({"RUN-05": 6}, 5)
    open_one = transactional(scratch.stack, scratch.topic, numbered[9:], lambda _: None)
    report = scratch.verify()
    assert [f.id for f in report.findings] == ["RUN-04", "RUN-05", "RUN-11"]
    assert (report.verdict, report.events) == ("inconclusive", 5)
    open_one.abort_transaction(30)
    assert scratch.findings().keys() == {"RUN-05"}


@dataclass(frozen=True)
class Restarting(read.Cluster):
    """A log whose producer is started again when its ends are looked at for the third time."""

    restart: Callable[[], None] = lambda: None
    kept_back: list[int] = field(default_factory=list)
    """How many offsets the open transaction has kept back at each look."""

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[read.Range]:
        if len(self.kept_back) == 2:
            self.restart()
        ranges = super().pin(partitions)
        self.kept_back.append(sum(r.hidden for r in ranges))
        return ranges


def test_an_open_transaction_is_waited_for_and_a_restarted_producer_ends_it_at_once(scratch: Scratch) -> None:
    """As that of a relay that was killed: the next one has its transactional id."""
    bootstrap, name = scratch.stack.bootstrap, f"{scratch.topic}.position"
    transactional(scratch.stack, scratch.topic, [GOOD], lambda p: p.commit_transaction(30))
    transactional(scratch.stack, scratch.topic, [Message(sequence=2)], lambda _: None, name)
    producer = TransactionalProducer(read.Cluster(bootstrap), name, {}, NewTopics(1, 1))
    log = Restarting(bootstrap, restart=producer.open)
    report = Verification(request_of(scratch.outbox, log, timeout=60), lambda _: None).run()
    producer.close()
    assert log.kept_back[:3] == [1, 1, 0]
    assert ([f.id for f in report.findings], report.events) == (["RUN-05", "RUN-11"], 1)


def test_a_producer_that_goes_on_does_not_move_the_end(scratch: Scratch) -> None:
    scratch.send(*(Message(sequence=n) for n in range(1, 101)))
    log = read.Cluster(scratch.stack.bootstrap)
    reading = read.Reading(log.pin([(scratch.topic, p) for p in range(PARTITIONS)]))
    seen = 0
    for number, (_, _, records) in enumerate(log.read(reading, time.monotonic() + 60)):
        seen += len(records)
        if number == 0:
            scratch.send(*(Message(sequence=n) for n in range(101, 151)))
    assert (seen, reading.complete) == (100, True)


def test_interrupted_it_still_says_what_it_has(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch.send(*(Message(sequence=n) for n in range(1, 11)))
    whole = Examination.take

    def interrupted(self: Examination, *arguments: object) -> None:
        whole(self, *arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(Examination, "take", interrupted)
    report = scratch.verify()
    assert (report.verdict, [f.id for f in report.findings]) == ("inconclusive", ["RUN-01"])
    assert json.loads(rendered("json", report))["run"]["interrupted"] is True


def test_every_report_says_the_same_and_none_shows_a_payload(scratch: Scratch) -> None:
    scratch.send(GOOD, replace(GOOD, value=b'{"n": "a secret"}'), Message(key=b"\x00\x01", value=b"<secret/>"))
    report = scratch.verify()
    texts = {name: rendered(name, report) for name in FORMATS}
    assert all("secret" not in text for text in texts.values())
    found = json.loads(texts["json"])
    assert found["verdict"] == "fail"
    suites = xml.fromstring(texts["junit"].split("\n", 1)[1])  # noqa: S314 - our own
    failed = {case.get("name", "")[:6] for case in suites.iter("testcase") if case.find("failure") is not None}
    assert failed == {f["id"] for f in found["findings"] if f["severity"] == "error"}
    assert all(f["id"] in texts["text"] and f["id"] in texts["html"] for f in found["findings"])


def test_a_traceparent_has_its_form(scratch: Scratch) -> None:
    declared = scratch.outbox.model_dump(by_alias=True)
    declared["table"]["extra"] = [{"name": "traceparent", "required": False}]
    scratch.outbox = Outbox.model_validate(declared)
    good = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    scratch.send(changed(GOOD, traceparent=good), changed(Message(sequence=2), traceparent=b"00-0-0-01"))
    assert scratch.findings() == {"HDR-07": 1}


def test_topics_that_are_compacted_or_forget_too_soon_are_named(scratch: Scratch, admin: AdminClient) -> None:
    declared = scratch.outbox.model_dump(by_alias=True)
    declared["events"] = [*declared["events"], {"type": "CartOpened", "aggregate": "Cart"}]
    scratch.outbox = Outbox.model_validate(declared)
    cart = f"{scratch.outbox.service}.Cart"
    create_topics(admin, cart, partitions=PARTITIONS, cleanup_policy="compact,delete", retention_ms="3600000")
    scratch.send(GOOD)
    assert scratch.findings() == {"CFG-04": 1, "CFG-05": 1}


@dataclass(frozen=True)
class Disturbed(read.Cluster):
    """A log to which something happens when it has been read."""

    disturb: Callable[[], None] = lambda: None

    def read(self, reading: read.Reading, deadline: float) -> Iterator[tuple[str, int, list[Any]]]:
        yield from super().read(reading, deadline)
        self.disturb()


def disturbed(scratch: Scratch, disturb: Callable[[], None]) -> dict[str, int]:
    log = Disturbed(scratch.stack.bootstrap, disturb=disturb)
    report = Verification(request_of(scratch.outbox, log, timeout=60, settle=1), lambda _: None).run()
    return {f.id: f.count for f in report.findings if f.id != "RUN-11"}


def test_partitions_that_are_added_meanwhile_are_noticed(scratch: Scratch, admin: AdminClient) -> None:
    def more() -> None:
        admin.create_partitions([NewPartitions(scratch.topic, PARTITIONS + 1)])[scratch.topic].result()
        until(lambda: len(admin.list_topics(timeout=60).topics[scratch.topic].partitions) == PARTITIONS + 1)

    scratch.send(GOOD)
    assert disturbed(scratch, more) == {"RUN-09": 1}


def test_a_topic_that_is_gone_meanwhile_is_noticed(scratch: Scratch, admin: AdminClient) -> None:
    def gone() -> None:
        admin.delete_topics([scratch.topic])[scratch.topic].result()
        until(lambda: scratch.topic not in admin.list_topics(timeout=60).topics)

    scratch.send(GOOD)
    assert disturbed(scratch, gone) == {"RUN-09": 1}
    make(admin, scratch.topic)


def test_a_log_that_lost_its_newest_records_is_noticed(scratch: Scratch, admin: AdminClient) -> None:
    def anew() -> None:
        admin.delete_topics([scratch.topic])[scratch.topic].result()
        until(lambda: scratch.topic not in admin.list_topics(timeout=60).topics)
        make(admin, scratch.topic)

    scratch.send(GOOD)
    assert disturbed(scratch, anew) == {"RUN-03": 1}


def test_retention_that_moves_on_meanwhile_is_noticed(scratch: Scratch, admin: AdminClient) -> None:
    def gone() -> None:
        place = TopicPartition(scratch.topic, partition_of(b"1", PARTITIONS), 2)
        admin.delete_records([place])[place].result()

    scratch.send(*(Message(sequence=n) for n in (1, 2, 3)))
    assert disturbed(scratch, gone) == {"RUN-02": 1}


def test_one_record_is_shown_with_all_that_is_wrong_with_it(
    scratch: Scratch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(json.dumps(scratch.outbox.model_dump(by_alias=True, mode="json")))
    scratch.send(GOOD, Message(sequence=2, key=b'"1"', value=b'{"n": "\x1b[2J"}', partition=0))
    home = partition_of(b"1", PARTITIONS)

    def inspect(*arguments: str) -> Any:
        return CliRunner().invoke(app, ["verify", "inspect", "-b", scratch.stack.bootstrap, *arguments])

    fine = inspect(f"{scratch.topic}-{home}@0", "--show-value")
    assert (fine.exit_code, '{"n": 1}' in fine.stdout) == (0, True)
    offset = 1 if home == 0 else 0
    bad = inspect(f"{scratch.topic}:0:{offset}", "--show-value")
    assert bad.exit_code == 1
    assert "error KEY-03" in bad.stdout
    assert "error PAY-02" in bad.stdout or "error PAY-01" in bad.stdout
    assert "\x1b" not in bad.stdout
    assert inspect(f"{scratch.topic}-{home}@99").exit_code == 2
    assert inspect("nonsense-0@0").exit_code == 2


def test_the_selftest_finds_exactly_what_it_has_seeded(stack: Stack, admin: AdminClient) -> None:
    result = CliRunner().invoke(app, ["verify", "selftest", "-b", stack.bootstrap])
    assert result.exit_code == 0, result.output
    assert "all as expected" in result.stdout
    until(lambda: not [name for name in admin.list_topics(timeout=60).topics if name.startswith("outbox-kit-selftest")])


def test_a_later_run_goes_on_where_the_last_one_ended(scratch: Scratch, tmp_path: Path) -> None:
    file, ends = tmp_path / "outbox.yaml", tmp_path / "ends.json"
    file.write_text(scratch.outbox.model_dump_json(by_alias=True, exclude_unset=True))
    common = ["verify", "-f", str(file), "-b", scratch.stack.bootstrap, "--no-table", "--offsets-out", str(ends)]
    scratch.send(changed(GOOD, id=b"x"), replace(GOOD, sequence=2))
    first = CliRunner().invoke(app, common)
    assert (first.exit_code, json.loads(ends.read_text())["offsets"][scratch.topic][str(HOME)]) == (1, 2), first.output
    scratch.send(replace(GOOD, sequence=3, event_id=str(uuid.uuid4())))
    later = CliRunner().invoke(app, [*common, "--from", f"offsets:{ends}"])
    assert (later.exit_code, "1 event of 1 aggregate" in later.output) == (0, True), later.output
    assert json.loads(ends.read_text())["offsets"][scratch.topic][str(HOME)] == 3
    earlier = CliRunner().invoke(app, [*common, "--from", "end-2", "--to", "ts:2000-01-01T00:00:00Z"])
    assert (earlier.exit_code, "RUN-06" in earlier.output) == (3, True), earlier.output


def test_an_application_s_own_ledger_tells_what_is_lost_torn_and_rolled_back(
    scratch: Scratch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(completeness, "QUIET_SECONDS", 1.0)
    sent = [replace(GOOD, sequence=n, event_id=str(uuid.uuid4())) for n in (1, 2, 3)]
    scratch.send(*sent)
    good, undone, unsure = (message.event_id for message in sent)
    gone = str(uuid.uuid4())
    ledger = tmp_path / "ledger.ndjson"
    lines = [
        {"id": good, "transaction": "a", "key": "1"},
        {"id": gone, "transaction": "a", "key": "1"},
        {"id": undone, "transaction": "b", "outcome": "rolled_back"},
        {"id": unsure, "transaction": "c", "outcome": "unknown"},
    ]
    ledger.write_text("\n".join(map(json.dumps, lines)))
    report = scratch.verify(record=PublishedLog(ledger, scratch.outbox), catch_up=5)
    assert {f.id: f.count for f in report.findings} == {"LOS-01": 1, "LOS-04": 1, "LOS-06": 1}
    assert gone in str(report.findings) and undone in str(report.findings)
    ledger.write_text(json.dumps(lines[0]))
    assert scratch.verify(record=PublishedLog(ledger, scratch.outbox)).verdict is Verdict.passed
