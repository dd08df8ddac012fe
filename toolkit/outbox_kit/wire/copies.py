"""Which parts of a message are copies of columns of its row, as the model of the router says it. Pure.

Two rows that differ in every column are sent through the model with the outbox's whole config. A part that equals a
column's value in both messages is a copy of that column; whatever raw connector options change is no copy.
"""

from typing import Any, NamedTuple

from outbox_kit.errors import UsageProblem
from outbox_kit.router.chain import Message
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.event import send_event
from outbox_kit.wire.parts import MessagePart
from outbox_kit.wire.routes import Routes

PROBES = (1, 2)
Contents = dict[tuple[str, str], bytes]  # by place in the message, and the header's name


class Copies(NamedTuple):
    """The parts of a message that equal the text, or the bytes, of a column; none if the model cannot tell.

    The header `id` is left out: it says which row a message is of. Moments are left out too: a database writes them
    in another form than the connector.
    """

    of_every_row: tuple[MessagePart, ...]
    unless_null: tuple[MessagePart, ...]
    """The partition, if its column may be null: the message key chooses it in such a row."""


def copies(outbox: Outbox) -> tuple[MessagePart, ...]:
    """The parts of every message that equal a column; see `Copies`."""
    return message_copies(outbox).of_every_row


def message_copies(outbox: Outbox) -> Copies:
    """Which parts of the messages of an outbox are copies."""
    optional = {column.name for column in columns(outbox) if not column.required}
    every, unless_null = list[MessagePart](), list[MessagePart]()
    for part in _equal(outbox):
        (unless_null if part.place == "partition" and part.column in optional else every).append(part)
    return Copies(tuple(every), tuple(unless_null))


def _equal(outbox: Outbox) -> tuple[MessagePart, ...]:
    """The parts that equal a column in both messages of the probes."""
    routes = Routes(outbox)
    rows = [_row(routes, number) for number in PROBES]
    messages = [_message_of(outbox, row) for row in rows]
    contents = [_contents(message) for message in messages if message is not None]
    if len(contents) < len(PROBES):
        return ()
    kinds = {column.name: column.kind for column in columns(outbox)}
    parts = []
    for place, name in contents[0].keys() - {("header", "id")}:
        sent = tuple(values.get((place, name)) for values in contents)
        equal = [column for column in kinds if column in rows[0] and tuple(_text(row[column]) for row in rows) == sent]
        if equal:
            placed = routes.columns.headers.get(name)
            column = placed if placed in equal else equal[0]
            parts.append(MessagePart(place, name, column, kinds[column]))  # type: ignore[arg-type]
    return tuple(sorted(parts, key=lambda part: (part.place == "payload", part.place, part.name)))


def _message_of(outbox: Outbox, row: dict[str, Any]) -> Message | None:
    try:
        outcome = send_event(outbox, outbox.events[0], row)
    except UsageProblem:
        return None
    return outcome if isinstance(outcome, Message) else None


def _row(routes: Routes, number: int) -> dict[str, Any]:
    """A row of a probe: the route's column is as its event has it, for it chooses a topic."""
    outbox = routes.outbox
    route = routes.route(outbox.events[0])
    row: dict[str, Any] = {}
    for position, column in enumerate(columns(outbox)):
        distinct = 10_000 * number + position
        values: dict[str, Any] = {
            "text": f"outbox-kit-{distinct}",
            "integer": distinct,
            "bigint": distinct,
            "boolean": bool((position + number) % 2),
            "uuid": f"00000000-0000-4000-8000-{distinct:012}",
            "objectid": f"{distinct:024x}",
        }
        if column.name == outbox.table.columns.payload:
            row[column.name] = f'{{"n": {distinct}}}'
        elif column.name == routes.columns.route and route is not None:
            row[column.name] = route
        elif column.kind in values:
            row[column.name] = values[column.kind]
    return row


def _text(value: Any) -> bytes:
    return (str(value).lower() if isinstance(value, bool) else str(value)).encode()


def _contents(message: Message) -> Contents:
    contents: Contents = {("header", name): value for name, value in message.headers if value is not None}
    contents |= {("key", ""): message.key or b"", ("payload", ""): message.value or b""}
    if message.partition is not None:
        contents["partition", ""] = str(message.partition).encode()
    return contents
