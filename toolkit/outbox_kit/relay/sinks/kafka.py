"""Kafka as a sink: the producer's settings of the generated connector, and the topics as Kafka Connect creates them."""

from collections.abc import Sequence
from typing import Any

from outbox_kit.errors import OutboxKitError
from outbox_kit.kafka.new_topics import NewTopics
from outbox_kit.kafka.publish import Acknowledgement, Publisher
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.shape import Config

MOST_PENDING = 100_000
FIXED = {
    "enable.idempotence": True,
    "enable.gapless.guarantee": True,
    "acks": "all",
    "partitioner": "murmur2_random",  # as the Java producer's
    "message.timeout.ms": 0,  # the client waits for a broker as long as it takes: what failed late would be overtaken
    "queue.buffering.max.messages": MOST_PENDING,
    "allow.auto.create.topics": False,
}
LARGEST_MESSAGE = 1_000_000  # bytes: librdkafka's default
PREFIX = "producer.override."
NAMES = {
    "batch.size": "batch.size",
    "linger.ms": "linger.ms",
    "compression.type": "compression.type",
    "max.request.size": "message.max.bytes",
}
"""The connector's settings of its producer that librdkafka has too, and their names there."""
BUFFER = "buffer.memory"
"""The connector's setting for the bytes of its producer that wait for brokers; librdkafka counts in KiB."""
TOPIC = "topic.creation.default."


def sink(outbox: Outbox, config: Config, cluster: Cluster) -> "Kafka":  # noqa: ARG001 - as every sink's
    """The sink of an outbox."""
    return Kafka(cluster, config)


class Kafka:
    """See `Sink`."""

    def __init__(self, cluster: Cluster, config: Config) -> None:
        """config: the connector's that the schema file generates."""
        options = {**overridden(config), **FIXED}
        self._bootstrap = cluster.bootstrap
        self._publisher = Publisher(cluster.bootstrap, cluster.access, options, new_topics(config))

    def send(self, message: Message, receipt: Any) -> bool:
        """See `Sink`."""
        return self._publisher.send(
            message.topic,
            message.partition,
            message.key,
            message.value,
            message.headers,
            message.timestamp,
            receipt,
        )

    def results(self, seconds: float) -> Sequence[SendResult]:
        """See `Sink`."""
        return [result_of(answer) for answer in self._publisher.answers(seconds)]

    @property
    def problem(self) -> str:
        """See `Sink`."""
        complaint = self._publisher.complaint
        return f"Kafka at {self._bootstrap}: {complaint}" if complaint else ""

    def refusal(self) -> OutboxKitError | None:
        """See `Sink`."""
        return self._publisher.refusal()

    def close(self) -> None:
        """See `Sink`."""
        self._publisher.close()


def overridden(config: Config) -> dict[str, Any]:
    """The connector's settings of its producer, by librdkafka's names."""
    options: dict[str, Any] = {NAMES[name]: config[PREFIX + name] for name in NAMES if PREFIX + name in config}
    if buffer := config.get(PREFIX + BUFFER):  # each message must fit into it: another one would wait for ever
        most = max(int(buffer), int(options.get("message.max.bytes", LARGEST_MESSAGE)))
        options["queue.buffering.max.kbytes"] = (most >> 10) + 1
    return options


def new_topics(config: Config) -> NewTopics:
    """How Kafka Connect would create the topics of the events."""
    topic = {name.removeprefix(TOPIC): value for name, value in config.items() if name.startswith(TOPIC)}
    return NewTopics(int(topic.pop("partitions", "1")), int(topic.pop("replication.factor", "-1")), topic)


def result_of(answer: Acknowledgement) -> SendResult:
    """What an answer of the brokers means for its message."""
    if answer.error is None:
        return SendResult(answer.receipt, SendStatus.delivered)
    if answer.of_message:
        return SendResult(answer.receipt, SendStatus.refused, answer.cause)
    if answer.of_topic:
        return SendResult(answer.receipt, SendStatus.closed, answer.cause)
    return SendResult(answer.receipt, SendStatus.unsent, answer.cause)
