"""What hand-overs to a relay have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.step import HandOver
from outbox_kit.delivery.handover.tables import AGAIN, TableState, observe_tables
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, UnsafeChange, UsageProblem
from outbox_kit.schema.model import Outbox


def unregistered(delivery: Debezium) -> UsageProblem:
    """The error for a connector that does not exist."""
    return UsageProblem(
        f"connector '{delivery.name}' is not registered: there is nothing to hand over",
        where=delivery.workers.url,
        fix="check --connect; if no connector has published the events, start the relay: outbox-kit relay",
    )


def unread(delivery: Debezium, *, changed: bool) -> ConnectorUnhealthy:
    """The error for a connector that has not streamed, or whose offset is not stored yet.

    changed: whether it was stopped.
    """
    resume = "set delivery: {by: connector}, then outbox-kit deploy-connector --resume; then " if changed else ""
    return ConnectorUnhealthy(
        f"connector '{delivery.name}' has stored no offset of a row from the log"
        + ("" if changed else "; nothing was changed"),
        where=delivery.workers.url,
        why="its initial snapshot is not finished, or its offset is not stored yet",
        fix=f"{resume}wait until outbox-kit status shows an offset",
    )


def after_relay(outbox: Outbox) -> Sequence[str]:
    """The commands that follow."""
    return ["outbox-kit relay", *(["outbox-kit verify"] if outbox.delivery.sink == "kafka" else [])]


@dataclass(frozen=True)
class TableRelayStart(HandOver):
    """A hand-over to relays that read the table; see `HandOver`."""

    def observe(self) -> TableState:
        """What is there now. Raises WrongDatabase, UsageProblem, EnvironmentProblem."""
        return observe_tables(self.delivery, self.delivery.outbox)

    def following(self) -> Sequence[str]:
        """The commands that follow."""
        return after_relay(self.delivery.outbox)

    def expect_tables(self, state: TableState) -> None:
        """Raise DatabaseRefused if the relays' tables are not complete."""
        if state.defects:
            raise DatabaseRefused(
                f"the relay's tables are not complete: {', '.join(state.defects)}", fix="outbox-kit gen-ddl --apply"
            )

    def expect_no_relay(self, state: TableState) -> None:
        """Raise UnsafeChange if relays run already."""
        if state.relays:
            raise UnsafeChange(
                f"relays run already: {', '.join(state.relays)}",
                why="they publish all rows that they find; those that the connector has published too",
                fix=f"stop the relays, {AGAIN}",
            )
