"""The functions of a shell script: what their parameters are in a call. Pure."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from outbox_kit.lazy_pattern import lazy_pattern

FUNCTION = lazy_pattern(
    r"^[ \t]*(?:function[ \t]+(?P<keyword>[\w-]+)[ \t]*(?:\(\))?|(?P<name>[A-Za-z_][\w-]*)[ \t]*\(\))\s*\{"
    r"(?P<body>.*?)^\}",
    re.MULTILINE | re.DOTALL,
)
PARAMETER = lazy_pattern(
    r"(?:^|;)[ \t]*(?:(?:local|declare|readonly)[ \t]+(?:-\w+[ \t]+)*)?(?P<name>[A-Za-z_]\w*)="
    r"\"?\$(?:(?P<number>[1-9])|\{(?P<braced>[1-9])(?::?-[^{}$]*)?\})\"?[ \t]*(?:;|#.*|$)",
    re.MULTILINE,
)
"""A variable that takes a parameter."""
NUMBER = lazy_pattern(r"\$\{?([1-9])\b")
CONTINUED = lazy_pattern(r"\\\n[ \t]*")


def parameters(script: str) -> Mapping[str, str]:
    """The texts of parameters, and of variables that take one, in the first call of their function.

    Those are left out that two functions have with different texts.
    """
    values, differing = dict[str, str](), set[str]()
    for function in FUNCTION.finditer(script):
        arguments = next(calls(function["keyword"] or function["name"], script[function.end() :]), [])
        outside = script[: function.start()] + script[function.end() :]
        for name, number in _names(function["body"], outside):
            text = arguments[number - 1] if number <= len(arguments) else ""
            if values.setdefault(name, text) != text:
                differing.add(name)
    return {name: text for name, text in values.items() if text and "$" not in text and name not in differing}


def values(body: str, arguments: Sequence[str]) -> Mapping[str, str]:
    """The texts of parameters, and of variables that take one, in a call with arguments. body: of the function."""
    numbers = {**{str(number): number for number in range(1, len(arguments) + 1)}, **dict(_names(body, ""))}
    texts = {name: arguments[number - 1] for name, number in numbers.items() if number <= len(arguments)}
    return {name: text for name, text in texts.items() if text and "\n" not in text}


def _names(body: str, outside: str) -> Iterator[tuple[str, int]]:
    """The names in a function's body by which it knows its parameters, with the number of the parameter, from 1.

    A number that stands outside of it too may be a parameter of the script.
    """
    for match in PARAMETER.finditer(body):
        yield match["name"], int(match["number"] or match["braced"])
    inside, elsewhere = (set(NUMBER.findall(text)) for text in (body, outside))
    yield from ((number, int(number)) for number in inside - elsewhere)


def calls(name: str, script: str) -> Iterator[list[str]]:
    """The arguments of each call of a function on a line of its own; none where their quotes do not end."""
    for call in re.finditer(rf"^[ \t]*{re.escape(name)}[ \t]+((?:[^\\\n;|&]|\\.|\\\n)*)", script, re.MULTILINE):
        try:
            yield shlex.split(CONTINUED.sub(" ", call[1]), comments=True)
        except ValueError:
            yield []
