"""What asks how far an outbox's events are asks any delivery, and Debezium's answers are those of its parts."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.connect.plan import ConfigChange, Effect
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery import deliveries
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.health import Observation
from outbox_kit.delivery.questions import Questions
from outbox_kit.errors import ConnectUnreachable, DatabaseRefused, UsageProblem
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.reading.captured import CapturedLog
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.table import completeness
from outbox_kit.wire.routes import Routes
from tests.support.deliveries import Runs, StandIn
from tests.support.records import outbox_of
from tests.support.request import request_of

ROW = '{"id": "00000000-0000-4000-8000-000000000001", "committed_at": 1700000000000}\n'
RUNNING = ConnectorStatus("RUNNING", ("RUNNING",), ("w:8083",))
SLOT = Slot(True, "pgoutput", "shop", "reserved", confirmed=100, retained=4096, behind=2048)


def verified(folder: Path, delivery: StandIn, monkeypatch: pytest.MonkeyPatch) -> Result:
    """A row without a message, verified beside a delivery."""
    monkeypatch.setattr(completeness, "FENCE_POLL_SECONDS", 0.01)
    (folder / "rows.ndjson").write_text(ROW)
    own = outbox_of()
    record = PublishedLog(folder / "rows.ndjson", own)
    request = request_of(own, CapturedLog(own, []), settle=0, catch_up=0.1, record=record, delivery=delivery)
    return Verification(request, lambda _: None).run()


def test_a_row_is_lost_once_the_delivery_has_passed_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = verified(tmp_path, StandIn(), monkeypatch)
    assert "LOS-01" in {finding.id for finding in result.findings}


def test_a_row_that_the_delivery_has_not_passed_is_not_called_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = verified(tmp_path, StandIn(lag="3 rows are not sent yet"), monkeypatch)
    assert "LOS-01" not in {finding.id for finding in result.findings}
    assert any(
        note.endswith("did not catch up with the newest event: 3 rows are not sent yet") for note in result.notes
    )


def test_status_shows_any_delivery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["init", "--service", "shop", "-e", "OrderPlaced:Order"]).exit_code == 0
    monkeypatch.setattr(deliveries, "of", lambda *_: StandIn(runs=Runs(running=False), seen=["it stands still"]))
    shown = CliRunner().invoke(app, ["status"])
    assert (shown.exit_code, shown.stdout) == (1, "stand-in   stands still\nproblem    it stands still\n")
    document = json.loads(CliRunner().invoke(app, ["status", "--format", "json"]).stdout)
    assert document == {"schema": "outbox-kit/status/v1", "runs": False}


def test_what_was_not_named_is_not_asked() -> None:
    connector = Debezium(outbox_of())
    assert not connector.reports_position
    of_database: list[Callable[[], object]] = [connector.point, connector.position, connector.obstacles]
    of_worker: list[Callable[[], object]] = [connector.status, connector.health, connector.stored_position]
    for question in of_database:
        with pytest.raises(UsageProblem, match="no address of the database"):
            question()
    for question in of_worker:
        with pytest.raises(UsageProblem, match="no address of Kafka Connect"):
            question()


@pytest.mark.parametrize(
    ("slot", "point", "reason"),
    [
        (SLOT, 100, ""),
        (SLOT, 99, ""),
        (SLOT, 101, "replication slot 'shop_outbox' has 1 bytes of lag"),
        (None, 0, "replication slot 'shop_outbox' does not exist"),
    ],
)
def test_a_slot_says_whether_a_point_has_been_passed(
    slot: Slot | None, point: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outbox_kit.databases.postgres.probe.slot", lambda *_: slot)
    connector = Debezium(outbox_of(), dsn="host=127.0.0.1")
    assert connector.reports_position
    assert connector.lag_reason(point) == reason


def test_without_slots_the_stored_position_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    own = outbox_of(database={"dialect": "mysql", "name": "shop"})
    connector = Debezium(own, dsn="mysql://127.0.0.1/shop")
    assert not connector.reports_position  # nothing moves it on while the database is idle
    for stored, reason in ((7, ""), (6, "is 6; the last row is before 7")):
        monkeypatch.setattr(Debezium, "stored_position", lambda _, stored=stored: stored)
        assert connector.lag_reason(7).endswith(reason)


ANSWERED = frozenset({"database", "status", "drift", "stored", "topics", "slot", "defects", "heartbeat_seconds"})
FINE = Observation(outbox_of(), RUNNING, [], 100, ["t"], SLOT, (), 3.0, answered=ANSWERED)
UNASKED = replace(FINE, slot=None, heartbeat_seconds=None, answered=frozenset({"status", "drift", "stored", "topics"}))
DRIFT = [ConfigChange(key, "a", "b", Effect.restart) for key in ("poll.interval.ms", "tasks.max")]
STOPPED = ConnectorStatus("STOPPED", (), ("w",))
TOPIC = Routes(outbox_of()).topics[0]
KNOWN = {TOPIC: 6}


@pytest.mark.parametrize(
    ("observation", "problem", "fix"),
    [
        (FINE, None, ""),
        (UNASKED, None, ""),
        (replace(FINE, slot=None), "replication slot 'shop_outbox' does not exist", "remove --drop-slot"),
        (replace(FINE, slot=replace(SLOT, wal_status="lost")), "slot 'shop_outbox' is lost", "remove --drop-slot"),
        (replace(FINE, slot=replace(SLOT, active=False)), "is inactive and retains 4.0 kB of WAL", "deploy-connector"),
        (replace(FINE, heartbeat_seconds=1000.0), "the last heartbeat is 1000 s old", "--probe"),
        (replace(FINE, defects=["table public.outbox does not exist"]), "does not exist", "gen-ddl --apply"),
        (replace(FINE, drift=DRIFT), "schema file: poll.interval.ms, tasks.max", "outbox-kit plan"),
        (
            replace(FINE, status=ConnectorStatus("UNKNOWN", (), ()), topics=None, stored=None, drift=None),
            "connector 'shop-outbox' is not registered",
            "deploy-connector",
        ),
        (replace(FINE, status=ConnectorStatus("PAUSED", ("PAUSED",), ("w",))), "is PAUSED", "outbox-kit resume"),
        (replace(UNASKED, status=STOPPED), "is STOPPED", "outbox-kit resume"),
        (replace(FINE, status=STOPPED), "another process reads", "hand-over --dry-run"),
        (replace(FINE, status=ConnectorStatus("RUNNING", (), ("w",))), "connector RUNNING, no task", "status"),
        (replace(FINE, status=ConnectorStatus("RUNNING", ("FAILED",), ("w",), "a\nb")), "task 0 FAILED", "below"),
        (replace(FINE, topics=[*KNOWN], partitions=KNOWN, hidden={}), None, ""),
        (replace(FINE, topics=[*KNOWN], partitions={}, hidden={}), f"'{TOPIC}' does not exist", "create it"),
        (replace(FINE, topics=[*KNOWN], partitions={}, hidden={TOPIC: "no right"}), None, ""),
        (replace(FINE, topics=[*KNOWN], partitions={}), None, ""),
        (replace(FINE, topics=[*KNOWN], partitions={TOPIC: 9}, hidden={}), "has 9 partitions", "partitions: 9"),
    ],
)
def test_each_problem_has_a_fix(observation: Observation, problem: str | None, fix: str) -> None:
    health = observation.health()
    assert len(health.problems) == (problem is not None) == len(health.document["problems"])
    assert problem is None or (problem in health.problems[0].what and fix in health.problems[0].fix)
    status = observation.status
    assert status is not None and (health.failure is not None) is status.failed
    assert list(health.trace) == (["a", "b"] if status.failed else [])


@pytest.mark.parametrize("slot", [None, replace(SLOT, active=False, wal_status="lost")])
@pytest.mark.parametrize("status", [STOPPED, ConnectorStatus("PAUSED", ("PAUSED",), ("w",))])
def test_a_connector_without_its_slot_is_not_to_be_resumed(slot: Slot | None, status: ConnectorStatus) -> None:
    """It would fail, or create a slot behind the events that were not published."""
    fixes = [problem.fix for problem in replace(FINE, slot=slot, status=status).health().problems]
    assert len(fixes) == 2 and len({*fixes}) == 1 and "remove --drop-slot --reset-offsets" in fixes[0]


def test_what_was_not_answered_is_not_known() -> None:
    facts = dict(Observation(outbox_of(), answered=frozenset({"database"})).health().facts)
    assert facts["slot"] == facts["heartbeat"] == facts["topics"] == facts["offset"] == "not known"
    assert dict(UNASKED.health().facts)["slot"] == "not examined: set OUTBOX_KIT_DSN"


def test_the_fix_of_an_inactive_slot_is_a_command_that_works_in_the_connector_s_state() -> None:
    inactive = replace(FINE, slot=replace(SLOT, active=False))
    fixes = [
        next(problem.fix for problem in observation.health().problems if "is inactive" in problem.what)
        for observation in (
            inactive,
            replace(inactive, status=ConnectorStatus("STOPPED", (), ("w",))),
            replace(inactive, status=None),
        )
    ]
    assert [fix.partition(";")[0] for fix in fixes] == [
        "outbox-kit deploy-connector",
        "outbox-kit resume",
        "see the error below",
    ]


def test_a_connector_that_is_not_registered_has_no_state() -> None:
    absent = replace(FINE, status=ConnectorStatus("UNKNOWN", (), ()), topics=None, stored=None, drift=None)
    assert dict(absent.health().facts)["connector"] == "shop-outbox: not registered"


def test_topics_with_different_numbers_of_partitions_have_one_number_as_their_fix() -> None:
    """The schema file has one number for all topics: following each topic's own number would never end."""
    events = [{"type": "OrderPlaced", "aggregate": "Order"}, {"type": "UserAdded", "aggregate": "User"}]
    small, large = "shop.Order", "shop.User"
    three, four = (outbox_of(events=events, connect={"topics": {"partitions": number}}) for number in (3, 4))
    observation = replace(FINE, outbox=three, topics=[small, large], partitions={small: 3, large: 4}, hidden={})
    [problem] = observation.health().problems
    assert problem.fix == "set connect.topics.partitions: 4 in the schema file"
    [problem] = replace(observation, outbox=four).health().problems
    assert problem.what == "topic 'shop.Order' has 3 partitions, the schema file declares 4"
    assert "set connect.topics.partitions: 4" in problem.fix and f"--topic {small} --partitions 4" in problem.fix


def test_a_system_that_does_not_answer_is_not_asked_again() -> None:
    questions, silent, refused = Questions(), ConnectUnreachable("silent"), DatabaseRefused("no such table")

    def answer(problem: Exception | None) -> str:
        if problem:
            raise problem
        return "yes"

    assert questions.ask("connect", "a", lambda: answer(silent)) is None
    assert questions.ask("connect", "b", lambda: answer(None)) is None
    assert questions.ask("database", "c", lambda: answer(refused)) is None
    assert questions.ask("database", "d", lambda: answer(None)) == "yes"
    assert questions.answers == {"d": "yes"} and questions.unanswered == [silent, refused]
