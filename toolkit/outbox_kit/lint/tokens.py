"""Programs of all languages as texts, words and marks. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outbox_kit.lazy_pattern import lazy_pattern

TOKEN = lazy_pattern(
    r"(?P<comment>//[^\n]*|/\*(?:(?!\*/).)*\*/|#(?![\[\"'])[^\n]*)"
    r"|@(?P<block>(?P<mark2>[\"'])\r?\n(?:(?!\n(?P=mark2)@).)*\n(?P=mark2)@)"
    r"|(?P<prefix>[A-Za-z$@]{0,3}?)(?:(?P<hashes>#*)(?P<text>\"\"\"(?:(?!\"\"\").)*\"\"\"|'''(?:(?!''').)*'''"
    r"|`(?:[^`\\]|\\.)*`|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))#*"
    r"|(?P<word>[\w$]+(?:(?:\.|::|\?\.)[\w$]+)*)"
    r"|(?P<mark>=>|->|:=|==|!=|<=|>=|\.\.\.|\*\*|[^\s])",
    re.DOTALL,
)

OPEN, CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Token:
    """A text, a word or a mark."""

    kind: str
    text: str
    """As it stands."""
    start: int
    end: int
    prefix: str = ""
    """What stands before the quotes, such as `f` in Python."""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a program, without its comments."""
    for match in TOKEN.finditer(text):
        if match["block"] is not None:  # PowerShell's text of several lines
            yield Token("text", match["block"], match.start(), match.end())
        elif match["text"] is not None:
            yield Token("text", match["text"], match.start(), match.start("text") + len(match["text"]), match["prefix"])
        elif match["word"] or match["mark"]:
            yield Token("word" if match["word"] else "mark", match["word"] or match["mark"], *match.span())


def operands(parts: Sequence[Token]) -> list[list[Token]]:
    """The parts of a sum: what stands between plus signs that are in no bracket."""
    parts_of_sum, depth = [list[Token]()], 0
    for token in parts:
        if token.kind == "mark":
            depth += (token.text in OPEN) - (token.text in CLOSE)
        if token.text == "+" and token.kind == "mark" and depth == 0:
            parts_of_sum.append([])
        else:
            parts_of_sum[-1].append(token)
    return [operand for operand in parts_of_sum if operand]
