"""Regular expressions that end: Python's search tries every way to match, of which some patterns have too many. Pure.

A text of n characters can be parted by k repetitions side by side in n^k ways, and by one within another in 2^n.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

MANY = 20  # fewer repetitions are not counted
MOST_BESIDE = 3  # repetitions side by side that take the same characters
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
GROUPS = (_constants.SUBPATTERN, _constants.ATOMIC_GROUP)
CHARACTERS = [chr(code) for code in range(128)] + ["ü", "\u2028"]


@dataclass(frozen=True)
class _Part:
    """A part of a pattern, without the groups around it."""

    body: Any
    repeats: bool
    optional: bool
    """Whether a match may be without it."""


@lru_cache(maxsize=1000)
def endless(pattern: str) -> str | None:
    """Why a search with it may take exponential time; None if not. Raises re.error for an invalid pattern."""
    return _endless(_parser.parse(pattern))


def _endless(parsed: Any) -> str | None:
    parts = list(_flat(parsed, optional=False))
    for part in parts:
        inner = list(_flat(part.body, optional=False)) if part.repeats else []
        # of what is repeated, the end of one comes before the beginning of the next
        if part.repeats and (_has_choice(part.body) or _beside(inner * 2) > 1):
            return "it repeats what can match the same text in several ways"
        if part.repeats and (why := _endless(part.body)):
            return why
    if _beside(parts) > MOST_BESIDE:
        return f"more than {MOST_BESIDE} repetitions side by side take the same characters"
    return None


def _beside(parts: Sequence[_Part]) -> int:
    """How many repetitions may share a row of one character, with nothing between them that must be another one."""
    most = 0
    taken = [_first_characters(part.body) for part in parts]
    for character in CHARACTERS:
        row = choices = 0
        for part, characters in zip(parts, taken, strict=True):
            if character in characters:
                row += part.repeats
                choices += part.optional
            elif not part.optional:
                row = choices = 0
            most = max(most, row, choices - MANY)
    return most


def _flat(parsed: Any, *, optional: bool) -> Iterator[_Part]:
    """The parts of a pattern in order; a repetition of few is written out."""
    for operation, argument in parsed:
        if operation in GROUPS:
            yield from _flat(_inner(operation, argument), optional=optional)
        elif operation in REPEATS and argument[1] is not _constants.MAXREPEAT and argument[1] <= MANY:
            for _ in range(min(argument[1], 2)):
                yield from _flat(argument[2], optional=optional or argument[0] == 0)
        elif operation in REPEATS:
            yield _Part(argument[2], repeats=True, optional=optional or argument[0] == 0)
        elif operation is _constants.BRANCH:
            for part in argument[1]:
                yield from _flat(part, optional=True)
        elif operation is not _constants.AT:
            yield _Part(_parser.SubPattern(parsed.state, [(operation, argument)]), repeats=False, optional=optional)


def _inner(operation: Any, argument: Any) -> Any:
    return argument[-1] if operation is _constants.SUBPATTERN else argument


def _has_choice(parsed: Any) -> bool:
    """Whether there are alternatives in it."""
    for operation, argument in parsed:
        if operation is _constants.BRANCH:
            return True
        inner = _inner(operation, argument) if operation in GROUPS else argument[2] if operation in REPEATS else ()
        if _has_choice(inner):
            return True
    return False


def _first_characters(body: Any) -> frozenset[str]:
    """The characters that a part can begin with; all where that cannot be told."""
    try:
        begins = _compiler.compile(body).match
        return frozenset(character for character in CHARACTERS if begins(character) is not None)
    except (re.error, RuntimeError, IndexError):
        return frozenset(CHARACTERS)
