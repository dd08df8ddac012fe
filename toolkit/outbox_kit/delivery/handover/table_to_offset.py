"""From relays that delete rows to a connector with a stored offset, which begins with the rows that they have left.

A row that no relay has published is in the table, or it commits after the connector's initial snapshot, which the
connector takes at one position of the log. So the snapshot is the connector's start, after the relays have stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.handover.offset_to_table import reset_offset
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.handover.table_connector_start import TableConnectorStart
from outbox_kit.delivery.handover.tables import TableState
from outbox_kit.errors import UnsafeChange, UsageProblem


@dataclass(frozen=True)
class TableToOffset(TableConnectorStart):
    """See `HandOver`."""

    def refuse(self, state: TableState) -> None:
        """Raise an error if it is not possible; nothing was changed.

        Raises DatabaseRefused, UsageProblem, UnsafeChange, ConnectorUnhealthy.
        """
        proof.preflight(self.delivery)
        self.expect_present(state)
        if state.status.running and not state.relays:
            return
        if self.delivery.outbox.connect.snapshot != "initial":
            raise UsageProblem(
                f"invalid connect.snapshot '{self.delivery.outbox.connect.snapshot}' for a hand-over: expected initial",
                why="the connector would leave out rows that are committed, and that no relay has published",
                fix="set connect.snapshot: initial; relays have deleted the rows that they have published",
            )
        if state.offset is not None and not state.relays:
            raise UnsafeChange(
                f"connector '{self.delivery.name}' has a stored offset, and no relay runs",
                where=self.delivery.workers.url,
                why="if no relay has published since, the connector continues from this offset; if one has, its events "
                "would be published again",
                fix="continue: outbox-kit deploy-connector --resume; or delete the offset, and begin with the rows of "
                "the table: outbox-kit remove --reset-offsets --allow-destructive, outbox-kit hand-over",
            )
        self.expect_none_failed(state.failures)

    def steps(self, state: TableState) -> Sequence[Step]:
        """What is to be done; empty if the connector publishes. Raises ConfigRefused, UnsafeChange."""
        if _publishes(state):
            return []
        registered, name = state.config is not None, self.delivery.name
        if state.status.running and not state.relays:  # its initial snapshot is not finished
            return [self._start_step()]
        steps = [self.stop_step()] if registered and not state.stopped else []
        steps += self.config_steps(registered=registered)
        if state.offset is not None:
            text = f"delete the stored offset of '{name}': it begins with the rows that the relays leave"
            steps.append(Step("reset-offset", text, lambda: reset_offset(self)))
        if state.relays:
            steps.append(self.await_relays_step(state))
        return [*steps, self._start_step()]

    def expect_reader(self) -> None:
        """Report relays that publish beside the connector; there is no slot."""
        self.report_beside()

    def _start_step(self) -> Step:
        name = self.delivery.name
        text = f"resume connector '{name}' and wait until it has published the rows that are left, and passed a new row"
        return self.resume_step()._replace(text=text)


def _publishes(state: TableState) -> bool:
    return state.status.running and state.reached is not None and not state.relays
