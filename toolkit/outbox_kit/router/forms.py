"""The forms of texts that Debezium's connectors check before they start, by their names in connectors/*.yaml. Pure.

Source: the validators of io.debezium.config.Field and of the connectors' configurations, to which the conformance tests
compare them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import javaregex
from outbox_kit.router.values import NotModelled

NOT_A_NAME = ("true", "false", "null")
NAME = r"[^\W\d][\w$]*|\$[\w$]*"
CLASS = lazy_pattern(rf"(?:{NAME})(?:\.(?:{NAME}))*")
IDENTITY = r"\s*[^\s:,]+:(?i:DEFAULT|INDEX \w+|FULL|NOTHING)\s*"
ESCAPED_COMMA = lazy_pattern(r"(?<!\\),")


@dataclass(frozen=True)
class TextForm:
    """A form of a text."""

    accepts: Callable[[str], bool]
    """Whether a value has it, as it is written."""
    expected: str
    """What is expected, as a noun."""


def is_class(value: str) -> bool:
    """Whether a text is the name of a Java class."""
    return CLASS.fullmatch(value) is not None and value not in NOT_A_NAME


def are_patterns(value: str) -> bool:
    """Whether Java takes every entry of a list for a regular expression; true where that is not known."""
    return all(is_pattern(entry.strip()) for entry in ESCAPED_COMMA.split(value))


def is_pattern(value: str) -> bool:
    """Whether Java takes a text for a regular expression; true where that is not known."""
    try:
        javaregex.compiled(value.replace("\\,", ","))
    except javaregex.BadPattern:
        return False
    except NotModelled:
        return True
    return True


@cache
def _fitting(pattern: str) -> Callable[[str], bool]:
    form = lazy_pattern(pattern)
    return lambda value: form.fullmatch(value) is not None


OFFSET = lazy_pattern(r"[+-]\d{2}:\d{2}(?::\d{2})?")


@cache
def _zones() -> set[str]:
    import zoneinfo  # of few configs, and slow to load

    return zoneinfo.available_timezones()


def is_time_zone(value: str) -> bool:
    """Whether a text is an offset or a zone of the time zone database; true where the machine has none."""
    zones = _zones()
    return OFFSET.fullmatch(value) is not None or value in zones or not zones


WORDS = r"[\".\w\s]+"
CHANGE = r"(?:ALTER|CREATE|DATABASE|DROP|TRUNCATE)"
CAST = r"(?:int8|int16|int32|int64|float32|float64|boolean|string)"
FORMS: Mapping[str, TextForm] = {
    "class": TextForm(is_class, "the name of a Java class"),
    "pattern": TextForm(is_pattern, "a regular expression that Java accepts"),
    "casts": TextForm(
        _fitting(rf"(?i)\s*(?:{CAST}|[^:,]+:\s*{CAST}\s*(?:,[^:,]+:\s*{CAST}\s*)*)\s*"),
        "a type, or entries such as amount:float64, of the types int8 to int64, float32, float64, boolean and string",
    ),
    "schema changes": TextForm(
        _fitting(rf"\s*{CHANGE}\s*(?:,\s*{CHANGE}\s*)*"), "some of ALTER, CREATE, DATABASE, DROP and TRUNCATE"
    ),
    "whole numbers": TextForm(_fitting(r"[+-]?\d+(?:,[+-]?\d+)*"), "whole numbers, separated by commas"),
    "date format": TextForm(
        _fitting(r"(?:'[^']*'|[^A-Za-z']|[GyYMLwWDdFEuaHkKhmsSzZX])*"), "a format of java.text.SimpleDateFormat"
    ),
    "table fields": TextForm(
        _fitting(rf"(?:topic|source|{WORDS}):{WORDS}(?::{WORDS})?(?:,{WORDS}(?::{WORDS})?)*"),
        "entries such as source:orders:placed_at, of letters, digits, dots and underscores",
    ),
    "renames": TextForm(_fitting(r"\s*|[^:,]*:[^:,]+(?:,[^:,]*:[^:,]+)*"), "entries such as old:new"),
    "patterns": TextForm(are_patterns, "regular expressions that Java accepts, separated by commas"),
    "pairs": TextForm(_fitting(r"|[^=,]*=[^=,]+(?:,[^=,]*=[^=,]+)*,*"), "pairs such as key1=value1,key2=value2"),
    "operations": TextForm(
        _fitting(r"\s*none\s*|\s*[cudtr]\s*(?:,\s*[cudtr]\s*)*,?\s*"), "none, or some of c, u, d, t"
    ),
    "key columns": TextForm(
        _fitting(r"\s*[^:;]+:[^:;,]+(?:,[^:;,]+)*(?:;[^:;]+:[^:;,]+(?:,[^:;,]+)*)*;?\s*"),
        "entries such as shop.outbox:id,version, separated by semicolons",
    ),
    "identities": TextForm(
        _fitting(rf"{IDENTITY}(?:,{IDENTITY})*"), "entries such as public.outbox:FULL, separated by commas"
    ),
    "script language": TextForm(_fitting(r"(?:jsr223\.|wasm).*"), "jsr223.groovy, jsr223.graal.js, or wasm.chicory"),
    "time zone": TextForm(is_time_zone, "an offset such as +02:00, or a zone such as Europe/Berlin"),
    "name": TextForm(_fitting(r"[a-zA-Z0-9_.-]*"), "letters, digits, dots, hyphens and underscores"),
}


def form_of(name: str) -> TextForm | None:
    """A form by its name, or one of texts that match a pattern; None for no name."""
    if not name or name in FORMS:
        return FORMS.get(name)
    return TextForm(_fitting(name), f"a text that matches {name}")
