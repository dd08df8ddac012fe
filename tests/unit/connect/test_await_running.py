"""What a connector's status says while it is deployed again: each answer in turn, as a busy worker gives them."""

from time import monotonic
from typing import Any, cast

import pytest

from outbox_kit.connect import deploy
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.errors import ConnectorUnhealthy


class Worker:
    """Answers with one status after another, with the last one again and again."""

    url = "http://connect"

    def __init__(self, *statuses: dict[str, Any]) -> None:
        self.statuses = list(statuses)

    def status(self, _: str) -> dict[str, Any]:
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


def status(connector: str, task: str, trace: str = "") -> dict[str, Any]:
    part = {"worker_id": "w"}
    return {"connector": {"state": connector, **part}, "tasks": [{"state": task, "trace": trace, **part}]}


BEFORE = status("RUNNING", "FAILED", "DataException: old")


def awaited(*statuses: dict[str, Any]) -> bool:
    deployment = deploy.Deployment("c", "update", before=connector_status(BEFORE))
    worker = cast(Connect, Worker(*statuses))
    return deploy.await_running(worker, deployment, {}, monotonic() + 60).running


def test_the_trace_from_before_is_no_failure_while_the_connector_starts_again() -> None:
    moving = [status(state, "FAILED", "DataException: old") for state in ("RESTARTING", "UNASSIGNED", "RUNNING")]
    assert awaited(BEFORE, *moving, status("RUNNING", "UNASSIGNED"), status("RUNNING", "RUNNING"))


def test_another_trace_is_a_failure_at_once() -> None:
    with pytest.raises(ConnectorUnhealthy) as error:
        awaited(BEFORE, status("RUNNING", "FAILED", "DataException: new"))
    assert "DataException: new" in error.value.details[0]


def test_the_same_trace_is_a_failure_after_the_task_was_seen_to_start() -> None:
    with pytest.raises(ConnectorUnhealthy):
        awaited(status("RUNNING", "UNASSIGNED"), BEFORE)


def test_the_same_trace_is_a_failure_when_it_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy, "STALE_FAILED_SECONDS", 0.2)
    with pytest.raises(ConnectorUnhealthy):
        awaited(BEFORE)
