"""The texts in a program as it gives them: without escapes, with placeholders for what it puts in. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import program, templates
from outbox_kit.lint.excerpt import Excerpt, joined
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.lint.tokens import Token

TRIPLE = ('"""', "'''")
DOLLAR = lazy_pattern(r"\\(?=\$)")
IN_KOTLIN = lazy_pattern(
    r"(?P<dollar>\$\{'\$'\})|\\(?P<escaped>.)|\$\{(?P<braced>[^{}]*)\}|\$(?P<bare>[A-Za-z_]\w*)", re.DOTALL
)
IN_TEMPLATE = lazy_pattern(r"(?<!\\)\$\{([^{}]*)\}|\\(?=[$`\\])")
PRINTS = lazy_pattern(r"\b(?:Sprintf|String\.format|formatted|sprintf)\(")
PRINTED = lazy_pattern(r"(?<!%)%(?:\d+\$)?[sdvq](?!\w)")
"""What a function puts an argument in place of."""
GO = lazy_pattern(r"^package \w+[ \t]*$", re.MULTILINE)
"""What only Go has, in whose backticks nothing is replaced."""
APPENDED = lazy_pattern(
    r"\s*\)\s*;?\s*\w*\s*\.\s*(?:append|push_str|write)(?P<line>_?[lL](?:ine|n))?\(\s*[@$]?", re.IGNORECASE
)
"""What stands between two texts that a program appends to another one."""
APPENDS = lazy_pattern(r"(?:(?P<receiver>\w+)\.)?[aA]ppend(?P<line>Line)?")
"""A function that appends to an object."""
OF_PYTHON = lazy_pattern(r"\{\{|\}\}|\{([^{}]*)\}")
DOUBLED = lazy_pattern(r"\{\{|\}\}")
"""What only a text that str.format of Python gets has, if braces have no other meaning in it."""
JOINS_LINES = lazy_pattern(r"\\\n")
BARE = lazy_pattern(r"\$([A-Za-z_]\w*)")
"""A variable in a text in double quotes, where the language has such."""
BARE_LANGUAGE = lazy_pattern(r"<\?php|^[ \t]*(?:def[ \t]+|\$)[A-Za-z_]\w*[ \t]*=", re.MULTILINE)
"""What only PHP, PowerShell and Groovy have, in whose texts `$name` is replaced."""
PYTHON = lazy_pattern(r"^(?:from\s+[\w.]+\s+import\s|import\s+[\w., ]+$|\s*def\s+\w+\()", re.MULTILINE)
JAVA = lazy_pattern(r"^(?:package|import)\s+(?:static\s+)?[\w.*]+;", re.MULTILINE)
"""What only Java has, in whose blocks of text escapes are read as in other texts."""
KOTLIN = lazy_pattern(r"^[ \t]*(?:\w+ )*fun [\w<`(]", re.MULTILINE)
"""What only Kotlin has, in whose texts `${name}` is replaced."""


class Literals:
    """Reads the texts of one program."""

    def __init__(self, excerpt: Excerpt, constants: Mapping[str, str]) -> None:
        self._excerpt = excerpt
        self._constants = constants
        self._escapes_in_blocks = PYTHON.search(excerpt.text) or JAVA.search(excerpt.text)
        self._is_go = GO.search(excerpt.text) is not None
        self._formats = templates.FORMATS.search(excerpt.text) and PYTHON.search(excerpt.text)
        self._prints = PRINTS.search(excerpt.text) is not None
        self._interpolates = KOTLIN.search(excerpt.text) is not None
        self._replaces_bare = not self._interpolates and BARE_LANGUAGE.search(excerpt.text) is not None

    def excerpt(self, token: Token) -> Excerpt:
        """What stands between the quotes, without escapes."""
        if token.text.endswith("@"):
            return self._excerpt.part(token.start + 2, token.end - 2)
        width = 3 if token.text[:3] in TRIPLE else 1
        inner = self._excerpt.part(token.end - len(token.text) + width, token.end - width)
        if self._interpolates and token.text[0] == '"':
            return inner.replaced(IN_KOTLIN, self._in_kotlin)
        if token.text[0] == "`" and not self._is_go:
            return inner.replaced(IN_TEMPLATE, lambda match: placeholder(match[1]) if match[1] is not None else "")
        if self._prints and (width == 3 or token.text[0] == "`"):
            inner = inner.replaced(PRINTED, lambda _: placeholder("argument"))
        prefix = token.prefix.lower()
        formats = prefix.endswith("f") or (width == 3 and self._formats and DOUBLED.search(inner.text))
        if width == 3 and not (self._escapes_in_blocks and "r" not in prefix):
            text = inner.replaced(JOINS_LINES, lambda _: "")
            return text.replaced(OF_PYTHON, _formatted) if formats else text.replaced(DOLLAR, lambda _: "")
        if token.text[0] == "`":
            return inner.replaced(DOLLAR, lambda _: "")
        text = inner.replaced(program.ESCAPE, program.unescaped)
        return text.replaced(OF_PYTHON, _formatted) if formats else text

    def _in_kotlin(self, match: re.Match[str]) -> str:
        """What a text of Kotlin has in place of an escape or a variable."""
        if match["dollar"]:
            return "$"
        if match["escaped"]:
            return program.ESCAPES.get(match["escaped"], match["escaped"])
        name = match["bare"] if match["braced"] is None else match["braced"]
        return self._constants.get(name) or placeholder(name)

    def appended(self, tokens: Sequence[Token]) -> Iterator[Excerpt]:
        """The text of each object to which a program appends, up to where it gives it away: also under conditions.

        What is not a text is a placeholder.
        """
        parts, receiver = dict[str, list[Excerpt]](), ""
        for at, token in enumerate(tokens):
            if token.text in parts and tokens[at + 1 : at + 2] and tokens[at + 1].text == "=":
                yield joined(parts.pop(token.text))  # another object has the name from here on
            match = APPENDS.fullmatch(token.text) if token.kind == "word" else None
            if match is None or at + 2 >= len(tokens) or tokens[at + 1].text != "(":
                continue
            receiver = match["receiver"] or receiver
            piece = tokens[at + 2]
            is_text = piece.kind == "text" and at + 3 < len(tokens) and tokens[at + 3].text == ")"
            run = parts.setdefault(receiver, [])
            run.append(self.excerpt(piece) if is_text else self._excerpt.text_at(piece.start, placeholder("argument")))
            if match["line"]:
                run.append(self._excerpt.text_at(piece.start, "\n"))
        yield from map(joined, parts.values())

    def texts(self, tokens: Iterable[Token]) -> Iterator[Excerpt]:
        """The texts; as one, those that a plus sign or nothing joins, or that are appended one by one."""
        run, end, follows = list[Excerpt](), 0, False
        for token in tokens:
            if token.kind != "text":
                follows = follows and token.text in ("+", "\\")
                continue
            appended = None if follows or not run else APPENDED.fullmatch(self._excerpt.text, end, token.start)
            if run and not follows and not appended:
                yield joined(run)
                run = []
            if appended and appended["line"]:
                run.append(self._excerpt.text_at(token.start, "\n"))
            run.append(self.excerpt(token))
            end, follows = token.end, True
        if run:
            yield joined(run)

    def text(self, token: Token) -> str:
        """A text as the program gives it."""
        literal = self.excerpt(token).text
        if token.text[0] != '"' or not self._replaces_bare:
            return literal
        return BARE.sub(lambda match: placeholder(match[1]), literal)


def _formatted(match: re.Match[str]) -> str:
    """What str.format of Python puts in place of braces."""
    return match[0][0] if match[1] is None else placeholder(match[1])
