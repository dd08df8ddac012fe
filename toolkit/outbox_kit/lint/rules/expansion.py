"""Rules about what the expansion of JSON payloads does to the documents that are declared."""

from collections.abc import Iterator, Mapping
from typing import Any

from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import RELATIONAL, Subject

INT64 = range(-(2**63), 2**63)


def _contracts(subject: Subject) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The payload schemas of the declared events, where payloads are expanded."""
    if subject.outbox and subject.expands:
        for event in subject.outbox.events:
            if isinstance(event.payload, dict):
                yield event.type, event.payload


def _parsed(subject: Subject) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Those of them that are read out of text; a document's values have types of their own."""
    yield from _contracts(subject) if subject.option_prefix == RELATIONAL else ()


def _nodes(schema: Any, path: str = "$") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every subschema with its path in the document."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for name, below in (schema.get("properties") or {}).items():
        yield from _nodes(below, f"{path}.{name}")
    if "items" in schema:
        yield from _nodes(schema["items"], f"{path}[]")
    for word in ("oneOf", "anyOf", "allOf"):
        for below in schema.get(word) or ():
            yield from _nodes(below, path)


@rule(
    "expand-root-array", Consequence.stop, evidence="A05", fix="wrap the array in an object, or turn off the expansion"
)
def expand_root_array(subject: Subject) -> Iterator[Violation]:
    """The root of an expanded payload is not an array.

    An array is not expanded: its schema is replaced, its text is not. The converter fails, and with it the task.
    """
    for kind, schema in _contracts(subject):
        if schema.get("type") == "array":
            yield Violation(_expand_key(subject), f"the payload of '{kind}' is an array: its expansion stops the task")


@rule(
    "expand-wide-integer",
    Consequence.risk,
    evidence="A06",
    fix="send such numbers as strings, or limit them to 64 bits",
)
def expand_wide_integer(subject: Subject) -> Iterator[Violation]:
    """The integers of an expanded payload fit into 64 bits.

    The task fails on the first larger integer.
    """
    for kind, schema in _parsed(subject):
        for path, node in _nodes(schema):
            bounds = (
                node.get("minimum", node.get("exclusiveMinimum")),
                node.get("maximum", node.get("exclusiveMaximum")),
            )
            if node.get("type") == "integer" and not all(isinstance(b, int) and b in INT64 for b in bounds):
                yield Violation(
                    _expand_key(subject), f"'{kind}': {path} is an integer without bounds; 2^63 stops the task"
                )


@rule("expand-array-of-objects", Consequence.wrong, evidence="A09 A06 A07", fix="turn off the expansion")
def expand_array_of_objects(subject: Subject) -> Iterator[Violation]:
    """An expanded payload contains no array of objects.

    The objects of an array get one schema, merged in an order that depends on the JVM. Nested members are lost without
    an error, absent members become null, and a member of different types stops the task.
    """
    for kind, schema in _contracts(subject):
        for path, node in _nodes(schema):
            items = node.get("items")
            if isinstance(items, dict) and (items.get("type") == "object" or "properties" in items or "oneOf" in items):
                yield Violation(_expand_key(subject), f"'{kind}': {path} is an array of objects")


@rule(
    "expand-changes-decimals",
    Consequence.wrong,
    evidence="A10",
    fix="send amounts as strings, or turn off the expansion",
)
def expand_changes_decimals(subject: Subject) -> Iterator[Violation]:
    """An expanded payload contains no decimal numbers.

    Expansion converts every number with a fraction to a double: 1.10 arrives as 1.1, and 123456789.123456789 as
    1.2345678912345679E8.
    """
    for kind, schema in _parsed(subject):
        for path, node in _nodes(schema):
            if node.get("type") == "number":
                yield Violation(_expand_key(subject), f"'{kind}': {path} is a number")


@rule(
    "expand-drops-nulls",
    Consequence.advice,
    evidence="A08",
    fix="set table.json.payload.null.behavior and table.json.payload.empty.array.behavior, if the release has them",
)
def expand_drops_nulls(subject: Subject) -> Iterator[Violation]:
    """Expansion keeps null members and empty arrays.

    By default both are dropped, so consumers cannot distinguish null from absent.
    """
    if subject.router and subject.expands and subject.option_prefix == "table":
        if (subject.effective("table.json.payload.null.behavior") or "ignore").strip().lower() == "ignore":
            yield Violation(_expand_key(subject), "null members are dropped (table.json.payload.null.behavior)")


@rule(
    "empty-array-behavior",
    Consequence.risk,
    evidence="A08",
    since="3.7",
    fix="set table.json.payload.empty.array.behavior=ignore",
)
def empty_array_behavior(subject: Subject) -> Iterator[Violation]:
    """The empty array behavior of the expansion is ignore.

    With optional_string an empty array at the root is no longer sent as text but stops the task. An empty array beside
    a filled one, in two objects of one array, fails depending on the hash order of the JVM.
    """
    key = subject.router_key("table.json.payload.empty.array.behavior")
    if subject.config.get(key, "").strip().lower() == "optional_string" and subject.expands:
        yield Violation(key, "with optional_string an empty array at the root of the payload stops the task")


def _expand_key(subject: Subject) -> str:
    return subject.router_key("{}.expand.json.payload")
