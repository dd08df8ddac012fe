"""A job that runs again and again beside a block of a test."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def repeated(job: Callable[[], object], every: float = 0.05) -> Iterator[None]:
    """Run a job in a thread until the block ends, and raise what it raised. every: the pause in seconds."""
    over, failures = Event(), list[Exception]()

    def work() -> None:
        try:
            while not over.wait(every):
                job()
        except Exception as cause:
            failures.append(cause)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if failures:
        raise failures[0]
