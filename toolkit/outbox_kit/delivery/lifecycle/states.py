"""Pause, resume, stop and restart a connector, each with the wait until that has taken effect."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from outbox_kit.connect import deploy
from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.status import ConnectorStatus, failure
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.stopped import await_stopped
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.delivery.lifecycle.registered import Registered, registered
from outbox_kit.errors import OutOfTime, UsageProblem
from outbox_kit.waiting import waiting_for

POLL_SECONDS = 0.2


@dataclass(frozen=True)
class States:
    """The states of one connector, and the way from one to another."""

    delivery: Debezium
    """The connector, with its config, its workers and, if it was named, the database."""
    report: Report
    """Takes a line for each thing that was done."""
    deadline: Callable[[], float]
    """By time.monotonic(): until then a request must have taken effect."""

    @property
    def name(self) -> str:
        """The connector's name."""
        return self.delivery.name

    def pause(self) -> OperationPlan:
        """The plan of a pause. Raises UsageProblem for a STOPPED connector, whose task a pause would start."""
        before = registered(self.delivery)
        if before.status.connector == "STOPPED":
            raise UsageProblem(
                f"connector '{self.name}' is STOPPED: it publishes nothing, and a pause would start its task",
                fix="leave it STOPPED; to let it publish: outbox-kit resume",
            )
        paused = before.status.connector == "PAUSED" and not {*before.status.tasks} - {"PAUSED"}
        steps = [] if paused else [Step("pause-connector", f"pause connector '{self.name}'", self._pause)]
        return self._plan("pause", before, steps, ("outbox-kit resume",))

    def stop(self) -> OperationPlan:
        """The plan of a stop."""
        before = registered(self.delivery)
        released = before.slot is None or not before.slot.active
        stopped = before.status.connector == "STOPPED" and not before.status.tasks and released
        return self._plan("stop", before, [] if stopped else [self.stop_step()], ("outbox-kit resume",))

    def resume(self) -> OperationPlan:
        """The plan of a resumption. Raises SlotInUse if a relay publishes, DatabaseRefused, ConnectorUnhealthy."""
        before = registered(self.delivery)
        proof.preflight(self.delivery)
        proof.refuse_relay(self.delivery)
        if before.status.connector == "RUNNING" and before.status.failed:
            raise failure(self.name, before.status)
        steps = [] if before.status.running else [self.resume_step()]
        return self._plan("resume", before, steps, ("outbox-kit status",))

    def restart(self, *, all_tasks: bool) -> OperationPlan:
        """The plan of a restart, of what has failed unless all tasks are meant. Raises UsageProblem if it is halted."""
        before = registered(self.delivery)
        if before.status.halted:
            raise UsageProblem(
                f"connector '{self.name}' is {before.status.connector}: a restart does not resume it",
                fix="outbox-kit resume",
            )
        proof.refuse_relay(self.delivery)
        what = f"connector '{self.name}' and all its tasks" if all_tasks else f"what has FAILED of '{self.name}'"
        step = Step("restart-connector", f"restart {what}", lambda: self._restart(before.status, all_tasks=all_tasks))
        steps = [step] if all_tasks or not before.status.running else []
        return self._plan("restart", before, steps, ("outbox-kit status",))

    def stop_step(self) -> Step:
        """Stop the connector."""
        slots = self.delivery.slots is not None
        released = f" and has released replication slot '{self.delivery.outbox.names.slot}'" if slots else ""
        return Step(
            "stop-connector", f"stop connector '{self.name}' and wait until its task has ended{released}", self._stop
        )

    def resume_step(self) -> Step:
        """Resume the connector, and prove that it publishes if the database is named."""
        proven = " and has passed a new row" if self.delivery.dsn is not None else ""
        return Step("resume-connector", f"resume connector '{self.name}' and wait until it runs{proven}", self._resume)

    def _plan(self, name: str, before: Registered, steps: list[Step], following: tuple[str, ...]) -> OperationPlan:
        return OperationPlan(name, self.name, [*before.facts()], steps, notes=[*self._notes(name)], following=following)

    def _notes(self, name: str) -> Iterator[str]:
        if name in ("pause", "stop"):
            yield "no event is published until outbox-kit resume, also after a restart of the worker"
            if self.delivery.slots is not None:
                yield f"replication slot '{self.delivery.outbox.names.slot}' retains WAL meanwhile"

    def _pause(self) -> None:
        self.delivery.workers.pause(self.name)
        deadline = self.deadline()
        with waiting_for(f"connector '{self.name}' to be PAUSED"):
            while True:
                status = self.delivery.status()
                # a task that has failed stays FAILED
                if status.connector == "PAUSED" and not {*status.tasks} - {"PAUSED", "FAILED"}:
                    break
                if time.monotonic() > deadline:
                    what, why = f"connector '{self.name}' was not paused in time", f"last state: {status}"
                    fix = "see the worker's log; the request stays: outbox-kit status shows when it has taken effect"
                    raise OutOfTime(what, where=self.delivery.workers.url, why=why, fix=fix)
                time.sleep(POLL_SECONDS)
        self.report(f"{status}")

    def _stop(self) -> None:
        self.delivery.workers.stop(self.name)
        await_stopped(self.delivery, self.deadline())
        self.report(f"connector '{self.name}' is STOPPED")

    def _resume(self) -> None:
        deadline = self.deadline()
        proof.resumed(self.delivery, deadline, self.report)
        self._prove(deadline)

    def _restart(self, before: ConnectorStatus, *, all_tasks: bool) -> None:
        workers = self.delivery.workers
        (workers.restart if all_tasks or not before.failed else workers.restart_failed)(self.name)
        deadline, deployment = self.deadline(), Deployment(self.name, "restart", before=before)
        self.report(str(deploy.await_running(workers, deployment, self.delivery.config or {}, deadline)))
        self._prove(deadline)

    def _prove(self, deadline: float) -> None:
        proof.position_advances(self.delivery, deadline, self.report)
        proof.refuse_failed(self.delivery)
