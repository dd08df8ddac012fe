"""Patterns of file names, as .gitignore and other linters write them. Pure."""

import re
from functools import cache
from pathlib import PurePosixPath

from outbox_kit.lazy_pattern import lazy_pattern

REPEATED = lazy_pattern(r"(\*\*/)(?:\*\*/)+")  # which mean no more than one of them, and take long
WILDCARDS = lazy_pattern(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]")


def matches(path: PurePosixPath, pattern: str) -> bool:
    """Whether a pattern means a file, or a folder above it.

    path: relative to the folder of the pattern, with / between its parts. pattern: `*` and `?` do not match `/`, `**`
    matches any number of folders; one without `/` is a name at any depth.
    """
    plain = REPEATED.sub(r"\1", pattern.removeprefix("./").rstrip("/"))
    compiled = _compiled(plain.removeprefix("/") if "/" in plain else f"**/{plain}")
    return any(compiled.fullmatch(str(part)) for part in (path, *path.parents))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    expression, end = "", 0
    for match in WILDCARDS.finditer(pattern):
        expression += re.escape(pattern[end : match.start()]) + _wildcard(match[0])
        end = match.end()
    try:
        return re.compile(expression + re.escape(pattern[end:]), re.DOTALL)
    except re.error:  # such as [z-a]
        return re.compile(re.escape(pattern))


def _wildcard(text: str) -> str:
    if text.startswith("["):
        inner = text[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^/{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}[text]
