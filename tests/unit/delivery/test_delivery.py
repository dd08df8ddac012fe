"""What asks how far an outbox's events are asks any delivery, and Debezium's answers are those of its parts."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery import deliveries
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.health import Observation
from outbox_kit.errors import UsageProblem
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.reading.captured import CapturedLog
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.table import completeness
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
    assert any(note.endswith("did not pass the last event: 3 rows are not sent yet") for note in result.notes)


def test_status_shows_any_delivery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["init", "--service", "shop", "-e", "OrderPlaced:Order"]).exit_code == 0
    monkeypatch.setattr(deliveries, "of", lambda *_: StandIn(runs=Runs(running=False), seen=["it stands still"]))
    shown = CliRunner().invoke(app, ["status"])
    assert (shown.exit_code, shown.stdout) == (1, "stand-in   stands still\nnot well:  it stands still\n")
    document = json.loads(CliRunner().invoke(app, ["status", "--format", "json"]).stdout)
    assert document == {"schema": "outbox-kit/status/v1", "runs": False}


def test_what_was_not_named_is_not_asked() -> None:
    connector = Debezium(outbox_of())
    assert not connector.reports_position
    of_database: list[Callable[[], object]] = [connector.point, connector.position, connector.obstacles]
    of_worker: list[Callable[[], object]] = [connector.status, connector.health, connector.stored_position]
    for question in of_database:
        with pytest.raises(UsageProblem, match="the database was not named"):
            question()
    for question in of_worker:
        with pytest.raises(UsageProblem, match="Kafka Connect was not named"):
            question()


@pytest.mark.parametrize(
    ("slot", "point", "reason"),
    [
        (SLOT, 100, ""),
        (SLOT, 99, ""),
        (SLOT, 101, "1 bytes of log are unread by slot 'shop_outbox'"),
        (None, 0, "there is no slot 'shop_outbox'"),
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
    for stored, reason in ((7, ""), (6, "has stored the position 6, and has to pass 7")):
        monkeypatch.setattr(Debezium, "stored_position", lambda _, stored=stored: stored)
        assert connector.lag_reason(7).endswith(reason)


FINE = Observation(outbox_of(), RUNNING, 100, ["t"], SLOT, 3.0, database_asked=True)


@pytest.mark.parametrize(
    ("observation", "problem"),
    [
        (FINE, None),
        (replace(FINE, slot=None), "does not exist"),
        (replace(FINE, slot=None, database_asked=False, heartbeat_seconds=None), None),
        (replace(FINE, slot=replace(SLOT, wal_status="lost")), "the slot is lost"),
        (replace(FINE, slot=replace(SLOT, active=False)), "nobody reads the slot, which keeps 4.0 kB of log"),
        (replace(FINE, heartbeat_seconds=1000.0), "the last heartbeat is 1000 s old"),
        (replace(FINE, status=ConnectorStatus("UNKNOWN", (), ()), topics=None, stored=None), "knows no such connector"),
        (replace(FINE, status=ConnectorStatus("RUNNING", (), ("w",))), "connector RUNNING, no task"),
        (replace(FINE, status=ConnectorStatus("RUNNING", ("FAILED",), ("w",), "a\nb")), "task 0 FAILED"),
    ],
)
def test_what_is_not_well_is_a_problem(observation: Observation, problem: str | None) -> None:
    health = observation.health()
    assert len(health.problems) == (problem is not None) == len(health.document["complaints"])
    assert problem is None or problem in health.problems[0]
    assert (health.failure is not None) is observation.status.failed
    assert list(health.trace) == (["a", "b"] if observation.status.failed else [])
