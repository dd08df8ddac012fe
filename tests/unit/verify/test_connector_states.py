"""What verify says of a connector's state: one that is starting has not failed."""

from typing import Any, cast

import pytest

from outbox_kit import deadline
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.delivery.interface import Delivery, Status
from outbox_kit.findings.finding import Collector
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS, configuration
from outbox_kit.wire import connector

OUTBOX = Outbox.model_validate(
    {
        "service": "shop",
        "database": {"dialect": "postgres"},
        "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
    }
)
RUNNING = ("RUNNING", "RUNNING")
STARTING = [("RESTARTING", "RUNNING"), ("RUNNING", "RESTARTING"), ("UNASSIGNED", "UNASSIGNED"), ("RUNNING",), ()]


class Parts:
    """A connector, the worker and its delivery, with one status after another; the last one stays."""

    url = "http://connect"

    def __init__(self, *statuses: tuple[str, ...], registered: bool = True) -> None:
        self.statuses, self.registered = list(statuses), registered

    def config(self, _: str) -> dict[str, str] | None:
        return connector.config(OUTBOX) if self.registered else None

    def status(self) -> Status:
        states = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        if not states:
            return connector_status(None)
        first, *tasks = ({"state": state, "worker_id": "w"} for state in states)
        return connector_status({"connector": first, "tasks": tasks})


def findings(*statuses: tuple[str, ...], registered: bool = True, seconds: float = 60.0) -> list[str]:
    """What is reported as there."""
    parts: Any = Parts(*statuses, registered=registered)
    collected = Collector(100, CHECKS.get)
    with deadline.within(seconds):
        assert configuration.connector_findings(cast(Connect, parts), OUTBOX, cast(Delivery, parts), collected) is None
    assert {finding.rule.id for finding in collected} <= {"CFG-03"}
    return [sample.actual for finding in collected for sample in finding.samples]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "POLL_SECONDS", 0.01)


@pytest.mark.parametrize("state", STARTING)
def test_a_connector_that_is_starting_is_waited_for(state: tuple[str, ...]) -> None:
    assert findings(state, state, RUNNING) == []
    (actual,) = findings(state, state, ("RUNNING", "FAILED"))
    assert actual == "connector RUNNING, task 0 FAILED"


@pytest.mark.parametrize("state", STARTING)
def test_one_that_remains_so_does_not_run(state: tuple[str, ...]) -> None:
    (actual,) = findings(state, seconds=0.2)
    assert actual.startswith(f"connector {state[0] if state else 'UNKNOWN'}, ")


@pytest.mark.parametrize("state", [("PAUSED", "PAUSED"), ("STOPPED",), ("FAILED", "RUNNING"), ("RUNNING", "FAILED")])
def test_what_needs_a_request_is_not_waited_for(state: tuple[str, ...]) -> None:
    assert len(findings(state, RUNNING)) == 1


def test_a_connector_that_is_not_registered_is_not_waited_for() -> None:
    assert findings((), RUNNING, registered=False) == ["none: deploy it with outbox-kit deploy-connector"]
