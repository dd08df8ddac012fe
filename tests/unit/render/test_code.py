"""The generated code, for every schema file: it parses, the same bytes twice, and no name gets out of its quotes."""

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from outbox_kit import databases
from outbox_kit.cli import app
from outbox_kit.errors import UsageProblem
from outbox_kit.render import code
from outbox_kit.render.code import naming, statement, targets
from outbox_kit.render.code.shapes import ANY, EnumShape, Lookup, Nullable, ObjectShape, Scalar, SchemaReader, Several
from outbox_kit.schema.model import Outbox
from tests.support import checked, example_files, examples
from tests.support.statements import statements
from tests.unit.render.outboxes import NAME, outboxes

FILES = Path(__file__).parents[2] / "examples"
SCALARS: list[dict[str, Any]] = [
    {},
    {"type": "string"},
    {"type": "string", "format": "date-time"},
    {"type": ["integer", "null"]},
    {"type": "boolean"},
    {"enum": ["a b", "a-b", '"', "class", None]},
    {"enum": [1, 2]},
    {"const": "x"},
    {"oneOf": [{"type": "number"}, {"type": "null"}]},
    {"anyOf": [{"type": "number"}, {"type": "string"}]},
    {"$ref": "#/$defs/it"},
    {"$ref": "#"},
    {"$ref": "#/nowhere"},
]
PAYLOADS = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda values: {"type": "object", "additionalProperties": values}, inner),
        st.builds(
            lambda properties, title: {
                "type": "object",
                "title": title,
                "properties": properties,
                "required": sorted(properties)[:2],
                "$defs": {"it": {"type": "object", "properties": {"self": {"$ref": "#/$defs/it"}}}},
            },
            st.dictionaries(st.one_of(NAME, st.sampled_from(["class", "from", "id", "type", "__x", "-"])), inner),
            NAME,
        ),
    ),
    max_leaves=8,
)


@st.composite
def with_payloads(draw: st.DrawFn) -> Outbox:
    outbox = draw(outboxes())
    events = [
        event.model_copy(update={"payload": draw(st.none() | PAYLOADS), "description": draw(NAME)})
        for event in outbox.events
    ]
    return outbox.model_copy(update={"events": tuple(events)})


@given(with_payloads())
@settings(max_examples=20)
def test_it_parses_and_is_the_same_twice(outbox: Outbox) -> None:
    for target in code.fitting(outbox):
        written = code.files(outbox, target)
        assert written == code.files(outbox, target)
        for path, text in written.items():
            assert text.endswith("\n") and not text.endswith("\n\n"), path
            if path.endswith(".py"):
                ast.parse(text)
            if path == "outbox.py":
                assert examples.complete(text, "messaging") and "publish_many" in examples.of_functions(text)
            if path.endswith(".cs"):
                checked.expect_c_sharp([text])


EXAMPLES = example_files.all_outboxes()
CODED = [(outbox, target) for outbox in EXAMPLES for target in code.fitting(outbox)]


def bare(text: str) -> str:
    """A text without blanks, quotes, and what joins a language's texts."""
    return re.sub(r"[\s\"'`\\+;]", "", text)


@pytest.mark.parametrize(
    ("outbox", "target"), CODED, ids=lambda one: one.name if isinstance(one, targets.Target) else one.service
)
def test_the_code_holds_the_statements_and_columns_of_the_model(outbox: Outbox, target: targets.Target) -> None:
    written = bare("".join(code.files(outbox, target).values()))
    insert, once = statements(outbox, target)
    assert bare("".join(insert)) in written
    assert bare("".join(once)) in written
    for value in statement.values(outbox, target):
        assert bare(value.column) in written


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        ({}, ANY),
        ({"type": "string"}, Scalar("text")),
        ({"type": "string", "format": "uuid"}, Scalar("uuid")),
        ({"type": "integer"}, Scalar("whole")),
        ({"type": ["number", "null"]}, Nullable(Scalar("number"))),
        ({"type": ["number", "string"]}, ANY),
        ({"oneOf": [{"type": "null"}, {"type": "boolean"}]}, Nullable(Scalar("boolean"))),
        ({"type": "array", "items": {"type": "string", "format": "date"}}, Several(Scalar("date"))),
        ({"type": "array"}, Several(ANY)),
        ({"type": "array", "prefixItems": [{}], "items": {"type": "string"}}, Several(ANY)),
        ({"type": "object"}, Lookup(ANY)),
        ({"additionalProperties": {"type": "string"}, "type": "object"}, Lookup(Scalar("text"))),
        ({"type": "object", "properties": {"a": {}}, "allOf": [{}]}, ANY),
        ({"type": "object", "properties": {'a"b': {}}}, ANY),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, ANY),
    ],
    ids=str,
)
def test_what_a_schema_says_is_a_shape(schema: dict[str, Any], shape: object) -> None:
    assert SchemaReader(schema, "Sent", naming.Scope()).payload() == shape


def test_records_and_choices_are_declared_before_what_holds_them() -> None:
    schema = {
        "type": "object",
        "required": ["state", "undeclared"],
        "properties": {"lines": {"type": "array", "items": {"required": ["sku"]}}, "state": {"enum": ["a", None]}},
    }
    reader = SchemaReader(schema, "Sent", naming.Scope())
    reader.payload()

    line, state, whole = reader.declared

    assert isinstance(line, ObjectShape) and line.name == "SentLinesItem"
    assert state == EnumShape("SentState", ("a",))
    assert isinstance(whole, ObjectShape) and whole.name == "SentPayload"
    assert [(m.key, m.required) for m in whole.members] == [("lines", False), ("state", True), ("undeclared", True)]
    assert "undeclared has no specific type" in whole.notes[0]


