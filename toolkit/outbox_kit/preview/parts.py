"""Which parts of a message are copies of columns of its row, as the model of the router says it. Pure.

Two rows that differ in every column are sent through the model with the outbox's whole config. A part that equals a
column's value in both messages is a copy of that column; whatever raw connector options change is no copy.
"""

from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.preview.send import send_event
from outbox_kit.router.chain import Message
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.parts import Part

PROBES = (1, 2)


def parts(outbox: Outbox) -> tuple[Part, ...]:
    """The parts of every message that equal the text, or the bytes, of a column; none where the model cannot tell.

    The header `id` is left out: it says which row a message is of. Moments are left out too: a database writes them
    in another form than the connector.
    """
    sent = [_sent(outbox, number) for number in PROBES]
    if None in sent:
        return ()
    rows = [_row(outbox, number) for number in PROBES]
    messages: list[dict[tuple[str, str], bytes]] = [_contents(one) for one in sent if one is not None]
    placed = {placement.name: placement.column for placement in outbox.placements if placement.to == "header"}
    kinds = {column.name: column.kind for column in columns(outbox)}
    found = []
    for (place, name), content in messages[0].items():
        if (place, name) == ("header", "id"):
            continue
        contents = (content, messages[1].get((place, name)))
        same = [
            column for column in kinds if column in rows[0] and tuple(_text(row[column]) for row in rows) == contents
        ]
        if same:
            column = placed.get(name, same[0]) if placed.get(name) in same else same[0]
            found.append(Part(place, name, column, kinds[column]))  # type: ignore[arg-type]
    return tuple(sorted(found, key=lambda part: (part.place == "payload", part.place, part.name)))


def _sent(outbox: Outbox, number: int) -> Message | None:
    try:
        found = send_event(outbox, outbox.events[0], _row(outbox, number))
    except UsageProblem:
        return None
    return found if isinstance(found, Message) else None


def _row(outbox: Outbox, number: int) -> dict[str, Any]:
    """A row of a probe: the route's column is as its event has it, for it chooses a topic."""
    route = outbox.route(outbox.events[0])
    found: dict[str, Any] = {}
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
            found[column.name] = f'{{"n": {distinct}}}'
        elif column.name == outbox.route_column and route is not None:
            found[column.name] = route
        elif column.kind in values:
            found[column.name] = values[column.kind]
    return found


def _text(value: Any) -> bytes:
    return (str(value).lower() if isinstance(value, bool) else str(value)).encode()


def _contents(message: Message) -> dict[tuple[str, str], bytes]:
    found = {("header", name): value for name, value in message.headers if value is not None}
    found |= {("key", ""): message.key or b"", ("payload", ""): message.value or b""}
    if message.partition is not None:
        found["partition", ""] = str(message.partition).encode()
    return found
