"""The relays that share an outbox table and the age of what they have not published, as the database shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class LaneBacklog:
    """What is not published of a lane."""

    number: int
    owner: str | None
    """The member that has the lane; None if none has."""
    oldest_seconds: float | None
    """Since its oldest unpublished event was written; None if there is none."""


@dataclass(frozen=True)
class RelayMember:
    """A relay that has not ended as it should, or that runs."""

    member: str
    """Its name among the others."""
    place: str
    """Its host and process id."""
    lease_seconds: float
    """Until its lease ends; less than 0 if it has ended."""
    connected: bool
    """Whether its connection to the database exists."""

    @property
    def runs(self) -> bool:
        """Whether its lease has not ended."""
        return self.lease_seconds > 0

    @property
    def hangs(self) -> bool:
        """Whether it exists, but does not renew its lease."""
        return self.connected and not self.runs


@dataclass(frozen=True)
class Backlog:
    """All relays and lanes of one outbox."""

    members: Sequence[RelayMember]
    lanes: Sequence[LaneBacklog]

    def owned(self, member: str) -> Sequence[LaneBacklog]:
        """The lanes of a member."""
        return [lane for lane in self.lanes if lane.owner == member]


def oldest(lanes: Sequence[LaneBacklog]) -> float | None:
    """The age of the oldest unpublished event of lanes, in seconds; None if everything is published."""
    return max((lane.oldest_seconds for lane in lanes if lane.oldest_seconds is not None), default=None)


class BacklogReader(Protocol):
    """Reads it from a database."""

    def __call__(self, dsn: str, outbox: Outbox) -> Backlog:
        """The relays and lanes of now. Raises UsageProblem, EnvironmentProblem."""
