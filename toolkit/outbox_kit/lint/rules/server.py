"""Rules about Debezium Server, which keeps the position itself."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import mounts, placeholders, server
from outbox_kit.lint.completed import FRAMEWORKS
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.server import SINK, SOURCE
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.words import listed
from outbox_kit.printable import counted
from outbox_kit.versions import Version

STORAGE, FILE = "offset.storage", "offset.storage.file.filename"
HISTORY = f"{SOURCE}schema.history.internal.file.filename"
MAKERS = r"(?:createTemp|mkdtemp|mkstemp|NamedTemporaryFile|MkdirTemp)"
MAKES_TEMPORARY = lazy_pattern(MAKERS)
TEMPORARY = rf"\b{{}}\s*(?::[^=\n]*)?=\s*[^;\n]*{MAKERS}"
"""Where a program assigns a temporary file, or a folder, to a name."""
FIRST_WORD = lazy_pattern(r"\$\(([A-Za-z]\w*?)(?:_|\.|\))")
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
        is_idle = name.removeprefix("source.").startswith("topic.creation.")  # also under its right name
        consequence = Consequence.advice if same or is_idle or setting in subject.document.settings else None
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
    lacks_sink = any(key.startswith(SOURCE) for key in settings) and not any(key.startswith(SINK) for key in settings)
    shows_part = lacks_sink and not subject.source.endswith(".properties")
    set_elsewhere = keeps_position_otherwise(subject) or subject.document.supplemented or shows_part
    if settings and settings.get(storage, "").strip() in IN_FILE and file not in settings and not set_elsewhere:
        yield Violation("connector.class", f"'{file}' is not set", unset=file)


IN_TOPIC = "KafkaOffsetBackingStore"
"""The end of the class that keeps the position in a topic."""
OF_TOPIC = ("topic", "partitions", "replication.factor")
"""What it has no default for in Debezium Server and in the engine (`EmbeddedEngineConfig`)."""


@rule("position-topic-incomplete", Consequence.stop, evidence="N05", fix="set the option")
def position_topic_incomplete(subject: Subject) -> Iterator[Violation]:
    """The topic in which Debezium Server, or Debezium's engine, keeps its position is described.

    A worker of Kafka Connect has defaults for it, they have none: they do not start.
    """
    settings, storage = subject.document.settings, _setting(STORAGE, subject)
    in_topic = settings.get(storage, "").strip().endswith(IN_TOPIC)
    if not in_topic or keeps_position_otherwise(subject) or subject.document.supplemented:
        return
    for name in OF_TOPIC:
        if f"{storage}.{name}" not in settings:
            yield Violation(storage, f"'{storage}.{name}' is not set", unset=f"{storage}.{name}")


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
    is_temporary = MAKES_TEMPORARY.search(settings.get(file, ""))
    if is_temporary or (name and re.search(TEMPORARY.format(name[1]), subject.text)):
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


KEEPS_POSITION = ("OFFSET_STORAGE", *FRAMEWORKS)
"""What a program has that keeps it otherwise."""


def keeps_position_otherwise(subject: Subject) -> bool:
    """Whether a program keeps the position by constants of Kafka, which are not read, or by its framework."""
    return subject.document.kind == "code" and any(word in subject.text for word in KEEPS_POSITION)


def _setting(option: str, subject: Subject) -> str:
    """How the server, or the engine, names an option of the position."""
    return f"{SOURCE}{option}" if subject.document.kind == "server" else option


OF_HEADERS = ("json", "jsonbytearray", "connect", "clientprovided")
OF_MESSAGES = (*OF_HEADERS, "avro", "protobuf", "simplestring", "binary", "cloudevents")
FORMATS = {
    "debezium.format.key": OF_MESSAGES,
    "debezium.format.value": OF_MESSAGES,
    "debezium.format.header": OF_HEADERS,
}
"""What `DebeziumSerializationProducer` accepts."""


@rule("unknown-server-format", Consequence.stop, evidence="N05", fix="use a format that Debezium Server has")
def unknown_server_format(subject: Subject) -> Iterator[Violation]:
    """Every format is one of Debezium Server's.

    It does not start with another one, or with one in capitals.
    """
    for key, formats in FORMATS.items():
        value = subject.document.settings.get(key, "").strip()
        is_known = value in formats or value.lower() == "connect"  # the only one whose case does not matter
        if value and not is_known and not placeholders.is_open(key, value):
            yield Violation(key, f"unknown format '{value}': expected {listed(formats)}")


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


@rule(
    "server-default-with-hyphen",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="write the default behind the colon: ${NAME:default}",
)
def server_default_with_hyphen(subject: Subject) -> Iterator[Violation]:
    """The default of an expression begins behind the colon.

    Debezium Server has no `:-` of a shell: where the variable is not set, the value begins with a hyphen.
    """
    for key in subject.document.hyphened:
        yield Violation(key, "the default begins with a hyphen where the variable is not set")


@rule(
    "dotted-yaml-key",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="write each part of the name as a key of its own, or use application.properties",
)
def dotted_yaml_key(subject: Subject) -> Iterator[Violation]:
    """No key of Debezium Server's application.yaml has a dot.

    Quarkus reads it as one name in quotes (`debezium.source."topic.prefix"`), and the server does not find the setting.
    """
    quoted = subject.document.quoted
    if quoted and "application.y" in subject.source + subject.text:
        others = f", and {counted(len(quoted) - 1, 'other name')}" if len(quoted) > 1 else ""
        yield Violation(quoted[0], f"a key with a dot in '{quoted[0]}'{others}")


@rule(
    "class-without-package",
    Consequence.stop,
    evidence="N10",
    fix="write the whole name of the class, such as io.debezium.connector.postgresql.PostgresConnector",
)
def class_without_package(subject: Subject) -> Iterator[Violation]:
    """The class of the connector has its whole name.

    Kafka Connect also finds a class by its last word. Debezium Server and the engine do not, nor does Debezium when it
    looks for its way to take a snapshot, since 2.7: the task fails, ClassNotFoundException (`ConnectorDiscriminator`).
    """
    key = "connector.class"
    name = subject.document.config.get(key, "").strip()
    looks_it_up = subject.document.settings or (subject.connector and subject.release >= LOOKED_UP)
    if looks_it_up and name and "." not in name and not placeholders.is_open(key, name):
        yield Violation(key, f"'{name}' has no package")


LOOKED_UP = Version.of("2.7")
OF_SERVER = ("debezium.", "DEBEZIUM_", "quarkus.")


@rule("engine-name-missing", Consequence.stop, of_names=True, evidence="N05", fix="set name")
def engine_name_missing(subject: Subject) -> Iterator[Violation]:
    """An engine in a program has a name.

    It does not start without one (`EmbeddedEngineConfig.CONNECTOR_FIELDS`). Debezium Server has one by default.
    """
    document = subject.document
    is_engine = (
        document.kind == "code"
        and document.settings
        and not any(key.startswith(OF_SERVER) for key in document.settings)
    )
    sets_elsewhere = document.partial or document.supplemented or "ENGINE_NAME" in subject.text
    if is_engine and "name" not in subject.config and not sets_elsewhere:
        yield Violation("connector.class", "'name' is not set", unset="name")
