"""The compiled function of a config gives what the model gives, for any row of any outbox."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from outbox_kit.router.chain import Chain, Failed, Message
from outbox_kit.router.columns import NoSuchValue
from outbox_kit.router.compiled import Texts, compiled, compiled_messages
from outbox_kit.router.events import RowColumn, change, message
from outbox_kit.router.values import NotModelled
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import connector_topics

RELEASES = [Version.of(release) for release in ("2.5", "3.0", "3.6", "3.7")]
TEXTS = (
    "Order",
    "",
    " ",
    "a b",
    "é😀",
    "line\nbreak",
    "\t \n",
    "x/y",
    "..",
    "null",
    "0",
    "-1",
    "$1",
    "\x7f",
    "A" * 300,
)
JSON = "org.apache.kafka.connect.json.JsonConverter"
PLACES = ("header", "header:h", "envelope", "partition", "header:id")
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {},
    {},
    {"transforms.outbox.route.tombstone.on.empty.payload": "true"},
    {"transforms.outbox.table.field.event.timestamp": "made_at"},
    {"transforms.outbox.table.field.event.schema.version": "number"},
    {"transforms.outbox.table.expand.json.payload": "true", "value.converter": JSON},
    {"value.converter": JSON, "value.converter.schemas.enable": "false"},
    {"key.converter": JSON},
    {"header.converter": JSON},
    {"extended.headers.enabled": "true"},
    {"extended.headers.enabled": "true", "header.converter": JSON},
    {"value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter"},
    {"transforms.outbox.route.topic.replacement": "out.${1}", "transforms.outbox.route.topic.regex": "(O.*|A+)"},
    {"transforms.outbox.route.by.field": "type"},
    {"transforms.outbox.table.field.event.key": "number"},
    {"transforms.outbox.table.field.event.key": "missing"},
    {"predicates.isOutbox.pattern": "other"},
    {"column.exclude.list": "public.outbox.number"},
    {"transforms": "outbox,later", "transforms.later.type": "org.apache.kafka.connect.transforms.RegexRouter",
     "transforms.later.regex": "(.*)", "transforms.later.replacement": "later.$1"},
    {"time.precision.mode": "isostring", "decimal.handling.mode": "string", "binary.handling.mode": "base64"},
)  # fmt: skip
TYPES = {
    "uuid": ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-0000000000ff"),
    "integer": ("0", "1", "-1", "2147483647", "-2147483648"),
    "smallint": ("0", "-32768"),
    "bigint": ("0", "9223372036854775807", "-9223372036854775808"),
    "boolean": ("t", "f"),
    "json": ("{}", '{"n": 1.50}', "[1, 2]", " ", '"x"', "null"),
    "bytea": ("\\x", "\\x00ff", "\\x7b7d"),
    "timestamp with time zone": ("2026-01-02 03:04:05.000001+00", "infinity", "1969-12-31 23:59:59+00"),
    "timestamp(6) without time zone": ("2026-01-02 03:04:05.000001", "1969-12-31 23:59:59"),
    "numeric(10,2)": ("1.50", "-0.01"),
    "real": ("1.1", "1e+20"),
    "date": ("2026-01-02",),
    "text": TEXTS,
}
DEFAULTS = (None, None, None, "'7'::text", "now()", "7")
FIXED = {
    "id": ("uuid", "text", "bigint"),
    "aggregatetype": ("text",),
    "aggregateid": ("text", "uuid", "integer"),
    "type": ("text",),
}
FREE = ("number", "made_at", "flag", "extra")
AT_MS = 1_700_000_000_000


def outbox(chance: Random) -> Outbox:
    fields: dict[str, Any] = {
        "service": "shop",
        "database": {"dialect": "postgres"},
        "events": [{"type": "OrderPlaced", "aggregate": "Order", "tombstone": chance.random() < 0.3}],
        "connect": {"debezium": str(chance.choice(("2.5", "3.0", "3.2.0", "3.3", "3.6")))},
    }
    if chance.random() < 0.3:
        fields["cloudevents"] = {"mode": chance.choice(("binary", "structured"))}
    if chance.random() < 0.3:
        fields["table"] = {"payload": chance.choice(("json", "text", "bytes"))}
    return Outbox.model_validate(fields)


def table(chance: Random) -> list[RowColumn]:
    types = {name: chance.choice(kinds) for name, kinds in FIXED.items()}
    types["payload"] = chance.choice(("json", "text", "bytea", "json", "integer"))
    types |= {name: chance.choice(list(TYPES)) for name in FREE}
    types |= {"sequence": "bigint", "created_at": "timestamp with time zone"}
    names = [name for name in types if chance.random() < 0.97]
    chance.shuffle(names)
    return [
        RowColumn(name, types[name], optional=chance.random() < 0.5, default=chance.choice(DEFAULTS)) for name in names
    ]


def config(chance: Random, source: Outbox) -> dict[str, str]:
    options = connector.config(source) | chance.choice(OPTIONS)
    if chance.random() < 0.4:
        placed = [f"{name}:{chance.choice(PLACES)}" for name in FREE if chance.random() < 0.5]
        if placed:
            name = "transforms.outbox.table.fields.additional.placement"
            options[name] = ",".join([options.get(name, "type:header:eventType"), *placed])
    return options


def row(chance: Random, columns: list[RowColumn]) -> Texts:
    texts = [None if chance.random() < 0.1 else chance.choice(TYPES[column.type]) for column in columns]
    return [None if text is None else text.encode() for text in texts]


def modelled(
    chain: Chain, options: dict[str, str], topic: str, columns: list[RowColumn], texts: Texts, release: Version
) -> object:
    filled = [
        replace(column, value=None if text is None else text.decode())
        for column, text in zip(columns, texts, strict=True)
    ]
    try:
        return chain.send(change("postgres", options, topic, filled, release, at_ms=AT_MS))
    except NoSuchValue as cause:
        return Failed("source", "NoSuchValue", str(cause))


@pytest.mark.random
def test_it_gives_what_the_model_gives(pytestconfig: pytest.Config) -> None:
    seed, messages, refused = pytestconfig.getoption("--case-seed"), 0, 0
    for number in range(seed, seed + 400):
        chance = Random(number)
        source = outbox(chance)
        columns, options, topic = table(chance), config(chance, source), connector_topics(source).rows
        release = Version.of(source.connect.debezium)
        try:
            route = compiled("postgres", options, release, topic, columns)
        except NotModelled:
            refused += 1
            continue
        chain = Chain(options, release)
        for _ in range(12):
            texts = row(chance, columns)
            expected = modelled(chain, options, topic, columns, texts, release)
            assert route(texts, AT_MS) == expected, f"--case-seed {number}"
            messages += isinstance(expected, Message)
    assert messages > 700  # 1,180 on average
    assert refused < 100


def test_the_generated_config_is_compiled_for_every_kind_of_payload() -> None:
    for fields in ({}, {"cloudevents": {}}, {"table": {"payload": "text"}}, {"table": {"payload": "bytes"}}):
        source = Outbox.model_validate(
            {
                "service": "shop",
                "database": {"dialect": "postgres"},
                "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
                **fields,
            }
        )
        types = source.dialect.types
        payload = types[source.table.payload]
        columns = [
            RowColumn(
                name,
                {"id": "uuid", "sequence": "bigint", "payload": payload, "created_at": "timestamptz"}.get(name, "text"),
            )
            for name in source.column_names
        ]
        route = compiled(
            "postgres", connector.config(source), Version.of("3.6"), connector_topics(source).rows, columns
        )
        assert "modelled" not in route.__qualname__, fields


def test_a_message_in_the_log_is_the_model_s() -> None:
    source = Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": "postgres"},
            "table": {"storage": "log"},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
        }
    )
    options, topic = connector.config(source), f"{source.names.topic_prefix}.message"
    values = {"aggregatetype": "Order", "aggregateid": "7", "type": "OrderPlaced", "payload": "{}", "sequence": 1}
    content = json.dumps({"id": "1", **values})
    route = compiled_messages(options, Version.of("3.6"), topic)
    outcome = route(content.encode(), AT_MS)
    assert outcome == Chain(options, Version.of("3.6")).send(message(topic, content, at_ms=AT_MS))
    assert isinstance(outcome, Message)
    assert outcome.key == b"7"
