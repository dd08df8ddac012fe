"""What a command waits for, and since when: it is reported whenever an answer takes longer than a few seconds.

Every request to another system is made within `waiting_for`. The command line sets `listener`, which prints the lines.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

LOG = logging.getLogger(__name__)

IDLE_SECONDS = 2.0
"""Seconds without a wait after which the reporting thread ends, and a new wait is not the continuation of the last."""


@dataclass(eq=False)
class Wait:
    """One wait for an answer."""

    subject: str
    next_report: float
    """Seconds since it began after which it is reported next."""
    began: float = field(default_factory=time.monotonic)
    """By time.monotonic()."""


@dataclass
class WaitReports:
    """All waits of the process; of those that are due, the latest one is reported."""

    first: float = 3.0
    """Seconds without an answer after which a wait is reported first."""
    interval: float = 4.0
    """Seconds from report to report, also of waits that follow each other."""
    tick: float = 0.25
    """Seconds from look to look."""
    listener: Callable[[str], None] | None = None
    """Takes a line for each report; None for no reports."""
    _waits: list[Wait] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _reporter: threading.Thread | None = None
    _silent_since: float = -math.inf
    """When the last report was made, or the first of the waits that follow each other began; by time.monotonic()."""
    _ended: float = -math.inf
    """When the last wait ended, by time.monotonic()."""

    @contextmanager
    def waiting_for(self, subject: str) -> Iterator[None]:
        """Report the subject while the block runs, if that takes long. subject: `Kafka at localhost:9092`."""
        with self._lock:
            wait = Wait(subject, self.first if self._waits else self._first_report())
            self._waits.append(wait)
            if self.listener is not None and self._reporter is None:
                self._reporter = threading.Thread(target=self._report, name="waiting", daemon=True)
                self._reporter.start()
        try:
            yield
        finally:
            with self._lock:
                self._waits.remove(wait)
                self._ended = time.monotonic()

    def _first_report(self) -> float:
        """Seconds until a wait that begins now, within no other, is reported: sooner if it follows another wait.

        Two waits in a row, each too short for a report, are so not silent for twice as long.
        """
        now = time.monotonic()
        if now - self._ended > IDLE_SECONDS:
            self._silent_since = now
        return min(self.first, max(self.interval - (now - self._silent_since), self.tick))

    def _report(self) -> None:
        idle, never = 0.0, threading.Event()
        while idle < IDLE_SECONDS:
            never.wait(self.tick)  # not time.sleep: simulations replace it, and this thread is not part of them
            with self._lock:  # also while it is reported: a command that has ended, and its stream, get no report
                line = self._due()
                if line and self.listener is not None:
                    self.listener(line)
                idle = 0.0 if self._waits else idle + self.tick
        with self._lock:
            self._reporter = None

    def _due(self) -> str:
        """The report that is due now, of the innermost wait that has one; empty if none is.

        A wait that consists of many short ones is so reported itself.
        """
        now = time.monotonic()
        due = next((wait for wait in reversed(self._waits) if now - wait.began >= wait.next_report), None)
        if due is None:
            return ""
        for wait in self._waits:
            wait.next_report = max(wait.next_report, now - wait.began + self.interval)
        self._silent_since = now
        return f"waiting for {due.subject}: {now - due.began:.0f} s"


WAITS = WaitReports()
waiting_for = WAITS.waiting_for


P = ParamSpec("P")
T = TypeVar("T")
Session = Callable[Concatenate[str, P], AbstractContextManager[T]]


def announced(title: str, address: Callable[[str], str]) -> Callable[[Session[P, T]], Session[P, T]]:
    """Decorate a function that opens a session of a database: log it, and report it as long as it is open.

    title: of the database. address: the printable address of a DSN, the function's first argument.
    """

    def decorate(opened: Session[P, T]) -> Session[P, T]:
        @wraps(opened)
        @contextmanager
        def session(dsn: str, *arguments: P.args, **options: P.kwargs) -> Iterator[T]:
            subject = f"{title} at {address(dsn)}"
            LOG.debug("connecting to %s", subject)
            with waiting_for(subject), opened(dsn, *arguments, **options) as connection:
                yield connection

        return cast(Session[P, T], session)

    return decorate
