"""MongoDB's documents as extended JSON: as the connector writes them, and as the router writes a payload. Pure.

After `JsonSerialization` of Debezium's connector and `JsonWriterSettings` of MongoDB's driver.
"""

import base64
import json
import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping
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
NONCHARACTERS = frozenset((*range(0xFDD0, 0xFDF0), 0xFFFE, 0xFFFF))  # no Unicode ever assigns them
LATER = (
    "0560 0588 05ef 061d 07fe-07ff 0870-088f 08b5 08be-08c8 0a76 0c5c-0c5d 0c77 0c84 0cdc-0cdd 0d04 0e86 0e89 0e8c"
    " 0e8e-0e93 0e98 0ea0 0ea8-0ea9 0eac 170d 171f 1878 1b4c 1b4e-1b4f 1b7d-1b7f 1c89-1c8a 1c90-1cba 1cbd-1cbf"
    " 1cf2-1cf3 1cfa 20c0-20c4 2427-2429 2b96-2b97 2bba-2bbc 2bc9 2bd3-2beb 2bf0-2bff 2c2f 2c5f 2e4a-2e5d 2e60-2e63"
    " 2ffc-2fff 312f 31bb-31bf 31e4-31e5 31ef 4db6-4dbf 9feb-9fff a7af a7b8-a7dd a7e2 a7f5-a7f6 a8fe ab66-ab68"
    " ab6a-ab6d fbc2-fbd2 fd40-fd4f fd90-fd91 fdc8-fdcf fdfe-fdff"
)
"""UTF-16 units that are escaped or not by the Java of the worker: Java 11 knows Unicode 10, Java 25 Unicode 16.

Compared: `Character.getType` of Java 11, 17, 21 and 25, and Unicode 18.
"""
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


def _units_of(ranges: str) -> Iterator[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


_LATER = frozenset(_units_of(LATER))


def _unit(c: str) -> str:
    if c in SHORT:
        return SHORT[c]
    category = unicodedata.category(c)
    if ord(c) in _LATER or (category == "Cn" and ord(c) not in NONCHARACTERS):
        raise NotModelled("a character in a document that the release of Java decides to escape")
    return c if category in PRINTED else f"\\u{ord(c):04x}"
