"""The topics against the outbox table: sums by bucket first, and ids only where those differ. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.finding import Findings, Place
from outbox_kit.preview.routes import Routes
from outbox_kit.schema.model import Outbox
from outbox_kit.source.ledger import Outcome, Row
from outbox_kit.verify.contract import CANARY, Contract, pair
from outbox_kit.verify.explain import shown

DAY_MS = 86_400_000
MODULUS = 2**64  # of the buckets' sums
BUCKETS = 4096  # of event ids, by the low bits of their last twelve digits


def fingerprint_of(event_id: bytes | None) -> int:
    """The last twelve hexadecimal digits of an id as a number; -1 where they are none."""
    try:
        return int((event_id or b"")[-12:], 16)
    except ValueError:
        return -1


@dataclass(frozen=True)
class Arrival:
    """One message, as far as the ledger can judge it. milliseconds: its timestamp.

    fields, inexact: the members of its payload, and those whose numbers not every reader can tell apart; see `fields`.
    """

    place: Place
    event_id: str
    key: bytes
    type: bytes
    sequence: bytes | None
    milliseconds: int
    fields: tuple[str, ...] = ()
    inexact: tuple[str, ...] = ()


def arrival(where: Place, record: Any) -> Arrival | None:
    """A record as the ledger judges it, or None where it is no event."""
    headers = dict(record.headers() or ())
    event_id = headers.get("id") or b""
    if fingerprint_of(event_id) < 0 or pair(headers) == CANARY:
        return None
    sequence, milliseconds = headers.get("sequence"), record.timestamp()[1]
    kind = headers.get("eventType") or b""
    return Arrival(where, event_id.decode(errors="replace"), record.key() or b"", kind, sequence, milliseconds)


def bucket(one: Arrival) -> int:
    """The bucket of a message's id."""
    return fingerprint_of(one.event_id.encode()) % BUCKETS


def unequal(
    counts: Sequence[int], sums: Sequence[int], ledger: Mapping[int, tuple[int, int]], copies: Sequence[int]
) -> list[int]:
    """The buckets in which the topics and the table differ. copies: fingerprints of events that came again."""
    surplus: defaultdict[int, list[int]] = defaultdict(list)
    for fingerprint in copies:
        surplus[fingerprint % BUCKETS].append(fingerprint)
    return [
        bucket
        for bucket, (count, total) in enumerate(zip(counts, sums, strict=True))
        if (count - len(surplus[bucket]), (total - sum(surplus[bucket])) % MODULUS) != _row_sums(ledger, bucket)
    ]


def _row_sums(ledger: Mapping[int, tuple[int, int]], bucket: int) -> tuple[int, int]:
    count, total = ledger.get(bucket, (0, 0))
    return count, total % MODULUS


def compare(
    contract: Contract,
    arrivals: Sequence[Arrival],
    rows: Mapping[str, Row],
    findings: Findings,
    since: int,
    outcomes: Mapping[str, Outcome],
) -> list[str]:
    """Judge the messages and the rows of the unequal buckets; returns the ids of rows that have not arrived.

    since: milliseconds since 1970 from which on the ledger surely still has every row. outcomes: of messages that are
    no rows, where it is known.
    """
    arrived = set()
    for one in arrivals:
        arrived.add(one.event_id)
        row = rows.get(one.event_id)
        if row is not None:
            _same(contract.outbox, one, row, findings)
        elif (outcome := outcomes.get(one.event_id)) is Outcome.rolled_back:
            findings.add("LOS-04", one.place, "nothing of a transaction that was rolled back", f"{one.event_id}")
        elif outcome is None and one.milliseconds >= since:
            findings.add("LOS-03", one.place, "a row of the outbox", f"no row with id {one.event_id}")
    return sorted(set(rows) - arrived)


def alike(outbox: Outbox, arrivals: Iterable[Arrival], rows: Mapping[str, Row], findings: Findings) -> None:
    """Hold messages against their rows, field by field; those whose rows are gone are not judged."""
    for one in arrivals:
        if (row := rows.get(one.event_id)) is not None:
            _same(outbox, one, row, findings)


def _same(outbox: Outbox, one: Arrival, row: Row, findings: Findings) -> None:
    """What the ledger says of a message; None is what it does not say."""
    if row.key is not None and one.key != row.key.encode():
        findings.add("KEY-02", one.place, f"column {outbox.key_column} of row {row.event_id}", shown(one.key))
    if row.type is not None and one.type != row.type.encode():
        findings.add("HDR-06", one.place, f"eventType of row {row.event_id}", shown(one.type))
    if row.sequence is not None and one.sequence != row.sequence.encode():
        findings.add("HDR-06", one.place, f"sequence {row.sequence} of row {row.event_id}", shown(one.sequence))


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


def due(routes: Routes, rows: Mapping[str, Row], missing: Sequence[str], since: Mapping[str, int]) -> list[str]:
    """Those missing rows that must be on their topic. since: milliseconds since 1970 from when on, by topic."""

    def must(row: Row) -> bool:
        return row.milliseconds is None or row.milliseconds >= since[routes.topic(row.route or "")]

    return [event_id for event_id in missing if must(rows[event_id])]


def covered_since(outbox: Outbox, oldest: int | None, now: int) -> int:
    """From when on the table has every row, so that a message without one is a phantom; all in milliseconds since 1970.

    A message may come a day after its row, and a quiet service's oldest row may be far younger than its last cleanup.
    """
    if outbox.table.retention == "keep":
        return 0
    if oldest is None or outbox.table.retention == "owner":
        return now
    return max(oldest, int(now - max(outbox.table.keep_days - 1, 0.5) * DAY_MS))


def lost(routes: Routes, rows: Mapping[str, Row], missing: Sequence[str], findings: Findings) -> None:
    """Call rows lost: they were committed before the fence and are on no topic, also at a second look."""
    only = routes.topics[0] if len(routes.topics) == 1 else "*"
    for event_id in missing:
        row = rows[event_id]
        topic = routes.topic(row.route) if row.route is not None else only
        whose = " ".join(filter(None, (row.type, event_id, "of" if row.key else "", row.aggregate, row.key)))
        findings.add("LOS-01", Place(topic), whose, "not there")


def torn(missing: Iterable[Row], together: Mapping[str, int], findings: Findings) -> None:
    """Name transactions of which some events have arrived and some have not. together: the rows of each of them."""
    absent: defaultdict[str, list[str]] = defaultdict(list)
    for row in missing:
        absent[row.transaction or ""].append(row.event_id)
    for transaction, count in sorted(together.items()):
        ids = sorted(absent[transaction])
        if len(ids) < count:
            told = f"{count - len(ids)} of them, without {', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''}"
            findings.add("LOS-06", Place("*"), f"{count} events of transaction {transaction}, or none", told)
