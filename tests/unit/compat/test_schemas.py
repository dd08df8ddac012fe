"""Whether a change of a JSON Schema breaks a reader, each with a value that shows it."""

from typing import Any

import jsonschema_rs
import pytest

from outbox_kit.compat.schemas import Assumption, Compatibility, compare

TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def record(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required or []}


Y, N = Compatibility.yes, Compatibility.no
# written by, read by, tolerant, strict
CASES = {
    "the same": (record(a=TEXT), record(a=TEXT), Y, Y),
    "an optional member more": (record(a=TEXT, b=TEXT), record(a=TEXT), Y, Y),
    "an optional member less": (record(a=TEXT), record(a=TEXT, b=TEXT), Y, N),
    "a required member that was not there": (record(["a"], a=TEXT), record(["a", "b"], a=TEXT, b=TEXT), N, N),
    "a required member that may be absent now": (record([], a=TEXT), record(["a"], a=TEXT), N, N),
    "a whole number for any number": (record(a=WHOLE), record(a=NUMBER), Y, Y),
    "any number for a whole one": (record(a=NUMBER), record(a=WHOLE), N, N),
    "another type": (record(["a"], a=NUMBER), record(["a"], a=TEXT), N, N),
    "null where there was none": (record(a={"type": ["string", "null"]}), record(a=TEXT), N, N),
    "a word more": (record(a={"enum": ["x", "y"]}), record(a={"enum": ["x"]}), N, N),
    "a word less": (record(a={"enum": ["x"]}), record(a={"enum": ["x", "y"]}), Y, Y),
    "longer text": (record(a=TEXT), record(a={"type": "string", "maxLength": 5}), N, N),
    "shorter text": (record(a={"type": "string", "maxLength": 5}), record(a=TEXT), Y, Y),
    "a list of something else": (
        record(["a"], a={"type": "array", "items": NUMBER, "minItems": 1}),
        record(["a"], a={"type": "array", "items": TEXT}),
        N,
        N,
    ),
    "a member deep below": (record(["a"], a=record(["b"], b=TEXT)), record(["a"], a=record(["b"], b=NUMBER)), N, N),
    "a reader that knows no others": (record(a=TEXT, b=TEXT), record(a=TEXT) | {"additionalProperties": False}, N, N),
    "anything for something": (True, record(a=TEXT), N, N),
    "something for anything": (record(a=TEXT), True, Y, Y),
    "a tombstone for an event": ({"type": "null"}, record(a=TEXT), N, N),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("policy", Assumption)
def test_a_change_is_judged_and_a_no_has_its_witness(name: str, policy: Assumption) -> None:
    written, read, tolerant, strict = CASES[name]
    found = compare(written, read, policy)
    assert found.answer is (tolerant if policy is Assumption.tolerant else strict)
    if found.answer is N:
        assert jsonschema_rs.is_valid(written, found.witness)
        assert not jsonschema_rs.is_valid(read, found.witness)
        assert found.pointer.startswith("/")


def test_the_offending_member_is_named() -> None:
    found = compare(record(["a"], a=record(["b"], b=TEXT)), record(["a"], a=record(["b"], b=NUMBER)))
    assert (found.pointer, found.rule) == ("/a/b", "properties/a/properties/b/type")


def test_what_cannot_be_decided_is_said_to_be_undecided() -> None:
    found = compare({"$dynamicRef": "#x"}, {"type": "string", "pattern": "(?=a)b"})
    assert found.answer is Compatibility.undecided
    assert found.why
