"""Every difference of two schema files as a list of texts, whether consumers notice it or not. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbox_kit.compat.rules import event_name
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox

LONGEST = 80
"""Characters of a value that are shown."""
OF_EVENTS = {"type", "aggregate", "payload"}
"""Fields of an event that are not compared as values."""


def differences(paired: Sequence[tuple[Outbox, Outbox | None]], new: Sequence[Outbox]) -> list[str]:
    """A text for each difference. paired: each old outbox with the new one; new: all new ones."""
    texts, matched = [], [after for _, after in paired]
    several = len(paired) > 1 or len(new) > 1
    for before, after in paired:
        prefix = f"{before.service}: " if several else ""
        if after is None:
            texts.append(f"service '{before.service}' removed")
        else:
            texts += [f"{prefix}{text}" for text in _outbox(before, after)]
    return texts + [f"service '{outbox.service}' added" for outbox in new if outbox not in matched]


def _outbox(before: Outbox, after: Outbox) -> Iterator[str]:
    old, new = ({(event.aggregate, event.type): event for event in outbox.events} for outbox in (before, after))
    yield from (f"event {event_name(event)} removed" for name, event in old.items() if name not in new)
    yield from (f"event {event_name(event)} added" for name, event in new.items() if name not in old)
    for name, event in old.items():
        if name in new:
            yield from (f"{event_name(event)}: {text}" for text in _event(event, new[name]))
    documents = (outbox.model_dump(mode="json", by_alias=True, exclude={"events"}) for outbox in (before, after))
    yield from _values("", *documents)


def _event(before: EventType, after: EventType) -> Iterator[str]:
    yield from _schemas("", before.payload, after.payload)
    documents = (event.model_dump(mode="json", by_alias=True, exclude=OF_EVENTS) for event in (before, after))
    yield from _values("", *documents)


def _schemas(pointer: str, before: Any, after: Any) -> Iterator[str]:
    """The differences of two JSON Schemas. pointer: the place in the payload."""
    if before == after:
        return
    place = pointer or "the payload"
    if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
        yield from _single(f"{place}: JSON Schema", before, after)
        return
    yield from _properties(pointer, before, after)
    yield from _schemas(f"{pointer}/*", before.get("items", {}), after.get("items", {}))
    if before.get("type") != after.get("type") and "type" in before and "type" in after:
        yield f"{place} changed from {_type(before)} to {_type(after)}"
        before, after = ({name: schema[name] for name in schema if name != "type"} for schema in (before, after))
    for keyword in dict.fromkeys([*before, *after]):
        if keyword not in ("properties", "required", "items"):
            yield from _single(f"{place}: {keyword}", before.get(keyword), after.get(keyword))


def _type(schema: Mapping[str, Any]) -> str:
    names = schema["type"]
    return " or ".join(map(str, names)) if isinstance(names, list) else str(names)


def _properties(pointer: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """The differences of the properties of an object."""
    (old, old_required), (new, new_required) = (
        (schema.get("properties", {}), set(schema.get("required", ()))) for schema in (before, after)
    )
    where = f" in {pointer}" if pointer else ""
    for name in dict.fromkeys([*old, *sorted(old_required), *new, *sorted(new_required)]):
        was, now = name in old or name in old_required, name in new or name in new_required
        kind = "required" if name in (new_required if now else old_required) else "optional"
        if was != now:
            yield f"{kind} property '{name}' {'added' if now else 'removed'}{where}"
            continue
        if (name in old_required) != (name in new_required):
            yield f"property '{name}' is {kind} now{where}"
        yield from _schemas(f"{pointer}/{name}", old.get(name, {}), new.get(name, {}))


def _values(path: str, before: Any, after: Any) -> Iterator[str]:
    """The differences of two plain values. path: the key in the schema file."""
    old, new = _as_mapping(before), _as_mapping(after)
    if old is not None and new is not None:
        for name in dict.fromkeys([*old, *new]):
            yield from _values(f"{path}.{name}" if path else name, old.get(name), new.get(name))
    else:
        yield from _single(path, before, after)


def _as_mapping(value: Any) -> Mapping[str, Any] | None:
    """A mapping, or a list of named entries as one; None for another value."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, list) and value and all(isinstance(entry, Mapping) and "name" in entry for entry in value):
        return {str(entry["name"]): entry for entry in value}
    return {} if value == [] else None


def _single(path: str, before: Any, after: Any) -> Iterator[str]:
    if before == after:
        return
    if before is None:
        yield f"{path} added" + ("" if isinstance(after, Mapping) else f": {_value_text(after)}")
    elif after is None:
        yield f"{path} removed" + ("" if isinstance(before, Mapping) else f": {_value_text(before)}")
    else:
        yield f"{path} changed from {_value_text(before)} to {_value_text(after)}"


def _value_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
