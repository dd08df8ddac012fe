"""Values of JSON and of YAML with their places. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outbox_kit.lint.document import Entry
from outbox_kit.lint.excerpt import Excerpt


@dataclass(frozen=True)
class TextValue:
    """A text, a number, a flag or nothing."""

    excerpt: Excerpt
    """Its text as Kafka Connect takes it."""
    at: int
    """The offset of its beginning, with its quotes."""

    @property
    def text(self) -> str:
        """Its text as Kafka Connect takes it."""
        return self.excerpt.text


@dataclass(frozen=True)
class Items:
    """A list."""

    items: "Sequence[Node]"
    at: int


@dataclass(frozen=True)
class Members:
    """An object."""

    pairs: "Sequence[tuple[TextValue, Node]]"
    at: int
    partial: bool = False
    """Whether it has members that are not shown."""

    def get(self, name: str) -> "Node | None":
        """The last value of a name."""
        return next((value for key, value in reversed(self.pairs) if key.text == name), None)

    def text(self, name: str) -> str | None:
        """The last value of a name, if it is a text."""
        value = self.get(name)
        return value.text if isinstance(value, TextValue) else None

    def members(self, name: str) -> "Members":
        """The last value of a name, if it is an object; an empty one if not."""
        value = self.get(name)
        return value if isinstance(value, Members) else Members((), self.at)

    def flattened(self, prefix: str = "") -> Iterator[Entry]:
        """The texts by the path of their names, also those of objects within. prefix: of each path."""
        for key, value in self.pairs:
            if isinstance(value, TextValue):
                yield Entry(f"{prefix}{key.text}", value.text, key.at)
            elif isinstance(value, Members):
                yield from value.flattened(f"{prefix}{key.text}.")

    def paths_with_dots(self, prefix: str = "") -> Iterator[str]:
        """The paths of the texts of which a name has a dot, which a path does not show. prefix: of each path."""
        for key, value in self.pairs:
            path = f"{prefix}{key.text}"
            if "." in key.text:
                yield from (entry.key for entry in Members(((key, value),), self.at).flattened(prefix))
            elif isinstance(value, Members):
                yield from value.paths_with_dots(f"{path}.")


Node = TextValue | Items | Members
