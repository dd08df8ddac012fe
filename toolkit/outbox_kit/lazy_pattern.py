"""Regular expressions that are compiled when they are first used.

A command needs a few of the hundreds that its modules declare; compiling all of them would be a tenth of its start.
"""

import re
from typing import Any, cast


class LazyPattern:
    """A pattern in place of `re.Pattern`: each attribute is taken from the compiled one once."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a constant. It has the methods and attributes of `re.Pattern`, but is no instance of it.

    Raises `re.error` at its first use if the pattern is wrong.
    """
    return cast("re.Pattern[str]", LazyPattern(source, flags))
