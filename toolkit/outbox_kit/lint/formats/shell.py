"""Shell scripts: connectors in quoted words and here-documents, such as the body of a curl command."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import fragment, server
from outbox_kit.lint.document import QUOTED, Document, Entry
from outbox_kit.lint.document import document as connector
from outbox_kit.lint.excerpt import Excerpt, joined
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.literals import PYTHON
from outbox_kit.lint.placeholders import EXPANDED_REFERENCE, placeholder
from outbox_kit.lint.request import ConnectRequest, curl
from outbox_kit.lint.shell_functions import FUNCTION, parameters, values
from outbox_kit.lint.words import names_connector

FIRST_LINE = lazy_pattern(r"#!.*\b(ba|da|z|k)?sh\b")
FILLS = ("envsubst", "sed ", "eval ", "perl ", "jq ", "python")
"""Commands that may replace variables in a text later."""
ENVSUBST = lazy_pattern(r"^(?!\s*#).*?\benvsubst[ \t]*(?=[<>|;)&]|$)", re.MULTILINE)
"""The command that replaces all variables, because it has no list of them."""
ADDS = lazy_pattern(r"\bjq\b[^\n]*(?:\\\n[^\n]*)*?(?:\+\s*\{|\|=|\+=|\]\s*=[^=]|\.[\w.]+\s*=[^=])")
"""A command that adds options to an object of JSON."""
VARIABLE = lazy_pattern(r"\$(?:\{(\w+)\}|([A-Za-z_]\w*))")
BARE = lazy_pattern(r"\s*\{\s*[A-Za-z_]\w*\s*:")
"""An object as jq takes it, whose names need no quotes."""
BARE_NAME = lazy_pattern(r"(?<=[{,\s])([A-Za-z_]\w*)(?=\s*:\s)")
COMPUTED = lazy_pattern(r"(?<=:)[ \t]*(\$\w+|\((?:[^()\n]|\([^()\n]*\))*\))(?=[ \t]*[,}\n])")
"""A value that jq computes, as its own language has it."""
MEMBER_LINE = lazy_pattern(r"^[ \t]*\$\([\w.=]+\),?[ \t]*$\n?", re.MULTILINE)
"""A line that is a variable alone, which may have members of an object."""
LISTED = lazy_pattern(r"\benvsubst[ \t]+[\"'$]")
COMMANDS = ("curl ", "wget ")
TO_COMMAND = lazy_pattern(r"^[ \t]*(?:[$#>][ \t]+)?(?:cat|oc|kubectl|tee)\b[^\n]*<<-?[ \t]*[\"'\\]?\w+", re.MULTILINE)
"""A here-document for a command."""
HERE = lazy_pattern(r"<<(-?)[ \t]*(?:(['\"])(.+?)\2|(\\?)([\w.-]+))")
ASSIGNED = lazy_pattern(r"-{0,2}[\w-]+=|-\w{1,5}")
NAMED = lazy_pattern(r"DEBEZIUM_|debezium[_.]|CONNECTOR_")
"""What begins a setting, whose name is needed."""
NAME = lazy_pattern(r"\{[#!]?(\w+)(?::?-([^{}$]*)|[^{}]*)\}|(\w+|[@*#?$!-])")
SETTING = lazy_pattern(r"(?:DEBEZIUM_[A-Z0-9_]+|debezium_[a-z0-9_]+|debezium\.[\w.-]+)=(?!.*\n)")
"""A setting of Debezium Server as a word, such as an argument of `docker run --env`."""
CLASS, CLASS_OF_IMAGE = "connector.class=", "CONNECTOR_CONNECTOR_CLASS="
OF_IMAGE = lazy_pattern(r"CONNECTOR_[A-Z0-9_]+=")
"""An option as a variable of an image that runs one connector."""
OPTION = lazy_pattern(r"[a-z][\w-]*(?:\.[\w-]+)+=[^\n]*|transforms=[^\n]*|predicates=[^\n]*")
"""An option of a connector as a word, such as an entry of an array."""
REFERENCE = lazy_pattern(r"\$\{\w+:[\w./][\w./-]*(?::[\w.-]+)?\}")
"""A reference to a config provider, which is no variable with a default: those have a sign behind the colon."""
ASSIGNMENT = lazy_pattern(
    r"^[ \t]*(?:(?:export|readonly|local|declare)[ \t]+(?:-\w+[ \t]+)*)?(?P<name>[A-Za-z_]\w*)="
    r"(?:\"(?P<double>[^\"`\\\n]*)\"|'(?P<single>[^'\n]*)'|(?P<bare>[^\s\"'`();&|]*))[ \t]*(?:;|#.*|$)",
    re.MULTILINE,
)
OWN_DEFAULT = lazy_pattern(r"\$\{(?P<name>\w+):?[-=](?P<text>[^{}$]*)\}")
"""What keeps a variable that is set, and else gives it a value."""
SEPARATORS = " \t\n;&|()"
ENDS_COMMAND = lazy_pattern(r";|\|\||(?<!>)&")
LONGEST_NAME = 60
SHORTEST = 30
"""A text of fewer characters has no connector."""
DEEPEST = 60
ESCAPED = {'"': '"$`"\\', "<<": "$`\\"}
"""The characters that a backslash protects, by the quotes around."""
ANSI = {"n": "\n", "t": "\t", "r": "\r"}


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a script: each quoted word and each here-document that has a connector."""
    script = _Script(excerpt, {**parameters(excerpt.text), **_assigned(excerpt.text)}).words()
    settings = [word.excerpt for word in script if SETTING.match(word.text)]
    entries, whole = _assignments(settings, excerpt)
    if server.runs(entry.key for entry in entries):
        yield server.document(entries, whole)
    options = [word.excerpt for word in script if OPTION.fullmatch(word.text)]
    if sum(option.text.startswith(CLASS) for option in options) == 1:
        entries, whole = _assignments(options, excerpt)
        yield replace(connector("json", None, entries, whole), verbatim=False)
    replaces_all = ENVSUBST.search(excerpt.text) and not LISTED.search(excerpt.text)
    literal = "envsubst" if replaces_all else "" if any(word in excerpt.text for word in FILLS) else QUOTED
    variables = [word.excerpt for word in script if OF_IMAGE.match(word.text)]
    if any(variable.text.startswith(CLASS_OF_IMAGE) for variable in variables):
        entries, whole = _assignments(variables, excerpt)
        config = [replace(entry, key=_option_of_variable(entry.key)) for entry in entries]
        yield replace(connector("json", None, config, whole), verbatim=False)
    adds = ADDS.search(excerpt.text) is not None
    functions = {match["keyword"] or match["name"]: match.span("body") for match in FUNCTION.finditer(excerpt.text)}
    for word in script:
        text = word.excerpt.replaced(VARIABLE, _placeholder) if replaces_all and not word.expands else word.excerpt
        if BARE.match(word.text):
            text = text.replaced(BARE_NAME, lambda match: f'"{match[1]}"')
        may_hold = _may_hold(word.text)
        words = [each.text for each in script if each.command == word.command] if may_hold else []
        if "jq" in words:
            text = text.replaced(COMPUTED, lambda match: f'"{placeholder(match[1])}"')
        whole = text.replaced(MEMBER_LINE, lambda _: "")
        language = ".py" if "\n" in word.text and PYTHON.search(word.text) else ""
        is_fragment = may_hold and fragment.MEMBERS.match(word.text)
        documents = list(fragment.read(whole, nested) if is_fragment else nested(whole, language)) if may_hold else []
        request = (curl(words) or _request_of_call(words, functions, excerpt)) if documents else None
        for document in documents:
            expands = "the shell" if word.expands else document.expands or literal
            added = len(whole.text) < len(text.text) or (adds and (request is None or "jq" in words))
            partial = document.partial or added
            yield replace(document, expands=expands, request=request, partial=partial)


