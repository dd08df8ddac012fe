"""From a connector with a replication slot to relays of the table: record what the slot says that it has published."""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.stopped import slot_reader
from outbox_kit.delivery.handover.relay_start import TableRelayStart, unread, unregistered
from outbox_kit.delivery.handover.state import existing_slot, reached_by, stored_offset
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.handover.tables import AGAIN, TableState, slot_hand_over, table_relays
from outbox_kit.errors import SlotInUse
from outbox_kit.printable import counted

RECORDS = {
    "position": "store the position of the relays: they publish what is behind the replication slot",
    "delete": "delete the rows that the connector has published: all that are not behind the replication slot",
    "mark": "mark the rows that the connector has published: all that are not behind the replication slot",
}


@dataclass(frozen=True)
class SlotToTable(TableRelayStart):
    """See `HandOver`."""

    def refuse(self, state: TableState) -> None:
        """Raise an error if it is not possible; nothing was changed.

        Raises DatabaseRefused, UsageProblem, UnsafeChange, ConnectorUnhealthy, SlotInUse.
        """
        if state.config is None:
            raise unregistered(self.delivery)
        if not self.steps(state):
            return
        self.expect_tables(state)
        existing_slot(self.delivery)
        proof.preflight(self.delivery)
        self.expect_no_relay(state)
        if state.reader is not None and not state.connector_reads:
            raise SlotInUse(
                f"replication slot '{self.slot_name}' is read by {state.reader}, not by the connector",
                fix=f"stop that process, such as a relay that reads the log, {AGAIN}",
            )
        if state.reached is None:
            raise unread(self.delivery, changed=False)

    def steps(self, state: TableState) -> Sequence[Step]:
        """What is to be done; empty if the relays may publish, or do."""
        if state.stopped and state.slot is None:
            return []
        steps = [] if state.stopped and state.reader is None else [self.stop_step()]
        # only of a connector that was seen to read the slot it is certain that its offset is of this server
        trusted = state.status.running and state.connector_reads
        text = RECORDS[self.delivery.outbox.delivery.record]
        steps.append(Step("record-published", text, lambda: self._record(trusted=trusted)))
        text = f"drop replication slot '{self.slot_name}', which would retain WAL"
        return [*steps, Step("drop-slot", text, self._drop)]

    def _record(self, *, trusted: bool) -> None:
        delivery = self.delivery
        offset = stored_offset(delivery)
        if offset is None or reached_by(delivery, offset) is None:
            raise unread(delivery, changed=True)
        hand_over = slot_hand_over(delivery)
        recorded = hand_over.record_published(delivery.address, delivery.outbox, offset, trusted=trusted)
        what = {"position": "stored the position", "delete": "deleted", "mark": "marked"}
        text = what[delivery.outbox.delivery.record]
        if recorded.changed is not None:
            text = f"{text} {counted(recorded.changed, 'published row')}"
        self.report(f"{text}; {counted(recorded.left, 'row')} left for the relay")
        if recorded.doubled:
            self.report(
                f"at most {counted(recorded.doubled, 'event')} will be published twice: they are of the transaction "
                "within which the connector was stopped"
            )

    def _drop(self) -> None:
        delivery = self.delivery
        if slots := delivery.slots:
            if reader := slot_reader(delivery):
                raise SlotInUse(f"replication slot '{self.slot_name}' is read again", why=f"{reader} reads it")
            slots.drop_slot(delivery.address, self.slot_name)
        self.report(f"dropped replication slot '{self.slot_name}'")
        if running := table_relays(delivery, delivery.outbox).running:
            self.report(f"running: {', '.join(running)}")
