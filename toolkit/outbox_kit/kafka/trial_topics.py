"""The topics of a trial: created with given numbers of partitions, and deleted by their prefix."""

from collections.abc import Mapping

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import NewTopic  # type: ignore[attr-defined]

from outbox_kit.kafka.admin import Admin
from outbox_kit.kafka.new_topics import GONE
from outbox_kit.kafka.read import Cluster

SECONDS = 30.0


def create(cluster: Cluster, partitions: Mapping[str, int], message_bytes: str | None) -> None:
    """Create topics that do not exist, with the brokers' replication factor. Raises KafkaRefused, KafkaUnreachable.

    partitions: by topic. message_bytes: max.message.bytes of the topics; None for the brokers' default.
    """
    config = {} if message_bytes is None else {"max.message.bytes": message_bytes}
    topics = [NewTopic(name, count, -1, config=config) for name, count in partitions.items()]
    with cluster.client(Admin) as admin:
        for future in admin.create_topics(topics, request_timeout=SECONDS).values() if topics else ():
            _expect(future, KafkaError.TOPIC_ALREADY_EXISTS)


def delete(cluster: Cluster, prefix: str) -> int:
    """Delete all topics whose names begin with a prefix; how many. Raises KafkaRefused, KafkaUnreachable."""
    names = [name for name in cluster.topics() if name.startswith(prefix)]
    with cluster.client(Admin) as admin:
        for future in admin.delete_topics(names, request_timeout=SECONDS).values() if names else ():
            _expect(future, *GONE)
    return len(names)


def _expect(future: object, *allowed: int) -> None:
    try:
        future.result()  # type: ignore[attr-defined]
    except KafkaException as cause:
        if cause.args[0].code() not in allowed:
            raise