def test_names_are_a_language_s_own_and_given_once() -> None:
    assert [style("orderID-2 It's") for style in (naming.pascal, naming.camel, naming.snake, naming.upper)] == [
        "OrderId2ItS",
        "orderId2ItS",
        "order_id_2_it_s",
        "ORDER_ID_2_IT_S",
    ]
    assert (naming.go("orderId"), naming.pascal("Überweisung"), naming.pascal("1st"), naming.snake("§")) == (
        "OrderID",
        "Uberweisung",
        "X1St",
        "x",
    )
    scope = naming.Scope({"class"})
    assert [scope.name("Class"), scope.name("a b"), scope.name("A-B")] == ["Class2", "AB", "AB2"]


def test_a_target_that_is_not_known_is_answered_with_the_nearest() -> None:
    run = CliRunner().invoke
    assert run(app, ["gen-code", "--list"]).stdout.split()[0] == "python-psycopg"
    wrong = run(app, ["gen-code", "node-pq", "-f", "tests/examples/minimal.yaml"])
    assert wrong.exit_code == 2 and "did you mean 'node-pg'?" in wrong.stderr
    assert run(app, ["gen-code"]).exit_code == 2


def test_a_stack_that_does_not_speak_to_the_database_is_refused_with_those_that_do() -> None:
    refused = CliRunner().invoke(app, ["gen-code", "node-pg", "-f", "tests/examples/mysql.yaml", "-s", "odd"])
    assert refused.exit_code == 2 and refused.stderr.startswith("error: 'node-pg' does not support MySQL\n")
    assert "gen-code python-sqlalchemy | python-django" in " ".join(refused.stderr.split())


def test_a_stack_that_writes_rows_is_refused_where_there_is_no_table() -> None:
    refused = CliRunner().invoke(app, ["gen-code", "csharp-efcore", "-f", "tests/examples/log.yaml"])
    assert (
        refused.exit_code == 2 and "'csharp-efcore' does not support a log-only outbox of PostgreSQL" in refused.stderr
    )


def test_each_database_names_stacks_that_there_are_and_each_stack_has_one() -> None:
    named = {name for dialect in databases.ALL.values() if dialect.code for name in dialect.code.stacks}
    assert named == set(targets.ALL)


def test_a_database_that_no_code_is_written_for_is_refused_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(databases.ALL, "mysql", replace(databases.ALL["mysql"], code=None))
    refused = CliRunner().invoke(app, ["gen-code", "go-sql", "-f", "tests/examples/mysql.yaml", "-s", "odd"])
    assert refused.exit_code == 2 and refused.stderr.startswith("error: gen-code does not support MySQL\n")


@pytest.mark.parametrize("mode", ["high-water", "offsets"])
def test_an_inbox_that_is_constant_in_size_has_code_where_the_library_has_none(mode: str) -> None:
    with_code = {
        dialect: {target.name for target in code.fitting(box) if len(inbox_files(box, target)) > 1}
        for dialect in ("postgres", "mysql", "mariadb", "sqlserver", "oracle")
        for box in [constant_in_size(dialect, mode)]
    }
    in_mysql = {"java-spring", "go-sql", "csharp-efcore", "node-mysql2", "node-prisma"}
    assert with_code == {
        "postgres": in_mysql - {"node-mysql2"} | {"go-pgx", "node-pg"},
        "mysql": in_mysql,
        "mariadb": in_mysql,
        "sqlserver": {"java-spring", "go-sql", "csharp-efcore"},
        "oracle": {"java-spring", "go-sql", "csharp-efcore"},
    }


def constant_in_size(dialect: str, mode: str) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": dialect},
            "delivery_guarantee": "exactly-once",
            "inbox": {"mode": mode},
            "events": [{"type": "A", "aggregate": "B"}],
        }
    )


def inbox_files(outbox: Outbox, target: targets.Target) -> list[str]:
    return [path for path in code.files(outbox, target) if path.lower().startswith("inbox")]


def test_a_consumer_is_written_if_it_is_asked_for_and_refused_where_there_is_none() -> None:
    outbox = constant_in_size("postgres", "offsets")
    assert "consumer.go" in code.files(outbox, targets.get("go-pgx"), consumer=True)
    assert "consumer.go" not in code.files(outbox, targets.get("go-pgx"))
    assert "KafkaInbox.java" in code.files(outbox, targets.get("java-spring"), consumer=True)
    assert "Consumer.cs" in code.files(outbox, targets.get("csharp-efcore"), consumer=True)
    with pytest.raises(UsageProblem, match=r"'node-pg' with inbox\.mode: offsets") as refused:
        code.files(outbox, targets.get("node-pg"), consumer=True)
    assert "generation of the group" in refused.value.why
    with pytest.raises(UsageProblem, match="no consumer of Kafka is generated for 'python-psycopg'"):
        code.files(outbox, targets.get("python-psycopg"), consumer=True)
    assert "consumer.go" in code.files(constant_in_size("sqlserver", "offsets"), targets.get("go-sql"), consumer=True)
