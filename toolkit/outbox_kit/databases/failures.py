"""The table of an outbox's failed events: those that could not be published, and those that wait behind them."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

import orjson


@dataclass(frozen=True)
class FailedEvent:
    """An event that could not be published, or that waits behind such an event of its lane."""

    number: int
    """Its place in the table; 0 before it is stored."""
    lane: str
    """The events of a lane keep their order: those of one route and key."""
    event_id: str
    topic: str | None
    """None if the router makes no message of it."""
    row_text: str
    """Its columns and their texts, as a JSON object."""
    cause: str
    """Why it was not published."""
    attempts: int = 0
    """How often it was sent."""
    dead: bool = False
    """Whether it is only sent again if an operator asks for it."""


@dataclass(frozen=True)
class FailureCounts:
    """How many events have failed."""

    dead: int
    """Dead letters."""
    waiting: int
    """Events that are sent again, or wait behind one of their lane."""


class FailureTable(Protocol):
    """The table of one outbox. Its methods raise EnvironmentProblem. Times are those of the database's clock.

    Of relays that share lanes, each writes about the events of its own lanes only: `add`, `begin`, `delivered` and
    `postpone` raise LanesLost, and write nothing, if one of them belongs to another relay, or the lease has ended.
    If the outbox table has columns in which relays record what they publish, each write sets them too.
    """

    def counts(self) -> FailureCounts:
        """How many events are stored."""

    def lanes(self) -> set[str]:
        """The lanes whose events must wait."""

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """Store events in their order, to be sent at the earliest after so many seconds; committed on return.

        One that is stored already, by its lane and id, is left as it is.
        """

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """Stored events that are to be sent now, in their order, at most so many.

        Of a lane no event behind one that is not to be sent now, or that was tried without success.
        closed: topics whose events are left out.
        """

    def begin(self, numbers: Sequence[int]) -> None:
        """Count an attempt of events; committed on return, before they are sent."""

    def delivered(self, numbers: Sequence[int]) -> None:
        """Remove events that were delivered."""

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """Send an event again after so many seconds, or never if it is dead.

        counted: whether the attempt counts; if not, it is taken back.
        """

    def starts(self, position: int | None) -> int:
        """Count a start at a position of the source: how many there were at it since a relay ended as it should."""

    def stopped(self) -> None:
        """A relay has ended as it should."""


class FencedFailureTable(FailureTable, Protocol):
    """A table to which only the relay writes that was started last.

    Its methods that write raise ProducerFenced in another one.
    """

    def every_lane(self) -> set[str]:
        """The lanes of all stored events, whether they must wait or not."""

    def published(self, events: Mapping[int, str]) -> None:
        """Remove events that were published, by number and `event_digest`, if the table has them still."""


def event_digest(event_id: str) -> str:
    """What tells an event from another one that has its number, in a table that was made again."""
    return hashlib.sha256(event_id.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class StoredEvent:
    """An event of the table, as an operator sees it."""

    failure: FailedEvent
    """Without its row in a list."""
    failed_at: datetime
    """When it was stored."""
    tried_at: datetime | None
    """When it was sent last; None if it was not sent since it was stored."""
    send_at: datetime
    """When it is sent again at the earliest, if it is not dead."""


@dataclass(frozen=True)
class Selection:
    """Which dead letters: those to which every condition applies."""

    numbers: Sequence[int] | None = None
    topic: str | None = None
    lane: str | None = None
    key: str | None = None
    """Of the lane, whatever its route is."""

    @property
    def lane_ends(self) -> tuple[str, str] | None:
        """How the lanes of the key end, and how lanes without a key do that end like them."""
        end = None if self.key is None else f",{orjson.dumps(self.key).decode()}]"
        return None if end is None else (end, f",null{end}")


class DeadLetters(NamedTuple):
    """Some dead letters, and how many there are."""

    letters: Sequence[StoredEvent]
    total: int


@dataclass(frozen=True)
class WaitingLane:
    """A lane whose events wait."""

    first: StoredEvent
    """The event for which the others wait, without its row."""
    depth: int
    """Its stored events, the first one included."""
    seconds: float
    """Since the first one was stored."""


class WaitingLanes(NamedTuple):
    """Some lanes, and how many there are."""

    waiting: Sequence[WaitingLane]
    total: int


class FailureDesk(Protocol):
    """The table of one outbox, for operators. Its methods raise UsageProblem and EnvironmentProblem."""

    def dead(self, selection: Selection, most: int) -> DeadLetters:
        """Dead letters by number, at most so many."""

    def numbers(self, selection: Selection) -> Sequence[int]:
        """The numbers of dead letters, in their order."""

    def event(self, number: int) -> StoredEvent | None:
        """A stored event with its row, dead or not; None if the table does not have it."""

    def retry(self, numbers: Sequence[int], rate: float | None) -> int:
        """Have dead letters sent again with all attempts: how many they are.

        rate: events a second; None for all at once.
        """

    def discard(self, numbers: Sequence[int]) -> int:
        """Delete dead letters: how many they were."""

    def waiting(self, most: int) -> WaitingLanes:
        """The lanes that wait, the oldest first, at most so many."""
