"""What hand-overs to a connector have in common: its configuration, its offset, and the proof that it publishes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from outbox_kit.connect import deploy
from outbox_kit.connect.deploy import Deployment
from outbox_kit.databases.failures import FailureCounts
from outbox_kit.databases.interface import SlotReader
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.offset_changes import store_offsets
from outbox_kit.delivery.debezium.stopped import await_stopped, is_relay, slot_reader
from outbox_kit.delivery.handover.state import reached_by, stored_offset
from outbox_kit.delivery.handover.step import HandOver, Step
from outbox_kit.delivery.slots import lsn
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, SlotInUse, UnsafeChange
from outbox_kit.printable import counted

AGAIN = "then run outbox-kit hand-over again"


@dataclass(frozen=True)
class ConnectorStart(HandOver):
    """See `HandOver`."""

    relay_deadline: Callable[[], float]
    """By time.monotonic(): until then the relay must have stopped."""
    leave_failed: bool = False
    """Whether events that the relay could not publish stay in its table."""
    allow_destructive: bool = False
    """Whether the connector's configuration may be changed so that messages, offsets or delivery change."""

    def config_steps(self, *, registered: bool) -> Sequence[Step]:
        """Create the connector, or update its configuration; empty if it stays. Raises ConfigRefused, UnsafeChange."""
        name, deployment = self.delivery.name, self._deployment()
        if not registered:
            text = f"create connector '{name}' in state STOPPED, with {counted(len(deployment.edits), 'option')}"
            return [Step("create-connector", text, self._create)]
        if not deployment.edits:
            return []
        keys = ", ".join(edit.key for edit in deployment.edits)
        return [Step("update-connector", f"update the configuration of connector '{name}': {keys}", self._update)]

    def resume_step(self) -> Step:
        """Resume the connector."""
        text = f"resume connector '{self.delivery.name}' and wait until it runs and has passed a new row"
        return Step("resume-connector", text, self._resume)

    def following(self) -> Sequence[str]:
        """The commands that follow."""
        return ["outbox-kit verify"]

    def expect_none_failed(self, failures: FailureCounts | None) -> None:
        """Raise UnsafeChange if events wait for a relay."""
        if failures is None or self.leave_failed or not (failures.dead or failures.waiting):
            return
        counts = f"{counted(failures.dead, 'dead letter')} and {counted(failures.waiting, 'waiting event')}"
        raise UnsafeChange(
            f"{counts} in table '{self.delivery.outbox.names.failure_table}' would not be published",
            why="a connector does not read this table",
            fix="set delivery: {by: relay} in the schema file, list them: outbox-kit relay keys, outbox-kit relay "
            "dead list; run the relay until none is left; or leave them in the table: --leave-failed",
        )

    def _deployment(self) -> Deployment:
        """How the connector's configuration would change. Raises ConfigRefused, UnsafeChange."""
        delivery = self.delivery
        config = delivery.config or {}
        return deploy.prepare(
            delivery.workers,
            delivery.name,
            config,
            allow_destructive=self.allow_destructive,
            report=lambda _: None,
        )

    def _create(self) -> None:
        name = self.delivery.name
        self.delivery.workers.create_stopped(name, self.delivery.config or {})
        await_stopped(self.delivery, self.deadline())
        self.report(f"created connector '{name}' in state STOPPED")

    def _update(self) -> None:
        deploy.write(self.delivery.workers, self._deployment(), self.delivery.config or {})
        self.report(f"updated the configuration of connector '{self.delivery.name}'")

    def set_offset(self) -> None:
        """Set the stored offset, but never to an earlier position."""
        delivery, slot = self.delivery, self.delivery.slot()
        if slot is None:
            raise DatabaseRefused(f"replication slot '{self.slot_name}' does not exist any more")
        if reader := slot_reader(delivery):
            raise self.in_use(reader)
        reached = reached_by(delivery, stored_offset(delivery))
        if reached is not None and reached >= slot.confirmed:
            self.report(f"the stored offset stays: LSN {lsn(reached)} is not before the slot's position")
            return
        partition = {"server": (delivery.config or {})["topic.prefix"]}
        entry = {"partition": partition, "offset": self.log.offset_at(slot.confirmed)}
        store_offsets(delivery.workers, delivery.name, [entry], self.deadline(), f"see the worker's log, {AGAIN}")
        self.report(f"set the stored offset to LSN {lsn(slot.confirmed)}")

    def _resume(self) -> None:
        delivery, deadline = self.delivery, self.deadline()
        proof.resumed(delivery, deadline, self.report)
        proof.position_advances(delivery, deadline, self.report)
        proof.refuse_failed(delivery)
        self.expect_reader()

    def expect_reader(self) -> None:
        """Raise ConnectorUnhealthy if the connector does not read the slot."""
        reader = slot_reader(self.delivery)
        if reader is None or is_relay(reader):
            by = f"{reader} reads" if reader else "no process reads"
            raise ConnectorUnhealthy(f"{by} replication slot '{self.slot_name}', not connector '{self.delivery.name}'")
        self.report(f"replication slot '{self.slot_name}' is read by {reader}")

    def in_use(self, reader: SlotReader) -> SlotInUse:
        return SlotInUse(
            f"replication slot '{self.slot_name}' is still read",
            why=f"{reader} reads it",
            fix=f"stop the relay where it was started, such as systemctl stop or kubectl scale; {AGAIN}",
        )
