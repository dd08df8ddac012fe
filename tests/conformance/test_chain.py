"""Whole chains on the real thing: predicates, other transformations, Oracle's names, records that are no rows."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from outbox_kit.router.chain import EVENT_ROUTER, ORACLE, PREDICATES, Message
from outbox_kit.router.transforms import FILTER, HEADER_FROM, INSERT_FIELD, REGEX_ROUTER
from outbox_kit.router.values import ConnectHeader, Schema, SourceRecord, Struct, Type
from tests.conformance import strategies as st
from tests.conformance.compare import chain, compare
from tests.conformance.converters import CONVERTERS, STRING
from tests.support.jvm import LINES
from tests.support.rows import row

ORACLE_LINES = ("3.5.0.Final", "3.6.1.Final")
BASE = {"transforms": "outbox", "transforms.outbox.type": EVENT_ROUTER, "key.converter": STRING, **CONVERTERS[0]}
HEARTBEAT = Schema(
    Type.struct, "io.debezium.connector.common.Heartbeat", version=1, fields=(("ts_ms", Schema(Type.int64)),)
)
SERVER_KEY = Schema(
    Type.struct, "io.debezium.connector.common.ServerNameKey", version=1, fields=(("serverName", Schema(Type.string)),)
)
TRANSACTION = Schema(
    Type.struct,
    "io.debezium.connector.common.TransactionMetadataValue",
    version=1,
    fields=(("status", Schema(Type.string)), ("id", Schema(Type.string)), ("ts_ms", Schema(Type.int64))),
)
CHANGE = Schema(
    Type.struct,
    "io.debezium.connector.mysql.SchemaChangeValue",
    version=1,
    fields=(("databaseName", Schema(Type.string)), ("ddl", Schema(Type.string, optional=True))),
)


def other(topic: str, schema: Schema, values: dict[str, Any]) -> SourceRecord:
    """A record that is no row of a table."""
    return SourceRecord(
        topic, SERVER_KEY, Struct(SERVER_KEY, {"serverName": "p"}), schema, Struct(schema, values), timestamp=5
    )


RECORDS = {
    "row": row(),
    "row of another table": replace(row(), topic="p.public.other"),
    "row without a payload column": replace(row({"beat": "1"}, only=True), topic="p.public.outbox_heartbeat"),
    "update": row(op="u"),
    "deletion": row(op="d"),
    "snapshot": row(op="r"),
    "tombstone": SourceRecord("p.public.outbox", Schema(Type.string), "k", None, None),
    "heartbeat": other("__debezium-heartbeat.p", HEARTBEAT, {"ts_ms": 7}),
    "transaction": other("p.transaction", TRANSACTION, {"status": "BEGIN", "id": "1", "ts_ms": 7}),
    "schema change": other("p", CHANGE, {"databaseName": "shop", "ddl": "create table t (a int)"}),
    "with a header": replace(row(), headers=(ConnectHeader("h", Schema(Type.string), "v"),)),
}
TOPICS = [
    "p.public.outbox",
    r"p\.public\.outbox",
    ".*outbox",
    "P.PUBLIC.OUTBOX",
    "public.outbox",
    "__debezium.*",
    "(?i)P.*",
]
PREDICATE = st.one_of(
    st.fixed_dictionaries({"type": st.just(f"{PREDICATES}TopicNameMatches"), "pattern": st.sampled_from(TOPICS)}),
    st.fixed_dictionaries({"type": st.just(f"{PREDICATES}HasHeaderKey"), "name": st.sampled_from(["h", "H", "id"])}),
    st.just({"type": f"{PREDICATES}RecordIsTombstone"}),
)
REGEX = st.fixed_dictionaries(
    {
        "type": st.just(REGEX_ROUTER),
        "regex": st.sampled_from([r"p\.(.*)", "(.*)", r"outbox\.event\.(.*)", "p", ".+?", "(?<t>.*)\\.(?<u>.*)"]),
        "replacement": st.sampled_from(["$1", "x", "${t}", "$0-all", "$2", "a.$1.b", ""]),
    }
)
TEXTS = ["1.0", "/shop", "urn:x:1,2", "application/json; charset=utf-8", " a b ", "null", "[1]", "true", "2026-01-02"]
INSERT = st.fixed_dictionaries(
    {
        "type": st.just(INSERT_FIELD),
        "static.field": st.sampled_from(["a", " b ", "op", "content-type"]),
        "static.value": st.sampled_from(TEXTS),
    }
)
MOVE = st.fixed_dictionaries(
    {
        "type": st.just(HEADER_FROM),
        "operation": st.just("move"),
        "fields": st.sampled_from(["a", " b, a ", "op", "content-type"]),
        "headers": st.sampled_from(["h", "ce_a, id"]),
    }
).filter(lambda one: one["fields"].count(",") == one["headers"].count(","))


DROP = st.just({"type": FILTER})


@st.composite
def chains(draw: st.Draw) -> dict[str, str]:
    """A config with the router, a transformation before or after it, and predicates on either."""
    config = dict(BASE) | draw(st.sampled_from(CONVERTERS))
    names = ["outbox"]
    for name in draw(st.lists(st.sampled_from(["after", "between", "before"]), max_size=3, unique=True)):
        names = [*names, name] if name == "after" else [name, *names]
        config |= {f"transforms.{name}.{option}": value for option, value in draw(REGEX | INSERT | MOVE | DROP).items()}
    config["transforms"] = ",".join(names)
    for name in names:
        if draw(st.booleans()):
            config[f"transforms.{name}.predicate"] = f"on-{name}"
            config |= {f"predicates.on-{name}.{option}": value for option, value in draw(PREDICATE).items()}
            if draw(st.booleans()):
                config[f"transforms.{name}.negate"] = draw(st.sampled_from(["true", "false"]))
    declared = sorted({value for key, value in config.items() if key.endswith(".predicate")})
    return config | ({"predicates": ",".join(declared)} if declared else {})


@pytest.mark.timeout(900)
def test_any_chain_of_predicates_and_transformations_agrees(pytestconfig: pytest.Config) -> None:
    seen = Counter[str]()
    number = int(pytestconfig.getoption("--cases") * 0.02)
    for name, config in islice(st.seeded(chains(), pytestconfig.getoption("--case-seed")), number):
        found, kinds = compare(config, list(RECORDS.values()), LINES)
        assert not found, f"{found[0]}\n   case: {name}, config: {config}"
        seen.update(kinds)
    assert "Unknown" not in seen, seen
    assert min(seen["Message"], seen["Failed"], seen["Dropped"]) > 100, seen


def oracle(**columns: Any) -> SourceRecord:
    """A row of Oracle's connector: names in upper case, and the source that says whose it is."""
    record = row({name.upper(): value for name, value in columns.items()}, only=True)
    source = Schema(Type.struct, "io.debezium.connector.oracle.Source", fields=(("connector", Schema(Type.string)),))
    assert record.value_schema
    fields = tuple((name, source if name == "source" else kind) for name, kind in record.value_schema.fields)
    if "source" not in dict(fields):
        fields = (*fields, ("source", source))
    schema = replace(record.value_schema, fields=fields)
    values = {**record.value.values, "source": Struct(source, {"connector": "oracle"})}
    return replace(record, value_schema=schema, value=Struct(schema, values))


