"""JSON that cannot be read, without the line that is at fault, so that its other options can be checked. Pure."""

import re
from bisect import bisect_left

from outbox_kit.errors import BadConfigFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import START
from outbox_kit.lint.excerpt import Excerpt, joined, spot_of
from outbox_kit.lint.placeholders import placeholder

BEHIND = "expected the end of the text"
MOST = 8
"""How many lines are left out of one text."""
NAME = lazy_pattern(r'\s*"([\w.$-]+)"')
"""What a line with an option begins with."""
BRACKET = lazy_pattern(r"[{}\[\]]")


def repaired(excerpt: Excerpt, cause: BadConfigFile) -> Excerpt | None:
    """A text without what its reader has refused; None if that leaves nothing new to read.

    An option in the line keeps its name, and its value is not known.
    """
    text = excerpt.text
    at = _refused(excerpt, cause)
    if at >= len(text.rstrip()):
        return joined([excerpt, excerpt.text_at(len(text), "}")]) if text.strip() else None
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at) % (len(text) + 1)
    line = text[start:end]
    if cause.why == BEHIND:
        return excerpt.part(0, at)
    if not line.strip() or (BRACKET.search(line) and "{" in text[:start]):
        return None
    option = NAME.match(line)
    if option is None:
        return joined([excerpt.part(0, start), excerpt.part(end, len(text))])
    value = f': "{placeholder(option[1])}"{"" if _ends(text[end:]) else ","}'
    name_end = start + option.end()
    return joined([excerpt.part(0, name_end), excerpt.text_at(name_end, value), excerpt.part(end, len(text))])


def _refused(excerpt: Excerpt, cause: BadConfigFile) -> int:
    """Where in a text its reader stopped."""
    spot = spot_of(cause.where) or START
    return min(bisect_left(range(len(excerpt.text) + 1), spot, key=excerpt.spot), len(excerpt.text))


def _ends(rest: str) -> bool:
    return re.match(r"\s*[}\]]", rest) is not None
