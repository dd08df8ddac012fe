"""Events that were published more than once, and what looks to have sent them. Pure.

A restarted worker continues at the offset that it stored last, in the log's order, so it repeats its end: what was
read in the minute or so between two storings. An offset that was set back repeats the log's end too, and more of it. A
second first read repeats what the table has: from its oldest row on, in the order of its numbers, which is not that of
the commits, and without the rows that are gone. The messages carry nothing else that would tell these apart.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from typing import NamedTuple

from outbox_kit.findings.finding import Collector, RecordLocation
from outbox_kit.findings.rule import Group
from outbox_kit.printable import counted
from outbox_kit.verify.checks import CHECKS, ERROR, EVENTS, WARNING
from outbox_kit.verify.needs import Need

define = partial(CHECKS.define, group=Group("Duplicates", ("delivery",), rank=6))
SEQUENCE = EVENTS | {Need.sequence, Need.aggregate}

EVENT = define(
    id="DUP-01",
    severity=WARNING,
    title="every event is published once",
    problem="an event was published again",
    why="Delivery is at-least-once: an event may be published again after a restart. It has the same id.",
    fix="ignore in consumers every id that was processed before, for example with an inbox: outbox-kit gen-ddl --inbox",
    needs=EVENTS,
)
RUN_OF_EVENTS = define(
    id="DUP-02",
    severity=WARNING,
    title="no series of events is published again",
    problem="a series of events was published again",
    why="Delivery is at-least-once: events may be published again after a restart. They have the same ids.",
    fix="ignore in consumers every id that was processed before, for example with an inbox: outbox-kit gen-ddl --inbox",
    needs=EVENTS,
)
OTHER_CONTENT = define(
    id="DUP-03",
    severity=ERROR,
    title="messages with one event id are equal",
    problem="messages with one event id differ",
    why="Consumers that ignore duplicates lose one of the events. Possible causes: the application used an id "
    "twice, or the row was updated.",
    fix="write a new id with every event, and do not update outbox rows",
    needs=EVENTS,
)
SEQUENCE_NUMBER = define(
    id="DUP-04",
    severity=ERROR,
    title="every sequence number occurs once in an aggregate",
    problem="two events of an aggregate have one sequence number",
    why="Their order is undefined.",
    fix="assign the numbers of an aggregate under a lock: outbox-kit explain ordering.assigned_by",
    needs=SEQUENCE,
)
OTHER_PLACE = define(
    id="DUP-05",
    severity=ERROR,
    title="every event is in one partition of one topic",
    problem="the event is in more than one place",
    why="Possible causes: two connectors or relays publish one table, or the event's topic or key has changed.",
    fix="publish the table with one connector or relay: outbox-kit status",
    needs=EVENTS,
)

MOVED = "a duplicate of {}, from before its topic was changed"
"""Of an event that was published again after its topic was changed: to the new one. {}: the first message."""
APART = 1000  # offsets between two copies of one stretch, at most
NEAR_MS = 10_000  # between stretches of one repetition, in different partitions
STORED_MS = 300_000  # workers store offsets every minute by default (offset.flush.interval.ms); a few of these may fail
LATE_MS = 60_000  # from a row to its first message, as a rule


class Original(NamedTuple):
    """Where an event came first."""

    place: RecordLocation
    likeness: tuple[int, int, int]
    """Hashes of its key, its headers and its payload, which its copies must have too."""
    milliseconds: int
    number: int
    """How many events of the partition came for the first time before it."""
    astray: int = 0
    """2 on a topic that is not its event's, 1 in a partition that is not its key's, 0 where it belongs as far as that
    is known.
    """
    digest_number: int = 0
    """The message's own number; see `databases.digest`."""
    previous: bool = False
    """Whether it is on a topic that its event was moved away from."""


class Copy(NamedTuple):
    """An event that came again."""

    place: RecordLocation
    original: Original
    milliseconds: int
    """Its own timestamp."""


