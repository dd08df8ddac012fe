"""A program as maps, calls and texts: what it says of the options of its connectors. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import camel, program
from outbox_kit.lint.builders import BUILDERS, built
from outbox_kit.lint.document import Entry
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.literals import Literals
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.lint.scan import Base, MapOptions, OpenBracket, Owner, Scan, join_branches, with_bases
from outbox_kit.lint.tokens import CLOSE, OPEN, Token, operands, tokens
from outbox_kit.lint.words import names_connector
from outbox_kit.router import options as router_options

SEPARATORS = (":", "=>", "to", "->", "=")
"""Between the name of an option and its value, in a map."""
PAIRED = ("to", "=>")
"""Those between a name and its value that nothing else has."""
BEFORE_MAPS = ("%", "=", "(", ",", ":", "[", "return", "@", "?", "||", "??")
"""What stands before the brace of a map, rather than of a block."""
KEY = lazy_pattern(r"[A-Za-z_](?:[\w.$-]*[\w$-])?")
SETTERS = ("put", "with", "setProperty", "set")
"""Functions of an object whose first argument is an option, and the second one its value."""
MAPS = lazy_pattern(r"(?:.*\.)?(?:of|mapOf|hashMapOf|mutableMapOf|sortedMapOf|linkedMapOf|Map|Hash|array)")
"""Functions whose arguments are names and values in turn, or pairs."""
MORE = lazy_pattern(r"(?:.*\.)?(?:putAll|from|setProperties|addAll|update|merge|extend|assign)")
"""Functions that add options which the place does not show."""
SPREAD = ("...", "**")
PLAIN = lazy_pattern(r"[-+]?\d[\d_]*(?:\.\d+)?[lLfFdD]?|true|false", re.IGNORECASE)
ASSIGNED = lazy_pattern(r"([A-Za-z_]\w*)\s*(?::[^=;{}()\n]*)?=\s*(?:new\s+)?(?:dict\s*)?[@(\w<>\[\], ]*$")
LONGEST_NAME = 200
LONGEST_KEY, LONGEST_VALUE = 60, 200
"""Tokens of an expression."""
CONTINUED = ("+", ".", "||", "??", "?", ":", "?.", "&&", "|")
"""What continues an expression in the next line."""
UNNAMED = ("name", "transforms", "predicates", "converters")
"""Options that a field of a structure may be called."""
ASSIGNMENT = lazy_pattern(r"(debezium\.[\w.-]+|DEBEZIUM_\w+)=(.*)", re.DOTALL)
"""A line of Debezium Server's properties, or one of its variables, as a text."""


