"""From a connector to a relay: stop the connector, and keep its offset, up to which the relay leaves rows out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.stopped import slot_reader
from outbox_kit.delivery.handover.relay_start import after_relay, unread, unregistered
from outbox_kit.delivery.handover.state import HandOverState, observe, reached_by, stored_offset
from outbox_kit.delivery.handover.step import HandOver, Step
from outbox_kit.delivery.slots import lsn
from outbox_kit.errors import DatabaseRefused

DOUBLED = "events of one transaction may be published twice"


@dataclass(frozen=True)
class ToRelay(HandOver):
    """See `HandOver`."""

    def observe(self) -> HandOverState:
        """What is there now. Raises WrongDatabase, UsageProblem, EnvironmentProblem."""
        return observe(self.delivery)

    def refuse(self, state: HandOverState) -> None:
        """Raise DatabaseRefused, UsageProblem or ConnectorUnhealthy if it is not possible; nothing was changed."""
        proof.preflight(self.delivery)
        if state.tables.missing:
            raise DatabaseRefused(
                f"the relay's tables are not complete: {', '.join(state.tables.missing)}",
                fix="outbox-kit gen-ddl --apply",
            )
        if state.config is None:
            raise unregistered(self.delivery)
        if state.reached is None and not state.relay_reads:
            raise unread(self.delivery, changed=False)

    def steps(self, state: HandOverState) -> Sequence[Step]:
        """What is to be done; empty if the relay may publish, or does."""
        steps = [] if state.stopped and (state.reader is None or state.relay_reads) else [self.stop_step()]
        if not state.relay_reads and (steps or state.tables.connector_offset != state.offset):
            table = self.delivery.outbox.names.run_table
            text = f"keep its stored offset in table '{table}': the relay leaves out what the connector has published"
            # only of a connector that was seen to read the slot it is certain that its offset is of this server
            advance = state.status.running and state.connector_reads
            steps.append(Step("keep-offset", text, lambda: self._keep(advance=advance)))
        return steps

    def following(self) -> Sequence[str]:
        """The commands that follow."""
        return after_relay(self.delivery.outbox)

    def _keep(self, *, advance: bool) -> None:
        offset = stored_offset(self.delivery)
        if offset is None or reached_by(self.delivery, offset) is None:
            raise unread(self.delivery, changed=True)
        position = self._position(offset)
        exact = self.log.keep_offset(self.delivery.address, self.delivery.outbox, offset, advance=advance)
        if reader := slot_reader(self.delivery):
            self.report(f"kept the stored offset, {position}; {reader} reads the slot already: {DOUBLED}")
        elif exact:
            self.report(f"kept the stored offset, {position}")
        else:
            self.report(f"kept the stored offset, {position}; the slot has another position: {DOUBLED}")

    def _position(self, offset: Mapping[str, Any]) -> str:
        row = self.delivery.probe.position(offset)
        return "none" if row is None else f"LSN {lsn(row)}"
