"""Debezium Server's application.properties, for a sink that is not Kafka. Pure.

The server runs the connector and the transformations without Kafka Connect. So it has formats in place of converters,
files in place of Connect's topics of offsets and of schema history, and no options of topics and producers. RabbitMQ
and HTTP get the key as the header `message-key`, as the relay's RabbitMQ sink has it.
"""

from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.errors import UsageProblem
from outbox_kit.properties import line
from outbox_kit.render import server_sinks
from outbox_kit.render.deployed import DeployedConnector, variable
from outbox_kit.render.server_sink import EMPTY, ServerSink
from outbox_kit.smallrye import literal
from outbox_kit.wire.columns import ROUTER_STEP
from outbox_kit.wire.shape import Config

KEY_HEADER = "message-key"
KAFKA_HISTORY = "schema.history.internal.kafka."
OF_CONNECT = (
    "tasks.max",
    "topic.creation.",
    "producer.override.",
    "exactly.once.support",
    "transaction.boundary",
    "errors.tolerance",
    "header.converter",
    KAFKA_HISTORY,
)
FORMATS = {
    "org.apache.kafka.connect.storage.StringConverter": "simplestring",
    "org.apache.kafka.connect.json.JsonConverter": "json",
    "io.debezium.converters.BinaryDataConverter": "binary",
}
CONVERTERS = {"key.converter": "debezium.format.key", "value.converter": "debezium.format.value"}
HISTORY = {
    "debezium.source.schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory",
    "debezium.source.schema.history.internal.file.filename": "${DATA_FOLDER:data}/schema-history.dat",
}
OFFSETS = {
    "debezium.source.offset.storage": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
    "debezium.source.offset.storage.file.filename": "${DATA_FOLDER:data}/offsets.dat",
    "debezium.source.offset.flush.interval.ms": "1000",
}
HEADERS = {"debezium.format.header": "json", "debezium.format.header.schemas.enable": "false"}
STEP = f"transforms.{ROUTER_STEP}."
TOMBSTONES = "route.tombstone.on.empty.payload"
PLACEMENT = ".fields.additional.placement"
KEY_COLUMN = ".field.event.key"


def document(connector: DeployedConnector) -> str:
    """The properties. Raises UsageProblem if no sink is named, or the server or the sink cannot send these events."""
    sink = _sink(connector)
    lines = [
        *(line(name, value) for name, value in _of_sink(sink)),
        "",
        *(line(name, value) for name, value in _of_source(connector, sink)),
    ]
    return "\n".join(lines) + "\n"


def _sink(connector: DeployedConnector) -> ServerSink:
    choices = ", ".join(server_sinks.names())
    if not connector.sink:
        raise UsageProblem("--target debezium-server needs --sink", fix=f"name one with --sink: {choices}")
    sink = server_sinks.get(connector.sink)
    if connector.config.get("exactly.once.support") == "required":
        raise UsageProblem(
            "Debezium Server delivers at least once, and the schema file asks for exactly-once",
            fix="set delivery_guarantee: at-least-once, or deploy the connector to Kafka Connect",
        )
    if not sink.sends_tombstones and connector.config.get(STEP + TOMBSTONES) == "true":
        raise UsageProblem(
            f"the sink '{connector.sink}' drops events without a payload, and the schema file has such events",
            why="Debezium Server's sink skips messages without a value and reports nothing",
            fix="choose the sink rabbitmq or redis, or give each event a payload",
        )
    return sink


def _of_sink(sink: ServerSink) -> Iterator[tuple[str, str]]:
    yield "debezium.sink.type", sink.type
    for name, value in sink.options.items():
        yield f"debezium.sink.{sink.type}.{name}", value


def _of_source(connector: DeployedConnector, sink: ServerSink) -> Iterator[tuple[str, str]]:
    """The options of the connector, its transformations and its formats, as the server names them."""
    config = _with_key_header(connector.config) if sink.key_as_header else connector.config
    referred = replace(connector, config=config).referring(lambda name, value: f"${{{variable(name, value)}}}")
    for name, value in config.items():
        if name.startswith(OF_CONNECT):
            continue
        if name in CONVERTERS:
            yield CONVERTERS[name], _format(name, value)
        else:
            yield _server_name(name), literal(value) or EMPTY if referred[name] == value else referred[name]
    yield from (HEADERS | OFFSETS).items()
    if any(name.startswith(KAFKA_HISTORY) for name in config):
        yield from HISTORY.items()


def _server_name(name: str) -> str:
    """The name of an option of Kafka Connect in the server's properties."""
    for converter, form in CONVERTERS.items():
        if name.startswith(f"{converter}."):
            return form + name.removeprefix(converter)
    return f"debezium.{name}" if name.startswith(("transforms", "predicates")) else f"debezium.source.{name}"


def _format(option: str, converter: str) -> str:
    form = FORMATS.get(converter)
    if form is None:
        raise UsageProblem(f"the server has no format for {option} '{converter}'", fix="deploy it to Kafka Connect")
    return form


def _with_key_header(config: Config) -> Config:
    """The config with the key's column as one more header of the event router."""
    option = next(name for name in config if name.startswith(STEP) and name.endswith(PLACEMENT))
    key = next(value for name, value in config.items() if name.startswith(STEP) and name.endswith(KEY_COLUMN))
    return config | {option: ",".join(filter(None, [config[option], f"{key}:header:{KEY_HEADER}"]))}
