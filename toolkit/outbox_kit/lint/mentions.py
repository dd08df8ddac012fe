"""What the text of a file has beside its connectors, found once for all of them. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache


def closing(text: str, at: int) -> int:
    """The offset behind the bracket that closes the one which is open at an offset, or the end of the text."""
    depth = 1
    while at < len(text) and depth:
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    return at


@lru_cache(maxsize=64)
def matches(text: str, pattern: re.Pattern[str]) -> Sequence[re.Match[str]]:
    """The places of a text that fit a pattern."""
    return tuple(pattern.finditer(text))
