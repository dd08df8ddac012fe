"""What a format of files is: each is one module of `formats/`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt

Nested = Callable[[Excerpt, str], Iterable[Document]]
"""Reads a text within a text. The suffix is that of a file of its format; empty if it is not known."""


@dataclass(frozen=True, kw_only=True)
class TextFormat:
    """A format in which connectors are found."""

    rank: int
    """The position among the formats: the first that recognises a text reads it."""
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[str], bool]
    """Whether a text without a suffix is of this format."""
    certain: Callable[[str], bool] = lambda _: False
    """Whether a text is of this format whatever its suffix says."""
    read: Callable[[Excerpt, Nested], Iterator[Document]]
    """The connectors of a text. Raises BadConfigFile, with line and column as its place."""
    expected: str = "a connector with connector.class"
    """What the format's connectors look like."""
    keeps_suffix: bool = False
    """Whether a file with the suffix is of this format whatever its text is."""
