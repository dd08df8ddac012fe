"""Reads parts of the figures one after the other, so that a part without an answer leaves the others as they are."""

import time
from collections.abc import Callable
from typing import TypeVar

from outbox_kit.errors import DatabaseRefused, UsageProblem

Part = TypeVar("Part")
SHARE = 0.25
"""Of the time for all parts that one statement may take."""


class FigureParts:
    """The parts that are read now, and those that were not answered."""

    def __init__(self, seconds: float) -> None:
        """seconds: for all parts."""
        self._end = time.monotonic() + seconds
        self.unread: dict[str, str] = {}
        """Why a part was not answered, by its name."""

    def read(self, name: str, ask: Callable[[], Part], absent: Part | None = None) -> Part | None:
        """The answer to a question, or `absent`. A refusal is recorded; a lost connection is raised."""
        if time.monotonic() > self._end:
            self.unread[name] = "no time was left: other parts have taken it"
            return absent
        try:
            return ask()
        except (DatabaseRefused, UsageProblem) as refusal:
            self.unread[name] = refusal.why or refusal.what
        except TimeoutError as late:
            self.unread[name] = str(late)
        return absent
