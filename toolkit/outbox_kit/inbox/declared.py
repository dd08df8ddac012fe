"""The inboxes that a schema file declares, and their purge."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from outbox_kit.inbox.inbox import Inbox
from outbox_kit.inbox.modes import MessageIds
from outbox_kit.inbox.purge import Purge, purge
from outbox_kit.inbox.window import Protection
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.redelivery import deliverable
from outbox_kit.schema.inbox_coherence import kept_days
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes


@dataclass(frozen=True)
class DeclaredInbox:
    """The inbox of a consumer in the section `inbox` of a schema file."""

    inbox: Inbox
    group: str
    """The consumer group in Kafka."""
    topics: tuple[str, ...]
    """The topics of the outbox's events, which the consumer reads."""
    window_days: int
    """Days that message ids are kept at least."""

    def purge(self, connection: Any, cluster: Cluster, protection: Protection = "retention") -> Purge:
        """Remove the ids that Kafka cannot deliver again; see `purge.purge`.

        Raises PurgeRefused, KafkaUnreachable, KafkaRefused, and the errors of the driver.
        """
        partitions = deliverable(cluster, self.topics, self.group)
        return purge(connection, self.inbox, self.window_days, partitions, protection=protection)


def declared(outbox: Outbox) -> Iterator[DeclaredInbox]:
    """The inboxes of message ids that a schema file declares; none for another mode, which needs no purge."""
    if outbox.inbox.mode != "message-id":
        return
    mode = MessageIds(ids="uuid" if outbox.table.ids == "uuid" else "text")
    schema = outbox.names.inbox[0] if len(outbox.names.inbox) > 1 else ""
    for consumer in outbox.inbox.consumers:
        inbox = Inbox(consumer.name, mode, outbox.dialect.name, schema)
        yield DeclaredInbox(inbox, consumer.consumer_group, tuple(Routes(outbox).topics), kept_days(outbox))
