"""Java's regular expressions in Python's: translated where the two mean the same, refused where they may not.

Java works on code points here, as Python does. What has no exact counterpart raises NotModelled: nested and
intersected classes, Unicode classes, flags in mid-pattern, numbered back-references of two digits.
"""

import re
from functools import cache

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router.values import Failure, NotModelled

ANY = r"[^\n\r\u0085\u2028\u2029]"  # Java's dot stops at more line ends than Python's
END = r"(?=(?:\r\n|[\n\r\u0085\u2028\u2029])?\Z)"
GROUP_NAME = lazy_pattern(r"[A-Za-z][A-Za-z0-9]*")
PLAIN_CLASSES = frozenset("dDwWsS")
SIMPLE_ESCAPES = {"t": r"\t", "n": r"\n", "r": r"\r", "f": r"\f", "a": r"\x07", "e": r"\x1b"}
POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "ASCII": r"\x00-\x7f",
    "Blank": r" \t",
    "Space": r" \t\n\x0b\f\r",
    "XDigit": "0-9a-fA-F",
    "Punct": r"!-/:-@\[-`{-~",
}
HEX_ESCAPES = {"x": re.compile("[0-9a-fA-F]{2}"), "u": re.compile("[0-9a-fA-F]{4}")}
QUANTIFIER = lazy_pattern(r"(?:[*+?]|\{(\d+)(,(\d*))?\})([?+]?)")
UNKNOWN_ESCAPE = "Illegal/unsupported escape sequence"


class BadPattern(ValueError):
    """Java refuses the pattern."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The same expression for Python. Raises BadPattern where Java refuses it, NotModelled where it is not known."""
    translated = _Translation(pattern).translation()
    try:
        return re.compile(translated, re.ASCII)
    except re.error as cause:
        if "look-behind" in str(cause):
            raise NotModelled("a look-behind of varying width") from None
        raise BadPattern(str(cause)) from None
    except (OverflowError, RecursionError):
        raise NotModelled("an expression of that size") from None


def compiled_or_none(pattern: str) -> re.Pattern[str] | None:
    """The same expression for Python; None where Java refuses it or it is not known."""
    try:
        return compiled(pattern)
    except (BadPattern, NotModelled):
        return None


