"""What can only be judged over many events, and who remembers it: in memory, spooled to disk, or on Spark.

An engine screens: it remembers each event as a row of numbers and names what cannot be right, by hashes. What it names
is read again and judged exactly (`replay`), so that no collision becomes a finding and every engine finds the same.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest as hash_of  # the same in every process and on every machine

from outbox_kit.kafka.read import Progress, Range
from outbox_kit.verify.record import UUID
from outbox_kit.verify.state.mix import MASK, mixed_one

if TYPE_CHECKING:
    from outbox_kit.verify.request import Request
    from outbox_kit.verify.state.tally import PartitionId, Tally

__all__ = ["Engine", "EventRows", "Hashes", "RangeReader", "Suspects", "hash_of", "hash_of_id"]
Hashes = NDArray[np.uint64]


def hash_of_id(event_id: bytes) -> int:
    """An id in 64 bits, of which all bits of the id have a part."""
    if not UUID.fullmatch(event_id):
        return hash_of(event_id)
    number = int(event_id.replace(b"-", b""), 16)
    return mixed_one(mixed_one(number >> 64) ^ (number & MASK))


@dataclass(frozen=True)
class EventRows:
    """Events of one partition in their order, a column each; ids are 64-bit hashes of the events' own."""

    topic: str
    partition: int
    offsets: Sequence[int]
    aggregates: Sequence[bytes]
    """See `Contract.aggregate`."""
    sequences: NDArray[np.int64]
    ids: Hashes
    kinds: NDArray[np.int64]
    """See `paths`."""

    def hashed_aggregates(self) -> Hashes:
        """The aggregates as 64-bit hashes."""
        return np.fromiter(map(hash_of, self.aggregates), np.uint64, len(self.aggregates))


@dataclass(frozen=True)
class Suspects:
    """What has to be looked at again in one partition, all by hashes."""

    topic: str
    partition: int
    ids: set[int] = field(default_factory=set)
    """That came before, here or elsewhere."""
    numbers: dict[int, set[int]] = field(default_factory=dict)
    """By key, the sequence numbers that are not above all before them."""
    gapped: set[int] = field(default_factory=set)
    """Keys between whose numbers some are missing, or before the first of them."""
    split: set[int] = field(default_factory=set)
    """Keys that are in other partitions of the topic too."""
    paths: set[int] = field(default_factory=set)
    """Keys whose events took a step that they may not take."""
    before: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """By key, number and kind of each aggregate's last event in what is remembered and cannot be looked at again."""

    def __len__(self) -> int:
        return sum(map(len, (self.ids, self.numbers, self.gapped, self.split, self.paths)))


@runtime_checkable
class RangeReader(Protocol):
    """An engine that reads the log itself."""

    def examine(
        self, request: "Request", ranges: Sequence[Range], counts: dict[str, int], tally: "Tally"
    ) -> list[Progress]:
        """Examine some ranges, and add what was counted to a tally. counts: partitions by topic."""


class Engine(Protocol):
    """Remembers events as rows, and screens them."""

    def add(self, rows: EventRows) -> None:
        """Remember some events."""

    def suspects(self, *, gaps: bool, split: bool, complete: "Container[PartitionId]" = ()) -> Iterator[Suspects]:
        """What cannot be right, by partition. gaps, split: whether to look for missing numbers, and for split keys.

        complete: partitions that have each key's first number, so that with `gaps` a key may not begin above it.
        """

    def keys(self) -> int:
        """How many different keys there are, those of each partition counted by themselves."""

    def flush(self) -> None:
        """Write down what is only remembered so far, where this engine writes at all."""

    def close(self) -> None:
        """Remove what is no longer needed."""
