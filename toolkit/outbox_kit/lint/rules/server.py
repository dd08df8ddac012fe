"""Rules about Debezium Server, which keeps the position itself."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from outbox_kit import data_file
from outbox_kit.assets import CONNECTORS
from outbox_kit.findings.rule import Severity
from outbox_kit.lint import mounts, placeholders, server
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.schema.nearest import closest

SOURCE, STORAGE, FILE = "debezium.source.", "offset.storage", "offset.storage.file.filename"
HISTORY = "debezium.source.schema.history.internal.file.filename"
TEMPORARY = r"\b{}\s*(?::[^=\n]*)?=\s*[^;\n]*(?:createTemp|mkdtemp|mkstemp|NamedTemporaryFile|MkdirTemp)"
"""Where a program assigns a temporary file, or a folder, to a name."""
FIRST_WORD = re.compile(r"\$\(([A-Za-z]\w*?)(?:_|\.|\))")
"""The name with which a program's expression begins."""
IN_FILE = ("", "org.apache.kafka.connect.storage.FileOffsetBackingStore")


@rule(
    "unread-setting",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="N12",
    fix="use debezium.source.*, debezium.transforms.*, debezium.predicates.*, debezium.format.* or debezium.sink.*",
)
def unread_setting(subject: Subject) -> Iterator[Violation]:
    """Every setting for Debezium Server has a name that it reads.

    A setting with another prefix is ignored without an error: `debezium.value.converter`, for example, is not the
    converter of values; `debezium.format.value` is.
    """
    unread = list(filter(server.is_unread, subject.document.settings))
    for key in unread:
        if any(key.startswith(f"{other}.") for other in unread):
            continue
        if subject.option(key.removeprefix("debezium.")) is None and ".converter" not in key:
            message = f"Debezium Server does not read '{key}'"  # such as a level of logging
            yield Violation(key, message, consequence=Consequence.advice)
            continue
        name = key.removeprefix("debezium.").removeprefix("format.").replace(".converter.converter", ".converter")
        setting = server.CLASSES.get(key) or server.setting(name)
        effective = subject.config.get(name.removeprefix("source."))
        same = effective is not None and effective == subject.document.settings[key]
        consequence = Consequence.advice if same or setting in subject.document.settings else None
        message = f"Debezium Server does not read '{key}'; it reads '{setting}'"
        yield Violation(key, message, consequence=consequence)
    for part in ("key", "value") if subject.document.kind == "server" else ():
        if (key := f"{part}.converter") in subject.document.settings:
            message = f"Debezium Server does not read '{key}'; it reads 'debezium.format.{part}'"
            yield Violation(key, message, consequence=Consequence.advice)


@rule("server-position-file", Consequence.stop, evidence="N05", fix="set it to a file on a volume")
def server_position_file(subject: Subject) -> Iterator[Violation]:
    """A file is named in which Debezium Server, or Debezium's engine, keeps its position.

    By default it keeps the position in a file, whose name has no default: it does not start without one.
    """
    settings = subject.document.settings
    storage, file = _setting(STORAGE, subject), _setting(FILE, subject)
    if settings and settings.get(storage, "").strip() in IN_FILE and file not in settings:
        yield Violation("connector.class", f"'{file}' is not set", unset=file)


@rule(
    "server-position-lost", Consequence.risk, evidence="N05", fix="keep the position in Kafka, or in a file on a volume"
)
def server_position_lost(subject: Subject) -> Iterator[Violation]:
    """The file of the position outlives the container of Debezium Server.

    Without a position the initial snapshot is repeated, or with snapshot.mode=no_data what was written meanwhile is
    lost.
    """
    settings = subject.document.settings
    storage = _setting(STORAGE, subject)
    if "Memory" in settings.get(storage, ""):
        yield Violation(storage, "the position is kept in memory")
    file = _setting(FILE, subject)
    name = FIRST_WORD.match(settings.get(file, ""))
    if name and re.search(TEMPORARY.format(name[1]), subject.text):
        yield Violation(file, "the position is kept in a temporary file")
    mounted = mounts.folders(subject.text) if subject.document.kind == "server" else None
    for key in (f"{SOURCE}{FILE}", HISTORY):
        path = settings.get(key, "")
        if path.startswith("/tmp"):  # noqa: S108 - of a container
            yield Violation(key, f"'{path}' does not outlive the container")
        elif (
            path and mounted is not None and not placeholders.is_open(key, path) and not mounts.outlives(path, mounted)
        ):
            yield Violation(key, f"'{path}' is in no volume that the file names")
    replicas = f"{storage}.replication.factor"
    if settings.get(replicas, "").strip() == "1":
        yield Violation(replicas, "the topic of the position has one replica")


