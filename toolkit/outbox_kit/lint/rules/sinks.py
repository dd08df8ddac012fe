"""Rules about the sinks of Debezium Server."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache

from outbox_kit import data_file
from outbox_kit.assets import CONNECTORS
from outbox_kit.findings.rule import Severity
from outbox_kit.lint import placeholders
from outbox_kit.lint.conditions import demanded
from outbox_kit.lint.received import ROW
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.envelopes import HANDLING
from outbox_kit.lint.server import SINK
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.words import listed
from outbox_kit.router.javatext import whole_number
from outbox_kit.schema.nearest import closest
from outbox_kit.versions import Version

FORMAT = "debezium.format."
TEXTS, BYTES = ("json", "simplestring"), ("jsonbytearray", "avro", "protobuf", "binary")
"""Formats by what they give to the producer of the sink."""
SLIP = 0.6
"""How similar a name must be to be meant."""


@dataclass(frozen=True)
class Words:
    """All that a setting may be."""

    words: Sequence[str]
    consequence: str
    """Of another word, by the name of `Consequence`."""


@dataclass(frozen=True)
class SinkFacts:
    """A sink of Debezium Server. The names of its settings are without the prefix."""

    settings: Sequence[str] = ()
    required: Sequence[str] = ()
    requires: Mapping[str, str | list[str]] = field(default_factory=dict)
    """A condition about a setting, with the other one that it needs."""
    greatest: Mapping[str, int] = field(default_factory=dict)
    """The greatest number that a setting may be."""
    required_formats: Sequence[str] = ()
    """The parts of a message whose format it reads without a default: `value` for debezium.format.value."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The parts of a message that may be no bytes, and until which release; empty if that has not ended."""
    without_value: str = ""
    """What it does with a record without a value; empty if it is sent as such."""
    garbled: bool = False
    """Whether bytes are sent as something else."""
    words: Mapping[str, Words] = field(default_factory=dict)
    capitals: Sequence[str] = ()
    """Settings that it finds by their prefix, and whose names have capitals."""


@cache
def sinks() -> Mapping[str, SinkFacts]:
    """The sinks by their type."""
    described = data_file.values(CONNECTORS / "server-sinks.yaml")
    return {
        kind: SinkFacts(**{**facts, "words": {name: Words(**words) for name, words in facts.get("words", {}).items()}})
        for kind, facts in described.items()
    }


def sink_kind(subject: Subject) -> str:
    """The type of the sink; empty if there is none."""
    return subject.document.settings.get(f"{SINK}type", "").strip()


def _sink(subject: Subject) -> SinkFacts:
    """The sink; one without settings if it is not known."""
    return sinks().get(sink_kind(subject), SinkFacts())


@rule(
    "delete-without-value",
    Consequence.loss,
    severity=Severity.warning,
    since="3.2",
    evidence="O",
    fix="set delete.tombstone.handling.mode=rewrite, or leave the deletes out with skipped.operations=d",
)
def delete_without_value(subject: Subject) -> Iterator[Violation]:
    """A sink that sends no records without a value gets the deletes with one.

    ExtractNewRecordState makes a record without a value of each delete by default.
    """
    what = _sink(subject).without_value
    for step in subject.steps if what and "d" not in subject.skipped else ():
        key = step.key(HANDLING)
        if step.kind.endswith(ROW) and step.options.get(HANDLING, "tombstone").strip() == "tombstone":
            unset = "" if HANDLING in step.options else key
            yield Violation(step.key("type") if unset else key, f"a delete has no value: {what}", unset=unset)


@rule(
    "unknown-sink-setting",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="correct the name, or remove the setting",
)
def unknown_sink_setting(subject: Subject) -> Iterator[Violation]:
    """Every setting of a sink is one that the sink reads.

    Another one is ignored without an error.
    """
    settings = subject.document.settings
    kind = settings.get(f"{SINK}type", "").strip()
    for key in settings if kind in sinks() else ():
        name, prefix = key.removeprefix(f"{SINK}{kind}."), f"{SINK}{kind}."
        if name == key or any(fnmatchcase(name.lower(), pattern.lower()) for pattern in sinks()[kind].settings):
            continue
        names = [each for each in sinks()[kind].settings if "*" not in each]
        alike = [each for each in names if "." in each and name.startswith(each.rpartition(".")[2])]
        near = alike[0] if alike else closest(name, names, SLIP)
        hint = f"; did you mean '{prefix}{near}'?" if near else ""
        yield Violation(key, f"the sink '{kind}' has no setting '{key}'{hint}")


