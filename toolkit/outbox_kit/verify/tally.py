"""What a pass has counted; the tallies of two parts of a log add up to that of both."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbox_kit.finding import Findings, Place
from outbox_kit.verify.loss import BUCKETS, Arrival

SAMPLED = 2000  # messages that are held against their rows field by field, even where every id has arrived
Here = tuple[str, int]


def _nothing() -> NDArray[np.uint64]:
    return np.zeros(BUCKETS, np.uint64)


@dataclass
class Tally:
    """What a pass has counted, which does not grow with the events.

    counts and sums: per bucket of event ids, modulo 2**64. By topic: events, all records but canaries; recognised,
    those that are events, however faulty; verified, those with an id and a key that are declared.

    read: records of each partition. first: the first one's timestamp, in milliseconds. sample: messages to hold against
    their rows; which, their ids decide, so that every engine takes the same: those whose fingerprint has `thinned` low
    zeros above its bucket.
    """

    findings: Findings
    counts: NDArray[np.uint64] = field(default_factory=_nothing)
    sums: NDArray[np.uint64] = field(default_factory=_nothing)
    events: dict[str, int] = field(default_factory=dict)
    recognised: dict[str, int] = field(default_factory=dict)
    verified: dict[str, int] = field(default_factory=dict)
    read: dict[Here, int] = field(default_factory=dict)
    first: dict[Here, int] = field(default_factory=dict)
    sample: list[tuple[int, Arrival]] = field(default_factory=list)
    thinned: int = 0

    def count(self, fingerprints: NDArray[np.uint64]) -> None:
        """Add events to their buckets."""
        buckets = fingerprints & np.uint64(BUCKETS - 1)
        np.add.at(self.counts, buckets, np.uint64(1))
        np.add.at(self.sums, buckets, fingerprints)

    def taken(self, fingerprints: NDArray[np.uint64]) -> list[int]:
        """Which of some events belong in the sample, by their number in the row."""
        return [int(n) for n in np.flatnonzero((fingerprints & np.uint64(self._mask)) == 0)]

    def keep(self, fingerprint: int, one: Arrival) -> None:
        """Add to the sample; where it grows too large, every other one goes."""
        self.sample.append((fingerprint, one))
        while len(self.sample) > SAMPLED:
            self.thinned += 1
            self._thin()

    def _thin(self) -> None:
        self.sample = [one for one in self.sample if not one[0] & self._mask]

    @property
    def _mask(self) -> int:
        return ((1 << self.thinned) - 1) << BUCKET_BITS

    def moments(self) -> list[int]:
        """When the sampled messages came."""
        return sorted(one.milliseconds for _, one in self.sample)

    def merge(self, other: "Tally") -> None:
        """Add another part's tally to this one."""
        self.findings.merge(other.findings)
        self.counts += other.counts
        self.sums += other.sums
        for own, more in zip(self._by_topic(), other._by_topic(), strict=True):
            for topic, count in more.items():
                own[topic] = own.get(topic, 0) + count
        for here, count in other.read.items():
            self.read[here] = self.read.get(here, 0) + count
        self.first = other.first | self.first
        self.thinned = max(self.thinned, other.thinned)
        self._thin()
        for fingerprint, one in other.sample:
            if not fingerprint & self._mask:
                self.keep(fingerprint, one)

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
            "read": [[*here, count] for here, count in self.read.items()],
            "first": [[*here, at] for here, at in self.first.items()],
            "sample": [[fingerprint, _plain(one)] for fingerprint, one in self.sample],
            "thinned": self.thinned,
        }


BUCKET_BITS = BUCKETS.bit_length() - 1
LATIN = "latin-1"  # any bytes as text and back


def tally(document: dict[str, Any], findings: Findings) -> Tally:
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
        [(fingerprint, _arrival(one)) for fingerprint, one in document["sample"]],
        document["thinned"],
    )


def _plain(one: Arrival) -> dict[str, Any]:
    found = dataclasses.asdict(one)
    return {name: value.decode(LATIN) if isinstance(value, bytes) else value for name, value in found.items()}


def _arrival(raw: dict[str, Any]) -> Arrival:
    sequence = None if raw["sequence"] is None else raw["sequence"].encode(LATIN)
    key, kind = raw["key"].encode(LATIN), raw["type"].encode(LATIN)
    fields, inexact = tuple(raw["fields"]), tuple(raw["inexact"])
    return Arrival(Place(**raw["place"]), raw["event_id"], key, kind, sequence, raw["milliseconds"], fields, inexact)
