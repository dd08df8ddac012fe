"""JSON as Jackson reads it: strict, the last of equal members wins, whatever follows the first value is ignored."""

import json
import re
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern

DEEPEST = 1000  # StreamReadConstraints' defaults
LONGEST_NUMBER = 1000
LONGEST_NAME = 50_000
BRACKETS = lazy_pattern(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


class UnreadableJson(ValueError):
    """Jackson refuses the text."""


class TooDeep(ValueError):
    """Readable for Jackson, but nested deeper than this model follows."""


FOLLOWED = 100


def parse(text: str) -> Any:
    """The value that the text begins with: dicts in Jackson's member order, int for integer tokens, float for others.

    Raises Unreadable, or TooDeep beyond 100 levels.
    """
    try:
        value, _ = _DECODER.raw_decode(text)
    except RecursionError:
        raise _depth_problem(text) from None
    except ValueError as cause:
        raise UnreadableJson(str(cause)) from None
    return value


def deeper(value: Any, levels: int) -> bool:
    """Whether a value nests deeper than so many levels."""
    layer = [value]
    for _ in range(levels):
        layer = [
            child
            for node in layer
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not layer:
            return False
    return any(isinstance(node, dict | list) for node in layer)


def _depth_problem(text: str) -> ValueError:
    depth = 0
    for match in BRACKETS.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > DEEPEST:
            return UnreadableJson("nested too deeply")
    return TooDeep("nested too deeply for the model")


def _integer(token: str) -> int:
    if len(token.lstrip("-")) > LONGEST_NUMBER:
        raise UnreadableJson("a number of too many digits")
    return int(token)


def _fraction(token: str) -> float:
    if len(token) > LONGEST_NUMBER:
        raise UnreadableJson("a number of too many digits")
    return float(token)


def _constant(token: str) -> Any:
    raise UnreadableJson(f"{token} is not JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if any(len(name) > LONGEST_NAME for name, _ in pairs):
        raise UnreadableJson("a member's name is too long")
    return dict(pairs)


_DECODER = json.JSONDecoder(
    parse_int=_integer, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_members
)
