"""Programs that register or run a connector: maps and calls whose arguments are options, and texts with a connector.

The languages differ little in what is read here: a text that is an option's name, what separates it from its value, and
the value up to the next comma, semicolon or bracket. What only a run of the program decides is a placeholder.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from outbox_kit import databases
from outbox_kit.lint import engine, server
from outbox_kit.lint.document import Document, Entry
from outbox_kit.lint.excerpt import Excerpt, joined
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.formats import text
from outbox_kit.lint.placeholders import CREDENTIALS, placeholder
from outbox_kit.lint.tokens import Token, tokens
from outbox_kit.lint.words import names_connector

OPEN, CLOSE = "([{", ")]}"
SEPARATORS = (":", "=>", "to", "->", "=")
"""Between the name of an option and its value, in a map."""
BEFORE_MAPS = ("=", "(", ",", ":", "[", "return", "@", "?", "||", "??")
"""What stands before the brace of a map, rather than of a block."""
BUILDERS = {
    "forJdbcContainer": ("database.hostname", "database.port", "database.user", "database.password", "database.dbname"),
    "forMongoDbReplicaSet": ("mongodb.connection.string",),
}
"""Functions of Debezium's containers for tests, with the options that they set."""
FALLBACK = re.compile(
    r"(?:[\w.?]*\benv\b[\w.?]*(?:\[[^\[\]]*\])?\s*(?:\|\||\?\?)\s*)(?P<quote>[\"'`])(?P<text>[^\"'`$]*)(?P=quote)$"
)
"""What a variable of the environment has where it is not set."""
KEY = re.compile(r"[A-Za-z_][\w.$-]*")
MAPS = re.compile(r"(?:.*\.)?(?:of|mapOf|hashMapOf|mutableMapOf|sortedMapOf|linkedMapOf|Map|Hash|array)")
"""Functions whose arguments are names and values in turn, or pairs."""
MORE = re.compile(r"(?:.*\.)?(?:putAll|from|setProperties|addAll|update|merge|extend)")
"""Functions that add options which the place does not show."""
SPREAD = ("...", "**")
PLAIN = re.compile(r"[-+]?\d[\d_]*(?:\.\d+)?[lLfFdD]?|true|false", re.IGNORECASE)
CONSTANT = re.compile(
    r"(?<![\w.\[\"'])([A-Za-z_]\w*)(?:\s*:\s*[\w<>?]+)?\s*=\s*"
    r"(\"(?:[^\"\\\n]|\\.)*\"|'[^'\\\n]*')\s*;?[ \t]*(?=\n|//|$)"
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
DOLLAR = re.compile(r"\\(?=\$)")
IN_KOTLIN = re.compile(
    r"(?P<dollar>\$\{'\$'\})|\\(?P<escaped>.)|\$\{(?P<braced>[^{}]*)\}|\$(?P<bare>[A-Za-z_]\w*)", re.DOTALL
)
IN_TEMPLATE = re.compile(r"(?<!\\)\$\{([^{}]*)\}|\\(?=[$`\\])")
GO = re.compile(r"^package \w+[ \t]*$", re.MULTILINE)
"""What only Go has, in whose backticks nothing is replaced."""
OF_PYTHON = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
BARE = re.compile(r"\$([A-Za-z_]\w*)")
"""A variable in a text in double quotes of PHP and others."""
KOTLIN = re.compile(r"^\s*(?:\w+ )*fun [\w<`(]", re.MULTILINE)
"""What only Kotlin has, in whose texts `${name}` is replaced."""
ASSIGNED = re.compile(r"([A-Za-z_]\w*)\s*(?::[^=;{}()]*)?=\s*(?:new\s+)?(?:dict\s*)?[@(\w<>\[\], ]*$")
LONGEST_NAME = 200
CONTINUED = ("+", ".", "||", "??", "?", ":", "?.", "&&", "|")
"""What continues an expression in the next line."""
CLASS = "connector.class"
ENGINE = "DebeziumEngine"
"""The class of the engine, in a program that runs a connector itself."""
OF_ROUTER = re.compile(r"transforms\.[\w-]+\.type")
JSON = re.compile(r"\s*[{\[]")


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a program."""
    program = _Program(excerpt)
    settings, others = list[Entry](), list[_Options]()
    for options in program.maps():
        if server.runs(entry.key for entry in options.entries):
            settings += options.entries  # secrets often have a map of their own
        elif options.built or any(entry.key == CLASS for entry in options.entries):
            others.append(options)
        elif others and any(OF_ROUTER.fullmatch(entry.key) for entry in options.entries):
            others[-1].entries += options.entries  # such as those that a condition adds
    for options in others:
        keys = [entry.key for entry in options.entries]
        if keys.count(CLASS) > 1:  # what the program sets holds, not what the builder did
            options.entries.pop(keys.index(CLASS))
    texts = [
        literal
        for literal in program.texts()
        if names_connector(literal.text) and (JSON.match(literal.text) or "\n" in literal.text.strip())
    ]
    if settings:
        yield server.document(settings, excerpt)
    for options in others:
        read_options = engine.document("code", options.entries, excerpt, runs=ENGINE in excerpt.text)
        yield replace(read_options, verbatim=False, partial=options.partial)
    for literal in texts:
        yield from nested(literal, ".sh" if "<<" in literal.text else "")
    if not (settings or others or texts):
        yield from text.read(excerpt, nested)


@dataclass
class _Options:
    """The options of one map, or those that calls give to one object."""

    entries: list[Entry] = field(default_factory=list)
    partial: bool = False
    """Whether it has options that are not shown."""
    bases: list[str] = field(default_factory=list)
    """The names of maps whose options it takes over."""
    built: bool = False
    """Whether a builder sets its class."""


@dataclass
class _Scope:
    """A bracket that is open: its position, and the function that it belongs to."""

    at: int
    function: str
    is_map: bool = False
    """Whether names need no quotes in it: a map of JavaScript or PowerShell."""
    is_hashtable: bool = False
    """Whether it is one of PowerShell, with equals signs."""
    commas: int = 0
    """How many commas were in it until now, those in other brackets left out."""


@dataclass
class _Scan:
    """What was found in a program until now."""

    groups: dict[tuple[int, str], _Options] = field(default_factory=dict)
    """The options by the scope and the object that they belong to."""
    scopes: list[_Scope] = field(default_factory=lambda: [_Scope(-1, "")])
    """The brackets that are open."""
    names: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The scopes of maps by the names to which they are assigned."""

    def options(self, owner: tuple[int, str]) -> _Options:
        """The options of an owner."""
        return self.groups.setdefault(owner, _Options())

    def innermost(self) -> _Options:
        """The options of the innermost bracket."""
        return self.options((self.scopes[-1].at, ""))


class _Program:
    """A program as tokens."""

    def __init__(self, excerpt: Excerpt) -> None:
        self._excerpt = excerpt
        self._tokens = list(tokens(excerpt.text))
        self._constants = _constants(excerpt.text)
        self._is_go = GO.search(excerpt.text) is not None
        self._interpolates = KOTLIN.search(excerpt.text) is not None

    def texts(self) -> Iterator[Excerpt]:
        """The literal texts; those that a plus sign or nothing joins as one."""
        run = list[Token]()
        for token in self._tokens:
            if token.kind == "text":
                run.append(token)
            elif token.text not in ("+", "\\") and run:
                yield joined(map(self._literal, run))
                run = []
        if run:
            yield joined(map(self._literal, run))

    def _literal(self, token: Token) -> Excerpt:
        if token.text.endswith("@"):
            return self._excerpt.part(token.start + 2, token.end - 2)
        width = 3 if token.text[:3] in ('"""', "'''") else 1
        inner = self._excerpt.part(token.end - len(token.text) + width, token.end - width)
        if self._interpolates and token.text[0] == '"':
            return inner.replaced(IN_KOTLIN, self._in_kotlin)
        if token.text[0] == "`" and not self._is_go:
            return inner.replaced(IN_TEMPLATE, lambda match: placeholder(match[1]) if match[1] is not None else "")
        if width == 3 or token.text[0] == "`":
            return inner.replaced(DOLLAR, lambda _: "")
        return inner.replaced(ESCAPE, _unescaped)

    def _in_kotlin(self, match: re.Match[str]) -> str:
        """What a text of Kotlin has in place of an escape or a variable."""
        if match["dollar"]:
            return "$"
        if match["escaped"]:
            return ESCAPES.get(match["escaped"], match["escaped"])
        name = match["braced"] or match["bare"]
        return self._constants.get(name) or placeholder(name)

    def maps(self) -> Iterator[_Options]:
        """The options in each map or of each object, in the order of the program."""
        scan = _Scan()
        for at, token in enumerate(self._tokens):
            if token.kind == "mark":
                self._mark(scan, at)
            elif token.kind == "word" and self._adds(scan, token):
                continue
            elif pair := self._pair(at, scan.scopes):
                owner, entry = pair
                scan.options(owner).entries.append(entry)
        groups, names = scan.groups, scan.names
        taken = {names[base] for options in groups.values() for base in options.bases if base in names}
        for owner, options in groups.items():
            if owner not in taken or options.bases:
                yield _with_bases(options, groups, names)

    def _mark(self, scan: "_Scan", at: int) -> None:
        """Open or close a bracket, count a comma, or note a map whose options are taken over."""
        token, before = self._tokens[at], self._tokens[at - 1].text if at else ""
        if token.text in OPEN:
            is_map = token.text == "{" and before in BEFORE_MAPS
            scan.scopes.append(_Scope(token.start, self._function(at), is_map, before == "@"))
            if match := ASSIGNED.search(self._excerpt.text, max(0, token.start - LONGEST_NAME), token.start):
                scan.names[match[1]] = (token.start, "")
        elif token.text in CLOSE:
            del scan.scopes[max(1, len(scan.scopes) - 1) :]
        elif token.text == ",":
            scan.scopes[-1].commas += 1
        elif token.text in SPREAD and self._text_at(at + 1):
            scan.innermost().bases.append(self._text_at(at + 1))

    def _adds(self, scan: "_Scan", token: Token) -> bool:
        """Whether a word is a function that adds options, which are noted."""
        if MORE.fullmatch(token.text):
            scan.innermost().partial = True
        elif token.text.rpartition(".")[2] in BUILDERS:
            scan.innermost().entries += self._built(token)
            scan.innermost().built = True
        else:
            return False
        return True

    def _text_at(self, at: int) -> str:
        """The word that stands at a token; empty if there is none."""
        return self._tokens[at].text if at < len(self._tokens) and self._tokens[at].kind == "word" else ""

    def _built(self, token: Token) -> Iterator[Entry]:
        """The options that a builder sets."""
        names = BUILDERS[token.text.rpartition(".")[2]]
        for name in names:
            yield Entry(name, placeholder(token.text), token.start)
        program = self._excerpt.text.replace("<*>", "")
        of_document = [each for each in databases.ALL.values() if each.capture.option_prefix == "collection"]
        of_tables = [each for each in databases.ALL.values() if each.capture.test_container]
        fitting = [each for each in of_tables if f"{each.capture.test_container}(" in program]
        dialects = of_document if len(names) == 1 else fitting
        connector = dialects[0].capture.options[CLASS] if len(dialects) == 1 else placeholder(token.text)
        yield Entry(CLASS, connector, token.start)

    def _pair(self, at: int, scopes: Sequence[_Scope]) -> tuple[tuple[int, str], Entry] | None:
        """The option that a text begins, with the scope and the object that it belongs to."""
        token, following = self._tokens[at], self._tokens[at + 1 : at + 3]
        key = self._text(token) if token.kind == "text" else token.text
        is_value = at > 0 and self._tokens[at - 1].text in SEPARATORS
        if not KEY.fullmatch(key) or not following or is_value:
            return None
        scope, outer = scopes[-1], scopes[-2] if len(scopes) > 1 else scopes[-1]
        mark = following[0].text
        if token.kind != "text":
            of_map = scope.is_map and token.kind == "word" and mark == (":" if not scope.is_hashtable else "=")
            return ((scope.at, ""), Entry(key, self._value(at + 2, key), token.start)) if of_map else None
        if mark in SEPARATORS:
            return (scope.at, ""), Entry(key, self._value(at + 2, key), token.start)
        if mark == "]" and len(following) > 1 and following[1].text in ("=", ":"):
            return (outer.at, scope.function), Entry(key, self._value(at + 3, key), token.start)
        if mark != ",":
            return None
        value = Entry(key, self._value(at + 2, key), token.start)
        if MAPS.fullmatch(scope.function):
            return ((scope.at, ""), value) if scope.commas % 2 == 0 else None
        first = self._tokens[at - 1].end - 1 == scope.at if at else False
        receiver = scope.function.rpartition(".")[0]
        return ((outer.at, "" if receiver.endswith(("Map", "MapEntry")) else receiver), value) if first else None

    def _function(self, at: int) -> str:
        """What is called or indexed by a bracket; empty if nothing is."""
        before = self._tokens[at - 1] if at else None
        if before is None or before.kind != "word":
            return ""
        chained = at > 1 and self._tokens[at - 2].text in (".", "?.") and self._tokens[at - 2].kind == "mark"
        return f".{before.text}" if chained else before.text

    def _value(self, at: int, key: str) -> str:
        """The value that begins at a token, up to the comma, semicolon or bracket that ends it. key: of the option."""
        parts, depth = list[Token](), 0
        for token, after in pairwise([*self._tokens[at : at + 200], Token("mark", ";", 0, 0)]):
            if token.kind == "mark":
                if depth == 0 and (token.text in CLOSE or token.text in ",;"):
                    break
                depth += (token.text in OPEN) - (token.text in CLOSE)
            parts.append(token)
            between = self._excerpt.text[token.end : max(after.start, token.end)]
            if depth == 0 and "\n" in between and token.text not in CONTINUED and after.text not in CONTINUED:
                break
        expression = self._excerpt.text[parts[0].start : parts[-1].end] if parts else ""
        if (fallback := FALLBACK.search(expression)) and not key.endswith(CREDENTIALS):
            return fallback["text"]
        operands = _operands(parts)
        is_sum = any(len(operand) == 1 and operand[0].kind == "text" for operand in operands)
        return "".join(map(self._operand, operands)) if is_sum else self._computed(parts)

    def _operand(self, tokens: Sequence[Token]) -> str:
        return self._text(tokens[0]) if len(tokens) == 1 and tokens[0].kind == "text" else self._computed(tokens)

    def _computed(self, parts: Sequence[Token]) -> str:
        expression = "".join(token.text for token in parts)
        if not PLAIN.fullmatch(expression):
            return self._constants.get(expression) or placeholder(expression)
        if expression[-1:] in "lLfFdD" and expression[:1].isdigit():
            return expression.rstrip("lLfFdD").replace("_", "")
        return expression.lower()

    def _text(self, token: Token) -> str:
        """A literal text as the program gives it."""
        literal = self._literal(token).text
        if token.prefix.lower().endswith("f"):
            return OF_PYTHON.sub(lambda match: match[0][0] if match[1] is None else placeholder(match[1]), literal)
        if token.text[0] != '"' or self._interpolates:
            return literal
        return BARE.sub(lambda match: placeholder(match[1]), literal)


def _with_bases(
    options: _Options, groups: Mapping[tuple[int, str], _Options], names: Mapping[str, tuple[int, str]]
) -> _Options:
    """The options of a map with those that it takes over, of which its own hold."""
    keys = {entry.key for entry in options.entries}
    bases = [groups.get(names.get(base, (-2, ""))) for base in options.bases]
    taken = [entry for base in bases if base for entry in base.entries if entry.key not in keys]
    partial = options.partial or None in bases or any(base.partial or base.bases for base in bases if base)
    return _Options(
        [*taken, *options.entries], partial, built=options.built or any(base.built for base in bases if base)
    )


def _operands(parts: Sequence[Token]) -> list[list[Token]]:
    """The parts of a sum: what stands between plus signs that are in no bracket."""
    operands, depth = [list[Token]()], 0
    for token in parts:
        if token.kind == "mark":
            depth += (token.text in OPEN) - (token.text in CLOSE)
        if token.text == "+" and token.kind == "mark" and depth == 0:
            operands.append([])
        else:
            operands[-1].append(token)
    return [operand for operand in operands if operand]


def _constants(text: str) -> Mapping[str, str]:
    """The names to which the program assigns a text once."""
    values, repeated = dict[str, str](), set[str]()
    for match in CONSTANT.finditer(text):
        value = ESCAPE.sub(_unescaped, match[2][1:-1])
        if values.setdefault(match[1], value) != value:
            repeated.add(match[1])
    return {name: value for name, value in values.items() if name not in repeated}


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else ESCAPES.get(match[2], match[2])


FORMAT = TextFormat(
    rank=91,
    title="program",
    suffixes=(
        *(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".py"),
        *(".ps1", ".psm1", "jenkinsfile"),
        *(".java", ".kt", ".kts", ".groovy", ".scala", ".go", ".rs", ".cs", ".rb", ".php"),
    ),
    recognises=lambda _: False,
    read=read,
    expected="a map, or calls, with a connector's options",
    keeps_suffix=True,
)
