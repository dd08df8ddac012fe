"""The columns that `routing` names, by the schema file alone. What holds under raw options too is `wire`'s to answer.

Only the checks of a schema file and `wire` ask this.
"""

from outbox_kit.schema.fields import EventType, Routing
from outbox_kit.schema.table import Columns
from outbox_kit.schema.words import GROUP, PLACEHOLDER


def column_of(columns: Columns, name: str) -> str:
    """The column that a placeholder of `routing.topic`, or `routing.key`, means."""
    if GROUP.fullmatch(name):
        return columns.type
    key = columns.aggregate_id or columns.id
    fields = {"aggregate": columns.aggregate_type or name, "type": columns.type}
    return {**fields, "aggregate_id": key, "id": columns.id}.get(name, name)


def key_column(routing: Routing, columns: Columns) -> str:
    """The column that `routing.key` makes the message key."""
    return column_of(columns, routing.key)


def route_column(routing: Routing, columns: Columns) -> str:
    """The column by which `routing.topic` chooses the topic."""
    placeholders = (name for name in PLACEHOLDER.findall(routing.topic) if name != "service")
    default = columns.aggregate_type or columns.type
    return next((column_of(columns, name) for name in placeholders), default)


def route_of(event: EventType, columns: Columns, column: str) -> str | None:
    """What an event's rows hold in the column that chooses the topic; None if each row decides it."""
    return {columns.aggregate_type: event.aggregate, columns.type: event.type}.get(column)
