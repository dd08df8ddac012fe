"""Which characters the texts of a schema file may hold. Pure.

A lone surrogate is no UTF-8, so that no file, server or topic can hold it. Control characters end a line of a script
or are carried out by a terminal, and marks of direction show a text otherwise than it is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern

Place = tuple[int | str, ...]

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"  # as JSON Schema, Rust and Python take them
ONE_LINE = rf"^[^{_CONTROLS}]+$"
ONE_LINE_OR_NONE = rf"^[^{_CONTROLS}]*$"
HEADER_NAME = rf"^[^,:\s{_CONTROLS}][^,:{_CONTROLS}]*$"
HOST = rf"^[^\s'\"\\%`@{_CONTROLS}]+$"
IN_WORDS = {
    HOST: "a host's name, without a user, blanks, quotes, backslashes and percent signs",
    ONE_LINE: "one line without control characters",
    ONE_LINE_OR_NONE: "one line without control characters",
    HEADER_NAME: "one line without control characters, commas and colons, with no blank before it",
}
UNPRINTABLE = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
HALVES = lazy_pattern(r"[\ud800-\udfff]")


def unprintable(value: Any, *, contract: bool = False, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Where a document of mappings, lists and texts holds what no text may: its place, and a sentence about it.

    contract: whether it is a JSON Schema, whose patterns may name control characters.
    """
    if isinstance(value, str):
        if match := (HALVES if contract else UNPRINTABLE).search(value):
            yield place, f"contains {_code_point_text(match[0])}, which a schema file must not contain; remove it"
    elif isinstance(value, Mapping):
        for key, element in value.items():
            yield from unprintable(str(key), contract=contract, place=place)
            yield from unprintable(element, contract=contract or _is_contract(place, key), place=(*place, key))
    elif isinstance(value, Sequence):
        for number, element in enumerate(value):
            yield from unprintable(element, contract=contract, place=(*place, number))


def _is_contract(place: Place, key: object) -> bool:
    """Whether a member is the JSON Schema of an event's payload."""
    return place[:1] == ("events",) and len(place) == 2 and key == "payload"


def _code_point_text(character: str) -> str:
    half = " (half of a surrogate pair)" if HALVES.match(character) else " (a control character)"
    return f"U+{ord(character):04X}{half}"
