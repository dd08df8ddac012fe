"""The columns that `routing` names, by the schema file alone. What holds under raw options too is `wire`'s to answer.

Only the checks of a schema file and `wire` ask this.
"""

import re
from collections.abc import Mapping

from outbox_kit.schema.fields import EventType, OutboxFields, Routing
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


def previous_topics(outbox: OutboxFields, event: EventType) -> tuple[str, ...]:
    """The topics of `routing.previous_topics` that an event may have been published to, in the file's order."""
    texts = {"service": outbox.service, "aggregate": event.aggregate, "type": event.type}
    matched = re.fullmatch(outbox.routing.pattern, event.type) if outbox.routing.pattern is not None else None
    groups = enumerate(matched.groups(), 1) if matched else ()
    texts |= {str(number): text or "" for number, text in groups}
    return tuple(filled(topic, texts) for topic in outbox.routing.previous_topics)


def present_topic(outbox: OutboxFields, event: EventType) -> str | None:
    """The topic that `routing.topic` gives an event, without raw options; None if each row decides it."""
    column = route_column(outbox.routing, outbox.table.columns)
    route = route_of(event, outbox.table.columns, column)
    return None if route is None else topic_of_route(outbox, route)


def topic_of_route(outbox: OutboxFields, route: str) -> str:
    """`routing.topic` with its placeholders replaced; the route itself if the pattern does not match it."""
    texts = {name: route for name in PLACEHOLDER.findall(outbox.routing.topic)} | {"service": outbox.service}
    if outbox.routing.pattern is not None:
        match = re.fullmatch(outbox.routing.pattern, route)
        if match is None:
            return route
        texts |= {str(number): text or "" for number, text in enumerate(match.groups(), 1)}
    return filled(outbox.routing.topic, texts)


def filled(topic: str, texts: Mapping[str, str]) -> str:
    """A topic's pattern with its placeholders replaced; a group of a pattern that does not match is empty."""
    return PLACEHOLDER.sub(lambda placeholder: texts.get(placeholder[1], ""), topic)