def _setting(option: str, subject: Subject) -> str:
    """How the server, or the engine, names an option of the position."""
    return f"{SOURCE}{option}" if subject.document.kind == "server" else option


SINK = "debezium.sink."


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


SLIP = 0.6
"""How similar a name must be to be meant."""


@cache
def _sinks() -> Mapping[str, Sequence[str]]:
    """The settings of each sink that is known, without its prefix."""
    sinks: Mapping[str, Sequence[str]] = data_file.values(CONNECTORS / "server-sinks.yaml")
    return sinks


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
    for key in settings if kind in _sinks() else ():
        name, prefix = key.removeprefix(f"{SINK}{kind}."), f"{SINK}{kind}."
        if name == key or any(fnmatchcase(name.lower(), pattern.lower()) for pattern in _sinks()[kind]):
            continue
        names = [each for each in _sinks()[kind] if "*" not in each]
        alike = [each for each in names if "." in each and name.startswith(each.rpartition(".")[2])]
        near = alike[0] if alike else closest(name, names, SLIP)
        hint = f"; did you mean '{prefix}{near}'?" if near else ""
        yield Violation(key, f"the sink '{kind}' has no setting '{key}'{hint}")


@rule(
    "server-exchange-not-named",
    Consequence.risk,
    of_names=True,
    evidence="N05",
    fix="set debezium.sink.rabbitmq.exchange; an empty one with a routing key leads to the queue of its name",
)
def server_exchange_not_named(subject: Subject) -> Iterator[Violation]:
    """The sink of RabbitMQ has the name of an exchange.

    Without one it publishes to an exchange that is named like each topic, whatever the routing key is. RabbitMQ closes
    the channel if no such exchange exists.
    """
    settings, key, routing = subject.document.settings, f"{SINK}rabbitmq.exchange", f"{SINK}rabbitmq.routingKey"
    if routing in settings and not any(name.startswith(key) for name in settings):
        yield Violation(f"{SINK}type", f"'{key}' is not set", unset=key)


@rule("unknown-sink", Consequence.stop, evidence="N05", fix="correct the type")
def unknown_sink(subject: Subject) -> Iterator[Violation]:
    """The type of the sink is one that Debezium Server has.

    It does not start with another one, unless a library adds it.
    """
    key = f"{SINK}type"
    kind = subject.document.settings.get(key, "").strip()
    alike = [name for name in _sinks() if (kind and name.startswith(f"{kind}-")) or name.endswith(f"-{kind}")]
    if kind not in _sinks() and alike:
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


OF_HEADERS = ("json", "jsonbytearray", "connect", "clientprovided")
OF_MESSAGES = (*OF_HEADERS, "avro", "protobuf", "simplestring", "binary", "cloudevents")
FORMATS = {
    "debezium.format.key": OF_MESSAGES,
    "debezium.format.value": OF_MESSAGES,
    "debezium.format.header": OF_HEADERS,
}
"""What `DebeziumSerializationProducer` accepts."""
TEXTS, BYTES = ("json", "simplestring"), ("jsonbytearray", "avro", "protobuf", "binary")
"""Formats by what they give to the producer of the sink."""


@rule("unknown-server-format", Consequence.stop, evidence="N05", fix="use a format that Debezium Server has")
def unknown_server_format(subject: Subject) -> Iterator[Violation]:
    """Every format is one of Debezium Server's.

    It does not start with another one.
    """
    for key, formats in FORMATS.items():
        value = subject.document.settings.get(key, "").strip().lower()
        if value and value not in formats and not placeholders.is_open(key, value):
            yield Violation(key, f"unknown format '{value}': expected {', '.join(formats[:-1])} or {formats[-1]}")


