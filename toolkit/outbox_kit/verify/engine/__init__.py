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
from outbox_kit.verify.explain import UUID
from outbox_kit.verify.mix import MASK, mixed_one

if TYPE_CHECKING:
    from outbox_kit.verify.result import Request
    from outbox_kit.verify.tally import Here, Tally

__all__ = ["Doubts", "Engine", "Hashes", "Reader", "Rows", "hash_of", "hash_of_id"]
Hashes = NDArray[np.uint64]


def hash_of_id(event_id: bytes) -> int:
    """An id in 64 bits, of which all bits of the id have a part."""
    if not UUID.fullmatch(event_id):
        return hash_of(event_id)
    whole = int(event_id.replace(b"-", b""), 16)
    return mixed_one(mixed_one(whole >> 64) ^ (whole & MASK))


@dataclass(frozen=True)
class Rows:
    """Events of one partition in their order, a column each; ids are 64-bit hashes of the events' own.

    aggregates: see `Contract.aggregate`. kinds: see `paths`.
    """

    topic: str
    partition: int
    offsets: Sequence[int]
    aggregates: Sequence[bytes]
    sequences: NDArray[np.int64]
    ids: Hashes
    kinds: NDArray[np.int64]

    def hashed_aggregates(self) -> Hashes:
        """The aggregates as 64-bit hashes."""
        return np.fromiter(map(hash_of, self.aggregates), np.uint64, len(self.aggregates))


@dataclass(frozen=True)
class Doubts:
    """What has to be looked at again in one partition, all by hashes.

    ids: that came before, here or elsewhere. numbers: by key, the sequence numbers that are not above all before them.
    gapped: keys between whose numbers some are missing, or before the first of them. split: keys that are in other
    partitions of the topic too. paths: keys whose events took a step that they may not take.
    before: by key, number and kind of each aggregate's last event in what is remembered and cannot be looked at again.
    """

    topic: str
    partition: int
    ids: set[int] = field(default_factory=set)
    numbers: dict[int, set[int]] = field(default_factory=dict)
    gapped: set[int] = field(default_factory=set)
    split: set[int] = field(default_factory=set)
    paths: set[int] = field(default_factory=set)
    before: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, (self.ids, self.numbers, self.gapped, self.split, self.paths)))


@runtime_checkable
class Reader(Protocol):
    """An engine that reads the log by itself."""

    def examine(
        self, request: "Request", ranges: Sequence[Range], counts: dict[str, int], own: "Tally"
    ) -> list[Progress]:
        """Examine some ranges, and add what was counted to a tally. counts: partitions by topic."""


class Engine(Protocol):
    """Remembers events as rows, and screens them."""

    def add(self, rows: Rows) -> None:
        """Remember some events."""

    def doubts(self, *, gaps: bool, split: bool, whole: "Container[Here]" = ()) -> Iterator[Doubts]:
        """What cannot be right, by partition. gaps, split: whether to look for missing numbers, and for split keys.

        whole: partitions that have each key's first number, so that with `gaps` a key may not begin above it.
        """

    def keys(self) -> int:
        """How many different keys there are, those of each partition counted by themselves."""

    def flush(self) -> None:
        """Write down what is only remembered so far, where this engine writes at all."""

    def close(self) -> None:
        """Remove what nobody needs any more."""
