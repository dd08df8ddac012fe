"""Sample rows with the columns that any config reads."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from outbox_kit import databases
from outbox_kit.router.events import RowColumn, is_document
from outbox_kit.schema.sample import FORMATS

SAMPLE_KEY = "1001"
MOMENT = 1_700_000_000_000  # in milliseconds
# the kinds of the dialect that the router takes for what it reads: an INT32, and for a time whatever `moment` is
KINDS = {"version": "integer", "partition": "integer"}


def of_config(
    dialect: str, read: Mapping[str, str], placed: Sequence[tuple[str, str]], values: Mapping[str, Any]
) -> list[RowColumn]:
    """A row with every column that a router reads.

    read: columns by role (id, key, payload, route, timestamp, version). placed: column and place of the additional
    ones. values: values by column, or {"type": ..., "value": ...} where the type matters, with "optional" and "default"
    (as the database's catalogue prints it). Raises UsageProblem.
    """
    roles = {column: place for column, place in placed} | {column: role for role, column in read.items()}
    names = list(dict.fromkeys([*roles, *values]))
    if is_document(dialect):
        return [RowColumn(name, "", values[name]) if name in values else _member(roles[name], name) for name in names]
    return [_column(dialect, name, roles.get(name, ""), values) for name in names]


def _member(role: str, name: str) -> RowColumn:
    """A document's payload is a document of its own, and its timestamp the one kind of number that the router takes."""
    if role == "timestamp":
        return RowColumn(name, "long", str(MOMENT))
    return RowColumn(name, "", {"id": int(SAMPLE_KEY)} if role == "payload" else _sample(role, name))


def _column(dialect: str, name: str, role: str, values: Mapping[str, Any]) -> RowColumn:
    typed = values.get(name)
    if isinstance(typed, Mapping) and set(typed) <= {"type", "value", "optional", "default"} and "type" in typed:
        value, default = typed.get("value"), typed.get("default")
        optional = bool(typed.get("optional", value is None))
        return RowColumn(name, str(typed["type"]), as_text(value), optional, None if default is None else str(default))
    value = typed if name in values else _sample(role, name)
    return RowColumn(name, _type(dialect, role, value), as_text(value), optional=value is None)


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


def as_text(value: Any) -> Any:
    """A payload given as a document is its text."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