@rule("server-serializer-differs", Consequence.stop, evidence="N05", fix="use the serializer of the format")
def server_serializer_differs(subject: Subject) -> Iterator[Violation]:
    """The producer of the sink has the serializer of the format: of texts, or of bytes.

    With the other one the first message fails.
    """
    settings = subject.document.settings
    for part in ("key", "value") if settings.get(f"{SINK}type", "").strip() == "kafka" else ():
        key = f"{SINK}kafka.producer.{part}.serializer"
        serializer, form = (
            settings.get(key, "").strip(),
            settings.get(f"debezium.format.{part}", "json").strip().lower(),
        )
        if (form in TEXTS and serializer.endswith("ByteArraySerializer")) or (
            form in BYTES and serializer.endswith("StringSerializer")
        ):
            yield Violation(key, f"'{serializer.rpartition('.')[2]}' does not take the format {form}")


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


@rule("server-without-sink", Consequence.stop, evidence="N05", fix="set debezium.sink.type")
def server_without_sink(subject: Subject) -> Iterator[Violation]:
    """Debezium Server has a sink.

    It does not start without one.
    """
    settings = subject.document.settings
    shown = subject.document.kind == "server" and not subject.is_of_page and not subject.document.partial
    if shown and f"{SINK}type" not in settings and (others := [key for key in settings if key.startswith(SINK)]):
        yield Violation(others[0], f"'{SINK}type' is not set", unset=f"{SINK}type")
    elif shown and f"{SINK}type" not in settings and subject.source.endswith(".properties"):
        yield Violation("connector.class", f"'{SINK}type' is not set", unset=f"{SINK}type")


STORED_WITH = {
    "RedisOffsetBackingStore": ("redis.address",),
    "KafkaOffsetBackingStore": ("topic",),
}
"""Settings without which a storage of the position does not start, below its prefix."""


@rule("server-position-storage-incomplete", Consequence.stop, evidence="N05", fix="set the setting")
def server_position_storage_incomplete(subject: Subject) -> Iterator[Violation]:
    """The storage of the position has the settings that it needs.

    Debezium Server, or Debezium's engine, does not start without them. The address of Redis may be that of its sink.
    """
    settings, storage = subject.document.settings, _setting(STORAGE, subject)
    for name in STORED_WITH.get(settings.get(storage, "").strip().rpartition(".")[2], ()):
        needed = f"{storage}.{name}"
        if needed not in settings and f"{SINK}{name}" not in settings and not subject.document.partial:
            yield Violation(storage, f"'{needed}' is not set", unset=needed)


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


@rule(
    "option-without-source-prefix",
    Consequence.wrong,
    evidence="N12",
    fix="write debezium.source. before options of the connector, and debezium. before those of transformations",
)
def option_without_source_prefix(subject: Subject) -> Iterator[Violation]:
    """Options of the connector and of transformations have the prefix under which Debezium Server reads them."""
    for key in subject.document.settings if subject.document.kind == "server" else ():
        option = subject.option(key) if not key.startswith(("debezium.", "quarkus.")) and "." in key else None
        follows = key.startswith("transforms.") and "transforms" in subject.document.settings
        if key == "transforms" or (option is not None and not follows):
            if not key.endswith(".converter"):
                severity = Severity.error if key.startswith("transforms") else None
                message = f"{key} has no prefix: Debezium Server reads '{server.setting(key)}'"
                yield Violation(key, message, Edit(key, rename=server.setting(key), safe=False), severity=severity)


SERIALIZERS = ("kafka.producer.key.serializer", "kafka.producer.value.serializer")


@rule("server-sink-incomplete", Consequence.stop, evidence="N05", fix="set the serializers of the producer")
def server_sink_incomplete(subject: Subject) -> Iterator[Violation]:
    """The sink for Kafka has the serializers of its producer.

    They have no default: Debezium Server does not start without them.
    """
    settings = subject.document.settings
    if settings.get(f"{SINK}type", "").strip() == "kafka":
        for name in SERIALIZERS:
            if f"{SINK}{name}" not in settings:
                yield Violation("connector.class", f"'{SINK}{name}' is not set", unset=f"{SINK}{name}")
