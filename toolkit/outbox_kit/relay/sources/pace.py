"""When a table is looked at: soon after rows, ever more seldom while there are none, at once after a wake-up. Pure."""

from dataclasses import dataclass

SHORTEST_SECONDS, LONGEST_SECONDS = 0.05, 2.0
"""From look to look without a wake-up, if nothing can wake the relay."""
GAP_SECONDS = 0.01
"""From look to look after rows or a wake-up, if something can."""
UNREQUESTED_SECONDS = 0.1
"""The longest pause while no wake-up is requested, because a transaction with new rows is open."""
AT_REST_SECONDS = 0.2
"""A pause after which rows without a wake-up mean that the wake-up was lost."""
MOST_LOST = 5


@dataclass
class Pace:
    """Moments are those of one clock, in seconds."""

    shortest: float = SHORTEST_SECONDS
    """Seconds from a look that came upon rows to the next one."""
    lost: int = 0
    """Looks in succession that came upon rows without a wake-up, though it was at rest."""
    is_quiet: bool = False
    """Whether the last look came upon no row. Wake-ups are requested only then: a relay that looks often needs none."""
    _pause: float = 0.0
    _last: float = float("-inf")
    _next: float = float("-inf")

    def remaining(self, now: float) -> float:
        """Seconds until the next look; 0 if it is time."""
        return max(0.0, self._next - now)

    def polled(self, now: float, rows: int, *, may_rest: bool = True) -> None:
        """The table was looked at.

        rows: how many were new. may_rest: whether wake-ups were requested before, or do not exist. After the first look
        without rows the next one, before which they are requested, is at once.
        """
        requests_next = not rows and not may_rest and not self.is_quiet
        if rows and self._pause >= AT_REST_SECONDS and may_rest:
            self.lost += 1
        longest = LONGEST_SECONDS if may_rest else UNREQUESTED_SECONDS
        self._pause = self.shortest if rows else min(longest, max(self.shortest, self._pause * 2))
        self.is_quiet = not rows
        self._last, self._next = now, now if requests_next else now + self._pause

    def woken(self) -> None:
        """A wake-up has come."""
        self.lost, self._pause, self.is_quiet = 0, self.shortest, False
        self._next = min(self._next, self._last + GAP_SECONDS)

    @property
    def without_wakeups(self) -> bool:
        """Whether wake-ups do not arrive."""
        return self.lost >= MOST_LOST
