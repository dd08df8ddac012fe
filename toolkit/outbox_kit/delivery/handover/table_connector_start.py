"""What hand-overs from relays of the table to a connector have in common."""

from dataclasses import dataclass, field

from outbox_kit.delivery.handover.connector_start import ConnectorStart
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.handover.tables import (
    TableState,
    await_relays,
    observe_tables,
    table_relays,
    with_table_relays,
)
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class TableConnectorStart(ConnectorStart):
    """See `HandOver`."""

    relay: Outbox = field(init=False)
    """The outbox with the `delivery` of its relays."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "relay", with_table_relays(self.delivery.outbox))

    def observe(self) -> TableState:
        """What is there now. Raises WrongDatabase, UsageProblem, EnvironmentProblem."""
        return observe_tables(self.delivery, self.relay)

    def expect_present(self, state: TableState) -> None:
        """Raise UsageProblem if no relay has read the table."""
        if not state.table_relays.present:
            raise UsageProblem(
                "no relay has read the outbox table: its tables do not exist",
                fix="if no relay has published, register the connector: outbox-kit deploy-connector",
            )

    def await_relays_step(self, state: TableState) -> Step:
        """Wait until the relays have stopped."""
        text = f"wait until the relays have stopped; now running: {', '.join(state.relays)}"
        return Step("await-relay", text, self._await_relays)

    def report_beside(self) -> None:
        """Report relays that publish beside the connector."""
        if running := table_relays(self.delivery, self.relay).running:
            self.report(f"relays run beside the connector, and events are published twice: stop {', '.join(running)}")

    def _await_relays(self) -> None:
        self.expect_none_failed(await_relays(self.delivery, self.relay, self.relay_deadline(), self.report))
