"""One part of a message that is a copy of one column of its row."""

from dataclasses import dataclass
from typing import Literal

Place = Literal["key", "header", "payload", "partition"]


@dataclass(frozen=True)
class MessagePart:
    """A part of a message, and the column that it is a copy of."""

    place: Place
    """Where in the message it is."""
    name: str
    """The header's name; empty for other parts."""
    column: str
    """A column of the outbox table."""
    kind: str
    """The column's kind, as `schema.columns` has it."""

    @property
    def title(self) -> str:
        """The part as reports name it."""
        return f"header {self.name}" if self.place == "header" else self.place

    @property
    def binary(self) -> bool:
        """Whether the column holds bytes and not text."""
        return self.kind.endswith("bytes")
