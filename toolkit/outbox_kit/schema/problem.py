"""A mistake in a schema file, with the part of the file that it is about. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

Steps = tuple[int | str, ...]
SHOWN = 100  # characters of a value in a message


@dataclass(frozen=True)
class SchemaProblem:
    """A mistake in one part of a schema file."""

    text: str
    """The mistake and its fix, in one sentence."""
    at: Steps = ()
    """The keys and indexes that lead to the part; empty for the whole document."""
    first: Steps = ()
    """The part that is there already, if the part at `at` repeats it."""

    def below(self, steps: Sequence[int | str]) -> "SchemaProblem":
        """The same mistake, if its places are within the part at `steps`."""
        first = (*steps, *self.first) if self.first else ()
        return replace(self, at=(*steps, *self.at), first=first)


class Mismatch(ValueError):
    """Mistakes that a single value does not show: parts of the file that contradict each other."""

    def __init__(self, problems: Sequence[SchemaProblem]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = tuple(problems)


def mismatch(text: str, *at: int | str) -> Mismatch:
    """A mistake of one section. text: the mistake. at: the place, seen from the section."""
    return Mismatch([SchemaProblem(text, at)])


def quoted(value: object) -> str:
    """A value in single quotes for a message: its special characters escaped, and cut if it is long."""
    text = repr(str(value))[1:-1].replace("\\'", "'")
    return f"'{text if len(text) <= SHOWN else text[:SHOWN] + '...'}'"
