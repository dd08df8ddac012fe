"""A connector is replaced by another one beside it: trial, switch to a copy of the slot, removal of the former one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from outbox_kit.connect import deploy
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.offset_changes import copy_offset
from outbox_kit.delivery.debezium.ownership import expect_own
from outbox_kit.delivery.debezium.stopped import await_stopped, slot_reader
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.delivery.replacement import state as states
from outbox_kit.delivery.replacement.duplicates import pending
from outbox_kit.delivery.replacement.state import ReplacementState, observe
from outbox_kit.delivery.replacement.trial import Trial
from outbox_kit.delivery.slots import lsn, slot_text
from outbox_kit.errors import (
    DatabaseRefused,
    OutboxKitError,
    SlotInUse,
)
from outbox_kit.kafka.read import Cluster


@dataclass(frozen=True)
class Replacement:
    """The change from a connector to the one in the schema file."""

    trial: Trial
    """The trial before it, with both connectors."""

    @property
    def former(self) -> Debezium:
        """The connector that is to be replaced."""
        return self.trial.former

    @property
    def new(self) -> Debezium:
        """The connector of the schema file."""
        return self.trial.new

    @property
    def cluster(self) -> Cluster:
        """The brokers."""
        return self.trial.cluster

    @property
    def report(self) -> Report:
        """Takes a line for each thing that was done."""
        return self.trial.report

    def deadline(self) -> float:
        """Until when a wait that begins now must have ended, by time.monotonic()."""
        return self.trial.deadline()

    def plan(self) -> OperationPlan:
        """The steps from the state that is found.

        Raises UsageProblem, ConfigRefused, ConnectorUnhealthy, DatabaseRefused, EnvironmentProblem.
        """
        former, new, name = self.former.name, self.new, self.new.name
        self._preflight()
        before = self.observed()
        before.refuse(new.workers.url)
        names = before.steps()
        if states.CREATE in names:
            deploy.validate(new.workers, name, new.config or {})
        steps = [Step(each, self._texts()[each], self._runs(before)[each]) for each in names]
        facts = [("former", f"{former}: {before.former.text}"), ("connector", f"{name}: {before.new.text}")]
        for label, side in (("slot from", before.former), ("slot to", before.new)):
            if side.slot is not None:
                facts.append((label, f"LSN {lsn(side.slot.confirmed)}, {slot_text(side.slot)}"))
        return OperationPlan(
            "replace",
            name,
            facts,
            steps,
            consequences=[*self._effects(before)],
            notes=[*self._notes(before)],
            following=("outbox-kit verify",),
            again=f"run outbox-kit replace --from {former} again: it continues from the state that it finds",
        )

    def observed(self) -> ReplacementState:
        """What is there now. Raises UsageProblem, EnvironmentProblem."""
        return observe(self.former, self.new)

    def _preflight(self) -> None:
        new, _ = self.new, self.trial.copies  # which not every database has
        proof.preflight(new)
        proof.refuse_relay(self.former)
        if self.former.config is not None:
            expect_own(new, self.former.config, fix="check --from", slot=False)
        registered = new.workers.config(new.name)
        if registered is not None:
            fix = "set connect.connector in the schema file to a name that no connector has"
            expect_own(new, registered, fix=fix)
        if new.slots is not None and not new.slots.may_drop(new.address):
            raise DatabaseRefused(
                "the database user may not create and drop replication slots; nothing was changed",
                why="that needs the attribute REPLICATION, or a superuser",
                fix="use such a user in OUTBOX_KIT_DSN",
            )

    def _effects(self, before: ReplacementState) -> list[str]:
        former, new, names = self.former.name, self.new.name, before.steps()
        effects = []
        if states.STOP in names:
            effects.append(
                f"no event is published between the stop of connector '{former}' and the start of '{new}': they are "
                "published then"
            )
        if states.DELETE in names:
            effects.append(f"connector '{former}', its stored offset and its replication slot are removed at the end")
        return effects

    def _notes(self, before: ReplacementState) -> list[str]:
        notes = []
        if states.TRIAL in before.steps():
            notes.append(
                "the trial writes a canary row and heartbeats; nothing of the trial is in the topics of events"
            )
        if states.COPY_SLOT in before.steps() and (self.new.config or {}).get("slot.failover") == "true":
            notes.append(
                "the copied replication slot has not the property failover: set it with ALTER_REPLICATION_SLOT"
            )
        return notes

    def _texts(self) -> Mapping[str, str]:
        former, new = self.former, self.new
        slot, to = former.outbox.names.slot, new.outbox.names.slot
        return {
            states.REMOVE_TRIAL: "remove what an interrupted trial has left",
            states.DISCARD: f"delete connector '{new.name}', which has another configuration and has not published",
            states.TRIAL: f"run '{new.name}' beside '{former.name}' with topics of its own, and compare the messages "
            f"of {self.trial.seconds:g} s",
            states.CREATE: f"create connector '{new.name}' in state STOPPED",
            states.STOP: f"stop connector '{former.name}' and wait until it has released replication slot '{slot}'",
            states.COPY_SLOT: f"copy replication slot '{slot}' to '{to}'",
            states.COPY_OFFSET: f"store the offset of '{former.name}' for '{new.name}', and count the duplicates",
            states.RESUME: f"resume connector '{new.name}' and wait until it runs and has passed a new row",
            states.DROP_SLOT: f"drop replication slot '{slot}'",
            states.DELETE: f"delete connector '{former.name}' and its stored offset",
        }

    def _runs(self, before: ReplacementState) -> Mapping[str, Callable[[], None]]:
        trial = self.trial
        returns = before.former.config is not None and before.former.slot is not None and not before.published
        back = self._or_back if returns else lambda run: run
        return {
            states.REMOVE_TRIAL: trial.remove,
            states.DISCARD: self._discard,
            states.TRIAL: trial.run,
            states.CREATE: self._create,
            states.STOP: back(self._stop),
            states.COPY_SLOT: back(self._copy_slot),
            states.COPY_OFFSET: back(self._copy_offset),
            states.RESUME: back(self._resume),
            states.DROP_SLOT: self._drop_slot,
            states.DELETE: self._delete,
        }

    def _or_back(self, run: Callable[[], None]) -> Callable[[], None]:
        """Run a step; if it fails, the new connector is stopped and the former one runs again."""

        def step() -> None:
            try:
                run()
            except OutboxKitError as error:
                error.details = (*error.details, *self._back())
                raise

        return step

    def _back(self) -> list[str]:
        """Stop the new connector, then resume the former one; what became of them, a line each."""
        former, new, workers = self.former, self.new, self.new.workers
        try:
            workers.stop(new.name)
            await_stopped(new, self.deadline(), deleted=True)
            self._drop(new)
            text = self._pending_text()
            proof.resumed(former, self.deadline(), self.report)
        except OutboxKitError as problem:
            return [
                f"  left  connector '{former.name}' was not resumed: {problem.what}",
                "  then  see outbox-kit status; resume one connector only",
            ]
        return [f"  now   connector '{former.name}' was resumed and publishes as before: {text}"]

    def _pending_text(self) -> str:
        """What the former connector is going to publish, in words."""
        try:
            return pending(self.former, self.cluster, self.deadline()).text
        except OutboxKitError as problem:  # such as a slot that is still read
            return f"the duplicates were not counted: {problem.what}"

    def _discard(self) -> None:
        new, workers = self.new, self.new.workers
        await_stopped(new, self.deadline(), deleted=True)
        if workers.offsets(new.name):
            workers.reset_offsets(new.name)
        workers.delete(new.name)
        self._drop(new)
        self.report(f"deleted connector '{new.name}'")

    def _create(self) -> None:
        self.new.workers.create_stopped(self.new.name, self.new.config or {})
        await_stopped(self.new, self.deadline())
        self.report(f"created connector '{self.new.name}' in state STOPPED")

    def _stop(self) -> None:
        self.new.workers.stop(self.former.name)
        await_stopped(self.former, self.deadline())
        self.report(f"connector '{self.former.name}' is STOPPED")

    def _copy_slot(self) -> None:
        former, new = self.former, self.new
        source, copy = former.outbox.names.slot, new.outbox.names.slot
        self._expect_free(former)
        self._drop(new)
        self.trial.copies.copy_slot(new.address, source, copy)
        before, after = former.slot(), new.slot()
        if before is None or after is None or before.confirmed != after.confirmed:
            raise DatabaseRefused(
                f"replication slots '{source}' and '{copy}' have different positions after the copy",
                why="another process has read one of them",
            )
        self.report(f"copied replication slot '{source}' to '{copy}' at LSN {lsn(after.confirmed)}")

    def _copy_offset(self) -> None:
        former, new = self.former.name, self.new.name
        copy_offset(self.new.workers, former, new, self.deadline())
        self.report(f"stored the offset of '{former}' for '{new}'")
        self.report(pending(self.new, self.cluster, self.deadline()).text)

    def _resume(self) -> None:
        deadline = self.deadline()
        proof.resumed(self.new, deadline, self.report)
        proof.position_advances(self.new, deadline, self.report)
        proof.refuse_failed(self.new)

    def _drop_slot(self) -> None:
        self._expect_free(self.former)
        self._drop(self.former)
        self.report(f"dropped replication slot '{self.former.outbox.names.slot}'")

    def _delete(self) -> None:
        workers, name = self.new.workers, self.former.name
        await_stopped(self.former, self.deadline(), deleted=True)
        if workers.offsets(name):
            workers.reset_offsets(name)
        workers.delete(name)
        self.report(f"deleted connector '{name}' and its stored offset")

    def _drop(self, delivery: Debezium) -> None:
        if delivery.slots is not None:
            delivery.slots.drop_slot(delivery.address, delivery.outbox.names.slot)

    def _expect_free(self, delivery: Debezium) -> None:
        """Raise SlotInUse if a process reads the slot."""
        if reader := slot_reader(delivery):
            name = delivery.outbox.names.slot
            raise SlotInUse(f"replication slot '{name}' is still read", why=f"{reader} reads it")
