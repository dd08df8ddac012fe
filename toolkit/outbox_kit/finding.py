"""A finding: a fact about somebody's stream, with its evidence. A value, never an exception."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, replace
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a finding weighs, heaviest first. Inconclusive: something could not be looked at."""

    error = "error"
    inconclusive = "inconclusive"
    warning = "warning"
    info = "info"


@dataclass(frozen=True)
class Place:
    """A record's coordinates; offset -1 is the partition or topic as a whole."""

    topic: str
    partition: int = -1
    offset: int = -1

    def __str__(self) -> str:
        if self.partition < 0:
            return self.topic
        return f"{self.topic}-{self.partition}" + (f"@{self.offset}" if self.offset >= 0 else "")


@dataclass(frozen=True)
class Sample:
    """One occurrence: where, what was expected, and what was there. Never a payload's values."""

    place: Place
    expected: str = ""
    actual: str = ""


@dataclass
class Finding:
    """All occurrences of one check on one topic: how many, and the first few of them by their place.

    known: whether it is in a baseline.
    """

    check: str
    severity: Severity
    topic: str
    count: int = 0
    samples: list[Sample] = field(default_factory=list)
    known: bool = False


class Findings:
    """Findings as they come in, grouped by check and topic; gives the first `most` samples of each.

    Partitions are read side by side: the first few of each partition are kept, so that two runs give the same samples.
    """

    def __init__(self, severities: dict[str, Severity], most: int) -> None:
        """severities: of every check, by its id."""
        self._severities = severities
        self._most = most
        self._found: dict[tuple[str, str], Finding] = {}
        self._kept: Counter[tuple[str, str, int]] = Counter()

    def add(self, check: str, place: Place, expected: str = "", actual: str = "", *, count: int = 1) -> None:
        """Note an occurrence. count: how many records it stands for."""
        found = self._of(check, place.topic)
        found.count += count
        self._keep(found, Sample(place, expected, actual))

    def _of(self, check: str, topic: str) -> Finding:
        if (check, topic) not in self._found:
            self._found[check, topic] = Finding(check, self._severities[check], topic)
        return self._found[check, topic]

    def _keep(self, found: Finding, sample: Sample) -> None:
        here = found.check, found.topic, sample.place.partition
        if self._kept[here] < self._most:
            self._kept[here] += 1
            found.samples.append(sample)

    def merge(self, other: "Findings") -> None:
        """Add what was found in another part of the log."""
        self.load(other.document())

    def document(self) -> list[Any]:
        """As plain values of JSON, for `load`."""
        return [
            [found.check, found.topic, found.count, [[*astuple(s.place), s.expected, s.actual] for s in found.samples]]
            for found in self._found.values()
        ]

    def load(self, document: list[Any]) -> None:
        """Add the findings of a document."""
        for check, topic, count, samples in document:
            found = self._of(check, topic)
            found.count += count
            for *at, expected, actual in samples:
                self._keep(found, Sample(Place(*at), expected, actual))

    def __iter__(self) -> Iterator[Finding]:
        """By severity, then check, then topic."""
        order = list(Severity)
        found = sorted(self._found.values(), key=lambda f: (order.index(f.severity), f.check, f.topic))
        return (replace(f, samples=sorted(f.samples, key=_by_place)[: self._most]) for f in found)


def _by_place(sample: Sample) -> tuple[str, int, int]:
    return sample.place.topic, sample.place.partition, sample.place.offset
