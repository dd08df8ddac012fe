"""When a table is looked at: soon after rows, ever more seldom while there are none, at once after a wake-up. Pure."""

from dataclasses import dataclass

SHORTEST_SECONDS, LONGEST_SECONDS = 0.05, 2.0
"""From look to look without a wake-up."""
GAP_SECONDS = 0.01
"""From look to look with wake-ups."""
AT_REST_SECONDS = 0.2
"""A pause after which rows without a wake-up mean that the wake-up was lost."""
MOST_LOST = 5


@dataclass
class Pace:
    """Moments are those of one clock, in seconds."""

    lost: int = 0
    """Looks in succession that came upon rows without a wake-up, though it was at rest."""
    _pause: float = SHORTEST_SECONDS
    _last: float = float("-inf")
    _next: float = float("-inf")

    def remaining(self, now: float) -> float:
        """Seconds until the next look; 0 if it is time."""
        return max(0.0, self._next - now)

    def polled(self, now: float, rows: int) -> None:
        """The table was looked at; rows: how many were new."""
        if rows and self._pause >= AT_REST_SECONDS:
            self.lost += 1
        self._pause = SHORTEST_SECONDS if rows else min(LONGEST_SECONDS, self._pause * 2)
        self._last, self._next = now, now + self._pause

    def woken(self) -> None:
        """A wake-up has come."""
        self.lost, self._pause = 0, SHORTEST_SECONDS
        self._next = min(self._next, self._last + GAP_SECONDS)

    @property
    def without_wakeups(self) -> bool:
        """Whether wake-ups do not arrive."""
        return self.lost >= MOST_LOST
