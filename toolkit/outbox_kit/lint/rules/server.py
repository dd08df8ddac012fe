"""Rules about Debezium Server, which keeps the position itself."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint import server
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

SOURCE, STORAGE, FILE = "debezium.source.", "offset.storage", "offset.storage.file.filename"
HISTORY = "debezium.source.schema.history.internal.file.filename"
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
    for key in (f"{SOURCE}{FILE}", HISTORY):
        if settings.get(key, "").startswith("/tmp"):  # noqa: S108 - of a container
            yield Violation(key, f"'{settings[key]}' does not outlive the container")
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
