"""What could not be asked, or gave no answer: it is said, and is no pass."""

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result as Invocation

from outbox_kit.cli import verify_request as command
from outbox_kit.errors import ConnectUnreachable
from outbox_kit.findings.finding import Collector
from outbox_kit.kafka.read import Range
from outbox_kit.verify.checks import CHECKS, configuration
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading.captured import CapturedLog, messages
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import RUN, Coverage, Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.table.circumstances import Circumstances, empty
from outbox_kit.verify.table.comparison import Lost
from outbox_kit.wire.routes import Routes
from tests.support.cli import invoke
from tests.support.records import outbox_of
from tests.support.reports import rendered
from tests.unit.verify.spoken import SCHEMA, message

OUTBOX = outbox_of({"type": "object"}, routing={"topic": "outbox.event.{aggregate}"})
OWN = "connect: {config: {transforms: 'outbox,own', transforms.own.type: com.example.Own}}\n"
HOUR = 3_600_000


def log(**changes: Any) -> CapturedLog:
    return messages(json.dumps([message(1, **changes)]), OUTBOX)


@pytest.fixture
def verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command, on a log that needs no broker."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "cluster", lambda *_: log())
    for variable in ("OUTBOX_KIT_DSN", "OUTBOX_KIT_CONNECT"):
        monkeypatch.delenv(variable, raising=False)
    Path("outbox.yaml").write_text(SCHEMA)
    Path("captured.json").write_text(json.dumps([message(1)]))
    Path("one.ndjson").write_text(json.dumps({"id": message(1)["headers"]["id"]}))
    Path("none.ndjson").write_text(json.dumps({"id": str(uuid.uuid4()), "outcome": "rolled_back"}))

    def run(*arguments: str, more: str = "") -> Invocation:
        Path("outbox.yaml").write_text(SCHEMA + more)
        return invoke("verify", *arguments, code=None)

    return run


@pytest.mark.parametrize(
    ("arguments", "more", "check", "code"),
    [
        ((), "", "RUN-15", 3),  # nobody has named a database
        (("--allow-inconclusive",), "", "RUN-15", 0),
        (("--severity", "RUN-15=info"), "", "RUN-15", 0),
        (("--no-table",), "", "RUN-11", 0),
        (("--messages", "captured.json"), "", "RUN-11", 0),
        (("--to", "ts:2100-01-01T00:00:00Z"), "", "RUN-11", 0),
        ((), "table: {retention: delete_on_insert}\n", "RUN-11", 0),  # as declared, there are no rows
        (("--published-log", "one.ndjson"), "", None, 0),
        (("--published-log", "none.ndjson"), "", "RUN-15", 3),  # an empty record of a topic with events
        (("--published-log", "none.ndjson"), "table: {retention: forever}\n", "RUN-15", 3),
    ],
)
def test_loss_that_was_not_checked_is_a_pass_only_where_that_was_asked_for(
    verify: Any, arguments: tuple[str, ...], more: str, check: str | None, code: int
) -> None:
    result = verify("--format", "json", *arguments, more=more)
    found = {one["id"] for one in json.loads(result.stdout)["findings"]}
    assert (found & {"RUN-11", "RUN-15"}, result.exit_code) == ({check} if check else set(), code)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "the published log is empty"),
        ("\n\n", "the published log is empty"),
        ('{"n": 1}\n{"n": 2}\n', "'id' is missing in 2 of 2 events"),
        ("[1, 2]\n3\n", "Expected OBJECT, but got ARRAY"),
    ],
)
def test_a_published_log_without_events_is_refused_with_the_reason(verify: Any, content: str, reason: str) -> None:
    Path("other.ndjson").write_text(content)
    refused = verify("--published-log", "other.ndjson")
    assert (refused.exit_code, reason in refused.stderr) == (2, True), refused.output


def test_the_headline_says_what_was_not_checked(verify: Any) -> None:
    assert verify("--no-table").stdout.splitlines()[0] == "PASS: 1 event of 1 aggregate; not checked: loss"
    assert json.loads(verify("--no-table", "--format", "json").stdout)["headline"].endswith("; not checked: loss")
    assert "not checked" not in verify("--published-log", "one.ndjson").stdout.splitlines()[0]
    unread = Result("shop", coverage=Coverage(unmet={RUN: frozenset({Need.schema, Need.sequence, Need.table})}))
    for kind in ("text", "html", "markdown", "json", "ndjson"):
        assert "not checked: payloads, order, loss" in rendered(kind, unread), kind


def test_where_events_go_is_not_known_and_so_nothing_is_on_a_wrong_topic(verify: Any) -> None:
    Path("captured.json").write_text(json.dumps([message(1, topic="elsewhere")]))
    captured = ("--messages", "captured.json", "--format", "json")
    wrong = json.loads(verify(*captured).stdout)
    assert "RTE-01" in {one["id"] for one in wrong["findings"]}
    unknown = verify(*captured, more=OWN)
    report = json.loads(unknown.stdout)
    found = {one["id"]: one["samples"][0]["actual"] for one in report["findings"]}
    assert "com.example.Own" in found.pop("RUN-14")
    assert (found.keys() & {"RTE-01"}, unknown.exit_code) == (set(), 3)
    assert "RTE-01" in report["not_checked"] and "not checked: routing" in report["headline"]
    assert verify(*captured, "--severity", "RUN-14=info", more=OWN).exit_code == 0


