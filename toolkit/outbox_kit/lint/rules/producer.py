"""Rules about the producer of the worker, and about the topics that it creates."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint import worker
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim, whole_number

PRODUCER = "producer.override."
BYTES = "org.apache.kafka.common.serialization.ByteArraySerializer"


@rule(
    "producer-without-security",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    fix="set the protocol for the producers of the worker too: producer.security.protocol",
)
def producer_without_security(subject: Subject) -> Iterator[Violation]:
    """The producers of the worker that the file shows connect as the worker does.

    They do not inherit the settings of the worker: without their own ones they connect in plain text. Strimzi sets
    them.
    """
    yield from _without_security(subject, "producer")


@rule(
    "consumer-without-security",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    fix="set the protocol for the consumers of the worker too: consumer.security.protocol",
)
def consumer_without_security(subject: Subject) -> Iterator[Violation]:
    """The consumers of the worker that the file shows connect as the worker does.

    They do not inherit the settings of the worker: a sink connects in plain text. Strimzi sets them.
    """
    reads = subject.config.keys() & {"topics", "topics.regex"}
    if reads and "consumer.security.protocol" not in subject.config:
        yield from _without_security(subject, "consumer")


def _without_security(subject: Subject, client: str) -> Iterator[Violation]:
    """That clients of a kind connect in plain text to brokers to which their worker connects otherwise."""
    options, key = worker.options(subject.text) or {}, f"{client}.override.security.protocol"
    protocol = options.get("security.protocol", "PLAINTEXT")
    is_set = f"{client}.security.protocol" in options or key in options or key in subject.config
    if protocol != "PLAINTEXT" and not is_set and not worker.RESOURCE.search(subject.text):
        message = f"the worker in the file connects with {protocol}, and its {client}s in plain text"
        yield Violation("connector.class", message, unset=key)


@rule("serializer-overridden", Consequence.stop, evidence="N04", fix="remove the option; set the converter instead")
def serializer_overridden(subject: Subject) -> Iterator[Violation]:
    """The producer has the serializer of Kafka Connect.

    Converters have made bytes of key and value: another serializer fails on the first message.
    """
    for part in ("key", "value"):
        key = f"{PRODUCER}{part}.serializer"
        if key in subject.config and trim(subject.config[key]) != BYTES:
            yield Violation(key, f"'{trim(subject.config[key])}' cannot take the bytes that the converter has made")


OF_CONNECT = ("key.converter", "value.converter", "header.converter", "transforms", "predicates", "topic.creation.")


@rule(
    "no-producer-option",
    Consequence.wrong,
    of_names=True,
    evidence="N04",
    fix="remove the prefix 'producer.override'",
)
def no_producer_option(subject: Subject) -> Iterator[Violation]:
    """Every option with the prefix of the producer is one of the producer.

    Options of converters and transformations have no effect there.
    """
    for key in subject.config:
        name = key.removeprefix(PRODUCER)
        if name != key and name.startswith(OF_CONNECT):
            yield Violation(key, f"the producer does not read '{name}'", Edit(key, rename=name, safe=False))


@rule(
    "requests-in-flight",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N04",
    fix="set producer.override.enable.idempotence=true, or leave the number at 1",
)
def requests_in_flight(subject: Subject) -> Iterator[Violation]:
    """A producer with several requests in flight is idempotent.

    Kafka Connect disables idempotence and allows one request at a time. With more, a batch that is sent again arrives
    behind later ones: events of a key change their order.
    """
    key, idempotence = f"{PRODUCER}max.in.flight.requests.per.connection", f"{PRODUCER}enable.idempotence"
    idempotent = subject.config.get(idempotence, "").strip().lower() == "true" or idempotence in subject.unknown
    number = whole_number(trim(subject.config.get(key, "")))
    if number is not None and number > 1 and not idempotent:
        yield Violation(key, f"{number} requests in flight without idempotence")


DEFAULTS = {"request.timeout.ms": 30_000, "linger.ms": 0}


@rule("delivery-timeout-too-short", Consequence.stop, evidence="N04", fix="set a longer delivery.timeout.ms")
def delivery_timeout_too_short(subject: Subject) -> Iterator[Violation]:
    """The producer has time for one request at least.

    The producer is not created if delivery.timeout.ms is less than linger.ms and request.timeout.ms together.
    """
    key = f"{PRODUCER}delivery.timeout.ms"
    timeout = whole_number(trim(subject.config.get(key, "")))
    if timeout is not None and subject.says(*(f"{PRODUCER}{name}" for name in DEFAULTS)):
        values = {name: whole_number(trim(subject.config.get(f"{PRODUCER}{name}", ""))) for name in DEFAULTS}
        least = sum(DEFAULTS[name] if value is None else value for name, value in values.items())
        if timeout < least:
            yield Violation(key, f"{timeout} ms is less than linger.ms and request.timeout.ms together, {least} ms")


HOUR = 3_600_000
INTERNAL = ("heartbeat", "internal", "transaction", "signal", "notification")
"""Words of groups of topics whose records may be deleted soon."""


@rule("short-retention", Consequence.loss, evidence="N05", fix="keep events longer than any consumer is down")
def short_retention(subject: Subject) -> Iterator[Violation]:
    """Topics keep events for an hour at least.

    Events that a consumer has not read until then are deleted.
    """
    for key, value in subject.config.items():
        if key.startswith("topic.creation.") and key.endswith(".retention.ms") and ".delete." not in key:
            group, kept = key.split(".")[2], whole_number(trim(value))
            if kept is not None and 0 <= kept < HOUR and not any(word in group.lower() for word in INTERNAL):
                yield Violation(key, f"events are deleted after {kept} ms")
