"""Messages as a sample keeps them, and the parts of a message that are compared with rows. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from outbox_kit.databases import digest
from outbox_kit.findings.finding import RecordLocation
from outbox_kit.kafka.record import Record
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.record import is_event
from outbox_kit.wire.parts import MessagePart

Likeness = tuple[str, str]  # of a value: by its bytes, and by the JSON that it is


@dataclass(frozen=True)
class Arrival:
    """One message of the sample."""

    place: RecordLocation
    event_id: str
    """Canonical."""
    key: bytes
    type: bytes
    sequence: bytes | None
    milliseconds: int
    """Its timestamp."""
    fields: tuple[str, ...] = ()
    """The members of its payload; see `fields`."""
    inexact: tuple[str, ...] = ()
    """The members whose numbers not every reader can tell apart."""
    values: tuple[Likeness | None, ...] = ()
    """Of the parts that are compared in a sample only."""


def arrival(
    outbox: Outbox, where: RecordLocation, record: Record, sampled: Sequence[MessagePart] = ()
) -> Arrival | None:
    """A record as a sample keeps it, or None where it is no event."""
    headers = dict(record.headers() or ())
    if not is_event(headers):
        return None
    values = contents(sampled, record, where.partition, headers) if sampled else ()
    return Arrival(
        where,
        digest.canonical(headers["id"] or b"", outbox.table.ids).decode(errors="replace"),
        record.key() or b"",
        headers.get("eventType") or b"",
        headers.get("sequence"),
        record.timestamp()[1],
        values=tuple(None if value is None else likeness(value) for value in values),
    )


def contents(
    parts: Sequence[MessagePart], record: Record, partition: int, headers: Mapping[str, bytes | None]
) -> list[bytes | None]:
    """What a message has in each of some parts."""
    contents_by_part: dict[str, Any] = {"key": record.key(), "payload": record.value(), "partition": b"%d" % partition}
    return [headers.get(part.name) if part.place == "header" else contents_by_part[part.place] for part in parts]


def likeness(value: bytes) -> Likeness:
    """What two values must have in common to be the same: their bytes, or the JSON that they are."""
    try:
        document = orjson.dumps(_plain(orjson.loads(value)), option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
        document = b""
    return digest.short(value), digest.short(document) if document else ""


def _plain(document: Any) -> Any:
    """A document in which numbers and moments are written in one way; a database rewrites them."""
    if isinstance(document, dict):
        return {name: _plain(value) for name, value in document.items()}
    if isinstance(document, list):
        return [_plain(value) for value in document]
    if isinstance(document, float) and document.is_integer() and abs(document) < 2**53:
        return int(document)
    return document.removesuffix(".000000") if isinstance(document, str) else document
