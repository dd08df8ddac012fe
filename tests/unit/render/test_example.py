"""The example event of a generated Python module: values of their types, and names that leave no text."""

import ast
from typing import Any

import pytest

from outbox_kit.render import code
from outbox_kit.render.code import targets
from outbox_kit.render.code.example import Bracketed, written
from outbox_kit.schema.model import Outbox
from tests.support import examples


def outbox(*events: dict[str, Any], **more: Any) -> Outbox:
    declared = [{"type": "OrderPlaced", "aggregate": "Order"} | event for event in events]
    return Outbox.model_validate(
        {"service": "shop", "database": {"dialect": "postgres"}, "events": declared, **more},
    )


def program(given: Outbox, stack: str = "python-psycopg") -> str:
    return examples.complete(code.files(given, targets.get(stack))["outbox.py"], "messaging")


def event(schema: dict[str, Any] | None) -> str:
    """The line with the event of a payload's schema."""
    text = program(outbox({"payload": schema}))
    (line,) = [ast.unparse(node.value) for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return line


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


@pytest.mark.parametrize(
    ("schema", "expression"),
    [
        (None, "OrderPlaced({'id': '1001'})"),
        (record(a={"type": "integer"}, b={"type": "number"}), "OrderPlaced({'a': 1, 'b': 1.5})"),
        (record(a={"type": "boolean"}, b={"type": ["string", "null"]}), "OrderPlaced({'a': True, 'b': 'text'})"),
        (record(a={"enum": ["x", "y"]}), "OrderPlaced({'a': 'x'})"),
        (record(a={"type": "string", "format": "date"}), "OrderPlaced({'a': date.fromisoformat('2026-01-02')})"),
        (
            record(a={"type": "string", "format": "date-time"}),
            "OrderPlaced({'a': datetime.fromisoformat('2026-01-02T03:04:05+00:00')})",
        ),
        (
            record(a={"type": "string", "format": "uuid"}),
            "OrderPlaced({'a': UUID('00000000-0000-4000-8000-000000000001')})",
        ),
        ({"type": "array", "items": record(sku={"type": "string"})}, "OrderPlaced([{'sku': 'text'}])"),
        ({"type": "object", "examples": [{"k": [None, 1.5, {"a": False}]}]}, None),
        (record(a={"type": "string", "examples": ['"""\\ \' \u2028 \x00 {{ 7 }}']}), None),
    ],
    ids=str,
)
def test_a_sample_is_an_expression_of_the_event_s_type(schema: dict[str, Any] | None, expression: str | None) -> None:
    if expression is None:
        assert schema is not None
        sample = schema["examples"][0] if "examples" in schema else {"a": schema["properties"]["a"]["examples"][0]}
        call = ast.parse(event(schema)).body[0]
        assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
        assert ast.literal_eval(call.value.args[0]) == sample
    else:
        assert event(schema) == expression


def test_what_an_example_uses_is_imported() -> None:
    text = program(outbox({"payload": record(a={"type": "string", "format": "uuid"})}))
    assert "from uuid import UUID\n" in text and "datetime" not in text


def test_only_the_required_members_of_a_large_event_are_shown() -> None:
    members = {f"member{n}": {"type": "string", "examples": ["x" * 20]} for n in range(20)}
    large = {"type": "object", "required": ["member3"], "properties": members | {"a": {"format": "uuid"}}}
    text = program(outbox({"payload": large}))
    assert 'event = OrderPlaced({"member3": "xxxxxxxxxxxxxxxxxxxx"})\n' in text and "UUID" not in text


def test_an_event_with_a_payload_that_has_a_sample_is_preferred() -> None:
    closed = {"type": "OrderClosed", "payload": record(a={"type": "string", "pattern": "^(?=a)b$"})}
    deleted = {"type": "OrderDeleted", "tombstone": True}
    assert "event = OrderPlaced({" in program(outbox(deleted, closed, {}))
    assert "event = OrderDeleted()\n" in program(outbox(deleted, closed))
    text = program(outbox(closed))
    assert "payload: Any = ...  # " in text and "event = OrderClosed(payload)\n" in text
    assert "from typing import Any\n" in text


def test_serialized_payloads_and_columns_have_values_too() -> None:
    extra = [{"name": "tenant"}, {"name": "row", "kind": "uuid"}, {"name": "shard", "kind": "integer", "to": None}]
    table = {"payload": "bytes", "extra": [*extra, {"name": "note", "required": False}]}
    text = program(outbox({}, table=table, headers=[{"name": "tenant", "values": ["it's"]}]))
    assert 'event = OrderPlaced(b"...")  # the serialized payload\n' in text
    arguments = '"1001", event, tenant="it\'s", row2=UUID("00000000-0000-4000-8000-000000000001"), shard=0'
    assert arguments in " ".join(text.split()).replace(", )", ")")


def test_a_long_expression_has_an_item_a_line() -> None:
    inner = Bracketed("[", (("", "1"), ("", "2")), "]")
    assert written(Bracketed("f(", (("a=", inner), ("", '"x"')), ")")) == 'f(a=[1, 2], "x")'
    assert written(Bracketed("f(", (("a=", inner),), ")"), 4, 80) == "f(\n        a=[1, 2],\n    )"
    assert written(Bracketed("f(", (), ")"), 0, 200) == "f()"
