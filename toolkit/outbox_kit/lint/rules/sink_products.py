"""Rules about single sinks of Debezium Server: NATS, RabbitMQ, Kafka, Pub/Sub and Pulsar."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import placeholders
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.raw_topics import example_topics
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.sinks import BYTES, TEXTS, sink_kind
from outbox_kit.lint.rules.topics import KEEP_TOPIC
from outbox_kit.lint.server import SINK
from outbox_kit.lint.subject import Subject
from outbox_kit.router.chain import Message


@rule(
    "server-stream-in-memory",
    Consequence.risk,
    evidence="N05",
    fix="set debezium.sink.nats-jetstream.storage=file",
)
def server_stream_in_memory(subject: Subject) -> Iterator[Violation]:
    """The stream that Debezium Server creates in NATS is kept in files.

    By default it is kept in memory: events that no consumer has read are lost when NATS restarts.
    """
    settings, nats = subject.document.settings, f"{SINK}nats-jetstream."
    creates = settings.get(f"{nats}create-stream", "").strip().lower() == "true"
    if creates and settings.get(f"{nats}storage", "memory").strip().lower() == "memory":
        yield Violation("connector.class", f"'{nats}storage' is not set to file", unset=f"{nats}storage")


@rule(
    "server-exchange-not-named",
    Consequence.risk,
    of_names=True,
    evidence="N05",
    fix="set debezium.sink.rabbitmq.exchange; an empty value counts as not set",
)
def server_exchange_not_named(subject: Subject) -> Iterator[Violation]:
    """The sink of RabbitMQ has the name of an exchange.

    Without one it publishes to an exchange that is named like each topic, whatever the routing key is. RabbitMQ closes
    the channel if no such exchange exists.
    """
    settings, key, routing = subject.document.settings, f"{SINK}rabbitmq.exchange", f"{SINK}rabbitmq.routingKey"
    exchange = next((value.strip() for name, value in settings.items() if name.startswith(key)), "")
    if routing in settings and not exchange and subject.says(key):
        is_set = key in settings
        yield Violation(
            key if is_set else f"{SINK}type",
            f"'{key}' is empty" if is_set else f"'{key}' is not set",
            unset="" if is_set else key,
        )


@rule(
    "server-routing-key-empty",
    Consequence.risk,
    of_names=True,
    evidence="O",
    fix="set debezium.sink.rabbitmq.routingKey, or routingKey.source to topic or key",
)
def server_routing_key_empty(subject: Subject) -> Iterator[Violation]:
    """The sink of RabbitMQ has a routing key.

    Without one it is empty, whatever the topic of the message is. An exchange of type direct or topic drops a message
    that no binding matches, without an error: only a fanout exchange and the binding `#` take one with an empty key.
    """
    settings, exchange = subject.document.settings, f"{SINK}rabbitmq.exchange"
    if settings.get(exchange, "").strip() and not any(
        name.startswith(f"{SINK}rabbitmq.routingKey") for name in settings
    ):
        yield Violation(exchange, "the routing key of every message is empty", unset=f"{SINK}rabbitmq.routingKey")


FROM_TOPIC = f"{SINK}rabbitmq.routingKeyFromTopicName"


@rule(
    "server-routing-key-not-of-topic",
    Consequence.wrong,
    severity=Severity.error,
    since="3.6",
    of_names=True,
    evidence="N05",
    fix="set debezium.sink.rabbitmq.routingKey.source=topic in its place",
)
def server_routing_key_not_of_topic(subject: Subject) -> Iterator[Violation]:
    """The routing key of RabbitMQ is the topic by routingKey.source=topic.

    `routingKeyFromTopicName` has no effect any more (`RabbitMqStreamChangeConsumer`): the routing key stays as it is.
    """
    settings, source = subject.document.settings, f"{SINK}rabbitmq.routingKey.source"
    is_on = settings.get(FROM_TOPIC, "").strip().lower() == "true"
    if is_on and settings.get(source, "static").strip().lower() != "topic":
        yield Violation(FROM_TOPIC, "it has no effect: the routing key is not the topic")


@rule("server-serializer-differs", Consequence.stop, evidence="N05", fix="use the serializer of the format")
def server_serializer_differs(subject: Subject) -> Iterator[Violation]:
    """The producer of the sink has the serializer of the format: of texts, or of bytes.

    With the other one the first message fails.
    """
    settings = subject.document.settings
    for part in ("key", "value") if sink_kind(subject) == "kafka" else ():
        key = f"{SINK}kafka.producer.{part}.serializer"
        serializer, form = (
            settings.get(key, "").strip(),
            settings.get(f"debezium.format.{part}", "json").strip().lower(),
        )
        if (form in TEXTS and serializer.endswith("ByteArraySerializer")) or (
            form in BYTES and serializer.endswith("StringSerializer")
        ):
            yield Violation(key, f"'{serializer.rpartition('.')[2]}' does not take the format {form}")


REQUIRES_PASSWORD = lazy_pattern(r"--requirepass\b|\brequirepass\s+\S")


@rule(
    "server-redis-password-missing",
    Consequence.stop,
    of_names=True,
    evidence="N05",
    fix="set debezium.sink.redis.password",
)
def server_redis_password_missing(subject: Subject) -> Iterator[Violation]:
    """The sink of Redis has the password that the Redis in the file demands.

    Debezium Server ends when it connects: NOAUTH.
    """
    settings, key = subject.document.settings, f"{SINK}redis.password"
    demands = sink_kind(subject) == "redis" and REQUIRES_PASSWORD.search(subject.text)
    if demands and key not in settings and not subject.document.supplemented:
        yield Violation(f"{SINK}type", f"the Redis in the file demands a password, and '{key}' is not set", unset=key)


NATS = f"{SINK}nats-jetstream."


STREAM = lazy_pattern(
    r"\bstream\s+(?:add|create)\b(?:[^\n;|&]|\n[ \t]+(?=-))*?--subjects?[ =][\"']?(?P<subjects>[^\s\"'$]+)(?=[\"'\s]|$)"
)
"""The command that creates a stream."""


@rule("server-subject-not-in-stream", Consequence.stop, evidence="N05", fix="add the subjects of the topics")
def server_subject_not_in_stream(subject: Subject) -> Iterator[Violation]:
    """The stream in NATS takes the topics of the events: the one that Debezium Server creates, or the file.

    The subject of a message is its topic. In the subjects of a stream, `*` stands for one part of a name and `>` for
    the rest: a message of another subject is refused.
    """
    settings, key = subject.document.settings, f"{NATS}subjects"
    if sink_kind(subject) != "nats-jetstream" or placeholders.is_open(key, settings.get(key, "")):
        return
    if settings.get(f"{NATS}create-stream", "").strip().lower() == "true":
        subjects = settings.get(key, "*.*.*").split(",")
    else:  # a command of the file may create it
        subjects = [name for match in matches(subject.text, STREAM) for name in match["subjects"].split(",")]
    if not subjects:
        return
    if subject.router:
        topics = [outcome.topic for _, _, outcome in subject.previews if isinstance(outcome, Message)]
    else:
        keeps = all(step.kind.endswith(KEEP_TOPIC) for step in subject.steps)
        topics = subject.raw_topics or _example_topics(subject) if keeps else []
    refused = [topic for topic in topics if not any(_takes(pattern, topic) for pattern in subjects)]
    if topics and len(refused) == len(topics):
        message = f"no subject of the stream takes '{refused[0]}'"
        yield Violation(key if key in settings else f"{SINK}type", message, unset="" if key in settings else key)


def _example_topics(subject: Subject) -> list[str]:
    return example_topics(subject.raw_topic_pattern, subject.config) if subject.says("topic.prefix") else []


def _takes(pattern: str, topic: str) -> bool:
    """Whether a subject of a stream takes a topic."""
    parts = ["[^.]+" if part == "*" else ".+" if part == ">" else re.escape(part) for part in pattern.split(".")]
    return re.fullmatch(r"\.".join(parts), topic) is not None


ENDPOINT = lazy_pattern(r"googleapis\.com\b", re.IGNORECASE)


@rule(
    "server-address-of-emulator", Consequence.stop, evidence="N05", fix="set debezium.sink.pubsub.region in its place"
)
def server_address_of_emulator(subject: Subject) -> Iterator[Violation]:
    """The address of Pub/Sub is that of an emulator.

    With an address the sink uses neither TLS nor credentials (`PubSubChangeConsumer`): the service refuses it.
    """
    for kind in ("pubsub", "pubsublite"):
        key = f"{SINK}{kind}.address"
        if ENDPOINT.search(subject.document.settings.get(key, "")):
            yield Violation(key, "with an address the sink sends no credentials, as to an emulator")


@rule("server-namespace-of-tenant", Consequence.stop, evidence="N05", fix="write the name of the namespace alone")
def server_namespace_of_tenant(subject: Subject) -> Iterator[Violation]:
    """The namespace of Pulsar is a name without its tenant.

    The sink puts the tenant before it: such a topic does not exist.
    """
    key = f"{SINK}pulsar.namespace"
    namespace = subject.document.settings.get(key, "").strip()
    if "/" in namespace and not placeholders.is_open(key, namespace):
        yield Violation(key, f"'{namespace}' is not the name of a namespace")