PLAIN = {"id": "1", "aggregatetype": "Order", "aggregateid": "7", "type": "Placed", "payload": "{}"}
ORACLE_CASES: dict[str, tuple[dict[str, str], Any]] = {
    "the defaults are in upper case": ({}, {"topic": "outbox.event.Order", "key": b"7", "value": b"{}"}),
    "an explicit name is taken as it is written": ({"table.field.event.key": "aggregateid"}, "DataException"),
    "an explicit name in upper case is found": ({"table.field.event.key": "TYPE"}, {"key": b"Placed"}),
    "a placement is taken as it is written": ({"table.fields.additional.placement": "type:header"}, "DataException"),
    "a placement in upper case is found": (
        {"table.fields.additional.placement": "TYPE:header:eventType"},
        {"headers": (("id", b"1"), ("eventType", b"Placed"))},
    ),
    "the route's column is raised too": ({"route.by.field": "aggregatetype"}, "DataException"),
}


@pytest.mark.parametrize("name", ORACLE_CASES)
@pytest.mark.parametrize("line", ORACLE_LINES)
def test_oracle_s_names_are_in_upper_case(name: str, line: str) -> None:
    options, expected = ORACLE_CASES[name]
    config = BASE | {"connector.class": ORACLE} | {f"transforms.outbox.{k}": v for k, v in options.items()}
    record = oracle(**PLAIN)
    differences, _ = compare(config, [record], [line])
    assert not differences, differences
    outcome = chain(config, line).send(record)  # type: ignore[union-attr]
    if isinstance(expected, str):
        assert getattr(outcome, "kind", None) == expected, outcome
    else:
        assert isinstance(outcome, Message), outcome
        assert {field: getattr(outcome, field) for field in expected} == expected


@pytest.mark.parametrize("name", RECORDS)
def test_every_kind_of_record_through_a_plain_router(name: str) -> None:
    for line in LINES:
        for converter in CONVERTERS:
            differences, _ = compare(BASE | converter, [RECORDS[name]], [line])
            assert not differences, f"{line}: {differences}"
