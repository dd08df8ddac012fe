"""A column's default as the connector puts it into the column's schema, which a NULL is then read as. Pure.

After `PostgresDefaultValueConverter`: it takes a default apart as text, and puts a fixed value in place of a function.
MySQL's and MariaDB's connectors read the statement that made the table, as it was typed: only texts and whole numbers
are certain. Of other connectors it is only known that a column without a default has none in its schema.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal, InvalidOperation
from typing import Any, NamedTuple

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router.column_types import column_types
from outbox_kit.router.columns import Kind, NoSuchValue, type_of
from outbox_kit.router.values import UnknownDefault
from outbox_kit.versions import Version

FUNCTION = lazy_pattern(r"[(]?[A-Za-z0-9_.]+\((?:.+)?\)")
LITERAL = lazy_pattern(r"'(.*?)'")
ESCAPED_LITERAL = lazy_pattern(r"'([^']*(?:''[^']*)*)'")
ESCAPES_SINCE = Version.of("3.7")  # before, a text ended at its first quote
MOMENTS = frozenset(("current_timestamp", "current_time", "current_date", "localtime", "localtimestamp"))
INTEGER = lazy_pattern(r"[+-]?[0-9]+")
NUMBER = lazy_pattern(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
PLAIN_LITERALS = {
    "literal": lazy_pattern(r"'([^'\\]*)'"),
    "whole": lazy_pattern(r"(-?(?:0|[1-9][0-9]*))|'(-?(?:0|[1-9][0-9]*))'"),
}
DATE, CLOCK = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?"
NOTHING: None = None  # the connector says in its log that it cannot read the default, and leaves it out
EXACT = Context(prec=2000)


class _Unread(Exception):
    """What the connector makes of a default is not known."""


def with_default(dialect: str, sql_type: str, kind: Kind, expression: str | None, release: Version) -> Kind:
    """A column's kind with its default in the schema.

    expression: the default as the database's catalogue prints it; None for a column without one. release: Debezium's.
    """
    if expression is None:
        return kind
    table, (name, digits) = column_types(dialect), type_of(sql_type)
    try:
        read: Callable[..., Any] = READERS.get(table.get("defaults", ""), _unread)
        default = read(table["types"][name], digits, kind, expression, release)
    except (_Unread, NoSuchValue):
        default = UnknownDefault(expression)
    return replace(kind, schema=replace(kind.schema, default=default))


def _evaluated(facts: Mapping[str, Any], digits: Sequence[int], kind: Kind, expression: str, release: Version) -> Any:
    """The default of a type that the table has; None where the connector leaves it out."""
    if "default" not in facts:
        return NOTHING
    form = FORMS.get(facts["default"]) or _unread()
    if form.has_null and expression.startswith("NULL::"):
        return NOTHING
    text = value_text(expression, form.placeholder, release)
    return NOTHING if text is None else form.read(text, kind, digits)


def _literal(facts: Mapping[str, Any], _: Sequence[int], kind: Kind, expression: str, *__: object) -> Any:
    """The default of a type that the table has, if it is a text or a whole number without any notation."""
    form = PLAIN_LITERALS.get(facts.get("default", ""))
    match = form and form.fullmatch(expression)
    return kind.read(next(filter(None, match.groups()), "")) if match else _unread()


def _unread(*_: object) -> Any:
    raise _Unread


READERS: Mapping[str, Callable[..., Any]] = {"expressions": _evaluated, "literals": _literal}


class _Form(NamedTuple):
    placeholder: str
    """What stands in place of a function."""
    read: Callable[[str, Kind, Sequence[int]], Any]
    """From a default's text, the column's kind and its digits to the value. Raises _Unread and NoSuchValue."""
    has_null: bool = False
    """Whether `NULL::type` is recognised before anything else."""


def value_text(expression: str, placeholder: str, release: Version) -> str | None:
    """The value in a default: what stands between the first two quotes, or all of it; None if that is no value."""
    if FUNCTION.match(expression) or expression.lower() in MOMENTS:
        return placeholder
    if "'" not in expression:
        return None if expression.startswith("NULL::") else expression
    literal = (LITERAL if release < ESCAPES_SINCE else ESCAPED_LITERAL).search(expression)
    return literal and (literal[1] if release < ESCAPES_SINCE else literal[1].replace("''", "'"))


def _same(text: str, kind: Kind, _: Sequence[int]) -> Any:
    return kind.read(text)


def _truth(text: str, *_: object) -> bool:
    return text.lower() == "true"


def _integer(text: str, kind: Kind, _: Sequence[int]) -> int | None:
    try:
        return kind.read(text) if INTEGER.fullmatch(text) else NOTHING
    except NoSuchValue:
        return NOTHING


def _float(text: str, kind: Kind, _: Sequence[int]) -> Any:
    return kind.read(text) if NUMBER.fullmatch(text) else _unread()


def _decimal(text: str, kind: Kind, digits: Sequence[int]) -> Any:
    """A number with the digits of its column; none where it has more, nor where a struct would be the default."""
    if kind.schema.type.value == "STRUCT" or not NUMBER.fullmatch(text):
        return NOTHING
    if not digits:
        return kind.read(text)
    scale = digits[1] if len(digits) > 1 else 0
    try:
        number = Decimal(text)
        scaled = number.quantize(Decimal(1).scaleb(-scale), context=EXACT)
    except InvalidOperation:
        _unread()
    return kind.read(f"{scaled:f}") if scaled == number else NOTHING


def _matching(pattern: str) -> Callable[[str, Kind, Sequence[int]], Any]:
    """Reads texts of one form; what the connector makes of others, such as infinity, is not known."""
    form = re.compile(pattern)
    return lambda text, kind, _: kind.read(text) if form.fullmatch(text) else _unread()


FORMS: Mapping[str, _Form] = {
    "text": _Form("", _same),
    "json": _Form("{}", _same),
    "boolean": _Form("false", _truth, True),
    "integer": _Form("0", _integer, True),
    "float": _Form("0.0", _float, True),
    "decimal": _Form("0.0", _decimal, True),
    "uuid": _Form("00000000-0000-0000-0000-000000000000", _matching(UUID)),
    "date": _Form("1970-01-01", _matching(DATE)),
    "time": _Form("00:00:00", _matching(CLOCK)),
    "timestamp": _Form("1970-01-01 00:00:00", _matching(f"{DATE} {CLOCK}")),
    "moment": _Form("1970-01-01 00:00:00+00", _matching(rf"{DATE} {CLOCK}\+00")),
}
"""How the connector reads a default, by what connectors/columns/ says of a type; it leaves out that of all others."""
