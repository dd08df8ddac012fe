"""The headers that every message is promised to have, and what is promised of each. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from outbox_kit.schema import cloudevents

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class Promise:
    """One header. kind: of the column that it comes from; empty where none of the outbox's does.

    values: the allowed ones; any if empty. pattern: what the whole value matches, if anything.
    """

    name: str
    required: bool
    kind: str = "text"
    values: tuple[str, ...] = ()
    pattern: str | None = None


def promised(outbox: "Outbox") -> list[Promise]:
    """Every header in the order in which they are sent, the id first; then those that only a rule names."""
    fixed = cloudevents.constants(outbox)
    sent = ["id", *(placement.name for placement in outbox.placements if placement.to == "header"), *fixed]
    ruled = {header.name: header for header in outbox.headers}
    extra = {column.alias or column.name: column for column in outbox.table.extra}
    kinds = {"id": outbox.table.ids, "sequence": "bigint"} | {name: column.kind for name, column in extra.items()}
    found = []
    for name in dict.fromkeys([*sent, *ruled]):
        rule = ruled.get(name)
        required = (rule is None or rule.required) and (name not in extra or extra[name].required)
        values, pattern = (rule.values, rule.pattern) if rule else ((), None)
        if name in fixed:
            values = (fixed[name],)
        elif name == f"{cloudevents.PREFIX}time" and pattern is None:
            pattern = cloudevents.TIME
        found.append(Promise(name, required, kinds.get(name, "text" if name in sent else ""), values, pattern))
    return found


def as_schema(promises: Sequence[Promise], described: Callable[[Promise], dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of an object of these headers. described: the schema of each one's value."""
    required = [one.name for one in promises if one.required]
    return {"type": "object", "properties": {one.name: described(one) for one in promises}, "required": required}


def text_schema(one: Promise) -> dict[str, Any]:
    """A header's value as a text that keeps its rule."""
    found: dict[str, Any] = {"type": "string"}
    if one.pattern:
        found["pattern"] = f"^(?:{one.pattern})$"
    return found | ({"enum": list(one.values)} if one.values else {})
