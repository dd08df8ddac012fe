"""MongoDB's documents: read from the extended JSON that the connector sends, and written as the router writes them.

Values carry their BSON type, since the router's schema follows it.
"""

import base64
import json
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from outbox_kit.router.javatext import double
from outbox_kit.router.values import NotModelled

PRINTED = frozenset(
    ["Lu", "Ll", "Lt", "Lo", "Nd", "Nl", "No", "Zs", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So"]
)
SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
INT32 = range(-(2**31), 2**31)
INT64 = range(-(2**63), 2**63)


class Bson(NamedTuple):
    """A value and its BSON type: string, int32, int64, double, boolean, null, objectId, decimal128, binary, date,
    timestamp, document (a dict of these) or array (a list of these).

    binary: its bytes and its subtype; timestamp: its seconds and its increment; date: milliseconds.
    """

    kind: str
    value: Any


class NoDocument(ValueError):
    """The text is no document."""


def parse(text: str) -> Bson:
    """A document out of extended JSON, canonical or relaxed. Raises NoDocument, or NotModelled for rarer types."""
    try:
        raw = json.loads(text)  # with NaN, Infinity and -Infinity, which the connector writes bare
    except (ValueError, RecursionError) as cause:
        raise NoDocument(str(cause)) from None
    if not isinstance(raw, dict):
        raise NoDocument("it is not a document")
    return Bson("document", {name: _typed(value) for name, value in raw.items()})


def _typed(raw: Any) -> Bson:
    match raw:
        case None:
            return Bson("null", None)
        case bool():
            return Bson("boolean", raw)
        case str():
            return Bson("string", raw)
        case int():
            return _integer(raw)
        case float():
            return Bson("double", raw)
        case list():
            return Bson("array", [_typed(x) for x in raw])
    first = next(iter(raw), "")
    if first.startswith("$"):
        return _wrapped(first, raw)
    return Bson("document", {name: _typed(value) for name, value in raw.items()})


def _integer(raw: int) -> Bson:
    if raw not in INT64:
        raise NotModelled("a number beyond 64 bits in a document")
    return Bson("int32" if raw in INT32 else "int64", raw)


def _date(raw: Any) -> int:
    if isinstance(raw, dict):
        return int(raw["$numberLong"])
    if isinstance(raw, int):
        return raw
    at = datetime.fromisoformat(raw)
    if at.tzinfo is None:
        raise NotModelled("a date without a zone in a document")
    return round(at.timestamp() * 1000)


def _binary(raw: Any) -> tuple[bytes, str]:
    return base64.b64decode(raw["base64"]), str(raw["subType"]).zfill(2)


LEGACY_BINARY = {"$binary", "$type"}
"""The members of a binary value as the connector writes it; other tools write a document in `$binary`."""
WRAPPERS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "$oid": ("objectId", str),
    "$numberInt": ("int32", int),
    "$numberLong": ("int64", int),
    "$numberDouble": ("double", float),
    "$numberDecimal": ("decimal128", str),
    "$date": ("date", _date),
    "$binary": ("binary", _binary),
    "$timestamp": ("timestamp", lambda raw: (raw["t"], raw["i"])),
}


def _wrapped(first: str, raw: dict[str, Any]) -> Bson:
    if raw.keys() == LEGACY_BINARY:
        raw = {"$binary": {"base64": raw["$binary"], "subType": raw["$type"]}}
    if first not in WRAPPERS or len(raw) != 1:
        raise NotModelled(f"the extended JSON type {first}")
    kind, read = WRAPPERS[first]
    try:
        return Bson(kind, read(raw[first]))
    except (KeyError, TypeError, ValueError) as cause:
        raise NoDocument(f"{first}: {cause}") from None


STORED: Mapping[str, Callable[[Any], Any]] = {
    "long": lambda value: {"$numberLong": str(int(value))},
    "objectId": lambda value: {"$oid": str(value)},
    "date": lambda value: {"$date": round(datetime.fromisoformat(value).timestamp() * 1000)},
    "binData": lambda value: {"$binary": base64.b64encode(value.encode()).decode(), "$type": "00"},
    "object": lambda value: {**json.loads(value)},
}
PLAIN = {"string": str, "int": int, "bool": bool}


def stored(kind: str, value: Any) -> Any:
    """A value as extended JSON, by the type that a validator gives its field. Raises TypeError or ValueError.

    Payloads are given as text: a document's is JSON, a binary one's is its bytes.
    """
    if value is not None and kind in PLAIN and type(value) is not PLAIN[kind]:
        raise TypeError(f"{value!r} is not of type {kind}")
    return value if value is None or kind not in STORED else STORED[kind](value)


def written(document: Bson) -> str:
    """A document as the router's payload text: canonical extended JSON, every member and element on a line."""
    return _printed(_plain(document), "\n")


def _printed(value: Any, line: str) -> str:
    below = f"{line}  "
    match value:
        case dict() if value:
            return (
                f"{{{below}{f',{below}'.join(f'{_quoted(k)}: {_printed(v, below)}' for k, v in value.items())}{line}}}"
            )
        case list() if value:
            return f"[{below}{f',{below}'.join(_printed(x, below) for x in value)}{line}]"
        case str():
            return _quoted(value)
        case _:
            return json.dumps(value)


def _plain(value: Bson) -> Any:
    """Canonical extended JSON as plain JSON."""
    match value:
        case Bson("document", members):
            return {name: _plain(member) for name, member in members.items()}
        case Bson("array", elements):
            return [_plain(element) for element in elements]
        case Bson("double", number):
            return {"$numberDouble": double(number)}
        case Bson("date", milliseconds):
            return {"$date": {"$numberLong": str(milliseconds)}}
        case Bson("timestamp", (seconds, increment)):
            return {"$timestamp": {"t": seconds, "i": increment}}
        case Bson("binary", (content, subtype)):
            return {"$binary": {"base64": base64.b64encode(content).decode(), "subType": subtype}}
        case Bson(kind, plain) if kind in NAMED:
            return {NAMED[kind]: str(plain)}
        case _:
            return value.value


NAMED = {"int32": "$numberInt", "int64": "$numberLong", "objectId": "$oid", "decimal128": "$numberDecimal"}


def _quoted(text: str) -> str:
    """A string as the driver writes it: UTF-16 units of no printing category are escaped."""
    return '"' + "".join(_unit(c) for c in _units(text)) + '"'


def _units(text: str) -> str:
    raw = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(raw[at] << 8 | raw[at + 1]) for at in range(0, len(raw), 2))


def _unit(c: str) -> str:
    if c in SHORT:
        return SHORT[c]
    return c if unicodedata.category(c) in PRINTED else f"\\u{ord(c):04x}"
