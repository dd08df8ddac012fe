"""The interface of a delivery of an outbox: its position, whether it has passed a point, and its health.

A point and a position are numbers in the order of the source's log, such as byte positions in PostgreSQL's WAL.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from outbox_kit.errors import EnvironmentProblem
from outbox_kit.render.cleanup import RowProof


class Status(Protocol):
    """Which parts run."""

    @property
    def running(self) -> bool:
        """Whether every part runs."""

    @property
    def halted(self) -> bool:
        """Whether it was paused or stopped by a user, and does not resume without a request."""

    @property
    def starting(self) -> bool:
        """Whether it does not run yet, and may run without a request, such as during a restart."""

    def __str__(self) -> str:
        """The states of the parts."""


class Problem(NamedTuple):
    """Something that keeps events from being published, now or soon."""

    what: str
    fix: str = ""
    """The next step, usually a command."""


@dataclass(frozen=True)
class Health:
    """The observable state of a delivery."""

    facts: Sequence[tuple[str, str]]
    """A label and a text for each fact."""
    document: Mapping[str, Any]
    """The same facts as plain values."""
    problems: Sequence[Problem]
    """The problems that prevent events from being published."""
    failure: EnvironmentProblem | None = None
    """The reason for a failure, with the likely cause; None if it has not failed."""
    trace: Sequence[str] = ()
    """The whole trace of the failure, line by line."""
    unanswered: Sequence[EnvironmentProblem] = ()
    """The errors of systems that did not answer."""


@dataclass(frozen=True)
class RowEvidence:
    """What shows which rows of a table are not needed any more: of the outbox, those that are published."""

    proof: RowProof
    notes: Sequence[str] = ()
    """What an operator should see beside it, a sentence each."""
    horizons: Sequence[tuple[str, float]] = ()
    """Of an inbox: each consumer, and the instant before which an id must have been received; in seconds since 1970."""


class Delivery(Protocol):
    """The system that publishes the events of one outbox.

    Its methods raise EnvironmentProblem if a system does not answer, and UsageProblem if its address is missing.
    """

    @property
    def reports_position(self) -> bool:
        """Whether its position passes every point without further rows, so that a caller can wait for that."""

    def point(self) -> int | None:
        """The end of the source's log: all committed rows are before it. None if nothing was captured yet."""

    def position(self) -> int | None:
        """The point before which everything has been published; None before there is one."""

    def lag_reason(self, point: int) -> str:
        """The reason why events before a point may not be published yet; empty if all of them are."""

    def obstacles(self) -> Sequence[str]:
        """The causes for unpublished rows that the source shows, a sentence each."""

    def status(self) -> Status:
        """Which parts run now."""

    def health(self) -> Health:
        """The observable state."""

    def evidence(self, *, by_age: bool) -> RowEvidence:
        """What shows which rows are published.

        by_age: whether the age of a row is enough if there is no position.
        Raises NotProven if nothing shows it, and if a position is lost.
        """
