"""What ends a command that runs on: SIGINT and SIGTERM."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def at_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function at each SIGINT and SIGTERM for the length of a block; it may raise, as in the block."""

    def handle(*_: Any) -> None:
        stop()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
