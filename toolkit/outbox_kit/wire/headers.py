"""The headers that every message has, and what each must be. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.router.context import RUN_ID
from outbox_kit.wire import cloudevents
from outbox_kit.wire.routes import Routes


@dataclass(frozen=True)
class HeaderSpec:
    """One header."""

    name: str
    """Its name on the wire."""
    required: bool
    """Whether every message must have it."""
    kind: str = "text"
    """The kind of the column that it is a copy of; empty if it is of none of the outbox's."""
    values: tuple[str, ...] = ()
    """The allowed values; any if empty."""
    pattern: str | None = None
    """A regular expression that the whole value matches; None for any value."""


def header_specs(routes: Routes) -> list[HeaderSpec]:
    """Every header in the order in which they are sent, the id first; then those that only a rule names.

    Debezium's own headers are not required: messages of an older release, or of a relay, lack them.
    """
    outbox, columns = routes.outbox, routes.columns.headers
    fixed, kinds = cloudevents.constants(outbox), _kinds(routes)
    sent = [name for name in dict.fromkeys(["id", *columns, *fixed, *routes.headers]) if name in routes.headers]
    ruled = {header.name: header for header in outbox.headers}
    nullable = {column.name for column in outbox.table.extra if not column.required}
    specs = []
    for name in dict.fromkeys([*sent, *ruled]):
        rule = ruled.get(name)
        required = (rule is None or rule.required) and columns.get(name) not in nullable
        values, pattern = (rule.values, rule.pattern) if rule else ((), None)
        if name in fixed:
            values = (fixed[name],)
        elif name == f"{cloudevents.PREFIX}time" and pattern is None:
            pattern = cloudevents.TIME
        specs.append(HeaderSpec(name, required, kinds.get(name, "text" if name in sent else ""), values, pattern))
    return specs + [_context(name) for name in routes.context if name not in ruled]


def _context(name: str) -> HeaderSpec:
    return HeaderSpec(name, required=False, kind="uuid" if name == RUN_ID else "text")


def _kinds(routes: Routes) -> dict[str, str]:
    """The kinds of the columns that become headers, by the headers' names; CloudEvents' attributes are texts."""
    outbox, read = routes.outbox, routes.columns
    kinds = {column.name: column.kind for column in outbox.table.extra} | {outbox.table.columns.id: outbox.table.ids}
    if outbox.ordering.sequence:
        kinds[outbox.ordering.sequence] = "bigint"
    texts = cloudevents.columns(outbox, read.id, read.key)
    copied = {"id": read.id} | {name: column for name, column in read.headers.items() if name not in texts}
    return {name: kinds[column] for name, column in copied.items() if column in kinds}


def as_schema(specs: Sequence[HeaderSpec], described: Callable[[HeaderSpec], dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of an object of these headers. described: the schema of each one's value."""
    required = [spec.name for spec in specs if spec.required]
    return {"type": "object", "properties": {spec.name: described(spec) for spec in specs}, "required": required}


def text_schema(spec: HeaderSpec) -> dict[str, Any]:
    """A header's value as a text that keeps its rule."""
    schema: dict[str, Any] = {"type": "string"}
    if spec.pattern:
        schema["pattern"] = f"^(?:{spec.pattern})$"
    return schema | ({"enum": list(spec.values)} if spec.values else {})
