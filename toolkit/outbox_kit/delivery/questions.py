"""Questions to several systems: one that is not answered stops no other."""

from collections.abc import Callable
from typing import Any

from outbox_kit import deadline
from outbox_kit.errors import (
    ConnectUnreachable,
    DatabaseUnreachable,
    EnvironmentProblem,
    KafkaUnreachable,
    OutOfTime,
)

SECONDS = 10.0  # for an answer
SILENT = (ConnectUnreachable, DatabaseUnreachable, KafkaUnreachable, OutOfTime)


class Questions:
    """Questions to several systems. A system that does not answer is not asked again."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        """The answers by the name of the fact."""
        self.unanswered: list[EnvironmentProblem] = []
        self._silent: set[str] = set()

    def ask(self, system: str, name: str, question: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """The answer, which is kept under the name; None if there is none. seconds: how long it may take."""
        if system in self._silent:
            return None
        try:
            with deadline.within(seconds):
                self.answers[name] = question()
        except EnvironmentProblem as problem:
            self.unanswered.append(problem)
            if isinstance(problem, SILENT):
                self._silent.add(system)
        return self.answers.get(name)
