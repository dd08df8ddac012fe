"""What every delivery of an outbox can be asked: how far it is, whether it has passed a point, whether it is well.

A point and a position are numbers of one order, which the source's log defines: bytes of PostgreSQL's log, for example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from outbox_kit.errors import EnvironmentProblem


class Status(Protocol):
    """Which parts run."""

    @property
    def running(self) -> bool:
        """Whether every part runs."""

    def __str__(self) -> str:
        """The states of the parts."""


@dataclass(frozen=True)
class Health:
    """Everything that can be seen of a delivery from outside."""

    facts: Sequence[tuple[str, str]]
    """A label and a text for each fact."""
    document: Mapping[str, Any]
    """The same facts as plain values."""
    problems: Sequence[str]
    """What is not well, a sentence each."""
    failure: EnvironmentProblem | None = None
    """Why it does not run, with the likely cause; None where it has not failed."""
    trace: Sequence[str] = ()
    """The whole trace of the failure, line by line."""


class Delivery(Protocol):
    """What publishes the events of one outbox.

    Its methods raise EnvironmentProblem where they get no answer, and UsageProblem where the address that they ask was
    not given.
    """

    @property
    def reports_position(self) -> bool:
        """Whether its position passes every point without further rows, so that one can wait for that."""

    def point(self) -> int | None:
        """Where the source's log ends now: what is committed by now is before it. None where nothing was captured."""

    def position(self) -> int | None:
        """The point before which everything has been published; None before there is one."""

    def lag_reason(self, point: int) -> str:
        """Why it cannot be said that everything before a point has been published; empty where it has been."""

    def obstacles(self) -> Sequence[str]:
        """What the source shows of why rows are not published, a sentence each; empty where it shows nothing."""

    def status(self) -> Status:
        """Which parts run now."""

    def health(self) -> Health:
        """Everything that can be seen from outside."""
