"""A short text that a regular expression matches, for samples. Pure."""

import re
from collections.abc import Sequence
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

PREFERRED = "1aA-x "  # of the characters that a set allows
LONGEST = 200
MOST_REPEATS = 1000
CATEGORIES = {_constants.CATEGORY_DIGIT: "1", _constants.CATEGORY_WORD: "a", _constants.CATEGORY_SPACE: " "}
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)


class _Unsupported(ValueError):
    """A part of a regular expression for which no text is made."""


def matching(pattern: str, shortest: int = 0) -> str | None:
    """A text that matches from its beginning to its end; None if none was found. shortest: its least length."""
    try:
        compiled, parsed = re.compile(pattern), _parser.parse(pattern)
        for more in range(min(shortest, LONGEST) + 1):
            text = _sequence(parsed, more, {})
            if len(text) >= shortest and compiled.fullmatch(text):
                return text
    except (re.error, _Unsupported, RecursionError):
        return None
    return None


def _sequence(parsed: Any, more: int, groups: dict[int, str]) -> str:
    """A text for a sequence of parts. more: repetitions beyond the least. groups: the texts of the groups so far."""
    return "".join(_part(operation, argument, more, groups) for operation, argument in parsed)


def _part(operation: Any, argument: Any, more: int, groups: dict[int, str]) -> str:
    if operation is _constants.LITERAL:
        return chr(argument)
    if operation is _constants.ANY:
        return "x"
    if operation in (_constants.IN, _constants.NOT_LITERAL):
        return _character([(operation, argument)] if operation is _constants.NOT_LITERAL else argument)
    if operation in REPEATS:
        least, most, body = argument
        count = min(least + more, most)
        if count > MOST_REPEATS:
            raise _Unsupported
        return "".join(_sequence(body, more, groups) for _ in range(count))
    if operation is _constants.SUBPATTERN:
        text = _sequence(argument[-1], more, groups)
        if argument[0] is not None:
            groups[argument[0]] = text
        return text
    if operation is _constants.BRANCH:
        return _sequence(argument[1][0], more, groups)
    if operation is _constants.GROUPREF:
        return groups.get(argument, "")
    if operation is _constants.AT:
        return ""
    raise _Unsupported


def _character(members: Sequence[tuple[Any, Any]]) -> str:
    """A character that a set of characters allows."""
    negated = members[0][0] in (_constants.NEGATE, _constants.NOT_LITERAL)
    if negated:
        allowed = [char for char in PREFERRED if not any(_has(member, char) for member in members)]
    else:
        allowed = [char for char in PREFERRED if any(_has(member, char) for member in members)]
        allowed += [
            chr(value if kind is _constants.LITERAL else value[0]) for kind, value in members if kind in _RANGES
        ]
    if not allowed:
        raise _Unsupported
    return allowed[0]


_RANGES = (_constants.LITERAL, _constants.RANGE)


def _has(member: tuple[Any, Any], character: str) -> bool:
    kind, value = member
    if kind is _constants.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind in (_constants.LITERAL, _constants.NOT_LITERAL):
        return bool(value == ord(character))
    return CATEGORIES.get(value) == character if kind is _constants.CATEGORY else False
