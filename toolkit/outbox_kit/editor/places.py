"""Places in a text as editors count them, and what of it is to be marked. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.lazy_pattern import lazy_pattern

WORD = lazy_pattern(r"[\w.\-$/]+")
QUOTED = lazy_pattern(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')


@dataclass(frozen=True)
class Span:
    """From one place to another one; lines and columns count from 0, columns in characters."""

    line: int
    column: int
    end_line: int
    end_column: int


def plain_lines(text: str) -> list[str]:
    """The lines of a text without their ends; at least one."""
    return re.split(r"\r\n|\r|\n", text)


def with_newlines(text: str) -> str:
    """The text with a newline at the end of each line, as files are read."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def marked(lines: Sequence[str], line: int, column: int) -> Span:
    """What to mark for a place: the word or the quoted text that begins there, or else the rest of the line.

    lines: of the text. line, column: from 1, also outside of the text.
    """
    number = min(max(line, 1), len(lines)) - 1
    content = lines[number]
    start = min(max(column, 1) - 1, len(content))
    if start == len(content):  # behind the last character: a mark without a width is not seen
        start = len(content) - len(content.lstrip())
    match = QUOTED.match(content, start) or WORD.match(content, start)
    return Span(
        number, start, number, match.end() if match else len(content.rstrip()) if content.strip() else len(content)
    )


def word_at(lines: Sequence[str], line: int, column: int) -> tuple[str, int] | None:
    """The word at a place, with the column at which it begins. line, column: from 0."""
    if not 0 <= line < len(lines):
        return None
    for match in WORD.finditer(lines[line]):
        if match.start() <= column <= match.end():
            return match[0], match.start()
    return None


def change(before: str, after: str) -> tuple[Span, str]:
    """The smallest change of whole lines that makes one text of another: what is replaced, and by what."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    tail = next((number for number in range(most - head) if old[-1 - number] != new[-1 - number]), most - head)
    old_end, new_end = len(old) - tail, len(new) - tail
    text = "".join(f"{line}\n" for line in new[head:new_end])
    if tail:
        return Span(head, 0, old_end, 0), text
    if head == 0:
        return Span(0, 0, len(old) - 1, len(old[-1])), after
    text = "".join(f"\n{line}" for line in new[head:])  # up to the end of the text, where no newline follows
    return Span(head - 1, len(old[head - 1]), len(old) - 1, len(old[-1])), text
