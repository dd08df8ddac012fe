"""A record as the client library gives it; captured messages have the same methods."""

from typing import Protocol

Headers = list[tuple[str, bytes | None]]


class Record(Protocol):
    """One record of a partition."""

    def key(self) -> bytes | None:
        """The key's bytes."""

    def value(self) -> bytes | None:
        """The value's bytes; None for a tombstone."""

    def headers(self) -> Headers | None:
        """The headers in their order; None if there are none."""

    def offset(self) -> int:
        """The offset in the partition."""

    def timestamp(self) -> tuple[int, int]:
        """The type of the timestamp, and milliseconds since 1970."""
