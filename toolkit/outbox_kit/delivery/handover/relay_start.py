"""What hand-overs to a relay have in common."""

from collections.abc import Sequence

from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import ConnectorUnhealthy, UsageProblem
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
