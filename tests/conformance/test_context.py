"""The headers in which a connector says who it is, as the real classes make them, and what converters make of those."""

from typing import Any

import jpype
import pytest

from outbox_kit.router import context
from outbox_kit.router.chain import EVENT_ROUTER, PREDICATES, Chain, Unknown
from outbox_kit.router.events import RowColumn, change
from outbox_kit.router.options import catalogue
from outbox_kit.router.values import Varying
from outbox_kit.versions import Version
from tests.conformance.compare import compare
from tests.conformance.converters import BINARY, CONVERTERS, JSON, STRING
from tests.support.jvm import ALL, class_of, java_map

COMMON = {
    "topic.prefix": "shop é",
    "database.hostname": "h",
    "database.user": "u",
    "database.password": "p",
    "database.dbname": "shop",
    "database.names": "shop",
    "database.server.id": "7",
    "schema.history.internal.kafka.topic": "history",
    "schema.history.internal.kafka.bootstrap.servers": "localhost:1",
    "mongodb.connection.string": "mongodb://localhost:1/?replicaSet=rs0",
}
CLASSES = {
    "postgres": "io.debezium.connector.postgresql.Postgres",
    "mysql": "io.debezium.connector.mysql.MySql",
    "mariadb": "io.debezium.connector.mariadb.MariaDb",
    "sqlserver": "io.debezium.connector.sqlserver.SqlServer",
    "oracle": "io.debezium.connector.oracle.Oracle",
    "mongodb": "io.debezium.connector.mongodb.MongoDb",
}
RELEASES = [(dialect, line) for dialect in CLASSES for line in ("3.5.0.Final", "3.6.1.Final", "3.7.0.Final")]
BEFORE = [
    (dialect, line) for dialect in ("postgres", "mongodb") for line in ("3.2.0.Final", "3.3.2.Final", "3.4.1.Final")
]
HELD = [
    pair
    for pair in RELEASES
    if pair not in {("mariadb", "3.6.1.Final")} and (pair[1][:3] < "3.7" or pair[0] == "postgres")
]
COLUMNS = [RowColumn(name, "text", name) for name in ("id", "aggregatetype", "aggregateid", "payload")]
ROUTED = {"transforms": "outbox", "transforms.outbox.type": EVENT_ROUTER, "key.converter": STRING}


def real(dialect: str, line: str, config: dict[str, str]) -> list[tuple[str, Any]]:
    """The headers that a release's own classes make for a connector's config."""
    configuration = class_of("io.debezium.config.Configuration", line, ALL).from_(java_map(config))
    settings = class_of(f"{CLASSES[dialect]}ConnectorConfig", line, ALL)(configuration)
    task = _task(f"{CLASSES[dialect]}TaskContext", line, [configuration, settings])
    producer = class_of("io.debezium.connector.common.DebeziumHeaderProducer", line, ALL)(task)
    return [(str(header.key()), str(header.value())) for header in producer.contextHeaders()]


def _task(name: str, line: str, given: list[Any]) -> Any:
    """A task's context. Before 3.4 the connector's own asks a schema for more; there it is that of all connectors."""
    own = name if Version.of(line) >= Version.of("3.4") else "io.debezium.connector.common.CdcSourceTaskContext"
    given = [*given, jpype.JClass("java.util.HashMap")()]
    makers = class_of(own, line, ALL).class_.getDeclaredConstructors()
    maker = min(makers, key=lambda maker: maker.getParameterCount())
    maker.setAccessible(True)
    wanted = [next((one for one in given if kind.isInstance(one)), None) for kind in maker.getParameterTypes()]
    return maker.newInstance(jpype.JArray(jpype.JClass("java.lang.Object"))(wanted))


@pytest.mark.parametrize(("dialect", "line"), [*HELD, *BEFORE])
def test_the_names_order_and_values_are_the_real_ones(dialect: str, line: str) -> None:
    config = COMMON | {"connector.class": str(catalogue(dialect).facts["class"]), "task.id": "0"}
    own, found = context.context_headers(dialect, config, Version.of(line)), real(dialect, line, config)
    assert [header.name for header in own] == [name for name, _ in found]
    for header, (_, text) in zip(own, found, strict=True):
        if isinstance(header.text, Varying):
            assert header.text.admits(text)
        else:
            assert header.text == text


HEADER_CONVERTERS: dict[str, dict[str, str]] = {
    "the default": {},
    "texts": {"header.converter": STRING},
    "JSON with its schema": {"header.converter": JSON},
    "JSON": {"header.converter": JSON, "header.converter.schemas.enable": "false"},
    "bytes, which refuse a text": {"header.converter": BINARY},
}
GUARDED = {
    "transforms.outbox.predicate": "own",
    "predicates": "own",
    "predicates.own.type": f"{PREDICATES}HasHeaderKey",
    "predicates.own.name": "__debezium.context.taskId",
}


@pytest.mark.parametrize("converter", HEADER_CONVERTERS)
@pytest.mark.parametrize("config", [{}, GUARDED, {context.OPTION: "false"} | GUARDED], ids=["plain", "guarded", "off"])
def test_they_come_before_the_id_as_the_header_converter_writes_them(converter: str, config: dict[str, str]) -> None:
    for line in ("3.5.0.Final", "3.6.1.Final"):
        whole = ROUTED | CONVERTERS[0] | HEADER_CONVERTERS[converter] | config | {"topic.prefix": "shop"}
        record = change("postgres", whole, "shop.public.outbox", COLUMNS, Version.of(line))
        differences, kinds = compare(whole, [record], [line])
        assert not differences, differences
        refused = "refuse" in converter and context.OPTION not in config
        assert kinds == ({"Failed": 1} if refused else {"Message": 1})


def test_where_the_encoding_is_another_one_the_message_is_unknown() -> None:
    config = ROUTED | CONVERTERS[0] | {"header.converter": STRING, "header.converter.converter.encoding": "UTF-16"}
    record = change("postgres", config, "shop.public.outbox", COLUMNS, Version.of("3.6"))
    assert isinstance(Chain(config, Version.of("3.6")).send(record), Unknown)