def _request_of_call(
    words: Sequence[str], functions: Mapping[str, tuple[int, int]], excerpt: Excerpt
) -> ConnectRequest | None:
    """The request that the function makes which a command calls; None if that makes none, or several.

    functions: where the body of each begins and ends.
    """
    at = next((number for number, word in enumerate(words) if word in functions), None)
    if at is None:
        return None
    body = excerpt.part(*functions[words[at]])
    script = _Script(body, values(body.text, words[at + 1 :])).words()
    commands = {word.command for word in script if word.text == "curl"}
    return curl([word.text for word in script if word.command in commands])


def _assignments(words: Sequence[Excerpt], excerpt: Excerpt) -> tuple[list[Entry], Excerpt]:
    """The options in words such as `name=value`, with the text that has their places."""
    parts = [word.text.partition("=") for word in words]
    entries = [Entry(name, value, at) for at, (name, _, value) in enumerate(parts)]
    ends = [words[-1].offsets[-1]] if words else []
    return entries, Excerpt("", [*(word.offsets[0] for word in words), *ends], excerpt.lines)


def _option_of_variable(name: str) -> str:
    return name.removeprefix("CONNECTOR_").lower().replace("_", ".")


def _placeholder(variable: re.Match[str]) -> str:
    return placeholder(variable[1] or variable[2])


def _may_hold(word: str) -> bool:
    """Whether a word may be the text of a connector."""
    return len(word) >= SHORTEST and names_connector(word) and not (SETTING.match(word) or OPTION.fullmatch(word))


