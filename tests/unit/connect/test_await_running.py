"""What a connector's status says while it is deployed again: each answer in turn, as a busy worker gives them."""

from time import monotonic
from typing import Any, cast

import pytest

from outbox_kit.connect import deploy
from outbox_kit.connect.client import Config, Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.errors import ConnectorUnhealthy, OutOfTime


class Worker:
    """Answers with one status after another, with the last one again and again.

    given: how many statuses are asked for before the tasks have the new config.
    """

    url = "http://connect"

    def __init__(self, *statuses: dict[str, Any], given: int = 0) -> None:
        self.statuses, self.left = list(statuses), given

    def status(self, _: str) -> dict[str, Any]:
        self.left -= 1
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]

    def task_configs(self, _: str) -> list[Config]:
        return [FORMER if self.left >= 0 else {"x": "new"}]


def status(connector: str, task: str, trace: str = "") -> dict[str, Any]:
    part = {"worker_id": "w"}
    return {"connector": {"state": connector, **part}, "tasks": [{"state": task, "trace": trace, **part}]}


BEFORE = status("RUNNING", "FAILED", "DataException: old")
FORMER = {"x": "old"}


def awaited(*statuses: dict[str, Any]) -> bool:
    deployment = deploy.Deployment("c", "update", before=connector_status(BEFORE), tasks=[FORMER])
    worker = cast(Connect, Worker(*statuses))
    return deploy.await_running(worker, deployment, {}, monotonic() + 60).running


def test_running_tasks_that_have_the_former_configuration_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy, "STALE_RUNNING_SECONDS", 0.0)
    running = status("RUNNING", "RUNNING")
    deployment = deploy.Deployment("c", "update", before=connector_status(running), tasks=[FORMER])
    worker = Worker(status("UNASSIGNED", "RUNNING"), running, given=4)
    assert deploy.await_running(cast(Connect, worker), deployment, {}, monotonic() + 60).running
    assert worker.left < 0


def test_tasks_that_keep_the_former_configuration_are_named_when_time_is_up() -> None:
    deployment = deploy.Deployment("c", "update", before=connector_status(BEFORE), tasks=[FORMER])
    worker = cast(Connect, Worker(status("RUNNING", "RUNNING"), given=10**6))
    with pytest.raises(OutOfTime) as error:
        deploy.await_running(worker, deployment, {}, monotonic() + 0.3)
    assert "its tasks still have the former configuration" in error.value.why


def test_a_restart_is_over_when_a_task_has_been_seen_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy, "STALE_RUNNING_SECONDS", 60.0)
    running = status("RUNNING", "RUNNING")
    deployment = deploy.Deployment("c", "restart", before=connector_status(running))
    worker = Worker(status("RESTARTING", "RUNNING"), running, status("RUNNING", "RESTARTING"), running)
    assert deploy.await_running(cast(Connect, worker), deployment, {}, monotonic() + 60).running
    assert len(worker.statuses) == 1


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
