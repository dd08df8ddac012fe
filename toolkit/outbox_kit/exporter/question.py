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
        self._is_asking = False
        self._answers: queue.SimpleQueue[tuple[Answer | None, BaseException | None]] | None = None

    def begin(self) -> None:
        """Ask, unless the last question was not answered yet: its answer would be one of an earlier time."""
        if self._is_asking:
            self._answers = None
            return
        self._is_asking, self._answers = True, queue.SimpleQueue()
        try:
            threading.Thread(target=self._run, args=(self._answers,), name=self._system, daemon=True).start()
        except RuntimeError:  # no more threads for now
            self._is_asking = False
            raise

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
        answer, raised = None, None
        try:
            answer = self._ask()
        except BaseException as cause:  # raised again where the answer is waited for
            raised = cause
        self._is_asking = False  # before the answer is there: the thread itself may live on for a moment
        answers.put((answer, raised))