def test_rows_that_are_on_no_assumed_topic_are_not_called_lost(verify: Any) -> None:
    lost = {"id": "00000000-0000-4000-8000-00000000aaaa"}
    Path("one.ndjson").write_text(f"{json.dumps(lost)}\n{json.dumps({'id': message(1)['headers']['id']})}\n")
    arguments = ("--published-log", "one.ndjson", "--catch-up-timeout", "0", "--format", "json")
    known = verify(*arguments)
    assert ("LOS-01" in known.stdout, known.exit_code) == (True, 1)
    unknown = verify(*arguments, more=OWN)
    found = {one["id"] for one in json.loads(unknown.stdout)["findings"]}
    assert (found & {"LOS-01", "RUN-10", "RUN-14"}, unknown.exit_code) == ({"RUN-10", "RUN-14"}, 3)


class Dead:
    """A worker that does not answer."""

    url = "http://connect:8083"

    def config(self, _: str) -> None:
        raise ConnectUnreachable("Kafka Connect does not answer", where=self.url, why="refused")


def test_a_worker_that_was_named_and_gave_no_answer_is_no_pass() -> None:
    request = Request(OUTBOX, log(), None, connect=Dead())  # type: ignore[arg-type]
    silent = Verification(replace(request, connect=None), lambda _: None).run()
    asked = Verification(request, lambda _: None).run()
    assert (silent.verdict, asked.verdict) == ("pass", "inconclusive")
    assert [one.samples[0].actual for one in asked.findings if one.id == "CFG-06"] == [
        "Kafka Connect does not answer: refused"
    ]
    assert {"CFG-01", "CFG-02", "CFG-03"} <= asked.unchecked().keys()


class Settings(CapturedLog):
    """A broker that says less than it should."""

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        said: list[dict[str, str] | None] = [{}, {"cleanup.policy": "delete"}, None]
        said.append({"cleanup.policy": "compact", "retention.ms": "-1"})
        return dict(zip(names, said, strict=True))


def test_a_setting_that_the_broker_did_not_tell_is_not_a_good_one() -> None:
    findings = Collector(5, CHECKS.get)
    request = Request(OUTBOX, Settings(OUTBOX, []), None)
    assert configuration.topic_findings(request, ["a", "b", "c", "d"], findings) == ["a", "b", "c"]
    assert [(one.id, one.subject) for one in findings] == [("CFG-04", "d")]


@pytest.mark.parametrize(
    ("retention", "hours", "check"),
    [
        ("delete", 24, "RUN-15"),
        ("partition", 24, "RUN-15"),
        ("delete", 8 * 24, "RUN-11"),
        ("external", 8 * 24, "RUN-15"),
    ],
)
def test_a_table_without_rows_beside_events_is_as_declared_only_where_all_are_older(
    retention: str, hours: int, check: str
) -> None:
    now = int(time.time() * 1000)
    outbox = outbox_of(table={"retention": retention, "existing": retention == "external"})
    findings = Collector(5, CHECKS.get)
    own = log(timestamp=now - hours * HOUR)
    ranges = {(r.topic, r.partition): r for r in own.pin([("outbox.event.Order", n) for n in range(6)])}
    empty(Request(outbox, own, "dbname=shop"), ranges, 1, findings)
    (found,) = findings
    assert (found.id, found.severity) == (check, "info" if check == "RUN-11" else "inconclusive")
    assert "'outbox' of the database 'shop'" in found.samples[0].expected
    assert "0 rows, and 1 event on the topics" in found.samples[0].actual


def lost(at: int | None = 5 * HOUR) -> Lost:
    return Lost("Order", "outbox.event.Order", 0, 1, at, at, [])


class Topics:
    """Topics by their number of partitions."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def topics(self) -> dict[str, int]:
        return dict.fromkeys(self.names, 2)


TOPIC = "outbox.event.Order"


@pytest.mark.parametrize(
    ("there", "ranges", "first", "said"),
    [
        ((), [], {}, f"the topic '{TOPIC}' does not exist, although the outbox has 1 row for it"),
        ((TOPIC,), [(0, 0), (0, 0)], {}, f"the topic '{TOPIC}' has never contained a message"),
        ((TOPIC,), [(0, 9), (4, 9)], {0: 0}, "does not begin at offset 0: partition 1 at offset 4"),
        ((TOPIC,), [(0, 9), (0, 9)], {0: 6 * HOUR, 1: 7 * HOUR}, "all these rows are older than the first message on"),
        ((TOPIC,), [(0, 9), (0, 9)], {0: 4 * HOUR, 1: 7 * HOUR}, ""),
    ],
)
def test_of_lost_rows_only_what_was_seen_is_said(
    there: tuple[str, ...], ranges: list[tuple[int, int]], first: dict[int, int], said: str
) -> None:
    request = Request(OUTBOX, Topics(*there), None)  # type: ignore[arg-type]
    where = Circumstances(
        request,
        Routes(OUTBOX),
        {(TOPIC, n): Range(TOPIC, n, start, end) for n, (start, end) in enumerate(ranges)},
        {(TOPIC, n): at for n, at in first.items()},
        frozenset(),
    )
    notes = where.seen([lost(), lost(at=5 * HOUR + 1)])
    assert notes[0] == "LOS-01: the rows were written between 1970-01-01 05:00:00.000+00:00 and " + (
        "1970-01-01 05:00:00.001+00:00"
    )
    about = [note for note in notes[1:] if "topic" in note or "message" in note]
    assert [said in note for note in about] == ([True] if said else [])
    assert ["(OUTBOX_KIT_DSN)" in notes[-2], "(--connect)" in notes[-1]] == [True, True]


def test_no_check_names_a_cause_of_loss_as_a_fact() -> None:
    assert "Possible causes" in CHECKS.get("LOS-01").why and "outbox-kit status" in CHECKS.get("LOS-01").fix
