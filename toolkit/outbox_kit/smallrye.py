"""Values of properties as SmallRye Config reads them, which Debezium Server is configured with. Pure.

`${name}` is the value of another property, `${name:default}` with a default. `$$` and `\\$` are a dollar sign.
"""

from collections.abc import Callable

from outbox_kit.lazy_pattern import lazy_pattern

EXPRESSION = lazy_pattern(r"\$\$|\\\$|\$\{([^{}:]*)(?::[^{}]*)?\}")
DOLLAR = lazy_pattern(r"(?<=\\)\$|(\$)(?=[${])")


def expanded(value: str, value_of: Callable[[str], str]) -> str:
    """The text that a value is read as. value_of: gives the value of another property by its name."""
    return EXPRESSION.sub(lambda match: value_of(match[1]) if match[1] is not None else "$", value)


def literal(text: str) -> str:
    """The value that is read as a text, whatever is in it."""
    return DOLLAR.sub(lambda match: r"\$" if match[1] is None else "$$", text)
