"""Sample rows: of a schema file's events, or of any config's columns."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from outbox_kit import databases
from outbox_kit.errors import UsageProblem
from outbox_kit.router.events import RowColumn, is_document
from outbox_kit.schema.columns import columns as columns_of
from outbox_kit.schema.fields import EventType, Header
from outbox_kit.schema.matching import matching
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.sample import FORMATS, NoSample, sample
from outbox_kit.wire.effective import router_columns

SAMPLE_KEY = "1001"
SAMPLES = {
    "text": "text",
    "integer": 0,
    "bigint": 1,
    "boolean": True,
    "uuid": FORMATS["uuid"],
    "objectid": "6564e2c80000000000000001",
    "instant": FORMATS["date-time"],
}


def of_event(outbox: Outbox, event: EventType, changes: Mapping[str, Any]) -> list[RowColumn]:
    """The row of an event: its payload made from its JSON Schema, its other columns filled plainly.

    changes: values by column that replace the sample's. Raises UsageProblem.
    """
    c = outbox.table.columns
    column_values = ((c.aggregate_type, event.aggregate), (c.aggregate_id, SAMPLE_KEY), (c.type, event.type))
    values: dict[str, Any] = {column: value for column, value in column_values if column is not None}
    if c.payload not in changes:
        values[c.payload] = _payload(event)
    if unknown := sorted(set(changes) - set(outbox.column_names)):
        fix = f"use its columns: {', '.join(outbox.column_names)}"
        raise UsageProblem(f"column '{unknown[0]}' not found in the table", fix=fix)
    values |= {**_of_headers(outbox), **changes}
    types = outbox.dialect.types
    return [
        RowColumn(x.name, types[x.kind], _text(values.get(x.name, SAMPLES.get(x.kind))), optional=not x.required)
        for x in columns_of(outbox)
    ]


def _of_headers(outbox: Outbox) -> dict[str, str]:
    """A valid value of each extra column whose header has a rule."""
    allowed = {header.name: value for header in outbox.headers if (value := _valid(header))}
    extra = {column.name for column in outbox.table.extra}
    headers = router_columns(outbox).headers if allowed else {}
    return {column: allowed[name] for name, column in headers.items() if name in allowed and column in extra}


def _valid(header: Header) -> str | None:
    """A value that a header's rule allows: the first of its values, or a text that its pattern matches."""
    if header.values:
        return header.values[0]
    return matching(header.pattern) if header.pattern else None


def _payload(event: EventType) -> str | None:
    if event.tombstone:
        return None
    if not isinstance(event.payload, dict):
        return "{}"
    try:
        return json.dumps(sample(event.payload), ensure_ascii=False)
    except NoSample as cause:
        raise UsageProblem(
            f"no sample payload for '{event.type}'", why=str(cause), fix="give a row with --row-file"
        ) from None


def _text(value: Any) -> Any:
    """A payload given as a document is its text."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


# the kinds of the dialect that the router takes for what it reads: an INT32, and for a time whatever `moment` is
KINDS = {"version": "integer", "partition": "integer"}


def of_config(
    dialect: str, read: Mapping[str, str], placed: Sequence[tuple[str, str]], values: Mapping[str, Any]
) -> list[RowColumn]:
    """A row with every column that a router reads.

    read: columns by role (id, key, payload, route, timestamp, version). placed: column and place of the additional
    ones. values: values by column, or {"type": ..., "value": ...} where the type matters. Raises UsageProblem.
    """
    roles = {column: place for column, place in placed} | {column: role for role, column in read.items()}
    names = list(dict.fromkeys([*roles, *values]))
    if is_document(dialect):
        return [RowColumn(name, "", values[name] if name in values else _member(roles[name], name)) for name in names]
    return [_column(dialect, name, roles.get(name, ""), values) for name in names]


def _member(role: str, name: str) -> Any:
    """A document's payload is a document of its own."""
    return {"id": int(SAMPLE_KEY)} if role == "payload" else _sample(role, name)


def _column(dialect: str, name: str, role: str, values: Mapping[str, Any]) -> RowColumn:
    typed = values.get(name)
    if isinstance(typed, Mapping) and set(typed) <= {"type", "value", "optional"} and "type" in typed:
        value = typed.get("value")
        return RowColumn(name, str(typed["type"]), _text(value), optional=bool(typed.get("optional", value is None)))
    value = typed if name in values else _sample(role, name)
    return RowColumn(name, _type(dialect, role, value), _text(value), optional=value is None)


def _sample(role: str, name: str) -> Any:
    samples = {"id": FORMATS["uuid"], "key": SAMPLE_KEY, "payload": '{"id": 1001}', "route": "Order", "partition": 0}
    samples |= {"version": 1, "timestamp": FORMATS["date-time"]}
    return samples.get(role, name)


def _type(name: str, role: str, value: Any) -> str:
    """A type of the database for a value whose column says none."""
    dialect = databases.get(name)
    if role == "timestamp":
        return dialect.timestamp_type
    number = "boolean" if isinstance(value, bool) else "bigint" if isinstance(value, int) else "text"
    return dialect.types[KINDS.get(role, number)]
