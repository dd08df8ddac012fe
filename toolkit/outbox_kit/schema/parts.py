"""One part of a message that is a copy of one column of its row."""

from dataclasses import dataclass
from typing import Literal

Place = Literal["key", "header", "payload", "partition"]


@dataclass(frozen=True)
class Part:
    """A part of a message, and the column that it is a copy of.

    place: where in the message it is. name: the header's name; empty elsewhere. column: of the outbox table.
    kind: the column's kind, as `schema.columns` has it.
    """

    place: Place
    name: str
    column: str
    kind: str

    @property
    def title(self) -> str:
        """The part as reports name it."""
        return f"header {self.name}" if self.place == "header" else self.place

    @property
    def binary(self) -> bool:
        """Whether the column holds bytes and not text."""
        return self.kind.endswith("bytes")
