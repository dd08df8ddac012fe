"""A sample that conforms to a JSON Schema: its own example, or the simplest value. Deterministic."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from outbox_kit.schema.matching import matching

DEEPEST = 12
MOST_VALUES = 10_000
LONGEST_TEXT = 1024 * 1024
SHOWN = 200  # characters of a reason, which may hold the whole sample
FORMATS = {
    "uuid": "00000000-0000-4000-8000-000000000001",
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "time": "03:04:05Z",
    "email": "someone@example.com",
    "uri": "https://example.com/1",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}


class NoSample(ValueError):
    """No value that fits could be made; why."""


def sample(schema: Mapping[str, Any], *, least: bool = False) -> Any:
    """A value that the schema accepts. least: with required members only. Raises NoSample where none was found."""
    try:
        value = _Sampler(schema, least=least).of(schema, 0)
    except (TypeError, OverflowError, ArithmeticError, AttributeError, LookupError, RecursionError) as cause:
        raise NoSample(f"no sample was found ({type(cause).__name__}); add an example to the schema") from cause
    import jsonschema_rs

    problem = next(iter(jsonschema_rs.iter_errors(dict(schema), value)), None)
    if problem is not None:
        why = problem.message if len(problem.message) <= SHOWN else f"{problem.message[:SHOWN]}..."
        raise NoSample(f"no sample was found: {why}; add an example to the schema")
    return value


class _Sampler:
    """Goes down a schema; `root` is where its references point into."""

    def __init__(self, root: Mapping[str, Any], *, least: bool) -> None:
        self._root = root
        self._least = least
        self._left = MOST_VALUES

    def of(self, schema: Any, depth: int) -> Any:
        """A value for a subschema."""
        if not isinstance(schema, Mapping) or depth > DEEPEST:
            return None
        self._left -= 1
        if self._left < 0:
            raise NoSample(f"a sample would have more than {MOST_VALUES} values; add an example to the schema")
        if "$ref" in schema:
            return self.of(self._referred(str(schema["$ref"])), depth + 1)
        for word in ("const", "default", "example"):
            if word in schema:
                return schema[word]
        for word in ("examples", "enum"):
            if schema.get(word):
                return schema[word][0]
        return self._composed(schema, depth)

    def _composed(self, schema: Mapping[str, Any], depth: int) -> Any:
        for word in ("oneOf", "anyOf"):
            if schema.get(word):
                rest = {name: part for name, part in schema.items() if name != word}
                return self.of({**rest, **schema[word][0]}, depth + 1)
        if schema.get("allOf"):
            return self._typed(self._joined(schema), depth)
        return self._typed(schema, depth)

    def _joined(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        joined: dict[str, Any] = {name: part for name, part in schema.items() if name != "allOf"}
        for part in schema["allOf"]:
            resolved = self._referred(str(part["$ref"])) if "$ref" in part else part
            properties = {**joined.get("properties", {}), **resolved.get("properties", {})}
            required = [*joined.get("required", []), *resolved.get("required", [])]
            joined = {**joined, **resolved, "properties": properties, "required": required}
        return joined

    def _typed(self, schema: Mapping[str, Any], depth: int) -> Any:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next((word for word in kind if word != "null"), "null")
        if kind is None:
            kind = (
                "object" if "properties" in schema or "required" in schema else "array" if "items" in schema else None
            )
        return _MAKERS[kind](self, schema, depth) if kind in _MAKERS else {}

    def _referred(self, reference: str) -> Any:
        node: Any = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            if step and isinstance(node, Mapping):
                node = node.get(step, {})
        return node

    def object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """Every property; beyond twelve levels, or where the least is wanted, those that are required."""
        properties = schema.get("properties") or {}
        names = [*properties, *(name for name in schema.get("required", ()) if name not in properties)]
        if self._least or depth > DEEPEST - 2:
            names = list(schema.get("required", ()))
        return {name: self.of(properties.get(name, {}), depth + 1) for name in names}

    def array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        """As many elements as it needs, at least one."""
        prefix = [self.of(part, depth + 1) for part in schema.get("prefixItems", ())]
        more = max(int(schema.get("minItems", 1)) - len(prefix), 0 if prefix else 1)
        more = min(more, int(schema.get("maxItems", more)), MOST_VALUES + 1)
        return prefix + [self.of(schema.get("items", {}), depth + 1) for _ in range(more)]


def _number(schema: Mapping[str, Any], step: float) -> Any:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    of = schema.get("multipleOf")
    if low is None and high is None:
        return of if of else step
    start = low if low is not None else high
    if "exclusiveMinimum" in schema or (low is None and "exclusiveMaximum" in schema):
        start += (of or step) * (1 if low is not None else -1)
    return -(-start // of) * of if of else start


def _string(schema: Mapping[str, Any]) -> str:
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    text = "text"
    if (pattern := schema.get("pattern")) and (fitting := _matching(str(pattern), int(schema.get("minLength", 0)))):
        return fitting
    if schema.get("minLength", 0) > LONGEST_TEXT:
        raise NoSample(
            f"a text in a sample would have more than {LONGEST_TEXT} characters; add an example to the schema"
        )
    return text.ljust(int(schema.get("minLength", 0)), "x")[: int(schema.get("maxLength", 10_000))]


def _matching(pattern: str, shortest: int) -> str | None:
    """A text for a pattern that the plain one does not match; None if there is none, or none is needed."""
    try:
        if re.search(pattern, "text"):
            return None
    except re.error:
        return None
    return matching(pattern, shortest)


_MAKERS: Mapping[Any, Callable[[_Sampler, Mapping[str, Any], int], Any]] = {
    "object": _Sampler.object,
    "array": _Sampler.array,
    "string": lambda _sampler, schema, _depth: _string(schema),
    "integer": lambda _sampler, schema, _depth: int(_number(schema, 1)),
    "number": lambda _sampler, schema, _depth: _number(schema, 1.5),
    "boolean": lambda _sampler, _schema, _depth: True,
    "null": lambda _sampler, _schema, _depth: None,
}
