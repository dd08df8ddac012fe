"""Conditions about one option as the data files have them: `option`, `option=value` or `option>number`. Pure."""

from collections.abc import Iterator, Mapping

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router.javatext import trim, whole_number

OPERATOR = lazy_pattern(r"[=>]")


def option_of(condition: str) -> str:
    """The option that a condition is about."""
    return OPERATOR.split(condition)[0]


def holds(condition: str, value: str) -> bool:
    """Whether the value of its option fulfils a condition; without an operator, any text but an empty one does."""
    _, *expected = OPERATOR.split(condition)
    if ">" in condition:
        return (whole_number(value) or 0) > int(expected[0])
    return trim(value).lower() == expected[0] if expected else bool(trim(value))


def demanded(demands: Mapping[str, str | list[str]], values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The conditions that hold, each with what it demands. demands: one or several by condition. values: by option."""
    for condition, needed in demands.items():
        if holds(condition, values.get(option_of(condition), "")):
            for option in needed if isinstance(needed, list) else [needed]:
                yield condition, option
