"""Snapshots of PostgreSQL as texts, `xmin:xmax:xip,...`: what they contain, and the same without transactions. Pure."""

from collections.abc import Collection
from typing import NamedTuple

HALF, WHOLE = 1 << 31, 1 << 32


class TransactionSnapshot(NamedTuple):
    """Which transactions are visible."""

    least: int
    """All transactions before it are visible, or were rolled back."""
    next: int
    """It and all transactions behind it are not visible."""
    open: frozenset[int]
    """Those between the two that are not visible."""

    @classmethod
    def of(cls, text: str) -> "TransactionSnapshot":
        """The snapshot that the server has written as a text. Raises ValueError."""
        least, following, numbers = text.split(":")
        return cls(int(least), int(following), frozenset(int(number) for number in numbers.split(",") if number))

    def __str__(self) -> str:
        return f"{self.least}:{self.next}:{','.join(str(number) for number in sorted(self.open))}"

    def full(self, number: int) -> int:
        """The number of a transaction of about its time in 64 bits. number: without the epoch, as the log has it."""
        return self.next + (number - self.next + HALF) % WHOLE - HALF

    def contains(self, number: int) -> bool:
        """Whether a transaction is visible. number: without the epoch."""
        full = self.full(number)
        return full < self.next and full not in self.open

    def without(self, numbers: Collection[int]) -> "TransactionSnapshot":
        """The same in which some transactions are not visible. numbers: without the epoch."""
        removed = {full for number in numbers if (full := self.full(number)) < self.next}
        return TransactionSnapshot(min(self.least, *removed, self.next), self.next, self.open | removed)
