"""Changes of a topic: its settings, and its number of partitions."""

from collections.abc import Mapping

from confluent_kafka import KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    ResourceType,
)

from outbox_kit.errors import KafkaRefused
from outbox_kit.kafka.admin import Admin
from outbox_kit.kafka.read import Cluster

SECONDS = 30.0


def change(cluster: Cluster, topic: str, settings: Mapping[str, str | None]) -> None:
    """Change settings of a topic. settings: by name; None for the brokers' default.

    Raises KafkaRefused, KafkaUnreachable.
    """
    entries = [
        ConfigEntry(
            name,
            value or "",
            incremental_operation=AlterConfigOpType.DELETE if value is None else AlterConfigOpType.SET,
        )
        for name, value in settings.items()
    ]
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries)
    with cluster.client(Admin) as admin:
        _finish(admin.incremental_alter_configs([resource], request_timeout=SECONDS)[resource], topic)


def add_partitions(cluster: Cluster, topic: str, total: int) -> None:
    """Add partitions to a topic. total: their number after it. Raises KafkaRefused, KafkaUnreachable."""
    with cluster.client(Admin) as admin:
        _finish(admin.create_partitions([NewPartitions(topic, total)], request_timeout=SECONDS)[topic], topic)


def _finish(future: object, topic: str) -> None:
    try:
        future.result(SECONDS)  # type: ignore[attr-defined]
    except KafkaException as cause:
        raise KafkaRefused(f"the change of topic '{topic}' was refused", why=str(cause.args[0])) from None
