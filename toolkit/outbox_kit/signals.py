"""SIGINT and SIGTERM: what they do within a block."""

import signal
import threading
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


@contextmanager
def deferred(meanwhile: Callable[[], object] | None = None) -> Iterator[None]:
    """SIGINT and SIGTERM take effect behind the block, in place of its own error.

    For code in C that ignores the exception of a signal handler, or makes another error of it. meanwhile: called by the
    handler, to end that code early. Other threads than the main one are never interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def handle(number: int) -> None:
        received.append(number)
        if meanwhile is not None:
            meanwhile()

    try:
        with at_signal(handle):
            yield
    finally:
        if received:
            signal.raise_signal(received[0])


@contextmanager
def remembered() -> Iterator[Callable[[], None]]:
    """A function that raises what a SIGINT or SIGTERM in the block has raised, if code of a library has ignored it.

    For a long loop, which calls it in each round: Python ignores the exception of a signal handler in finalizers and
    callbacks, and libraries do in others. Other threads than the main one are never interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def raise_again() -> None:
        for number in received[:1]:
            handler = handlers[signal.Signals(number)]
            if callable(handler):
                handler(number, None)

    def handle(number: int) -> None:
        received.append(number)
        raise_again()

    with at_signal(handle):
        yield raise_again