class _Translation:
    """One pass over a pattern, left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.names = pattern, 0, set[str]()
        self.dot = ANY
        self.depth = 0

    def translation(self) -> str:
        parts = [self._flags()]
        while self.at < len(self.pattern):
            parts.append(self._item())
        if self.depth:
            raise BadPattern("Unclosed group")
        return "".join(parts)

    def _flags(self) -> str:
        match = re.match(r"\(\?([a-zA-Z]+)\)", self.pattern)
        if not match:
            return ""
        unknown = set(match[1]) - set("idmsuxU")
        if unknown:
            raise BadPattern("Unknown inline modifier")
        if set(match[1]) - set("is"):
            raise NotModelled(f"the flag in '{match[0]}'")
        self.at = match.end()
        if "s" in match[1]:
            self.dot = r"(?s:.)"
        return "(?i)" if "i" in match[1] else ""

    def _item(self) -> str:
        c = self.pattern[self.at]
        self.at += 1
        match c:
            case "\\":
                return self._quantified(self._escape())
            case "[":
                return self._quantified(self._class())
            case "(":
                return self._group()
            case ")":
                self.depth -= 1
                if self.depth < 0:
                    raise BadPattern("Unmatched closing ')'")
                return self._quantified(")")
            case "|":
                return c
            case "^":
                return self._anchor(r"\A")
            case "$":
                return self._anchor(END)
            case ".":
                return self._quantified(self.dot)
            case "*" | "+" | "?":
                raise BadPattern(f"Dangling meta character '{c}'")
            case "{":
                raise BadPattern("Illegal repetition")
            case _:
                return self._quantified(re.escape(c))

    def _anchor(self, translated: str) -> str:
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?", "{"):
            raise NotModelled("a repeated anchor")
        return translated

    def _quantified(self, atom: str) -> str:
        match = QUANTIFIER.match(self.pattern, self.at)
        if not match:
            if self.pattern[self.at : self.at + 1] == "{":
                raise BadPattern("Illegal repetition")
            return atom
        low, high = match[1], match[3]
        if any(bound and int(bound) > 1000 for bound in (low, high)):
            raise NotModelled("more than a thousand repetitions")
        if low and high and int(low) > int(high):
            raise BadPattern("Illegal repetition range")
        self.at = match.end()
        following = self.pattern[self.at : self.at + 1]
        if following and following in "*+?{":
            raise BadPattern("Dangling meta character" if following != "{" else "Illegal repetition")
        return atom + match[0]

    def _group(self) -> str:
        self.depth += 1
        rest = self.pattern[self.at :]
        if not rest.startswith("?"):
            return "("
        for opening in ("?:", "?=", "?!", "?>", "?<=", "?<!"):
            if rest.startswith(opening):
                self.at += len(opening)
                return f"({opening}"
        if rest.startswith("?<"):
            return self._named_group(rest)
        if re.match(r"\?-?[idmsuxU]", rest):
            raise NotModelled("flags inside an expression")
        raise BadPattern("Unknown inline modifier")

    def _named_group(self, rest: str) -> str:
        name = GROUP_NAME.match(rest, 2)
        if not name or not rest.startswith(">", name.end()):
            raise BadPattern("named capturing group is missing trailing '>'")
        if name[0] in self.names:
            raise BadPattern(f"Named capturing group <{name[0]}> is already defined")
        self.names.add(name[0])
        self.at += name.end() + 1
        return f"(?P<{name[0]}>"

    def _escape(self) -> str:
        if self.at >= len(self.pattern):
            raise BadPattern("Unexpected internal error")
        c = self.pattern[self.at]
        self.at += 1
        if c in PLAIN_CLASSES:
            return f"\\{c}"
        if c == "Q":
            return self._quotation()
        if c == "k":
            return self._back_reference()
        if c in "AzZ":
            return {"A": r"\A", "z": r"\Z", "Z": END}[c]
        if c.isdigit() and c.isascii() and c != "0":
            if self.pattern[self.at : self.at + 1].isdigit():
                raise NotModelled("a back-reference of two digits")
            raise NotModelled("a numbered back-reference")
        return self._character(c)

    def _character(self, c: str) -> str:
        """An escape that stands for one character or a class of them, inside a class or out of it."""
        if c in SIMPLE_ESCAPES:
            return SIMPLE_ESCAPES[c]
        if c in "xu":
            digits = HEX_ESCAPES[c].match(self.pattern, self.at)
            if not digits:
                raise NotModelled(f"the escape \\{c} in another form than with its hexadecimal digits")
            self.at = digits.end()
            if 0xD800 <= int(digits[0], 16) <= 0xDFFF:
                raise NotModelled("half a surrogate pair")
            return re.escape(chr(int(digits[0], 16)))
        if c in "bBcGhHNRvVXpP0":
            if c in "pP" and (posix := self._posix()) is not None:
                return posix if c == "p" else f"^{posix}"
            raise NotModelled(f"the escape \\{c}")
        if c.isascii() and c.isalpha():
            raise BadPattern(UNKNOWN_ESCAPE)
        return re.escape(c)

    def _posix(self) -> str | None:
        match = re.compile(r"\{(\w+)\}").match(self.pattern, self.at)
        if not match or match[1] not in POSIX:
            return None
        self.at = match.end()
        return f"[{POSIX[match[1]]}]"

    def _quotation(self) -> str:
        end = self.pattern.find("\\E", self.at)
        text = self.pattern[self.at :] if end < 0 else self.pattern[self.at : end]
        self.at = len(self.pattern) if end < 0 else end + 2
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?", "{"):
            raise NotModelled("a repeated quotation")
        return re.escape(text)

    def _back_reference(self) -> str:
        match = re.compile(r"<([A-Za-z][A-Za-z0-9]*)>").match(self.pattern, self.at)
        if not match:
            raise BadPattern("\\k is not followed by '<' for named capturing group")
        if match[1] not in self.names:
            raise BadPattern(f"named capturing group <{match[1]}> does not exist")
        self.at = match.end()
        return f"(?P={match[1]})"

    def _class(self) -> str:
        parts = ["["]
        if self.pattern.startswith("^", self.at):
            parts.append("^")
            self.at += 1
        if self.pattern.startswith("]", self.at):
            raise NotModelled("a bracket as the first member of a class")
        while not self.pattern.startswith("]", self.at):
            if self.at >= len(self.pattern):
                raise BadPattern("Unclosed character class")
            parts.append(self._member())
        self.at += 1
        return "".join([*parts, "]"])

    def _member(self) -> str:
        c = self.pattern[self.at]
        if c == "[" or self.pattern.startswith("&&", self.at):
            raise self._nested_class()
        self.at += 1
        if c == "-":
            return self._dash()
        low = self._single(c)
        if not self.pattern.startswith("-", self.at) or self.pattern[self.at + 1 : self.at + 2] in ("]", "[", ""):
            return low
        if len(low.replace("\\", "", 1)) != 1:
            raise NotModelled("a range that begins with a class")
        self.at += 1
        end = self.pattern[self.at]
        self.at += 1
        high = self._single(end)
        if len(high.replace("\\", "", 1)) != 1:
            raise NotModelled("a range that ends with a class")
        if low.replace("\\", "", 1) > high.replace("\\", "", 1):
            raise BadPattern("Illegal character range")
        return f"{low}-{high}"

    def _nested_class(self) -> Exception:
        """Why a class within a class is not translated: it is not closed, or not modelled."""
        depth, at = 1, self.at
        while at < len(self.pattern) and depth:
            depth += {"[": 1, "]": -1}.get(self.pattern[at], 0)
            at += 2 if self.pattern[at] == "\\" else 1
        return BadPattern("Unclosed character class") if depth else NotModelled("a class within a class")

    def _dash(self) -> str:
        if self.pattern.startswith("-", self.at):
            raise NotModelled("a range that begins with a dash")
        if self.pattern[self.at - 2] != "[" and self.pattern[self.at : self.at + 1] != "]":
            raise NotModelled("a dash in the middle of a class")
        return r"\-"

    def _single(self, c: str) -> str:
        if c != "\\":
            return re.escape(c)
        if self.at >= len(self.pattern):
            raise BadPattern("Unclosed character class")
        escaped = self.pattern[self.at]
        self.at += 1
        if escaped in PLAIN_CLASSES:
            return f"\\{escaped}"
        if escaped.isalnum() and escaped not in SIMPLE_ESCAPES and escaped not in "xu":
            raise NotModelled(f"\\{escaped} inside a class")
        return self._character(escaped)


def rewritten(pattern: re.Pattern[str], text: str, replacement: str) -> str:
    """`RegexRouter`: where the whole text matches, its first find is replaced; that may be shorter. Raises Failure."""
    match = pattern.fullmatch(text) and pattern.search(text)
    if not match:
        return text
    return text[: match.start()] + _replacement(match, replacement) + text[match.end() :]


def _replacement(match: re.Match[str], replacement: str) -> str:
    """The matched text's stand-in, as `Matcher.replaceFirst` builds it. Raises Failure with Java's own words."""
    parts, at = list[str](), 0
    while at < len(replacement):
        c = replacement[at]
        at += 1
        if c == "\\":
            if at == len(replacement):
                raise Failure("IllegalArgumentException", "character to be escaped is missing")
            parts.append(replacement[at])
            at += 1
        elif c == "$":
            text, at = _reference(match, replacement, at)
            parts.append(text)
        else:
            parts.append(c)
    return "".join(parts)


def _reference(match: re.Match[str], replacement: str, at: int) -> tuple[str, int]:
    if at == len(replacement):
        raise Failure("IllegalArgumentException", "Illegal group reference: group index is missing")
    if replacement[at] == "{":
        return _by_name(match, replacement, at + 1)
    if not ("0" <= replacement[at] <= "9"):
        raise Failure("IllegalArgumentException", "Illegal group reference")
    number, at = int(replacement[at]), at + 1
    groups = match.re.groups
    if number > groups:
        raise Failure("IndexOutOfBoundsException", f"No group {number}")
    while at < len(replacement) and "0" <= replacement[at] <= "9" and number * 10 + int(replacement[at]) <= groups:
        number, at = number * 10 + int(replacement[at]), at + 1
    return match[number] or "", at


def _by_name(match: re.Match[str], replacement: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(replacement) and replacement[end].isascii() and replacement[end].isalnum():
        end += 1
    name = replacement[at:end]
    if not name:
        raise Failure("IllegalArgumentException", "named capturing group has 0 length name")
    if replacement[end : end + 1] != "}":
        raise Failure("IllegalArgumentException", "named capturing group is missing trailing '}'")
    if name[0].isdigit():
        raise Failure("IllegalArgumentException", f"capturing group name {{{name}}} starts with digit character")
    if name not in match.re.groupindex:
        raise Failure("IllegalArgumentException", f"No group with name {{{name}}}")
    return match[name] or "", end + 1
