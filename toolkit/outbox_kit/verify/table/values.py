"""Messages and rows as they are compared, and what a table can still say. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import ComparableParts, Row
from outbox_kit.findings.finding import Collector
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import Check, headers, keys, payloads
from outbox_kit.verify.reading.arrival import Arrival, Likeness, likeness
from outbox_kit.wire.parts import MessagePart

HOUR_MS = 3_600_000
MODULUS = 2**64  # of the buckets' sums
COLUMN_CHECKS: dict[str, Check] = {
    "key": keys.NOT_THE_ROWS,
    "header": headers.NOT_THE_ROWS,
    "payload": payloads.NOT_THE_ROWS,
    "partition": keys.WRONG_PARTITION,
}


def differing_buckets(
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


def _without(total: tuple[int, int], copies: tuple[int, int]) -> tuple[int, int]:
    return total[0] - copies[0], (total[1] - copies[1]) % MODULUS


def compare_fields(
    comparable: ComparableParts,
    sample: Iterable[Arrival],
    rows: Mapping[str, Row],
    findings: Collector,
    partitions: Mapping[str, int],
    *,
    unsaid: bool,
) -> int:
    """Hold the sampled parts of messages against their rows; how many messages had one.

    partitions: of each topic. unsaid: whether a value that a row does not have is unknown.
    """
    compared = 0
    for arrival in sample:
        row = rows.get(arrival.event_id)
        if row is None:
            continue
        compared += 1
        for part, value, row_value in zip(comparable.sampled, arrival.values, row.values, strict=True):
            octets = (
                row_value.encode() if isinstance(row_value, str) else None if row_value is None else bytes(row_value)
            )
            if octets is None and (unsaid or value is None):
                continue
            if octets is None and part.place == "partition":
                _by_key(arrival, part, partitions.get(arrival.place.topic, 0), findings)
                continue
            if octets is None or value is None or not _same(value, likeness(octets)):
                findings.add(
                    COLUMN_CHECKS[part.place], arrival.place, expected(part, arrival.event_id), "another value"
                )
    return compared


def _by_key(arrival: Arrival, part: MessagePart, count: int, findings: Collector) -> None:
    """Hold the partition of a message against its key, which chooses it if the row's column is null.

    count: the topic's partitions; 0 if they are not known. A message without a key may be in any of them.
    """
    if not (count and arrival.key) or (number := partition_of(arrival.key, count)) == arrival.place.partition:
        return
    chosen = f"partition {number} of {count}, as column {part.column} of row {arrival.event_id} is null"
    findings.add(keys.WRONG_PARTITION, arrival.place, chosen, f"partition {arrival.place.partition}")


def expected(part: MessagePart, event_id: str) -> str:
    """What a part of a message must be."""
    subject = f"'{part.name}' equal to" if part.place == "header" else "the value of"
    return f"{subject} column {part.column} of row {event_id}"


def _same(likeness: Likeness, other: Likeness) -> bool:
    return likeness[0] == other[0] or (likeness[1] != "" and likeness[1] == other[1])


def covered_since(outbox: Outbox, oldest: int | None, now: int) -> int | None:
    """From when on the table has every row that was ever written; all in milliseconds since 1970.

    oldest: of the rows that are there after all others were read. What is younger than `table.kept` is never cleaned
    up, and a cleanup by age takes nothing that is younger than the oldest row. None where nothing can be said.
    """
    if outbox.table.retention == "forever":
        return 0
    if oldest is None or outbox.table.retention == "external":
        return None
    return max(oldest, now - outbox.table.kept_hours * HOUR_MS)
