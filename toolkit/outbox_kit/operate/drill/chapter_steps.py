"""The steps of a chapter of a generated runbook: their commands, and the exit codes that it expects. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from outbox_kit.lazy_pattern import lazy_pattern

ANCHOR = lazy_pattern(r'<a id="([a-z0-9-]+)"></a>')
CODE = lazy_pattern(r"exit code (\d+)")
EXPECTED = "Expected:"
SHELL = "sh"
UNSTATED = frozenset({0, 1})
"""The exit codes of a command whose chapter states none: 1 is a finding."""


@dataclass(frozen=True)
class ChapterCommand:
    """A command of a chapter, as it is typed."""

    line: str
    codes: frozenset[int]
    """The exit codes that the chapter expects."""


def chapter_steps(runbook: str, chapter: str) -> Mapping[int, Sequence[ChapterCommand]]:
    """The commands of each numbered step of a chapter. runbook: its Markdown. chapter: its id.

    Raises KeyError if the runbook does not have the chapter.
    """
    steps: dict[int, list[ChapterCommand]] = {}
    step, lines = 0, list[str]()
    for token in _of_chapter(MarkdownIt("commonmark").enable("table").parse(runbook), chapter):
        if token.type == "list_item_open" and token.level == 1:
            _finish(steps, step, lines, "")
            step, lines = int(token.info or 0), []
            steps[step] = []
        elif token.type == "ordered_list_close":
            _finish(steps, step, lines, "")
            step, lines = 0, []
        elif token.type == "fence" and token.info == SHELL and step:
            _finish(steps, step, lines, "")
            lines = [line for line in token.content.splitlines() if line.strip()]
        elif token.type == "inline" and token.content.startswith(EXPECTED):
            _finish(steps, step, lines, token.content)
            lines = []
    return steps


def _of_chapter(tokens: Sequence[Token], chapter: str) -> Iterator[Token]:
    """The tokens between the anchor of a chapter and the next one."""
    current, seen = "", False
    for token in tokens:
        anchor = ANCHOR.fullmatch(token.content) if token.type in ("inline", "html_block") else None
        current = anchor[1] if anchor else current
        seen = seen or current == chapter
        if current == chapter and not anchor:
            yield token
    if not seen:
        raise KeyError(chapter)


def _finish(steps: dict[int, list[ChapterCommand]], step: int, lines: Sequence[str], expected: str) -> None:
    """Enter the commands of a block, with the codes of the text after it: one for each, or one for all."""
    codes = [int(code) for code in CODE.findall(expected)]
    for number, line in enumerate(lines):
        stated = codes[number] if len(codes) == len(lines) else codes[0] if len(codes) == 1 else None
        allowed = UNSTATED if stated is None else frozenset({stated})
        steps[step].append(ChapterCommand(line, allowed))