@rule("unknown-sink", Consequence.stop, evidence="N05", fix="correct the type")
def unknown_sink(subject: Subject) -> Iterator[Violation]:
    """The type of the sink is one that Debezium Server has.

    It does not start with another one, unless a library adds it.
    """
    key = f"{SINK}type"
    kind = subject.document.settings.get(key, "").strip()
    alike = [name for name in sinks() if (kind and name.startswith(f"{kind}-")) or name.endswith(f"-{kind}")]
    if kind not in sinks() and alike:
        yield Violation(key, f"there is no sink '{kind}'; did you mean '{alike[0]}'?")


@rule("invalid-sink-address", Consequence.stop, evidence="N05", fix="write host:port")
def invalid_sink_address(subject: Subject) -> Iterator[Violation]:
    """The address of Redis is a host and a port.

    With a scheme the host is not found.
    """
    key = f"{SINK}redis.address"
    address = subject.document.settings.get(key, "").strip()
    if "://" in address and not placeholders.is_open(key, address):
        yield Violation(key, f"'{address}' is not host:port")


SINKS = {
    "rabbitmq": (
        "deliveryMode",
        ("1",),
        "messages are not persistent: a restart of the broker loses them",
    ),
    "pubsub": ("ordering.enabled", ("false",), "messages have no ordering key"),
}
"""Settings of sinks, with the values that lose events or their order, and how."""


@rule(
    "server-sink-unsafe",
    Consequence.loss,
    evidence="N05",
    fix="leave the setting at its default",
)
def server_sink_unsafe(subject: Subject) -> Iterator[Violation]:
    """The sink keeps events, and the order of each key."""
    for kind, (name, values, how) in SINKS.items():
        key = f"{SINK}{kind}.{name}"
        if subject.document.settings.get(key, "").strip().lower() in values:
            consequence = Consequence.wrong if kind == "pubsub" else None
            yield Violation(key, f"{key} is {subject.document.settings[key].strip()}: {how}", consequence=consequence)


@rule(
    "server-partition-ignored",
    Consequence.wrong,
    evidence="E03",
    fix="leave the partition to the key, or run the connector in Kafka Connect",
)
def server_partition_ignored(subject: Subject) -> Iterator[Violation]:
    """The partition that the event router sets is used.

    Debezium Server's sink for Kafka sends every message without it (KafkaChangeConsumer).
    """
    yield from _not_sent(subject, "kafka", "partition", "the partition in")


@rule(
    "server-headers-ignored",
    Consequence.wrong,
    evidence="E03",
    fix="place the columns in the envelope",
)
def server_headers_ignored(subject: Subject) -> Iterator[Violation]:
    """The headers that the event router sets are sent.

    Debezium Server's sink for SQS sends the value alone.
    """
    yield from _not_sent(subject, "sqs", "header", "the header of")


def _not_sent(subject: Subject, sink: str, place: str, words: str) -> Iterator[Violation]:
    """The placements that a sink does not send."""
    key = subject.router_key("{}.fields.additional.placement")
    for entry in subject.placement if subject.document.settings.get(f"{SINK}type", "").strip() == sink else ():
        if entry.place == place:
            yield Violation(key, f"the sink ignores {words} '{entry.column}'")


