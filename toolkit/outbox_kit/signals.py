"""SIGINT and SIGTERM: what they do within a block."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def at_signal(act: Callable[[int], object]) -> Iterator[None]:
    """Call a function with the number of each SIGINT and SIGTERM for the length of a block, in the main thread.

    act: may raise, as in the block.
    """

    def handle(number: int, _: Any) -> None:
        act(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
