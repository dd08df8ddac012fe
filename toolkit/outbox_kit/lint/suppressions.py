"""Comments in a file that accept findings: `outbox-kit: ignore RULE, RULE: reason`, in any notation. Pure.

One holds for its line; one that is alone on its line, for the next line too. `ignore-file` holds for the file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outbox_kit.lazy_pattern import lazy_pattern

COMMENT = lazy_pattern(
    r"outbox-kit:[ \t]*ignore(?P<file>-file)?[ \t]+"
    r"(?P<rules>[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)[ \t]*:?(?P<reason>[^\n\"]*)"
)
ALONE = lazy_pattern(r"\s*(?:#|!|//|/\*|--|<!--|\"(?://|_|#)[^\"]*\"\s*:)")
ENDS = lazy_pattern(r"\s*(?:\*/|-->)?\s*$")


@dataclass(frozen=True)
class Suppression:
    """One comment that accepts findings."""

    line: int
    """Where it stands, from 1."""
    rules: tuple[str, ...]
    """Rules and groups of rules."""
    reason: str
    """Why their findings are accepted; empty if it says none, and accepts none."""
    whole_file: bool
    alone: bool
    """Whether it is alone on its line."""

    def covers(self, line: int) -> bool:
        """Whether it holds for a line."""
        return self.whole_file or line == self.line or (self.alone and line == self.line + 1)


def suppressions(text: str) -> Sequence[Suppression]:
    """Those of a file."""
    return tuple(_suppressions(text)) if "outbox-kit:" in text else ()


def _suppressions(text: str) -> Iterator[Suppression]:
    for number, line in enumerate(text.splitlines(), 1):
        if match := COMMENT.search(line):
            rules = tuple(rule.strip() for rule in match["rules"].split(","))
            reason = ENDS.sub("", match["reason"]).strip()
            yield Suppression(number, rules, reason, match["file"] is not None, ALONE.match(line) is not None)
