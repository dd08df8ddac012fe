"""Questions to several systems at the same time, each with a limit of its own."""

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class SystemQuestion(Generic[Answer]):
    """A question to one system, which is asked once at a time: a system that hangs gets no second one."""

    def __init__(self, system: str, ask: Callable[[], Answer]) -> None:
        """system: for messages and the thread."""
        self._system, self._ask = system, ask
        self._thread: threading.Thread | None = None
        self._answers: queue.SimpleQueue[tuple[Answer | None, BaseException | None]] | None = None

    def begin(self) -> None:
        """Ask, unless the last question was not answered yet: its answer would be one of an earlier time."""
        if self._thread is not None and self._thread.is_alive():
            self._answers = None
            return
        self._answers = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(self._answers,), name=self._system, daemon=True)
        self._thread.start()

    def answer(self, seconds: float) -> Answer:
        """The answer. Raises what asking raises, and TimeoutError if there is none after so many seconds."""
        if self._answers is None:
            raise TimeoutError("the last question was not answered yet")
        try:
            answer, cause = self._answers.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            raise TimeoutError(f"no answer within {seconds:.0f} s") from None
        if cause is not None:
            raise cause
        return answer  # type: ignore[return-value]

    def _run(self, answers: "queue.SimpleQueue[tuple[Answer | None, BaseException | None]]") -> None:
        try:
            answers.put((self._ask(), None))
        except BaseException as cause:  # raised again where the answer is waited for
            answers.put((None, cause))
