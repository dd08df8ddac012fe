"""Rules about Debezium Server, which keeps the position itself."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint import server
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

STORAGE = "debezium.source.offset.storage"
FILE = f"{STORAGE}.file.filename"
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
    for key in filter(server.is_unread, subject.document.settings):
        if subject.option(key.removeprefix("debezium.")) is None and ".converter" not in key:
            continue  # nobody's, such as a level of logging
        name = key.removeprefix("debezium.").removeprefix("format.").replace(".converter.converter", ".converter")
        setting = server.CLASSES.get(key) or server.setting(name)
        effective = subject.config.get(name.removeprefix("source."))
        same = effective is not None and effective == subject.document.settings[key]
        consequence = Consequence.advice if same or setting in subject.document.settings else None
        message = f"Debezium Server does not read '{key}'; it reads '{setting}'"
        yield Violation(key, message, consequence=consequence)


@rule("server-position-file", Consequence.stop, evidence="N05", fix=f"set {FILE} to a file on a volume")
def server_position_file(subject: Subject) -> Iterator[Violation]:
    """A file is named in which Debezium Server keeps its position.

    By default it keeps the position in a file, whose name has no default: it does not start without one.
    """
    settings = subject.document.settings
    if subject.document.kind == "server" and settings.get(STORAGE, "").strip() in IN_FILE and FILE not in settings:
        yield Violation("connector.class", f"'{FILE}' is not set", unset=FILE)


@rule(
    "server-position-lost", Consequence.risk, evidence="N05", fix="keep the position in Kafka, or in a file on a volume"
)
def server_position_lost(subject: Subject) -> Iterator[Violation]:
    """The file of the position outlives the container of Debezium Server.

    Without a position the initial snapshot is repeated, or with snapshot.mode=no_data what was written meanwhile is
    lost.
    """
    settings = subject.document.settings
    if "Memory" in settings.get(STORAGE, ""):
        yield Violation(STORAGE, "the position is kept in memory")
    for key in (FILE, HISTORY):
        if settings.get(key, "").startswith("/tmp"):  # noqa: S108 - of a container
            yield Violation(key, f"'{settings[key]}' does not outlive the container")
    replicas = f"{STORAGE}.replication.factor"
    if settings.get(replicas, "").strip() == "1":
        yield Violation(replicas, "the topic of the position has one replica")


SINK = "debezium.sink."
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
