"""What the text of a file has beside its connectors, found once for all of them. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from outbox_kit.lazy_pattern import lazy_pattern


def closing(text: str, at: int) -> int:
    """The offset behind the bracket that closes the one which is open at an offset, or the end of the text."""
    depth = 1
    while at < len(text) and depth:
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    return at


SEPARATOR = lazy_pattern(r"^(?:---|```|~~~).*$", re.MULTILINE)
"""What stands between the documents of YAML, and at the ends of the blocks of a page."""


@lru_cache(maxsize=4)
def documents(text: str) -> Sequence[str]:
    """The parts of a text between the lines that separate documents."""
    return SEPARATOR.split(text)


RESOURCE = lazy_pattern(r"^[ \t]*resource\s+\"(?P<kind>[\w-]+)\"\s+\"(?P<name>[\w-]+)\"\s*\{", re.MULTILINE)


@lru_cache(maxsize=4)
def terraform_resources(text: str) -> Mapping[tuple[str, str], str]:
    """The resources of Terraform in a text, from their first line to the closing bracket, by kind and name."""
    resources, at = dict[tuple[str, str], str](), 0
    while match := RESOURCE.search(text, at):
        at = closing(text, match.end())
        resources[match["kind"], match["name"]] = text[match.start() : at]
    return resources


@lru_cache(maxsize=64)
def matches(text: str, pattern: re.Pattern[str]) -> Sequence[re.Match[str]]:
    """The places of a text that fit a pattern."""
    return tuple(pattern.finditer(text))
