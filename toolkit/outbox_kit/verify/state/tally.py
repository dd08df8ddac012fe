"""What a pass has counted; the tallies of two parts of a log add up to that of both."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest as hash_of

from outbox_kit.databases.digest import BUCKETS
from outbox_kit.findings.finding import Collector, RecordLocation
from outbox_kit.verify.checks import keys
from outbox_kit.verify.reading.arrival import Arrival
from outbox_kit.verify.state.mix import mixed

SAMPLED = 2000  # messages
PartitionId = tuple[str, int]


def _nothing() -> NDArray[np.uint64]:
    return np.zeros(BUCKETS, np.uint64)


@dataclass
class Tally:
    """What a pass has counted; it does not grow with the events."""

    findings: Collector
    counts: NDArray[np.uint64] = field(default_factory=_nothing)
    """The number of events by bucket; see `databases.digest`."""
    sums: NDArray[np.uint64] = field(default_factory=_nothing)
    """The sums of the events' numbers by bucket, modulo 2**64."""
    events: dict[str, int] = field(default_factory=dict)
    """All records but canaries, by topic."""
    recognised: dict[str, int] = field(default_factory=dict)
    """Records that are events, however faulty, by topic."""
    verified: dict[str, int] = field(default_factory=dict)
    """Events with an id and a key that are declared, by topic."""
    read: dict[PartitionId, int] = field(default_factory=dict)
    """Records by partition."""
    first: dict[PartitionId, int] = field(default_factory=dict)
    """The first record's timestamp by partition, in milliseconds since 1970."""
    last: dict[PartitionId, int] = field(default_factory=dict)
    """The last record's timestamp by partition, in milliseconds since 1970."""
    sample: list[tuple[int, Arrival]] = field(default_factory=list)
    """Messages that are examined further, each with its rank: those whose rank has `thinned` low zeros. The rank
    comes from the message's place in the log, so that every engine takes the same."""
    thinned: int = 0

    @property
    def misplaced(self) -> bool:
        """Whether a key was in another partition than its own."""
        return self.findings.has(keys.WRONG_PARTITION)

    def count(self, numbers: NDArray[np.uint64]) -> None:
        """Add the numbers of events to their buckets."""
        buckets = numbers & np.uint64(BUCKETS - 1)
        np.add.at(self.counts, buckets, np.uint64(1))
        np.add.at(self.sums, buckets, numbers)

    def taken(self, topic_partition: PartitionId, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Which of some events of a partition belong in the sample: each one's position among them, and its rank."""
        ranks = mixed(np.array(offsets, np.uint64) ^ np.uint64(hash_of("{}-{}".format(*topic_partition).encode())))
        return [(int(n), int(ranks[n])) for n in np.flatnonzero((ranks & np.uint64(self._mask)) == 0)]

    def keep(self, rank: int, arrival: Arrival) -> None:
        """Add to the sample; where it grows too large, every other one goes."""
        self.sample.append((rank, arrival))
        while len(self.sample) > SAMPLED:
            self.thinned += 1
            self._thin()

    def _thin(self) -> None:
        self.sample = [entry for entry in self.sample if not entry[0] & self._mask]

    @property
    def _mask(self) -> int:
        return (1 << self.thinned) - 1

    def moments(self) -> list[int]:
        """When the sampled messages came."""
        return sorted(arrival.milliseconds for _, arrival in self.sample)

    def merge(self, other: "Tally") -> None:
        """Add another part's tally to this one."""
        self.findings.merge(other.findings)
        self.counts += other.counts
        self.sums += other.sums
        for counts, more in zip(self._by_topic(), other._by_topic(), strict=True):
            for topic, count in more.items():
                counts[topic] = counts.get(topic, 0) + count
        for topic_partition, count in other.read.items():
            self.read[topic_partition] = self.read.get(topic_partition, 0) + count
        self.first = other.first | self.first
        for topic_partition, at in other.last.items():
            self.last[topic_partition] = max(at, self.last.get(topic_partition, at))
        self.thinned = max(self.thinned, other.thinned)
        self._thin()
        for rank, arrival in other.sample:
            if not rank & self._mask:
                self.keep(rank, arrival)

    def _by_topic(self) -> tuple[dict[str, int], ...]:
        return self.events, self.recognised, self.verified

    def document(self) -> dict[str, Any]:
        """As plain values of JSON; `tally` reads it again."""
        return {
            "findings": self.findings.document(),
            "counts": self.counts.tolist(),
            "sums": self.sums.tolist(),
            "events": self.events,
            "recognised": self.recognised,
            "verified": self.verified,
            "read": [[*topic_partition, count] for topic_partition, count in self.read.items()],
            "first": [[*topic_partition, at] for topic_partition, at in self.first.items()],
            "last": [[*topic_partition, at] for topic_partition, at in self.last.items()],
            "sample": [[rank, _plain(arrival)] for rank, arrival in self.sample],
            "thinned": self.thinned,
        }


LATIN = "latin-1"  # any bytes as text and back


def tally(document: dict[str, Any], findings: Collector) -> Tally:
    """A tally from its document. findings: empty, with the weights that it is to have."""
    findings.load(document["findings"])
    return Tally(
        findings,
        np.array(document["counts"], np.uint64),
        np.array(document["sums"], np.uint64),
        document["events"],
        document["recognised"],
        document["verified"],
        {(topic, partition): count for topic, partition, count in document["read"]},
        {(topic, partition): at for topic, partition, at in document["first"]},
        {(topic, partition): at for topic, partition, at in document["last"]},
        [(rank, _arrival(arrival)) for rank, arrival in document["sample"]],
        document["thinned"],
    )


def _plain(arrival: Arrival) -> dict[str, Any]:
    document = dataclasses.asdict(arrival)
    return {name: value.decode(LATIN) if isinstance(value, bytes) else value for name, value in document.items()}


def _arrival(raw: dict[str, Any]) -> Arrival:
    sequence = None if raw["sequence"] is None else raw["sequence"].encode(LATIN)
    return Arrival(
        RecordLocation(**raw["place"]),
        raw["event_id"],
        raw["key"].encode(LATIN),
        raw["type"].encode(LATIN),
        sequence,
        raw["milliseconds"],
        tuple(raw["fields"]),
        tuple(raw["inexact"]),
        tuple(None if value is None else tuple(value) for value in raw["values"]),
    )