@rule("server-sink-incomplete", Consequence.stop, evidence="N05", fix="set what the sink requires")
def server_sink_incomplete(subject: Subject) -> Iterator[Violation]:
    """The sink has the settings that have no default.

    Debezium Server does not start without them.
    """
    settings = {key.lower() for key in subject.document.settings}
    sink = _sink(subject)
    formats = [f"{FORMAT}{part}" for part in sink.required_formats]
    prefix = f"{SINK}{sink_kind(subject)}."
    required = [f"{prefix}{name}" for name in sink.required]
    values = {key.removeprefix(prefix): value for key, value in subject.document.settings.items()}
    needed_beside = [f"{prefix}{name}" for _, name in demanded(sink.requires, values)]
    hides_some = subject.document.partial or subject.document.supplemented
    for needed in required + formats + needed_beside if not hides_some else ():
        if needed.lower() not in settings:
            yield Violation("connector.class", f"'{needed}' is not set", unset=needed)


@rule("server-word-unknown", Consequence.stop, evidence="N05", fix="use one of the words")
def server_word_unknown(subject: Subject) -> Iterator[Violation]:
    """A setting of the sink that has a few words has one of them, and a number is within its bounds.

    RabbitMQ's sink sends messages with an empty routing key if it does not know the source of the key; other sinks do
    not start.
    """
    for name, allowed in _sink(subject).words.items():
        key = f"{SINK}{sink_kind(subject)}.{name}"
        word = subject.document.settings.get(key, "").strip()
        if word and word not in allowed.words and not placeholders.is_open(key, word):
            message = f"unknown word '{word}': expected {listed(allowed.words)}"
            yield Violation(key, message, consequence=Consequence[allowed.consequence])
    for name, most in _sink(subject).greatest.items():
        key = f"{SINK}{sink_kind(subject)}.{name}"
        number = whole_number(subject.document.settings.get(key, "")) or 0
        if number > most:
            yield Violation(key, f"{number} is more than {most}")


@rule("server-format-not-taken", Consequence.stop, evidence="N05", fix="use json or simplestring")
def server_format_not_taken(subject: Subject) -> Iterator[Violation]:
    """The sink takes what the format gives: a text, or bytes.

    A sink for texts fails on the first message in bytes; that of SQS sends the name of an object in its place.
    """
    sink = _sink(subject)
    for part, until in sink.texts.items():
        key = f"{FORMAT}{part}"
        form = subject.document.settings.get(key, "").strip().lower()
        in_bytes = form in BYTES or (form == "cloudevents" and part == "key")
        if in_bytes and (not until or subject.release < Version.of(until)) and not placeholders.is_open(key, form):
            consequence = Consequence.wrong if sink.garbled else None
            severity = Severity.error if sink.garbled else None
            message = f"the sink '{sink_kind(subject)}' takes no bytes, which the format {form} gives"
            yield Violation(key, message, consequence=consequence, severity=severity)


@rule(
    "server-setting-superseded",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N05",
    fix="remove one of the two settings",
)
def server_setting_superseded(subject: Subject) -> Iterator[Violation]:
    """No setting of the sink is superseded by another one."""
    settings = subject.document.settings
    for former, other in (("eventhubs.partitionid", "eventhubs.partitionkey"), ("pubsub.address", "pubsub.region")):
        if {f"{SINK}{former}", f"{SINK}{other}"} <= settings.keys():
            yield Violation(f"{SINK}{other}", f"'{SINK}{former}' takes its place")
    source, key = settings.get(f"{SINK}rabbitmq.routingKey.source", "").strip(), f"{SINK}rabbitmq.routingKey"
    if source in ("topic", "key") and settings.get(key, "").strip():
        yield Violation(key, f"the routing key is the {source} of the message")


@rule(
    "setting-loses-capitals",
    Consequence.stop,
    of_names=True,
    evidence="N05",
    fix="set it in a file of properties, or as a Java system property",
)
def setting_loses_capitals(subject: Subject) -> Iterator[Violation]:
    """A setting that the sink passes on to its client has the capitals of its name.

    A variable of the environment becomes a setting in lower case, which the client does not know.
    """
    prefix = f"{SINK}{sink_kind(subject)}."
    for name in _sink(subject).capitals:
        lowered = f"{prefix}{name}".lower()
        if lowered in subject.document.settings and f"{prefix}{name}" not in subject.document.settings:
            yield Violation(lowered, f"the client does not know '{name.lower()}': its setting is '{name}'")