def _posts(line: str) -> bool:
    """Whether a line may have a request: it names a command that makes one, and is neither a remark nor a sentence."""
    return (
        not line.lstrip().startswith("#")
        and not line.rstrip().endswith(".")
        and any(command in line for command in COMMANDS)
    )


FORMAT = TextFormat(
    rank=20,
    title="shell scripts",
    suffixes=(".sh", ".bash", ".zsh", ".ksh", ".dockerfile", "dockerfile", "containerfile"),
    recognises=lambda text: (
        bool(FIRST_LINE.match(text) or TO_COMMAND.search(text)) or any(map(_posts, text.splitlines()))
    ),
    read=read,
    expected="a connector in quotes or in a here-document",
)


@dataclass(frozen=True)
class _Argument:
    """A word of a command, or its here-document."""

    excerpt: Excerpt
    expands: bool
    """Whether the shell replaces variables in a part of it."""
    command: int
    """The number of the pipeline that it belongs to."""

    @property
    def text(self) -> str:
        """Its text."""
        return self.excerpt.text


@dataclass
class _Word:
    """The pieces of a word until now."""

    parts: list[Excerpt] = field(default_factory=list)
    expands: bool = False
    """Whether the shell replaces variables in a part of it."""

    @property
    def text(self) -> str:
        """Its text, if it may be an assignment."""
        return "".join(part.text for part in self.parts) if len(self.parts) <= LONGEST_NAME else ""


