"""From relays of the table to a connector with a replication slot, which is moved behind what they have published."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.stopped import is_relay, slot_reader
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.handover.table_connector_start import TableConnectorStart
from outbox_kit.delivery.handover.tables import (
    AGAIN,
    POLL_SECONDS,
    TableState,
    slot_hand_over,
    table_relays,
)
from outbox_kit.delivery.slots import lsn
from outbox_kit.errors import DatabaseRefused, OutOfTime, SlotInUse, UnsafeChange
from outbox_kit.printable import counted
from outbox_kit.waiting import waiting_for

PUBLISH = (
    "publish them: set delivery.by: relay in the schema file, outbox-kit relay --once; then set delivery.by: "
    "connector, and run outbox-kit hand-over again"
)


@dataclass(frozen=True)
class TableToSlot(TableConnectorStart):
    """See `HandOver`."""

    def refuse(self, state: TableState) -> None:
        """Raise an error if it is not possible; nothing was changed.

        Raises DatabaseRefused, UsageProblem, UnsafeChange, SlotInUse.
        """
        proof.preflight(self.delivery)
        self.expect_present(state)
        if is_relay(state.reader):
            raise SlotInUse(
                f"replication slot '{self.slot_name}' is read by a relay that reads the log: {state.reader}",
                fix="remove delivery.source from the schema file, or stop that relay",
            )
        self.expect_none_failed(state.failures)
        role = self.delivery.outbox.names.role
        if not slot_hand_over(self.delivery).may_read_log(self.delivery.address, self.relay):
            raise DatabaseRefused(
                f"role '{role}' does not exist, or may not read the log",
                why="relays that read the table need no such role; a connector does",
                fix="give it the attribute REPLICATION: outbox-kit gen-ddl --apply",
            )

    def steps(self, state: TableState) -> Sequence[Step]:
        """What is to be done; empty if the connector publishes. Raises ConfigRefused, UnsafeChange."""
        if state.status.running and state.connector_reads and not state.relays:
            return []
        registered, slot = state.config is not None, self.slot_name
        steps = [self.stop_step()] if registered and not (state.stopped and state.reader is None) else []
        steps += self.config_steps(registered=registered)
        if state.slot is None:
            text = f"create replication slot '{slot}'; this waits for transactions that are open"
            steps.append(Step("create-slot", text, self._create_slot))
        if state.slot is None or state.relays:
            text = "wait until the relays have published everything that is committed now"
            steps.append(Step("await-published", text, self._await_published))
        if state.relays:
            steps.append(self.await_relays_step(state))
        if state.relays or not _has_begun(state):
            text = "move the replication slot to the first row that no relay has published"
            steps.append(Step("settle-slot", text, self._settle))
            text = "set the connector's stored offset to the position of the replication slot"
            steps.append(Step("set-offset", text, self.set_offset))
        return [*steps, self.resume_step()]

    def expect_reader(self) -> None:
        """Raise ConnectorUnhealthy if the connector does not read the slot."""
        super().expect_reader()
        self.report_beside()

    def _create_slot(self) -> None:
        slot_hand_over(self.delivery).create_slot(self.delivery.address, self.relay)
        self.report(f"created replication slot '{self.slot_name}'")

    def _await_published(self) -> None:
        hand_over, address, deadline = slot_hand_over(self.delivery), self.delivery.address, self.relay_deadline()
        mark = hand_over.published_mark(address, self.relay)
        with waiting_for("the relays to publish everything that was committed"):
            while not hand_over.is_published(address, self.relay, mark):
                if time.monotonic() > deadline:
                    running = table_relays(self.delivery, self.relay).running
                    raise OutOfTime(
                        "events are left that no relay has published",
                        why=f"running: {', '.join(running)}" if running else "no relay runs",
                        fix=f"see the relay's log; wait longer with --wait, {AGAIN}" if running else PUBLISH,
                    )
                time.sleep(POLL_SECONDS)
        self.report("the relays have published everything that was committed")

    def _settle(self) -> None:
        delivery = self.delivery
        if reader := slot_reader(delivery):
            raise self.in_use(reader)
        if running := table_relays(delivery, self.relay).running:
            raise SlotInUse("relays publish again", why=f"running: {', '.join(running)}", fix=f"stop them, {AGAIN}")
        settled = slot_hand_over(delivery).settle_slot(delivery.address, self.relay)
        if settled.stray:
            raise UnsafeChange(
                f"{counted(settled.stray, 'event')} would be lost: no relay has published them, and they are before "
                f"the position of replication slot '{self.slot_name}'",
                fix=PUBLISH,
            )
        moved = "stays" if settled.position is None else f"was moved to LSN {lsn(settled.position)}"
        self.report(f"the replication slot {moved}; {counted(settled.left, 'row')} left for the connector")
        if settled.doubled:
            self.report(
                f"{counted(settled.doubled, 'event')} will be published twice: relays have published them after the "
                "first row that is left"
            )


def _has_begun(state: TableState) -> bool:
    """Whether the connector's offset is at the slot's position, or behind it: a hand-over set it, or the connector."""
    return state.slot is not None and state.reached is not None and state.reached >= state.slot.confirmed
