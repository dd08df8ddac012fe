"""The config of Confluent Cloud's managed connectors, as Kafka Connect names its options. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from outbox_kit import databases
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.router.convert import STORAGE

CLASSES = {
    dialect.capture.managed_class: dialect.capture.options["connector.class"]
    for dialect in databases.ALL.values()
    if dialect.capture.managed_class
}
RELEASE = "3.2"
"""The Debezium release that Confluent's documentation of these connectors refers to."""
FORMATS = {"output.key.format": "key.converter", "output.data.format": "value.converter"}
CONVERTERS = {
    "JSON": "org.apache.kafka.connect.json.JsonConverter",
    "STRING": f"{STORAGE}StringConverter",
    "AVRO": "io.confluent.connect.avro.AvroConverter",
    "JSON_SR": "io.confluent.connect.json.JsonSchemaConverter",
    "PROTOBUF": "io.confluent.connect.protobuf.ProtobufConverter",
}
OF_REGISTRY = ("AVRO", "JSON_SR", "PROTOBUF")
EXAMINED = ("kafka.api.key", "kafka.api.secret", "after.state.only")
"""Options that only the cloud knows, and that a rule examines."""
OF_CLOUD = ("kafka.", "schema.context.name", "name")
IN_RE2 = lazy_pattern(r"\(\?P<")


def as_connect(document: Document) -> Document:
    """A managed connector's config with the options of Kafka Connect; the same document for other connectors."""
    if document.config.get("connector.class") not in CLASSES:
        return document
    options = list(_options(document.config))
    return replace(
        document,
        config={option: value for option, _, value in options},
        spots={option: document.spot(origin) for option, origin, _ in options if origin == option or origin in FORMATS},
        release=RELEASE,
        managed=True,
        verbatim=False,
    )


def _options(config: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Each option with the option that it is in the managed connector's config, and its value.

    What the managed connector always does is among them.
    """
    for name, value in config.items():
        if name == "connector.class":
            yield name, name, CLASSES[value]
        elif name in FORMATS:
            yield FORMATS[name], name, CONVERTERS.get(value.strip().upper(), value)
            if value.strip().upper() == "JSON":
                yield f"{FORMATS[name]}.schemas.enable", name, "false"
            elif value.strip().upper() in OF_REGISTRY:
                yield f"{FORMATS[name]}.schema.registry.url", name, placeholder("registry of the cloud")
        elif name in EXAMINED or not name.startswith(OF_CLOUD):
            yield name, name, IN_RE2.sub("(?<", value) if name.endswith(".route.topic.regex") else value
    yield "plugin.name", "connector.class", "pgoutput"
    yield "header.converter", "connector.class", f"{STORAGE}SimpleHeaderConverter"
