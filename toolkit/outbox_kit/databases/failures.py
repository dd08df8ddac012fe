"""The table of an outbox's failed events: those that could not be published, and those that wait behind them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Failure:
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
    """The table of one outbox. Its methods raise EnvironmentProblem. Times are those of the database's clock."""

    def counts(self) -> FailureCounts:
        """How many events are stored."""

    def lanes(self) -> set[str]:
        """The lanes whose events must wait."""

    def add(self, failures: Sequence[Failure], seconds: float) -> None:
        """Store events in their order, to be sent at the earliest after so many seconds; committed on return.

        One that is stored already, by its lane and id, is left as it is.
        """

    def due(self, most: int, closed: Collection[str]) -> Sequence[Failure]:
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
