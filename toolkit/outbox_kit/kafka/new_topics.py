"""The topics that a producer writes to: they are looked up, and created as Kafka Connect would."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import NewTopic  # type: ignore[attr-defined]

from outbox_kit.kafka.admin import Admin

ADMIN_SECONDS = 5.0
GONE = {
    KafkaError.UNKNOWN_TOPIC_OR_PART,
    KafkaError._UNKNOWN_TOPIC,
}


@dataclass(frozen=True)
class NewTopics:
    """How missing topics are created."""

    partitions: int
    replication_factor: int
    """-1 for the broker's default."""
    settings: Mapping[str, str] = field(default_factory=dict)


def partitions_of(client: Mapping[str, Any], topic: str, new: NewTopics) -> int:
    """How many partitions a topic has; it is created if it does not exist. Raises KafkaException.

    client: the settings of a client.
    """
    admin = Admin({**client, "socket.timeout.ms": int(ADMIN_SECONDS * 1000)})
    try:
        metadata = admin.list_topics(topic, timeout=ADMIN_SECONDS).topics.get(topic)
    except KafkaException:
        admin.poll(0)  # the client reports errors of its connections then only
        raise
    error = None if metadata is None else metadata.error
    if metadata is None or (error is not None and error.code() in GONE):
        _create(admin, topic, new)
    elif error is not None:
        raise KafkaException(error)
    return (0 if metadata is None else len(metadata.partitions)) or new.partitions


def _create(admin: Admin, topic: str, new: NewTopics) -> None:
    created = NewTopic(topic, new.partitions, new.replication_factor, config=dict(new.settings))
    try:
        admin.create_topics([created], request_timeout=ADMIN_SECONDS)[topic].result()
    except KafkaException as cause:
        if cause.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise
