"""Messages and rows as they are compared, in values; what a table can still say, and how late events came. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from outbox_kit.finding import Findings, Place
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.parts import Part
from outbox_kit.source import digest
from outbox_kit.source.ledger import Held, Row
from outbox_kit.verify.contract import CANARY, pair

HOUR_MS = 3_600_000
MODULUS = 2**64  # of the buckets' sums
Likeness = tuple[str, str]  # of a value: by its bytes, and by the JSON that it is
CHECKS = {"key": "KEY-02", "header": "HDR-06", "payload": "PAY-12", "partition": "KEY-04"}


@dataclass(frozen=True)
class Arrival:
    """One message of the sample. event_id: canonical. milliseconds: its timestamp.

    fields, inexact: the members of its payload, and those whose numbers not every reader can tell apart; see `fields`.
    values: of the parts that are compared in a sample only.
    """

    place: Place
    event_id: str
    key: bytes
    type: bytes
    sequence: bytes | None
    milliseconds: int
    fields: tuple[str, ...] = ()
    inexact: tuple[str, ...] = ()
    values: tuple[Likeness | None, ...] = ()


def is_event(headers: Mapping[str, bytes | None]) -> bool:
    """Whether a message is an event: it has an id, and is no canary."""
    return bool(headers.get("id")) and pair(headers) != CANARY


def arrival(outbox: Outbox, where: Place, record: Any, sampled: Sequence[Part] = ()) -> Arrival | None:
    """A record as a sample keeps it, or None where it is no event."""
    headers = dict(record.headers() or ())
    if not is_event(headers):
        return None
    values = contents(sampled, record, where.partition, headers) if sampled else ()
    return Arrival(
        where,
        digest.canonical(headers["id"], outbox.table.ids).decode(errors="replace"),
        record.key() or b"",
        headers.get("eventType") or b"",
        headers.get("sequence"),
        record.timestamp()[1],
        values=tuple(None if value is None else likeness(value) for value in values),
    )


def contents(
    parts: Sequence[Part], record: Any, partition: int, headers: Mapping[str, bytes | None]
) -> list[bytes | None]:
    """What a message has in each of some parts."""
    found: dict[str, Any] = {"key": record.key(), "payload": record.value(), "partition": b"%d" % partition}
    return [headers.get(part.name) if part.place == "header" else found[part.place] for part in parts]


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


def unequal(
    counts: Sequence[int], sums: Sequence[int], ledger: Mapping[int, tuple[int, int]], copies: Sequence[int]
) -> list[int]:
    """The buckets in which the topics and the table differ. copies: numbers of events that came again."""
    surplus: dict[int, tuple[int, int]] = {}
    for number in copies:
        count, total = surplus.get(number % digest.BUCKETS, (0, 0))
        surplus[number % digest.BUCKETS] = count + 1, total + number
    return [
        bucket
        for bucket, (count, total) in enumerate(zip(counts, sums, strict=True))
        if _without((count, total), surplus.get(bucket, (0, 0))) != _without(ledger.get(bucket, (0, 0)), (0, 0))
    ]


def _without(whole: tuple[int, int], copies: tuple[int, int]) -> tuple[int, int]:
    return whole[0] - copies[0], (whole[1] - copies[1]) % MODULUS


def alike(held: Held, sample: Iterable[Arrival], rows: Mapping[str, Row], findings: Findings, *, unsaid: bool) -> int:
    """Hold the sampled parts of messages against their rows; how many messages had one.

    unsaid: whether a value that a row does not have is one that nobody has told.
    """
    compared = 0
    for one in sample:
        row = rows.get(one.event_id)
        if row is None:
            continue
        compared += 1
        for part, value, found in zip(held.sampled, one.values, row.values, strict=True):
            octets = found.encode() if isinstance(found, str) else None if found is None else bytes(found)
            if octets is None and (unsaid or value is None):
                continue
            if octets is None or value is None or not _same(value, likeness(octets)):
                findings.add(CHECKS[part.place], one.place, expected(part, one.event_id), "another value")
    return compared


def expected(part: Part, event_id: str) -> str:
    """What a part of a message must be."""
    whose = f"'{part.name}' as " if part.place == "header" else ""
    return f"{whose}column {part.column} of row {event_id}"


def _same(one: Likeness, other: Likeness) -> bool:
    return one[0] == other[0] or (one[1] != "" and one[1] == other[1])


def covered_since(outbox: Outbox, oldest: int | None, now: int) -> int | None:
    """From when on the table has every row that was ever written; all in milliseconds since 1970.

    oldest: of the rows that are there after all others were read. What is younger than `table.kept` is never cleaned
    up, and a cleanup by age takes nothing that is younger than the oldest row. None where nothing can be said.
    """
    if outbox.table.retention == "keep":
        return 0
    if oldest is None or outbox.table.retention == "owner":
        return None
    return max(oldest, now - outbox.table.kept_hours * HOUR_MS)


CLOCKS_MS = 1000  # how far two clocks that are kept may be apart


@dataclass(frozen=True)
class Latency:
    """From a row's writing to its message's timestamp, which is when Debezium read it; in milliseconds, of a sample.

    points: each message's timestamp, and what it took, in the order of time.
    """

    events: int
    p50: int
    p95: int
    p99: int
    most: int
    points: tuple[tuple[int, int], ...] = ()


def latency(arrivals: Iterable[Arrival], rows: Mapping[str, Row], findings: Findings) -> Latency | None:
    """How long the sampled events took; None where no row is left to tell."""
    points = []
    for one in arrivals:
        row = rows.get(one.event_id)
        if row is not None and row.milliseconds is not None:
            points.append((one.milliseconds, one.milliseconds - row.milliseconds))
            if points[-1][1] < -CLOCKS_MS:
                findings.add("LAT-03", one.place, "a timestamp after the row's", f"{-points[-1][1]} ms before it")
    if not points:
        return None
    took = sorted(milliseconds for _, milliseconds in points)
    p50, p95, p99 = (took[min(len(took) * share // 100, len(took) - 1)] for share in (50, 95, 99))
    return Latency(len(took), p50, p95, p99, took[-1], tuple(sorted(points)))


def torn(missing: Mapping[str, Sequence[str]], together: Mapping[str, int], findings: Findings) -> None:
    """Name transactions of which some events have arrived and some have not.

    missing: the ids that have not, by transaction. together: how many rows each of them has.
    """
    for transaction, count in sorted(together.items()):
        ids = sorted(missing[transaction])
        if len(ids) < count:
            told = f"{count - len(ids)} of them, without {', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''}"
            findings.add("LOS-06", Place("*"), f"{count} events of transaction {transaction}, or none", told)
