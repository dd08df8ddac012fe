"""Threads that run beside a block of a test, such as writers."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def beside(run: Callable[[int, threading.Event], None], count: int = 1) -> Iterator[None]:
    """Threads for the length of a block. run: takes the number of its thread, and an event at which it is to end."""
    ended = threading.Event()
    threads = [threading.Thread(target=run, args=(number, ended)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join(60)
