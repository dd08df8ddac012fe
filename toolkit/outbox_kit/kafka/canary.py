"""Wait for one message, known by its header."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

from outbox_kit import deadline as whole
from outbox_kit.kafka.headers import readable
from outbox_kit.kafka.read import Cluster


@dataclass(frozen=True)
class MessageLocation:
    """Where a message is."""

    topic: str
    """Its topic."""
    partition: int
    """Its partition, from 0 on."""
    offset: int
    """Its offset in the partition."""


def await_header(
    cluster: Cluster, topic: str, header: tuple[str, bytes], seconds: float, meanwhile: Callable[[], None]
) -> MessageLocation | None:
    """The first message of a topic that has a header with a value, or None if it does not come in time.

    The topic may be made by this very message; it is never created by looking. meanwhile: called every second; what
    it raises ends the wait.
    """
    settings = {
        "group.id": f"outbox-kit-{uuid.uuid4()}",
        "enable.auto.commit": False,
        "allow.auto.create.topics": False,
        "auto.offset.reset": "earliest",
    }
    deadline, started = min(time.monotonic() + seconds, whole.end()), time.monotonic()
    with cluster.client(Consumer, settings) as consumer:
        try:
            assigned: list[TopicPartition] = []
            while time.monotonic() < deadline:
                if time.monotonic() - started > 1:
                    started = time.monotonic()
                    meanwhile()
                if not assigned:
                    metadata = consumer.list_topics(topic, timeout=whole.allowed(10)).topics[topic]
                    assigned = [TopicPartition(topic, number, OFFSET_BEGINNING) for number in metadata.partitions]
                    if not assigned:
                        time.sleep(0.1)
                        continue
                    consumer.assign(assigned)
                message = consumer.poll(0.2)
                if message is not None and not message.error() and header in (readable(message).headers() or []):
                    return MessageLocation(topic, int(message.partition() or 0), int(message.offset() or 0))
            return None
        finally:
            consumer.close()
