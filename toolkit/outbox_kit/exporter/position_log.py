"""When the database's log had which end, by which the age of unconfirmed events is known without their rows. Pure."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

MOST_ENTRIES = 20_000
"""A day and more of scrapes; then every second one of the older half is dropped."""
RATE_SECONDS = 600.0
"""Over which the decrease of a distance is measured."""


class LogEntry(NamedTuple):
    """What was observed at one time."""

    at: float
    """In seconds since 1970, by the database's clock."""
    end: int
    """The position of the end of the log."""
    inserted: int | None
    """Rows that were ever inserted; None if the database does not count them."""


@dataclass(frozen=True)
class Unconfirmed:
    """What is not confirmed."""

    oldest_seconds: float
    """The age of the oldest event; 0 without one."""
    pending: int | None
    """The number of events; None if it is not known."""
    is_least: bool = False
    """Whether both are lower limits: the position was passed before the first entry."""


class PositionLog:
    """The entries, the oldest first."""

    def __init__(self) -> None:
        self._entries: list[LogEntry] = []

    def add(self, entry: LogEntry) -> None:
        """Record what was observed; a log that has gone back, such as that of another server, begins again."""
        last = self._entries[-1] if self._entries else entry
        has_gone_back = entry.end < last.end or (entry.inserted or 0) < (last.inserted or 0) or entry.at < last.at
        if has_gone_back:
            self._entries = []
        self._entries.append(entry)
        if len(self._entries) > MOST_ENTRIES:
            half = MOST_ENTRIES // 2
            self._entries = [*self._entries[:half:2], *self._entries[half:]]

    def unconfirmed(self, confirmed: int) -> Unconfirmed | None:
        """What is behind a position at the time of the last entry; None without an entry."""
        if not self._entries:
            return None
        now = self._entries[-1]
        if confirmed >= now.end:
            self._entries = [now]
            return Unconfirmed(0.0, 0)
        passed = [number for number, entry in enumerate(self._entries) if entry.end <= confirmed]
        if not passed:
            first = self._entries[0]
            return Unconfirmed(now.at - first.at, _difference(first, now), is_least=True)
        self._entries = self._entries[passed[-1] :]
        base, pending = self._entries[0], _difference(self._entries[0], now)
        if pending == 0:
            return Unconfirmed(0.0, 0)
        return Unconfirmed(now.at - _written_after(self._entries).at if pending else now.at - base.at, pending)


def _difference(first: LogEntry, last: LogEntry) -> int | None:
    return None if first.inserted is None or last.inserted is None else last.inserted - first.inserted


def _written_after(entries: Sequence[LogEntry]) -> LogEntry:
    """The last entry before the first row that is not confirmed. entries: the first one is confirmed."""
    for before, entry in pairwise(entries):
        if (entry.inserted or 0) > (before.inserted or 0):
            return before
    return entries[0]


class Distance:
    """A distance that decreases, and when it is used up."""

    def __init__(self) -> None:
        self._values: deque[tuple[float, int]] = deque()

    def seconds_left(self, at: float, distance: int) -> float | None:
        """Seconds until 0 at the rate of the last minutes; infinite if it does not decrease, None at the first time.

        at: in seconds. distance: in bytes.
        """
        if self._values and at < self._values[-1][0]:
            self._values.clear()
        self._values.append((at, distance))
        while self._values[0][0] < at - RATE_SECONDS:
            self._values.popleft()
        first_at, first = self._values[0]
        if first_at == at:
            return None
        rate = (first - distance) / (at - first_at)
        return distance / rate if rate > 0 else float("inf")
