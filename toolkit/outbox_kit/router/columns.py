"""How a connector sends a column: from the database's type to Connect's schema, and from a plain value to Connect's.

The types are in connectors/columns/, see `column_types`; what the connector's modes change is decided here.
"""

import base64
import binascii
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal, InvalidOperation
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router.column_types import NoSuchType, column_types
from outbox_kit.router.values import (
    DATE,
    DECIMAL,
    TIME,
    TIMESTAMP,
    UNKNOWN,
    Buffer,
    Date,
    NotModelled,
    Schema,
    Struct,
    Type,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Oracle says what it counts
DIGITS = lazy_pattern(r"\(\s*(?:max|(\d+)\s*(?:,\s*(\d+)\s*|char|byte)?)\)", re.IGNORECASE)
FINER = lazy_pattern(r"\.\d{6}(\d+)")
WIDE = Context(prec=2000)  # more digits than any database holds
DAY_US = 86_400_000_000
DEBEZIUM_TIME = "io.debezium.time."
WRITTEN_ALIKE = frozenset({Type.string, Type.int8, Type.int16, Type.int32, Type.int64})  # by databases and Java
PRECISION = "connect.decimal.precision"
NUMBER_ONE = "io.debezium.connector.oracle.converters.NumberOneToBooleanConverter"


class NoSuchValue(ValueError):
    """A value that a column of its type cannot hold."""


@dataclass(frozen=True)
class Modes:
    """The connector's options that shape values; each as it is written in a config."""

    time: str = "adaptive"
    decimal: str = "precise"
    binary: str = "bytes"
    booleans: bool = False  # whether a converter makes one of each number of one digit

    @classmethod
    def of(cls, config: Mapping[str, str]) -> "Modes":
        """The modes of a connector's config."""
        return cls(
            config.get("time.precision.mode", "adaptive").strip().lower(),
            config.get("decimal.handling.mode", "precise").strip().lower(),
            config.get("binary.handling.mode", "bytes").strip().lower(),
            NUMBER_ONE in map(str.strip, config.values()),
        )


@dataclass(frozen=True)
class Kind:
    """A column's schema, and the function that makes Connect's value of a plain one (text, number, bytes)."""

    schema: Schema
    read: Callable[[Any], Any]
    copies: bool = False
    """Whether the text of its value is that of the plain one, as the database writes it."""


def kind(dialect: str, sql_type: str, modes: Modes, *, optional: bool = False) -> Kind:
    """What a connector makes of a column.

    dialect: our name of the database. sql_type: as the database writes it, such as `timestamp(6)`.
    Raises NoSuchType.
    """
    table = column_types(dialect)
    name, digits = type_of(sql_type)
    facts = table["types"].get(name)
    if facts is None:
        raise NoSuchType(f"unknown column type '{name}' for {dialect}")
    if modes.time == "adaptive":
        modes = replace(modes, time=table.get("time", modes.time))
    column = _of_family(facts, digits, table["precision"], modes) if "family" in facts else _plain(facts)
    return replace(column, schema=replace(column.schema, optional=optional))


def type_of(sql_type: str) -> tuple[str, list[int]]:
    """A type's name in lower case, and its length or digits: `character varying(5)` has one, `numeric(10,2)` two."""
    match = DIGITS.search(sql_type)
    digits = [int(number) for number in match.groups() if number is not None] if match else []
    return " ".join(DIGITS.sub(" ", sql_type).lower().split()), digits


def _plain(facts: Mapping[str, Any]) -> Kind:
    type_ = Type(facts["type"])
    name = facts.get("name")
    parameters = tuple((parameter, UNKNOWN) for parameter in facts.get("unknown", ()))
    schema = Schema(type_, name, version=1 if name else None, parameters=parameters)
    return Kind(schema, _READERS[type_], type_ in WRITTEN_ALIKE)


def _of_family(facts: Mapping[str, Any], digits: list[int], precision: int, modes: Modes) -> Kind:
    match facts["family"]:
        case "temporal":
            return _temporal(digits[0] if digits else facts.get("precision", precision), modes)
        case "zoned":
            return Kind(
                Schema(Type.string, f"{DEBEZIUM_TIME}ZonedTimestamp", version=1),
                _zoned(digits[0] if digits else facts.get("digits")),
            )
        case "date":
            return _date(modes)
        case "time":
            return _time(digits[0] if digits else facts.get("precision", precision), modes)
        case "binary":
            return _binary(modes)
        case "guid":
            return Kind(Schema(Type.string), lambda v: str(v).upper())
        case "bits":
            return _bits(digits[0] if digits else 1)
        case "number":
            return _number(digits, modes)
        case _:
            return _decimal(digits, modes)


def _temporal(precision: int, modes: Modes) -> Kind:
    """A date and time without a zone, read as if it were UTC."""
    match modes.time:
        case "connect":
            return Kind(Schema(Type.int64, TIMESTAMP, version=1), lambda v: Date(_microseconds(v) // 1000))
        case "isostring":
            return _iso("IsoTimestamp", lambda v: f"{_datetime(v).date()}T{_clock(_datetime(v))}Z")
        case "structured":
            raise NotModelled("time.precision.mode=structured")
        case "microseconds":
            return _since_1970("MicroTimestamp", 1, 1)
        case "nanoseconds":
            return _since_1970("NanoTimestamp", 1000, 1)
    if precision <= 3:
        return _since_1970("Timestamp", 1, 1000)
    return _since_1970("MicroTimestamp", 1, 1) if precision <= 6 else _since_1970("NanoTimestamp", 1000, 1)


def _zoned(digits: int | None) -> Callable[[Any], str]:
    """A moment as text. digits: those of a second, in UTC; None leaves the text as it is."""

    def read(value: Any) -> str:
        try:
            at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
        except ValueError:
            return str(value)  # infinity
        if digits is None or at.tzinfo is None:
            return str(value)
        text = at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
        return text[: 20 + digits].rstrip(".") + "Z"

    return read


def _since_1970(name: str, times: int, divided: int) -> Kind:
    schema = Schema(Type.int64, f"{DEBEZIUM_TIME}{name}", version=1)
    finer = _finer if times > 1 else lambda _: 0
    return Kind(schema, lambda v: v if _is_int(v) else _microseconds(v) * times // divided + finer(v))


def _finer(value: Any) -> int:
    """The nanoseconds of a text beyond its microseconds."""
    digits = FINER.search(value) if isinstance(value, str) else None
    return int(digits[1][:3].ljust(3, "0")) if digits else 0


def _microseconds(value: Any) -> int:
    at = _datetime(value)
    return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - EPOCH) // timedelta(microseconds=1)


def _datetime(value: Any) -> datetime:
    try:
        return value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
    except ValueError:
        raise NoSuchValue(f"invalid date and time '{value}': expected 2026-11-21T12:00:00") from None


def _iso(name: str, read: Callable[[Any], str]) -> Kind:
    return Kind(Schema(Type.string, f"{DEBEZIUM_TIME}{name}", version=1), read)


def _clock(at: datetime | time) -> str:
    """A time of day with as many digits of a second as it needs."""
    return f"{at:%H:%M:%S}" + (f".{at.microsecond:06d}".rstrip("0") if at.microsecond else "")


def _date(modes: Modes) -> Kind:
    def days(value: Any) -> int:
        if _is_int(value):
            return int(value)
        try:
            return (date.fromisoformat(str(value).strip()) - EPOCH.date()).days
        except ValueError:
            raise NoSuchValue(f"invalid date '{value}': expected 2026-11-21") from None

    if modes.time == "structured":
        raise NotModelled("time.precision.mode=structured")
    if modes.time == "isostring":
        return _iso("IsoDate", lambda v: f"{EPOCH.date() + timedelta(days(v))}Z")
    if modes.time == "connect":
        return Kind(Schema(Type.int32, DATE, version=1), lambda v: Date(days(v) * DAY_US // 1000))
    return Kind(Schema(Type.int32, f"{DEBEZIUM_TIME}Date", version=1), days)


def _time(precision: int, modes: Modes) -> Kind:
    """A time of day without a zone."""
    match modes.time:
        case "connect":
            return Kind(Schema(Type.int32, TIME, version=1), lambda v: Date(_of_day(v, 1000)))
        case "isostring":
            return _iso("IsoTime", lambda v: f"{_clock(_time_of_day(v))}Z")
        case "structured":
            raise NotModelled("time.precision.mode=structured")
        case "nanoseconds":
            return Kind(Schema(Type.int64, f"{DEBEZIUM_TIME}NanoTime", version=1), lambda v: _of_day(v, 1) * 1000)
        case "adaptive" if precision <= 3:
            return Kind(Schema(Type.int32, f"{DEBEZIUM_TIME}Time", version=1), lambda v: _of_day(v, 1000))
    return Kind(Schema(Type.int64, f"{DEBEZIUM_TIME}MicroTime", version=1), lambda v: _of_day(v, 1))


def _of_day(value: Any, unit: int) -> int:
    """Since midnight, in so many microseconds; a number is taken as it is."""
    if _is_int(value):
        return int(value)
    at = _time_of_day(value)
    return (((at.hour * 60 + at.minute) * 60 + at.second) * 1_000_000 + at.microsecond) // unit


def _time_of_day(value: Any) -> time:
    try:
        return time.fromisoformat(str(value).strip())
    except ValueError:
        raise NoSuchValue(f"invalid time '{value}': expected 12:00:00") from None


def _binary(modes: Modes) -> Kind:
    encodings: Mapping[str, Callable[[bytes], bytes]] = {
        "base64": base64.b64encode,
        "base64-url-safe": base64.urlsafe_b64encode,
        "hex": binascii.hexlify,
    }
    if modes.binary in encodings:
        encode = encodings[modes.binary]
        return Kind(Schema(Type.string), lambda v: encode(_raw(v)).decode())
    return Kind(Schema(Type.bytes), lambda v: Buffer(_raw(v)))


def _bits(count: int) -> Kind:
    """A number of so many bits; as bytes with the lowest first."""

    def number(value: Any) -> int:
        return int.from_bytes(value, "big") if isinstance(value, bytes) else int(_exact(value))

    if count == 1:
        return Kind(Schema(Type.boolean), lambda v: bool(number(v)) if isinstance(v, bytes) else _truth(v))

    def lowest_first(value: Any) -> Buffer:
        if not 0 <= number(value) < 1 << count:
            raise NoSuchValue(f"{number(value)} does not fit {count} bits")
        return Buffer(number(value).to_bytes(-(-count // 8), "little"))

    schema = Schema(Type.bytes, "io.debezium.data.Bits", version=1, parameters=(("length", str(count)),))
    return Kind(schema, lowest_first)


def _raw(value: Any) -> bytes:
    """Bytes as they are, or written as text: hexadecimal after `\\x` or `0x`, else the text's own UTF-8."""
    if isinstance(value, bytes):
        return value
    text = str(value)
    if text.startswith(("\\x", "0x")):
        try:
            return bytes.fromhex(text[2:])
        except ValueError:
            raise NoSuchValue(f"invalid hexadecimal text '{text}'") from None
    return text.encode("utf-8", "replace")


def _number(digits: list[int], modes: Modes) -> Kind:
    """Oracle's NUMBER: whole ones by their digits, everything else a decimal."""
    if digits in ([1], [1, 0]) and modes.booleans:
        return Kind(Schema(Type.boolean), _READERS[Type.boolean])
    if digits and (len(digits) == 1 or digits[1] == 0):
        for most, type_ in ((3, Type.int8), (5, Type.int16), (10, Type.int32), (19, Type.int64)):
            if digits[0] < most:
                return Kind(Schema(type_), _READERS[type_])
    return _decimal(digits, modes)


VARIABLE = Schema(
    Type.struct,
    "io.debezium.data.VariableScaleDecimal",
    version=1,
    fields=(("scale", Schema(Type.int32)), ("value", Schema(Type.bytes))),
)


def _decimal(digits: list[int], modes: Modes) -> Kind:
    if modes.decimal == "double":
        return Kind(Schema(Type.float64), _floating)
    if modes.decimal == "string":
        return Kind(Schema(Type.string), str)
    if not digits:
        return Kind(VARIABLE, _variable)
    scale = digits[1] if len(digits) > 1 else 0
    parameters = (("scale", str(scale)), (PRECISION, str(digits[0])))
    return Kind(Schema(Type.bytes, DECIMAL, version=1, parameters=parameters), lambda v: _scaled(v, scale))


def _scaled(value: Any, scale: int) -> Decimal:
    try:
        return _exact(value).quantize(Decimal(1).scaleb(-scale), context=WIDE)
    except InvalidOperation:
        raise NoSuchValue(f"invalid number '{value}': expected {scale} decimal places") from None


def _variable(value: Any) -> Struct:
    number = _exact(value)
    if not number.is_finite():
        raise NoSuchValue(f"invalid number '{value}'")
    exponent = number.as_tuple().exponent
    scale = -exponent if isinstance(exponent, int) else 0
    whole = int(number.scaleb(scale, context=WIDE))
    size = (whole if whole >= 0 else ~whole).bit_length() // 8 + 1
    return Struct(VARIABLE, {"scale": scale, "value": whole.to_bytes(size, "big", signed=True)})


def _exact(value: Any) -> Decimal:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        raise NoSuchValue(f"invalid number '{value}'") from None


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _integer(bits: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise NoSuchValue(f"invalid whole number '{value}'") from None
        if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            raise NoSuchValue(f"invalid number '{number}': it does not fit into {bits} bits")
        return number

    return read


def _floating(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise NoSuchValue(f"invalid number '{value}'") from None


def _single(value: Any) -> float:
    """The nearest number that 32 bits hold."""
    number = _floating(value)
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        raise NoSuchValue(f"{number} does not fit 32 bits") from None


def _truth(value: Any) -> bool:
    words = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
    truth = words.get(str(value).strip().lower())
    if truth is None:
        raise NoSuchValue(f"'{value}' is neither true nor false")
    return truth


_READERS: Mapping[Type, Callable[[Any], Any]] = {
    Type.string: lambda value: value if isinstance(value, str) else str(value),
    Type.int8: _integer(8),
    Type.int16: _integer(16),
    Type.int32: _integer(32),
    Type.int64: _integer(64),
    Type.float32: _single,
    Type.float64: _floating,
    Type.boolean: _truth,
}
