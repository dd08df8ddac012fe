"""The events that a connector is going to publish though another connector has published them."""

from dataclasses import dataclass, replace

from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.state import stored_offset
from outbox_kit.delivery.replacement import messages
from outbox_kit.kafka.read import Cluster
from outbox_kit.printable import counted
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.routes import Routes

MOST_EVENTS = 20_000
"""Behind a stored offset: the topics are read back by as many messages in each partition."""


@dataclass(frozen=True)
class Pending:
    """The events behind the stored offset of a stopped connector."""

    left: int | None
    """The events that the connector publishes when it runs; None if they were not counted."""
    doubled: int | None
    """Of these the events that the topics have already; None if that was not counted."""

    @property
    def text(self) -> str:
        """Both in a sentence."""
        if self.left is None:
            return f"not counted: the events behind the stored offset (more than {MOST_EVENTS:,}, or no table)"
        left = f"{counted(self.left, 'event')} behind the stored offset"
        if self.doubled is None:
            return f"{left}; not counted: how many of them are published twice"
        return f"{left}, of which {self.doubled:,} will be published twice"


def pending(delivery: Debezium, cluster: Cluster, deadline: float) -> Pending:
    """Count the events that a stopped connector is going to publish. deadline: by time.monotonic().

    The last message of an event that was published after the stored offset is among the last messages of its partition.
    Raises EnvironmentProblem.
    """
    copies, offset = delivery.server.slot_copies, stored_offset(delivery)
    if copies is None or offset is None:
        return Pending(None, None)
    column = router_columns(delivery.outbox).id
    ids = copies.unpublished_ids(delivery.address, delivery.outbox, offset, column, MOST_EVENTS)
    if ids is None:
        return Pending(None, None)
    if not ids:
        return Pending(0, 0)
    if any(event_id.startswith("\\x") for event_id in ids):  # bytes have another text in a header
        return Pending(len(ids), None)
    routes = Routes(delivery.outbox)
    topics = sorted({*routes.topics, routes.canary, *delivery.workers.topics(delivery.name)})
    ranges = [
        replace(planned, start=max(planned.start, planned.end - len(ids)))
        for planned in messages.ends(cluster, topics).values()
    ]
    published = messages.messages(cluster, ranges, deadline)
    return Pending(len(ids), sum(event_id in published for event_id in ids))
