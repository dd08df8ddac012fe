"""What the connector makes of a column's default, as a real one of Debezium 3.6.1 on PostgreSQL 18 was seen to make it.

column_defaults.json: the connector's modes for times and decimals, the column's type, its default as the catalogue
prints it, and the default that JsonConverter wrote into the message's schema; null for none. The same value stood in
the place of a NULL.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.router import columns
from outbox_kit.router.chain import EVENT_ROUTER, Chain, Message, Unknown
from outbox_kit.router.columns import Modes
from outbox_kit.router.convert import Json, byte_array, string
from outbox_kit.router.defaults import with_default
from outbox_kit.router.events import RowColumn, change
from outbox_kit.router.values import Buffer, NotModelled, Schema, Struct, Type, UnknownDefault
from outbox_kit.versions import Version

MEASURED = json.loads(Path(__file__).with_name("column_defaults.json").read_text("utf-8"))
RELEASE = Version.of("3.6.1")
JSON = "org.apache.kafka.connect.json.JsonConverter"
STRING = "org.apache.kafka.connect.storage.StringConverter"
TEXTS = {name: RowColumn(name, "varchar(99)", name) for name in ("id", "aggregatetype", "aggregateid")}
ROUTED = {"transforms": "outbox", "transforms.outbox.type": EVENT_ROUTER, "key.converter": STRING}
NOT_KNOWN = 20  # infinity, years beyond 9999, and the like


def test_a_default_is_the_one_that_a_real_connector_gave_its_column() -> None:
    unknown = 0
    for modes, sql_type, expression, expected in MEASURED:
        time, decimal = modes.split(",")
        kind = columns.kind("postgres", sql_type, Modes(time, decimal), optional=True)
        schema = with_default("postgres", sql_type, kind, expression, RELEASE).schema
        if isinstance(schema.default, UnknownDefault):
            unknown += 1
            continue
        written = None if schema.default is None else json.loads(Json()._value(schema, schema.default))
        assert written == expected, (modes, sql_type, expression)
    assert unknown <= NOT_KNOWN


@pytest.mark.parametrize(("dialect", "sql_type"), [("sqlserver", "varchar(5)"), ("oracle", "varchar2(5)")])
def test_another_database_s_default_is_not_known(dialect: str, sql_type: str) -> None:
    kind = columns.kind(dialect, sql_type, Modes(), optional=True)
    assert with_default(dialect, sql_type, kind, None, RELEASE) is kind
    assert with_default(dialect, sql_type, kind, "'x'", RELEASE).schema.default == UnknownDefault("'x'")


@pytest.mark.parametrize("dialect", ["mysql", "mariadb"])
@pytest.mark.parametrize(
    ("sql_type", "expression", "expected"),
    [  # as real connectors of 3.6.1 and 3.5.0 were seen to have them
        ("varchar(20)", "'x'", "x"),
        ("varchar(20)", "''", ""),
        ("varchar(20)", "'NULL'", "NULL"),
        ("text", "'t'", "t"),
        ("int", "'-7'", -7),
        ("int(11)", "7", 7),
        ("bigint", "'9223372036854775807'", 2**63 - 1),
        ("tinyint(1)", "1", 1),
        ("smallint", "0", 0),
        # what the statement said decides these, not what the catalogue has
        ("varchar(20)", "'it\\'s'", None),
        ("varchar(20)", "upper(_utf8mb4\\'x\\')", None),
        ("int", "(1 + 1)", None),
        ("decimal(10,2)", "'1.56'", None),
        ("datetime", "CURRENT_TIMESTAMP", None),
    ],
)
def test_mysql_s_plain_literals_are_known(dialect: str, sql_type: str, expression: str, expected: Any) -> None:
    kind = columns.kind(dialect, sql_type, Modes(), optional=True)
    default = with_default(dialect, sql_type, kind, expression, RELEASE).schema.default
    assert default == (UnknownDefault(expression) if expected is None else expected)


def test_the_values_of_an_enum_are_not_known_and_stand_in_its_schema() -> None:
    payload = RowColumn("payload", "enum", "b")
    assert isinstance(outcome(ROUTED | {"value.converter": JSON}, "mysql", payload=payload, **TEXTS), Unknown)
    assert outcome(ROUTED | {"value.converter": STRING}, "mysql", payload=payload, **TEXTS).value == b"b"


def outcome(config: dict[str, str], dialect: str = "postgres", **changed: RowColumn) -> Any:
    names = ("id", "aggregatetype", "aggregateid", "payload")
    plain = {name: RowColumn(name, "text", name) for name in names}
    record = change(dialect, config, "shop.public.outbox", [*(plain | changed).values()], RELEASE)
    return Chain(config, RELEASE).send(record)


def test_a_null_is_read_as_the_default() -> None:
    payload = RowColumn("payload", "jsonb", None, optional=True, default="'{}'::jsonb")
    config = ROUTED | {"value.converter": STRING, "transforms.outbox.route.tombstone.on.empty.payload": "true"}
    sent = outcome(config, payload=payload)
    assert isinstance(sent, Message)
    assert sent.value == b"{}"  # and no tombstone


def test_the_default_stands_in_the_schema() -> None:
    payload = RowColumn("payload", "integer", 3, default="7")
    sent = outcome(ROUTED | {"value.converter": JSON}, payload=payload)
    assert sent.value == b'{"schema":{"type":"int32","optional":false,"default":7},"payload":3}'


@pytest.mark.parametrize(("config", "value"), [({"value.converter": JSON}, 3), ({"value.converter": STRING}, None)])
def test_where_a_default_that_is_not_known_decides_the_message_is_unknown(config: dict[str, str], value: Any) -> None:
    payload = RowColumn("payload", "date", value, optional=True, default="'infinity'::date")
    sent = outcome(ROUTED | config, payload=payload)
    assert isinstance(sent, Unknown)
    assert "infinity" in sent.reason


def test_where_it_decides_nothing_the_message_is_known() -> None:
    payload = RowColumn("payload", "date", 3, optional=True, default="'infinity'::date")
    assert outcome(ROUTED | {"value.converter": STRING}, payload=payload).value == b"3"


def test_the_precision_of_a_decimal_is_in_its_schema() -> None:
    # a real connector: "parameters":{"scale":"2","connect.decimal.precision":"10"}
    payload = RowColumn("payload", "numeric(10,2)", "1.5")
    sent = outcome(ROUTED | {"value.converter": JSON}, payload=payload)
    assert b'"parameters":{"scale":"2","connect.decimal.precision":"10"}' in sent.value


def test_the_text_of_a_default_of_bytes_depends_on_the_rows_before() -> None:
    # one ByteBuffer for all rows, whose position Kafka's ByteArrayConverter moves to its end
    kind = Schema(Type.bytes, optional=True, default=Buffer(b"ab"))
    value = Struct(Schema(Type.struct, fields=(("payload", kind),)), {}).get("payload")
    assert byte_array("", kind, value) == b"ab"
    assert string("", kind, Buffer(b"ab")) == b"java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]"
    with pytest.raises(NotModelled):
        string("", kind, value)
