"""What a relay has done and does now, for metrics and health."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from outbox_kit.relay.interface import LaneAges


@dataclass
class RelayProgress:
    """Counted since the process has started."""

    connected: bool = False
    """Whether the source is open."""
    read: int = 0
    """Events that were read."""
    published: int = 0
    """Messages that were acknowledged."""
    refused: int = 0
    """Messages that the sink has refused."""
    dead: int = 0
    """Events that became dead letters."""
    in_flight: int = 0
    """Events that were read and are not acknowledged now."""
    lanes: int = 0
    """Lanes whose events wait behind a failed one now."""
    oldest: float | None = None
    """When the oldest event that is not final was committed, in seconds since 1970."""
    lane_oldest: LaneAges = field(default_factory=LaneAges)
    """The lanes that it reads, of a source that relays share."""
    last_round: float = field(default_factory=time.monotonic)
    """When the last round began, by time.monotonic()."""
    problem: str = ""
    """Why nothing is published now; empty if events are."""

    @property
    def state(self) -> str:
        """The state in a word."""
        return "publishing" if self.connected and not self.problem else "waiting"

    def age(self, now: float) -> float:
        """Seconds since the oldest event that is not final was committed; 0 if there is none."""
        return _age(self.oldest, now)

    def lane_ages(self, now: float) -> Mapping[int, float]:
        """The same by lane, of the lanes that it reads now."""
        return {lane: _age(oldest, now) for lane, oldest in self.lane_oldest.oldest.items()}


def _age(moment: float | None, now: float) -> float:
    return 0.0 if moment is None else max(0.0, now - moment)
