"""A text within a file, of which each character knows its place in the file. Pure."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

Spot = tuple[int, int]
"""A line and a column, both from 1."""


def spot_of(where: str) -> Spot | None:
    """The spot in the place of an error, `line:column`; None if it names none."""
    line, _, column = where.partition(":")
    return (int(line), int(column)) if line.isdigit() and column.isdigit() else None


@dataclass(frozen=True)
class Lines:
    """Where the lines of a file begin."""

    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def spot(self, offset: int) -> Spot:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass(frozen=True)
class Excerpt:
    """A part of a file, decoded: without the escapes of what is around it."""

    text: str
    offsets: Sequence[int]
    """The offset in the file of each character, and of the end: one more than there are characters."""
    lines: Lines

    @classmethod
    def whole(cls, text: str) -> "Excerpt":
        """A whole file."""
        return cls(text, range(len(text) + 1), Lines(text))

    @property
    def verbatim(self) -> bool:
        """Whether the file contains the text as it is here, so that it can be edited there."""
        return isinstance(self.offsets, range)

    def spot(self, at: int) -> Spot:
        """Line and column in the file of a character of the text."""
        return self.lines.spot(self.offsets[at])

    def part(self, start: int, end: int) -> "Excerpt":
        """The characters from `start` to before `end`, as far as there are any."""
        start, end = min(start, len(self.text)), min(max(start, end), len(self.text))
        return Excerpt(self.text[start:end], self.offsets[start : end + 1], self.lines)

    def replaced(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> "Excerpt":
        """The text with other texts in place of the matches; these stand where their match stands."""
        if pattern.search(self.text) is None:
            return self
        parts, at = list[Excerpt](), 0
        for match in pattern.finditer(self.text):
            parts += [self.part(at, match.start()), self.text_at(match.start(), replacement(match))]
            at = match.end()
        return joined([*parts, self.part(at, len(self.text))])

    def text_at(self, at: int, text: str) -> "Excerpt":
        """Another text that stands where a character of this one does."""
        return Excerpt(text, [self.offsets[at]] * (len(text) + 1), self.lines)


def joined(parts: Iterable[Excerpt]) -> Excerpt:
    """Excerpts of one file as one, at least one."""
    pieces = list(parts)
    if len(pieces) == 1:
        return pieces[0]
    offsets = [offset for piece in pieces for offset in piece.offsets[: len(piece.text)]]
    return Excerpt("".join(piece.text for piece in pieces), [*offsets, pieces[-1].offsets[-1]], pieces[0].lines)
