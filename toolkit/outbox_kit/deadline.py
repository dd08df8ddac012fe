"""One deadline for all that a command asks of others: Kafka Connect, a registry, brokers, databases.

A command sets it once (`within`); each request takes from it how long the answer may take (`allowed`). The requests
after the deadline clean up and report: each answer may take a second then, and a few seconds later nothing is asked
any more.
"""

import math
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from outbox_kit.errors import OutOfTime

GRACE_SECONDS = 5.0
LEAST_SECONDS = 1.0

Answer = TypeVar("Answer")
_end: ContextVar[float] = ContextVar("deadline", default=math.inf)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give a block so many seconds, or what is left of an earlier deadline where that is less."""
    token = _end.set(min(_end.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def paused() -> Iterator[None]:
    """Take the time of a block from no deadline, such as that in which a user decides."""
    began = time.monotonic()
    try:
        yield
    finally:
        _end.set(_end.get() + time.monotonic() - began)


def end() -> float:
    """When the time is up, by time.monotonic(); infinite where no deadline was set."""
    return _end.get()


def left() -> float:
    """Seconds until the deadline; negative after it."""
    return _end.get() - time.monotonic()


def allowed(seconds: float, *, grace: bool = False) -> float:
    """How many of so many seconds an answer may take. Raises OutOfTime where nothing is asked any more.

    grace: for requests that have a time limit of their own, and are interrupted only if that fails.
    """
    remaining = left()
    if remaining < -GRACE_SECONDS:
        raise OutOfTime("the time is up", why="an answer took too long, or there was too much to do", fix=MORE)
    return min(seconds, max(remaining, LEAST_SECONDS) + (GRACE_SECONDS if grace else 0.0))


@contextmanager
def overrun(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Call a function in a thread of its own if a block takes longer than so many seconds, such as one that hangs up.

    For libraries whose own limits begin again with each byte, or do not hold while a frozen peer keeps its end open.
    """
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


MORE = "see what does not answer, or allow more: --timeout SECONDS"


def answered(ask: Callable[[], Answer], seconds: float) -> Answer:
    """What a call returns. Raises TimeoutError where it has not returned after so many seconds; it is left alone then.

    For libraries whose own limits hold for each byte and not for the answer.
    """
    answer: queue.SimpleQueue[tuple[Answer | None, BaseException | None]] = queue.SimpleQueue()
    alone = threading.Event()

    def run() -> None:
        try:
            answer.put((ask(), None))
        except BaseException as cause:
            if not alone.is_set():
                answer.put((None, cause))

    threading.Thread(target=run, name="asking", daemon=True).start()
    try:
        result, cause = answer.get(timeout=max(seconds, 0.0))
    except queue.Empty:
        alone.set()
        raise TimeoutError(f"no answer within {seconds:.0f} s") from None
    if cause is not None:
        raise cause
    return result  # type: ignore[return-value]
