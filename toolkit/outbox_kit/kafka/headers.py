"""Records whose headers the client cannot give: it breaks off at a name that is not UTF-8.

It must not be asked twice then: what it gives the second time has a hole in it, which ends the process (confluent-kafka
2.16). So every record is asked once where it comes in.
"""

from operator import methodcaller
from typing import Any

ASKED = methodcaller("headers")  # a plain call may let the failure pass, once Python has made the call a quick one
UNREADABLE: list[tuple[str, bytes | None]] = [("\N{REPLACEMENT CHARACTER}", None)]


class Unreadable:
    """Stands for a record of which all but the headers can be read."""

    def __init__(self, record: Any) -> None:
        self._record = record

    def __getattr__(self, name: str) -> Any:
        return getattr(self._record, name)

    def headers(self) -> list[tuple[str, bytes | None]]:
        """A name that no event has."""
        return UNREADABLE


def readable(record: Any) -> Any:
    """A record as it came, or what stands for it."""
    try:
        ASKED(record)
    except (SystemError, UnicodeDecodeError):
        return Unreadable(record)
    return record
