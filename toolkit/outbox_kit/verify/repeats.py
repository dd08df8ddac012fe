"""Stretches of events that came again, and what looks to have sent them. Pure.

A restarted worker goes on from the offset that it stored last, in the log's order, so it repeats its end: what was
read in the minute or so between two storings. An offset that was set back repeats the log's end too, and more of it. A
second first read repeats what the table has: from its oldest row on, in the order of its numbers, which is not that of
the commits, and without the rows that are gone. The messages carry nothing else that would tell these apart.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from typing import NamedTuple

from outbox_kit.finding import Findings, Place

APART = 1000  # offsets between two copies of one stretch, at most
NEAR_MS = 10_000  # between stretches of one repetition, in different partitions
STORED_MS = 300_000  # workers store offsets every minute by default (offset.flush.interval.ms); a few of these may fail
LATE_MS = 60_000  # from a row to its first message, as a rule


class Original(NamedTuple):
    """Where an event came first. likeness: a hash of everything that its copies must have too.

    number: how many events of the partition came for the first time before it. astray: 2 on a topic that is not its
    event's, 1 in a partition that is not its key's, 0 where it belongs as far as that is known. whole: the message's
    own number; see `source.digest`.
    """

    place: Place
    likeness: int
    milliseconds: int
    number: int
    astray: int = 0
    whole: int = 0


class Copy(NamedTuple):
    """An event that came again. milliseconds: its own timestamp."""

    place: Place
    original: Original
    milliseconds: int


@dataclass
class Stretch:
    """Copies of one partition that came one after the other.

    numbers: their originals'. turns: how often they went back in the order of those. since: the earliest original's
    timestamp, and until the latest one's, in milliseconds since 1970.
    """

    first: Copy
    last: Copy
    count: int = 1
    lowest: int = 0
    highest: int = 0
    turns: int = 0
    since: int = 0
    until: int = 0
    numbers: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, copy: Copy) -> "Stretch":
        """A stretch that begins."""
        number, at = copy.original.number, copy.original.milliseconds
        return cls(copy, copy, 1, number, number, 0, at, at, {number})

    def goes_on(self, copy: Copy) -> bool:
        """Whether a copy belongs here: it is near, was there when the stretch began, and is not here yet."""
        return (
            copy.place.offset - self.last.place.offset <= APART
            and copy.original.place.offset < self.first.place.offset
            and copy.original.number not in self.numbers
        )

    def add(self, copy: Copy) -> None:
        """One more."""
        number, at = copy.original.number, copy.original.milliseconds
        self.turns += number < self.last.original.number
        self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)
        self.since, self.until = min(self.since, at), max(self.until, at)
        self.last, self.count = copy, self.count + 1
        self.numbers.add(number)

    @property
    def left_out(self) -> int:
        """Events between its originals that did not come again."""
        return self.highest - self.lowest + 1 - self.count


def report(stretches: Sequence[Stretch], findings: Findings, oldest: int | None) -> None:
    """Name every stretch and its cause. oldest: when the oldest row of the table was written, where that is known."""
    for together in _repetitions(stretches):
        cause = _cause(together, oldest)
        for one in together:
            if one.count == 1:
                findings.add("DUP-01", one.first.place, "once", f"again, after {one.first.original.place}")
                continue
            said = f"{one.count} events up to {one.last.place} again, from {one.first.original.place} on"
            findings.add("DUP-02", one.first.place, "once", f"{said}; it looks like {cause}", count=one.count)


def _repetitions(stretches: Sequence[Stretch]) -> list[list[Stretch]]:
    """The stretches of all partitions that were sent at one time, by one cause."""
    found: list[list[Stretch]] = []
    ended = 0
    for one in sorted(stretches, key=lambda one: (one.first.milliseconds, *astuple(one.first.place))):
        if not found or one.first.milliseconds > ended + NEAR_MS:
            found.append([])
        found[-1].append(one)
        ended = max(ended, one.last.milliseconds)
    return found


def _cause(together: Sequence[Stretch], oldest: int | None) -> str:
    """What repeats events so, and what tells."""
    if any(one.turns for one in together):
        return "a second first read of the table: they came in another order"
    if left_out := sum(one.left_out for one in together):
        return f"a second first read of the table: {left_out} in between did not come, as if their rows were gone"
    since, until = min(one.since for one in together), max(one.until for one in together)
    whole, lasting = all(one.lowest == 0 for one in together), _lasting(until - since)
    if until - since <= STORED_MS:
        return f"a restart{', or a second first read of the table' if whole else ''}: {lasting} of the log came again"
    if whole or (oldest is not None and since <= oldest + LATE_MS):
        return "a second first read of the table: all that it has came again"
    return f"an offset that was set back: {lasting} of the log came again, more than a restart repeats"


def _lasting(milliseconds: int) -> str:
    """A length of time in two figures or so."""
    for unit, size in (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000)):
        if milliseconds >= 2 * size:
            return f"{milliseconds / size:.0f} {unit}"
    return f"{milliseconds} ms"