@dataclass
class DuplicateRun:
    """Copies of one partition that came one after the other."""

    first: Copy
    last: Copy
    count: int = 1
    lowest: int = 0
    highest: int = 0
    reversals: int = 0
    """How often they went back in the order of those."""
    since: int = 0
    """The earliest original's timestamp, and until the latest one's, in milliseconds since 1970."""
    until: int = 0
    numbers: set[int] = field(default_factory=set)
    """Their originals'."""

    @classmethod
    def of(cls, copy: Copy) -> "DuplicateRun":
        """A stretch that begins."""
        number, at = copy.original.number, copy.original.milliseconds
        return cls(copy, copy, 1, number, number, 0, at, at, {number})

    def extends(self, copy: Copy) -> bool:
        """Whether a copy belongs here: it is near, was there when the stretch began, and is not here yet."""
        return (
            copy.place.offset - self.last.place.offset <= APART
            and copy.original.place.offset < self.first.place.offset
            and copy.original.number not in self.numbers
        )

    def add(self, copy: Copy) -> None:
        """One more."""
        number, at = copy.original.number, copy.original.milliseconds
        self.reversals += number < self.last.original.number
        self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)
        self.since, self.until = min(self.since, at), max(self.until, at)
        self.last, self.count = copy, self.count + 1
        self.numbers.add(number)

    @property
    def missing(self) -> int:
        """Events between its originals that did not come again."""
        return self.highest - self.lowest + 1 - self.count


def report(stretches: Sequence[DuplicateRun], findings: Collector, oldest: int | None) -> None:
    """Name every stretch and its cause. oldest: when the oldest row of the table was written, where that is known."""
    for together in _simultaneous(stretches):
        cause = _cause(together, oldest)
        for run in together:
            if run.count == 1:
                findings.add(EVENT, run.first.place, "one message", f"a duplicate of {run.first.original.place}")
                continue
            description = (
                f"{run.count:,} duplicates up to {run.last.place}, of messages from {run.first.original.place} on"
            )
            findings.add(
                RUN_OF_EVENTS,
                run.first.place,
                "one message of each event",
                f"{description}; likely cause: {cause}",
                count=run.count,
            )


def _simultaneous(stretches: Sequence[DuplicateRun]) -> list[list[DuplicateRun]]:
    """The stretches of all partitions that were sent at one time, by one cause."""
    groups: list[list[DuplicateRun]] = []
    ended = 0
    for stretch in sorted(stretches, key=lambda stretch: (stretch.first.milliseconds, *astuple(stretch.first.place))):
        if not groups or stretch.first.milliseconds > ended + NEAR_MS:
            groups.append([])
        groups[-1].append(stretch)
        ended = max(ended, stretch.last.milliseconds)
    return groups


def _cause(together: Sequence[DuplicateRun], oldest: int | None) -> str:
    """What repeats events so, and what tells."""
    if any(stretch.reversals for stretch in together):
        return "a repeated snapshot: the order differs from the first publication"
    if missing := sum(stretch.missing for stretch in together):
        return f"a repeated snapshot: {counted(missing, 'event')} in between missing, as if the rows had been deleted"
    since, until = min(stretch.since for stretch in together), max(stretch.until for stretch in together)
    whole, lasting = all(stretch.lowest == 0 for stretch in together), _lasting(until - since)
    if until - since <= STORED_MS:
        return f"a restart{', or a repeated snapshot' if whole else ''}: the events of {lasting} were repeated"
    if whole or (oldest is not None and since <= oldest + LATE_MS):
        return "a repeated snapshot: all events of the table were repeated"
    return f"an offset reset: the events of {lasting} were repeated, more than a restart repeats"


def _lasting(milliseconds: int) -> str:
    """A length of time in two figures or so."""
    for unit, size in (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000)):
        if milliseconds >= 2 * size:
            return f"{milliseconds / size:.0f} {unit}"
    return f"{milliseconds} ms"
