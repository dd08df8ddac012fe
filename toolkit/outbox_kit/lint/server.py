"""The settings of Debezium Server, as Kafka Connect names its source, transformations and formats. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from outbox_kit import smallrye
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import document as documents
from outbox_kit.lint.document import Document, Entry
from outbox_kit.lint.excerpt import Excerpt

SOURCE, SINK = "debezium.source.", "debezium.sink."
CLASS = f"{SOURCE}connector.class"
CHAINS = ("debezium.transforms", "debezium.predicates")
OWN = ("offset.", "bootstrap.servers")  # of the source: options of a worker elsewhere
FORMATS = {
    "debezium.format.key": "key.converter",
    "debezium.format.value": "value.converter",
}
"""Headers have no format that differs from JSON."""
ALL_FORMATS = "debezium.format."
"""Of an option of every converter, such as `debezium.format.schemas.enable`."""
FORMAT_HEADER = f"{ALL_FORMATS}header"
CLASSES = {SOURCE + option: format_ for format_, option in FORMATS.items()} | {
    f"{SOURCE}header.converter": FORMAT_HEADER
}
"""Settings of a converter's class, which it does not read, with the one that it reads (ConverterBuilder)."""
OTHERS = (SINK, ALL_FORMATS, "debezium.enabled", "debezium.engine.")
"""Settings that it reads and that are no option of a connector."""
CONVERTERS = {
    "json": "org.apache.kafka.connect.json.JsonConverter",
    "jsonbytearray": "org.apache.kafka.connect.json.JsonConverter",
    "string": "org.apache.kafka.connect.storage.StringConverter",
    "simplestring": "org.apache.kafka.connect.storage.StringConverter",
    "binary": "io.debezium.converters.BinaryDataConverter",
    "cloudevents": "io.debezium.converters.CloudEventsConverter",
    "avro": "io.confluent.connect.avro.AvroConverter",
    "protobuf": "io.confluent.connect.protobuf.ProtobufConverter",
}
PLAIN = ("string", "simplestring")
"""Formats without options."""
SYSTEM_PROPERTY = lazy_pattern(r"(?:^|\s)-D(debezium\.[\w.-]+)=(\S+)")
HYPHENED = lazy_pattern(r"(?<!\$)\$\{[\w.]+:-")
VARIABLE = lazy_pattern(r"DEBEZIUM_[A-Z0-9_]+|debezium_[a-z0-9_]+")
PROFILE = lazy_pattern(r"%[\w-]+\.")


def runs(keys: Iterable[str]) -> bool:
    """Whether settings of these names configure Debezium Server."""
    return any(_property(key).startswith(SOURCE) for key in keys)


def document(entries: Iterable[Entry], excerpt: Excerpt) -> Document:
    """The config of the connector that it runs. excerpt: in which the entries stand."""
    plain = [each for entry in entries for each in (entry, *_system_properties(entry))]
    settings = [replace(entry, key=_property(entry.key), value=_expanded(entry.value)) for entry in plain]
    keys = {entry.key for entry in settings}
    unset = [Entry(option, CONVERTERS["json"], 0) for key, option in FORMATS.items() if key not in keys]
    read = documents.document("server", None, _options(settings), excerpt)
    return replace(
        read,
        config={entry.key: entry.value for entry in unset} | dict(read.config),
        settings={entry.key: entry.value for entry in settings},
        settings_spots={entry.key: excerpt.spot(entry.at) for entry in settings},
        hyphened=tuple(_property(entry.key) for entry in plain if HYPHENED.search(entry.value)),
        expands="Debezium Server",
        partial=CLASS not in keys,  # a part of a server's settings
    )


def _system_properties(entry: Entry) -> Iterator[Entry]:
    """The settings in a variable with options of Java."""
    for match in SYSTEM_PROPERTY.finditer(entry.value) if entry.key.startswith("JAVA_") else ():
        yield replace(entry, key=match[1], value=match[2])


def _options(settings: Sequence[Entry]) -> Iterator[Entry]:
    values = {entry.key: entry.value.strip().lower() for entry in settings}
    for entry in settings:
        part = next((old for old in FORMATS if entry.key.startswith(f"{old}.")), None)
        if entry.key in FORMATS:
            converter = CONVERTERS.get(entry.value.strip().lower(), entry.value)
            yield replace(entry, key=FORMATS[entry.key], value=converter)
        elif part:
            yield replace(entry, key=FORMATS[part] + entry.key.removeprefix(part))
        elif entry.key.startswith(ALL_FORMATS) and not entry.key.startswith(FORMAT_HEADER):
            option = entry.key.removeprefix(ALL_FORMATS)
            for old, converter in FORMATS.items():
                if f"{old}.{option}" not in values and values.get(old) not in PLAIN:  # which ignores it
                    yield replace(entry, key=f"{converter}.{option}")
        elif entry.key.startswith(CHAINS):
            yield replace(entry, key=entry.key.removeprefix("debezium."))
        elif entry.key.startswith(SOURCE) and entry.key not in CLASSES:
            option = entry.key.removeprefix(SOURCE)
            if not option.startswith(OWN):
                yield replace(entry, key=option)


def is_unread(key: str) -> bool:
    """Whether it does not read a setting that is called as if it did."""
    if key in CLASSES or any(key.startswith(f"{name}.converter") for name in (*FORMATS, FORMAT_HEADER)):
        return True
    return key.startswith("debezium.") and not key.startswith((SOURCE, *CHAINS, *OTHERS))


def setting(option: str) -> str:
    """The setting of an option."""
    for name, converter in FORMATS.items():
        if option == converter or option.startswith(f"{converter}."):
            return name + option.removeprefix(converter)
    return f"debezium.{option}" if f"debezium.{option}".startswith(CHAINS) else f"{SOURCE}{option}"


def without_profile(name: str) -> str:
    """A setting's name without the profile of Quarkus to which it is limited."""
    return name[match.end() :] if (match := PROFILE.match(name)) else name


def _property(name: str) -> str:
    """The property that a setting sets: of an environment variable too, and without Quarkus' profile."""
    if VARIABLE.fullmatch(name):
        return name.lower().replace("_", ".")
    return without_profile(name)


def _expanded(value: str) -> str:
    """A value as Debezium gets it; an expression of another setting as a placeholder."""
    return smallrye.expanded(value, lambda name: f"$({name})")
