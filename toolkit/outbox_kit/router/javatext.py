"""How Java writes things: numbers and objects as text, text as UTF-8, and the String methods that differ from Python's.

Floating point follows JDK 19 and later (the shortest digits that read back as the same number); earlier ones print
some numbers with more digits than needed.
"""

import math
import struct
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.moments import calendar
from outbox_kit.router.values import Buffer, Date, NotModelled, ReadBuffer, Schema, SharedBuffer, Struct, Type

DAY_MS = 86_400_000
GREGORIAN_MS = -12_219_292_800_000
"""15 October 1582, before which Java's calendar is the Julian one."""
BLANKS = "".join(map(chr, range(0x21)))  # what String.trim removes at both ends
WHOLE = lazy_pattern(r"([+-]?)0*([0-9]+)")
LONGEST_NUMBER = 30
"""Digits that are read of a number; one with as many is out of every range of Java's."""


def trim(text: str) -> str:
    """`String.trim`: characters up to U+0020, and no other kind of blank."""
    return text.strip(BLANKS)


def whole_number(text: str) -> int | None:
    """The number that `Long.parseLong` reads; None if the text is none.

    A number that is out of every range of Java's may lose its last digits.
    """
    match = WHOLE.fullmatch(text)
    return int(match[1] + match[2][:LONGEST_NUMBER]) if match else None


def split(text: str, mark: str) -> list[str]:
    """`String.split` on a plain character: empty parts at the end are left out."""
    parts = text.split(mark)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return [] if parts == [""] and text else parts


def utf8(text: str) -> bytes:
    """`String.getBytes(UTF_8)`: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace")


def double(value: float) -> str:
    """`Double.toString`."""
    return _floating(value, repr(value), float)


def single(value: float) -> str:
    """`Float.toString` of a value that a float holds exactly."""
    if value != value or value in (float("inf"), float("-inf")):
        return double(value)
    shortest = next(text for digits in range(9) for text in _nearest(value, digits) if _as_single(text) == value)
    return _floating(value, shortest, _as_single)


def _nearest(value: float, digits: int) -> Iterator[str]:
    """The nearest number with so many digits after its first; of a power of two, also the next one away from zero.

    That one may read back where the nearest does not: the next float is twice as far away as the last.
    """
    nearest = f"{value:.{digits}e}"
    yield nearest
    if abs(math.frexp(value)[0]) == 0.5:
        rounded = Decimal(nearest)
        step = Decimal(1).scaleb(rounded.adjusted() - digits)
        yield str(rounded + step.copy_sign(rounded))


def _as_single(text: str) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", float(text)))[0])
    except OverflowError:
        return float("inf")


def _floating(value: float, shortest: str, read: Callable[[str], float]) -> str:
    """Java's layout around the shortest digits; where one digit is enough, it prefers the nearest two.

    read: the number that a text is, of the value's precision.
    """
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    sign, digits, exponent = Decimal(shortest).normalize().as_tuple()
    two_digits = f"{value:.1e}"
    if len(digits) == 1 and read(two_digits) == value:
        sign, digits, exponent = Decimal(two_digits).normalize().as_tuple()
    minus = "-" if sign else ""
    if not any(digits):
        return f"{minus}0.0"
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)  # where the decimal point stands, counted from the first digit
    if -3 < point <= 7:
        integer, fraction = (text[:point].ljust(point, "0"), text[point:]) if point > 0 else ("0", "0" * -point + text)
        return f"{minus}{integer}.{fraction or '0'}"
    return f"{minus}{text[0]}.{text[1:] or '0'}E{point - 1}"


def text_of(value: Any, schema: Schema | None) -> str:
    """An object's `toString`. schema: the value's own. Raises NotModelled where it is another one at every start."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case Date():
            return _date(value)
        case int() | Decimal():
            return str(value)
        case float():
            return single(value) if schema and schema.type is Type.float32 else double(value)
        case SharedBuffer():
            raise NotModelled("the text of a column's default of bytes depends on whether it was read for another row")
        case Buffer():
            position = len(value) if isinstance(value, ReadBuffer) else 0
            return f"java.nio.HeapByteBuffer[pos={position} lim={len(value)} cap={len(value)}]"
        case bytes():
            raise NotModelled("the text of a byte array is the address of its object, which changes with every start")
        case list():
            return f"[{', '.join(_nullable(x, schema.element if schema else None) for x in value)}]"
        case dict():
            pairs = (f"{_nullable(k, None)}={_nullable(v, schema and schema.element)}" for k, v in value.items())
            return f"{{{', '.join(pairs)}}}"
        case Struct():
            filled = ((name, member, value.values.get(name)) for name, member in value.schema.fields)
            return f"Struct{{{','.join(f'{n}={text_of(v, member)}' for n, member, v in filled if v is not None)}}}"
    raise NotModelled(f"the text of a {type(value).__name__}")


def _nullable(value: Any, schema: Schema | None) -> str:
    return "null" if value is None else text_of(value, schema)


def moment(value: Date) -> datetime:
    """A date as a UTC time. Raises NotModelled outside the years 1 to 9999."""
    if (match := calendar(value)) is None:
        raise NotModelled("a date outside the years 1 to 9999")
    return match


def _date(value: Date) -> str:
    at = moment(value)
    if value >= GREGORIAN_MS:
        return at.strftime("%a %b %d %H:%M:%S UTC %Y")
    year, month, day = _julian(at.toordinal())
    return f"{at:%a} {date(2000, month, 1):%b} {day:02} {at:%H:%M:%S} UTC {year}"


def _julian(ordinal: int) -> tuple[int, int, int]:
    """Year, month and day in the Julian calendar. ordinal: days since the day before 1 January of the year 1."""
    cycle, rest = divmod(ordinal + 1 + 306, 1461)  # of four years that begin with March, the first in the year 0
    past_years = min(rest // 365, 3)
    day_of_year = rest - past_years * 365
    past_months = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * past_months + 2) // 5 + 1
    month = past_months + 3 if past_months < 10 else past_months - 9
    return 4 * cycle + past_years + (month <= 2), month, day
