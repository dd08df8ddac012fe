"""MongoDB's documents, read from extended JSON and from the values of their fields.

Values carry their BSON type, since the router's schema follows it.
"""

import base64
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from outbox_kit.router.values import NotModelled

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
    return Bson("document", {name: typed(value) for name, value in raw.items()})


def typed(raw: Any) -> Bson:
    """A value out of extended JSON. Raises NoDocument, or NotModelled for rarer types."""
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
            return Bson("array", [typed(x) for x in raw])
    first = next(iter(raw), "")
    if first.startswith("$"):
        return _wrapped(first, raw)
    return Bson("document", {name: typed(value) for name, value in raw.items()})


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


STORED: Mapping[str, Callable[[Any], Bson]] = {
    "long": lambda value: Bson("int64", int(value)),
    "objectId": lambda value: Bson("objectId", str(value)),
    "date": lambda value: Bson("date", round(datetime.fromisoformat(value).timestamp() * 1000)),
    "binData": lambda value: Bson("binary", (value.encode(), "00")),
    "object": lambda value: typed({**json.loads(value)}),
}
PLAIN = {"string": str, "int": int, "bool": bool}


def stored(kind: str, value: Any) -> Bson:
    """A field's value by the type that a validator gives the field; without one, from extended JSON.

    Payloads are given as text: a document's is JSON, a binary one's is its bytes. Raises TypeError or ValueError.
    """
    if value is not None and kind in PLAIN and type(value) is not PLAIN[kind]:
        raise TypeError(f"{value!r} is not of type {kind}")
    return typed(value) if value is None or kind not in STORED else STORED[kind](value)
