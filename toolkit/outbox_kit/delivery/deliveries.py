"""Finds the delivery of an outbox."""

from outbox_kit.connect.client import Connect
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.interface import Delivery
from outbox_kit.delivery.relay import RelayDelivery
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.model import Outbox


def of(outbox: Outbox, connect: Connect | None, dsn: str | None, cluster: Cluster | None = None) -> Delivery:
    """What publishes the events of an outbox.

    connect: Kafka Connect's workers, dsn: the database, cluster: Kafka; None if they cannot be asked.
    """
    if outbox.delivery.by == "relay":
        return RelayDelivery(outbox, dsn)
    return Debezium(outbox, connect, dsn, cluster=cluster)