class ParsedProgram:
    """A program as tokens."""

    def __init__(self, excerpt: Excerpt) -> None:
        self._excerpt = excerpt
        self._tokens = list(tokens(excerpt.text))
        self._constants = program.constants(excerpt.text)
        self._fields = program.renamed_fields(excerpt.text)
        self._fallbacks = program.fallbacks(excerpt.text)
        self._literals = Literals(excerpt, self._constants)
        self._all_maps = program.JSONNET.search(excerpt.text) is not None

    def texts(self) -> Iterator[Excerpt]:
        """The literal texts; as one, those that a program joins or appends to one object."""
        appended = [each for each in self._literals.appended(self._tokens) if names_connector(each.text)]
        return iter(appended) if appended else self._literals.texts(self._tokens)

    def maps(self) -> Iterator[MapOptions]:
        """The options in each map or of each object, in the order of the program."""
        scan = Scan()
        for at, token in enumerate(self._tokens):
            if token.kind == "mark":
                self._mark(scan, at)
            elif token.kind == "word" and self._adds(scan, token):
                continue
            elif pair := self._pair(at, scan.scopes):
                owner, entry = pair
                if literal := self._declared(scan, owner[1], token.start):
                    scan.add(literal, entry)
                else:
                    scan.options(owner).entries.append(entry)
        groups, names = scan.groups, scan.names
        for owner, options in groups.items():
            options.bases += self._begun_with(owner, options)
        join_branches(groups, self._excerpt.text)
        bases = (base for options in groups.values() for base in options.bases)
        taken = {base.owner or names.get(base.name) for base in bases}
        for owner, options in groups.items():
            root, _, member = owner[1].partition(".")
            options.partial = options.partial or bool(member and self._has_members(root))
            if (owner not in taken or options.bases) and not program.declares_type(self._excerpt.text, owner[0]):
                yield with_bases(options, groups, names)

    def _declared(self, scan: Scan, name: str, at: int) -> Owner | None:
        """The map that is changed at an offset; None if a function begins between it and its change."""
        literal = scan.declared(name) if name else None
        is_here = literal and not program.HEADER.search(self._excerpt.text, literal[0], at)
        return literal if is_here else None

    def names_class(self) -> bool:
        """Whether a text is the class of a connector, which a part of the program may add to a config."""
        return any(
            token.kind == "text" and self._literals.text(token) in router_options.connectors() for token in self._tokens
        )

    def _begun_with(self, owner: Owner, options: MapOptions) -> Iterator[Base]:
        """What an object was before calls have added options: the result of a function of the program."""
        scope, receiver = owner
        if not receiver or not options.entries:
            return
        begun = re.compile(rf"\b{re.escape(receiver)}\b[^=\n;(]*=\s*(super\.)?(\w+)\(")
        text = self._excerpt.text
        for match in begun.finditer(text, max(scope, 0), options.entries[0].at):
            if match[1]:
                options.partial = True
            elif opening := program.body_of(text, match[2]):
                yield Base(match[2], (opening, program.result_of(text, opening)))

    def _has_members(self, name: str) -> bool:
        """Whether an object has members of its own where it is declared, which may be options."""
        return re.search(rf"\b{re.escape(name)}\b(?:\s*:[^=]*)?\s*=\s*\{{", self._excerpt.text) is not None

    def getters(self) -> Iterator[Entry]:
        """The options that methods of a class give."""
        text = self._excerpt.text
        for match in (*program.GETTER.finditer(text), *program.ACCESSOR.finditer(text)):
            value = (match["value"] or match["option"]).strip()
            literal = re.fullmatch(program.LITERAL, value)
            yield Entry(match["option"], literal["literal"][1:-1] if literal else placeholder(value), match.start())

    def assignments(self) -> Iterator[Entry]:
        """The settings of Debezium Server that stand in texts, each as `name=value`."""
        for at, token in enumerate(self._tokens):
            before = self._tokens[at - 1].text if at else ""
            begins = token.kind == "text" and before not in ("+", *SEPARATORS)
            if begins and ASSIGNMENT.match(self._literals.text(token)):
                match = ASSIGNMENT.match(self._value(at))
                if match and "\n" not in match[2].strip():
                    yield Entry(match[1], match[2].strip(), token.start)

    def endpoints(self) -> Iterator[list[Entry]]:
        """The options in each endpoint of Camel that runs a connector."""
        for at, token in enumerate(self._tokens):
            first = token.kind == "text" and (at == 0 or self._tokens[at - 1].text != "+")
            options = list(camel.entries(self._value(at), token.start)) if first and "debezium-" in token.text else []
            if options:
                yield options

    def _mark(self, scan: Scan, at: int) -> None:
        """Open or close a bracket, count a comma, or note a map whose options are taken over."""
        token, before = self._tokens[at], self._tokens[at - 1].text if at else ""
        if token.text in OPEN:
            is_map = token.text == "{" and (before in BEFORE_MAPS or self._all_maps)
            scan.scopes.append(OpenBracket(token.start, self._function(at), is_map, before == "@"))
            if match := ASSIGNED.search(self._excerpt.text, max(0, token.start - LONGEST_NAME), token.start):
                scan.declare(match[1], token.start)
            elif function := program.returned_by(self._excerpt.text, token.start):
                scan.names[function] = (token.start, "")
        elif token.text in CLOSE:
            del scan.scopes[max(1, len(scan.scopes) - 1) :]
        elif token.text == ",":
            scan.scopes[-1].commas += 1
        elif token.text in SPREAD and self._text_at(at + 1):
            scan.take_over(self._text_at(at + 1))

    def _adds(self, scan: Scan, token: Token) -> bool:
        """Whether a word is a function that adds options, which are noted."""
        if MORE.fullmatch(token.text):
            scan.innermost().partial = True
        elif (function := token.text.rpartition(".")[2]) in BUILDERS:
            scan.innermost().entries += built(function, token.start, self._excerpt.text)
            scan.innermost().built = True
        else:
            return False
        return True

    def _text_at(self, at: int) -> str:
        """The word that stands at a token; empty if there is none."""
        return self._tokens[at].text if at < len(self._tokens) and self._tokens[at].kind == "word" else ""

    def _pair(self, at: int, scopes: Sequence[OpenBracket]) -> tuple[Owner, Entry] | None:
        """The option that a text begins, with the scope and the object that it belongs to."""
        token, following = self._tokens[at], self._tokens[at + 1 : at + 3]
        if computed := self._computed_key(at, scopes):
            return computed
        if token.kind == "word" and (option := program.option_of_field(token.text)) is not None:
            return self._of_field(at, scopes, option)
        if following and following[0].text == ":" and (field := self._field(at, scopes[-1])):
            return (scopes[-1].at, ""), Entry(field, self._value(at + 2), token.start)
        key = self._literals.text(token) if token.kind == "text" else token.text
        is_value = at > 0 and self._tokens[at - 1].text in SEPARATORS
        if not KEY.fullmatch(key) or not following or is_value:
            return None
        scope, outer = scopes[-1], scopes[-2] if len(scopes) > 1 else scopes[-1]
        mark = following[0].text
        if token.kind != "text" and mark in PAIRED and (constant := self._constants.get(token.text)):
            return (scope.at, ""), Entry(constant, self._value(at + 2), token.start)
        if token.kind != "text":
            of_map = scope.is_map and token.kind == "word" and mark == (":" if not scope.is_hashtable else "=")
            return ((scope.at, ""), Entry(key, self._value(at + 2), token.start)) if of_map else None
        if mark in SEPARATORS:
            return (scope.at, ""), Entry(key, self._value(at + 2), token.start)
        if mark == "]" and len(following) > 1 and following[1].text in ("=", ":"):
            return (outer.at, scope.function), Entry(key, self._value(at + 3), token.start)
        if mark != ",":
            return None
        value = Entry(key, self._value(at + 2), token.start)
        if MAPS.fullmatch(scope.function):
            return ((scope.at, ""), value) if scope.commas % 2 == 0 else None
        first = self._tokens[at - 1].end - 1 == scope.at if at else False
        receiver = scope.function.rpartition(".")[0]
        return ((outer.at, "" if receiver.endswith(("Map", "MapEntry")) else receiver), value) if first else None

    def _field(self, at: int, scope: OpenBracket) -> str:
        """The option that a field of a structure is where it gets its value; empty for other words."""
        token, before = self._tokens[at], self._tokens[at - 1].text if at else ""
        is_definition = before in ("]", "pub") or self._excerpt.text.startswith("&", token.end + 2)
        if token.kind != "word" or not self._fields or is_definition or scope.at < 0:
            return ""
        return self._fields.get(token.text, token.text if token.text in UNNAMED else "")

    def _of_field(self, at: int, scopes: Sequence[OpenBracket], option: str) -> tuple[Owner, Entry] | None:
        """The option that a field of a class begins; one that is not known has a name that no option has."""
        after = at + 3 if self._tokens[at].text.endswith(".name") else at + 1
        first = at > 0 and self._tokens[at - 1].end - 1 == scopes[-1].at
        if not first or after >= len(self._tokens) or self._tokens[after].text != ",":
            return None
        key = option or placeholder(self._tokens[at].text)
        owner = (scopes[-2].at if len(scopes) > 1 else -1, scopes[-1].function.rpartition(".")[0])
        return owner, Entry(key, self._value(after + 1), self._tokens[at].start)

    def _computed_key(self, at: int, scopes: Sequence[OpenBracket]) -> tuple[Owner, Entry] | None:
        """The option whose name is an expression: the first of two arguments of a function that sets one."""
        scope, before = scopes[-1], self._tokens[at - 1] if at else None
        receiver, _, function = scope.function.rpartition(".")
        is_index = scope.function != "" and self._excerpt.text[scope.at] == "["
        if not (is_index or function in SETTERS) or len(scopes) < 2 or before is None or before.end - 1 != scope.at:
            return None
        parts = list(self._expression(at, LONGEST_KEY))
        end = at + len(parts)
        marks = ["]", "="] if is_index else [","]
        follows = [token.text for token in self._tokens[end : end + len(marks)]] == marks
        if not follows or not parts or (len(parts) == 1 and parts[0].kind == "text"):
            return None
        key = "".join(map(self._name, operands(parts)))
        owner = (scopes[-2].at, scope.function if is_index else receiver)
        return owner, Entry(key, self._value(end + len(marks)), parts[0].start)

    def _expression(self, at: int, longest: int, *, ends_with_line: bool = False) -> Iterator[Token]:
        """The tokens from one on, up to the comma, semicolon or bracket that ends the expression.

        ends_with_line: whether the end of a line does so too, where nothing continues it.
        """
        depth = 0
        for token, after in pairwise([*self._tokens[at : at + longest], Token("mark", ";", 0, 0)]):
            if token.kind == "mark":
                if depth == 0 and (token.text in CLOSE or token.text in ",;"):
                    return
                depth += (token.text in OPEN) - (token.text in CLOSE)
            yield token
            between = self._excerpt.text[token.end : max(after.start, token.end)] if ends_with_line else ""
            if depth == 0 and "\n" in between and token.text not in CONTINUED and after.text not in CONTINUED:
                return

    def _name(self, operand: Sequence[Token]) -> str:
        """A part of an option's name; a placeholder for one that the program does not show."""
        token = operand[0]
        if token.kind == "text" and len(operand) == 1:
            return self._literals.text(token)
        return program.option_of_field(token.text) or self._computed(operand)

    def _function(self, at: int) -> str:
        """What is called or indexed by a bracket; empty if nothing is."""
        before = self._tokens[at - 1] if at else None
        if before is None or before.kind != "word":
            return ""
        chained = at > 1 and self._tokens[at - 2].text in (".", "?.") and self._tokens[at - 2].kind == "mark"
        return f".{before.text}" if chained else before.text

    def _value(self, at: int) -> str:
        """The value that begins at a token, up to the comma, semicolon or bracket that ends it."""
        parts = list(self._expression(at, LONGEST_VALUE, ends_with_line=True))
        expression = self._excerpt.text[parts[0].start : parts[-1].end] if parts else ""
        if (shown := program.shown_value(expression)) is not None:
            return shown
        name = expression.lstrip("$").removeprefix("this.")
        if name in self._fallbacks:
            return self._fallbacks[name]
        summands = operands(parts)
        is_sum = any(len(operand) == 1 and operand[0].kind == "text" for operand in summands)
        return "".join(map(self._operand, summands)) if is_sum else self._computed(parts)

    def _operand(self, tokens: Sequence[Token]) -> str:
        is_text = len(tokens) == 1 and tokens[0].kind == "text"
        return self._literals.text(tokens[0]) if is_text else self._computed(tokens)

    def _computed(self, parts: Sequence[Token]) -> str:
        expression = "".join(token.text for token in parts)
        if not PLAIN.fullmatch(expression):
            return self._constants.get(expression.lstrip("$")) or placeholder(expression)
        if expression[-1:] in "lLfFdD" and expression[:1].isdigit():
            return expression.rstrip("lLfFdD").replace("_", "")
        return expression.lower()
