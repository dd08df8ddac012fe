"""MongoDB's documents as extended JSON: as the connector writes them, and as the router writes a payload. Pure.

After `JsonSerialization` of Debezium's connector and `JsonWriterSettings` of MongoDB's driver.
"""

import base64
import json
import math
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from outbox_kit.router.bson import Bson
from outbox_kit.router.javatext import double, trim
from outbox_kit.router.values import NotModelled
from outbox_kit.versions import Version

MODE = "json.serialization.mode"
MODE_SINCE = Version.of("3.7")  # before, it was always legacy
PRINTED = frozenset(
    ["Lu", "Ll", "Lt", "Lo", "Nd", "Nl", "No", "Zs", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So"]
)
SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
READABLE_MS = range(253_402_300_800_000)  # the years 1970 to 9999, which relaxed JSON has as text


class Bare(str):
    """A number that JSON writes without quotes, if it has it at all: NaN is one too."""

    __slots__ = ()


Form = Callable[[Any], Any]
"""From a value of one BSON type to what JSON has for it."""


def _strict_date(milliseconds: int) -> Any:
    return {"$date": milliseconds}


def _canonical_date(milliseconds: int) -> Any:
    return {"$date": {"$numberLong": str(milliseconds)}}


def _relaxed_date(milliseconds: int) -> Any:
    if milliseconds not in READABLE_MS:
        return _canonical_date(milliseconds)
    at = EPOCH + timedelta(milliseconds=milliseconds)
    fraction = f".{milliseconds % 1000:03}".rstrip("0").rstrip(".")
    return {"$date": f"{at:%Y-%m-%dT%H:%M:%S}{fraction}Z"}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _wrapped(name: str) -> Form:
    return lambda value: {name: str(value)}


def _canonical_double(value: float) -> Any:
    return {"$numberDouble": double(value)}


ALIKE: dict[str, Form] = {
    "objectId": _wrapped("$oid"),
    "decimal128": _wrapped("$numberDecimal"),
    "timestamp": lambda value: {"$timestamp": {"t": value[0], "i": value[1]}},
    "binary": lambda value: {"$binary": {"base64": _base64(value[0]), "subType": value[1]}},
}
STRICT: dict[str, Form] = ALIKE | {
    "int64": _wrapped("$numberLong"),
    "double": lambda value: Bare(double(value)),
    "date": _strict_date,
    "binary": lambda value: {"$binary": _base64(value[0]), "$type": value[1]},
}
CANONICAL: dict[str, Form] = ALIKE | {
    "int32": _wrapped("$numberInt"),
    "int64": _wrapped("$numberLong"),
    "double": _canonical_double,
    "date": _canonical_date,
}
RELAXED: dict[str, Form] = ALIKE | {
    "double": lambda value: Bare(double(value)) if math.isfinite(value) else _canonical_double(value),
    "date": _relaxed_date,
}
MODES: Mapping[str, Mapping[str, Form]] = {
    "legacy": STRICT,
    "strict": STRICT,
    "extended": CANONICAL,
    "relaxed": RELAXED,
}


def forms(config: Mapping[str, str], release: Version) -> Mapping[str, Form]:
    """How a connector writes a document's values. release: Debezium's.

    Raises NotModelled for a word that the connector refuses.
    """
    word = trim(config.get(MODE, "legacy")).lower() if release >= MODE_SINCE else "legacy"
    if word not in MODES:
        raise NotModelled(f"{MODE}={config[MODE]}")
    return MODES[word]


def sent(document: Bson, written: Mapping[str, Form]) -> str:
    """A document as the connector sends it, on one line."""
    return _printed(_plain(document, written), "", "")


def payload(document: Bson) -> str:
    """A document as the router's payload text: canonical extended JSON, every member and element on a line."""
    return _printed(_plain(document, CANONICAL), "\n", "  ")


def _plain(value: Bson, written: Mapping[str, Form]) -> Any:
    match value:
        case Bson("document", members):
            return {name: _plain(member, written) for name, member in members.items()}
        case Bson("array", elements):
            return [_plain(element, written) for element in elements]
        case Bson(kind, plain) if kind in written:
            return written[kind](plain)
        case _:
            return value.value


def _printed(value: Any, line: str, indent: str) -> str:
    below = f"{line}{indent}"
    match value:
        case dict() if value:
            members = (f"{_quoted(name)}: {_printed(member, below, indent)}" for name, member in value.items())
            return f"{{{below}{f',{below}'.join(members)}{line}}}"
        case list() if value:
            return f"[{below}{f',{below}'.join(_printed(x, below, indent) for x in value)}{line}]"
        case Bare():
            return value
        case str():
            return _quoted(value)
        case _:
            return json.dumps(value)


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