class _Script:
    """Walks through a script once. A word is the text that a command gets: `'a'"b"$c` is one."""

    def __init__(self, excerpt: Excerpt, assigned: Mapping[str, str]) -> None:
        self._excerpt = excerpt
        self._text = excerpt.text
        self._assigned = assigned
        self._pending = list[tuple[str, bool, bool]]()
        """The here-documents whose text begins in the next line: their end, whether indented, whether expanded."""
        self._finished = list[_Argument]()
        self._depth = self._command = 0

    def words(self) -> list[_Argument]:
        """The words and the here-documents."""
        at = 0
        while at < len(self._text):
            at = self._commands(at, "") + 1
        return self._finished

    def _commands(self, at: int, end: str) -> int:
        """Walk from an offset; returns that of the character that ends it. end: `)` within a substitution."""
        word = _Word()
        while at < len(self._text) and self._text[at] != end:
            character = self._text[at]
            if character in SEPARATORS or (character == "#" and not word.parts):
                word = self._finish(word)
            if character == "\n":
                at = self._here_documents(at + 1)
                self._command += self._depth == 0
            elif ENDS_COMMAND.match(self._text, at) and self._depth == 0:
                self._command += 1
                at += 1
            elif character == "#" and (at == 0 or self._text[at - 1] in SEPARATORS):
                at = self._line_end(at)
            elif character == "(":
                at = self._nested_commands(at + 1)
            elif self._text.startswith("<<<", at):
                at += 3
            elif match := HERE.match(self._text, at):
                self._pending.append((match[3] or match[5], bool(match[1]), not (match[2] or match[4])))
                at = match.end()
            else:
                at = self._piece(at, word)
        self._finish(word)
        return at

    def _nested_commands(self, at: int) -> int:
        """Walk through commands in parentheses; returns the offset behind them."""
        if self._depth >= DEEPEST:
            return at
        self._depth += 1
        end = self._commands(at, ")")
        self._depth -= 1
        return end + 1

    def _piece(self, at: int, word: "_Word") -> int:
        """Add to a word what stands at an offset; returns the offset behind it."""
        character = self._text[at]
        is_setting = NAMED.match(word.text) and not self._text.startswith(("{", "\n"), at + 1)
        if character in "\"'" and ASSIGNED.fullmatch(word.text) and not is_setting:
            if word.text.startswith("-"):
                self._finish(word)
            word.parts = []  # the text of `NAME='...'` and `--data='...'` is what is in quotes
        if character == "'":
            stop = self._find("'", at + 1)
            word.parts.append(self._excerpt.part(at + 1, stop))
            return stop + 1
        if character == '"':
            pieces, at = self._expanded(at + 1, '"')
            word.parts += pieces
            word.expands = True
            return at + 1
        if character in "$\\":
            piece, at = self._special(at)
            word.parts.append(piece)
            return at
        if character not in SEPARATORS + "<>":
            word.parts.append(self._excerpt.part(at, at + 1))
        return at + 1

    def _special(self, at: int) -> tuple[Excerpt, int]:
        """What a dollar sign or a backslash begins outside of quotes."""
        if self._text.startswith("$'", at):
            return self._ansi(at + 2)
        if self._text[at] == "$":
            return self._variable(at)
        escaped = at + 1 if self._text[at + 1 : at + 2] != "\n" else at + 2
        return self._excerpt.part(escaped, min(at + 2, len(self._text))), at + 2

    def _finish(self, word: "_Word") -> "_Word":
        """Keep a word that is complete, and begin another one."""
        if word.parts:
            self._finished.append(_Argument(joined(word.parts), word.expands, self._command))
        return _Word()

    def _expanded(self, at: int, quotes: str) -> tuple[list[Excerpt], int]:
        """The text within quotes, with placeholders for the variables, and the offset of its end.

        quotes: as for ESCAPED; a here-document has no character that ends it.
        """
        parts, start = list[Excerpt](), at
        while at < len(self._text) and self._text[at] != quotes:
            if self._text[at] in "\\$":
                parts.append(self._excerpt.part(start, at))
                piece, at = self._escape(at, quotes) if self._text[at] == "\\" else self._variable(at)
                parts.append(piece)
                start = at
            else:
                at += 1
        return [*parts, self._excerpt.part(start, at)], at

    def _escape(self, at: int, quotes: str) -> tuple[Excerpt, int]:
        following = self._text[at + 1 : at + 2]
        if following == "\n":
            return self._excerpt.part(at, at), at + 2
        if following in ESCAPED[quotes]:
            return self._excerpt.part(at + 1, at + 2), at + 2
        return self._excerpt.part(at, at + 1), at + 1

    def _variable(self, at: int) -> tuple[Excerpt, int]:
        """What stands behind a dollar sign, as a placeholder."""
        if self._text.startswith("$(", at):
            return self._excerpt.text_at(at, "$(command)"), self._nested_commands(at + 2)
        if match := NAME.match(self._text, at + 1):
            name = match[1] or match[3]
            if REFERENCE.match(self._text, at):
                return self._excerpt.text_at(at, EXPANDED_REFERENCE), match.end()
            text = self._assigned.get(name) or placeholder(name, match[2] or "")
            return self._excerpt.text_at(at, text), match.end()
        return self._excerpt.part(at, at + 1), at + 1

    def _ansi(self, at: int) -> tuple[Excerpt, int]:
        """The text of `$'...'`."""
        match = re.compile(r"(?:\\.|[^'\\])*", re.DOTALL).match(self._text, at)
        end = match.end() if match else at
        inner = self._excerpt.part(at, end)
        return inner.replaced(re.compile(r"\\(.)", re.DOTALL), lambda each: ANSI.get(each[1], each[1])), end + 1

    def _here_documents(self, at: int) -> int:
        """Keep the here-documents that begin at a line; returns the offset behind them."""
        pending, self._pending = self._pending, []
        for word, indented, expands in pending:
            lines = list[Excerpt]()
            while at < len(self._text):
                end = self._line_end(at)
                line = self._text[at:end]
                begin = at + (len(line) - len(line.lstrip("\t")) if indented else 0)
                at = end + 1
                if self._text[begin:end] == word:
                    break
                lines.append(self._excerpt.part(begin, min(end + 1, len(self._text))))
            if lines:
                body = _together(lines)
                body = _Here(body, self._assigned).expanded() if expands else body
                self._finished.append(_Argument(body, expands, self._command))
        return at

    def _line_end(self, at: int) -> int:
        return self._find("\n", at)

    def _find(self, text: str, at: int) -> int:
        place = self._text.find(text, at)
        return len(self._text) if place < 0 else place


def _assigned(script: str) -> Mapping[str, str]:
    """The texts of variables to which a script assigns one, once; a placeholder with the default of others."""
    values, repeated = dict[str, str](), set[str]()
    for match in ASSIGNMENT.finditer(script):
        name, value = match["name"], match["double"] or match["single"] or match["bare"] or ""
        default = OWN_DEFAULT.fullmatch(value)
        text = placeholder(default["name"], default["text"]) if default else value
        if values.setdefault(name, text) != text or "$" in text.removeprefix("$("):
            repeated.add(name)
    return {name: text for name, text in values.items() if text and name not in repeated}


class _Here(_Script):
    """The text of a here-document in which the shell replaces variables."""

    def expanded(self) -> Excerpt:
        """The text with placeholders for the variables."""
        return _together(self._expanded(0, "<<")[0])


def _together(parts: list[Excerpt]) -> Excerpt:
    """Excerpts as one; as they stand in the file, if they follow each other there."""
    whole = joined(parts)
    first = whole.offsets[0]
    if list(whole.offsets) == list(range(first, first + len(whole.offsets))):
        return Excerpt(whole.text, range(first, first + len(whole.offsets)), whole.lines)
    return whole
