"""Check-backs in rounds: claims messages that are due, asks for their outcomes, and stores what was answered."""

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from outbox_kit.coordinator.backoff import delay_seconds
from outbox_kit.coordinator.check_back import CheckBack, server_of
from outbox_kit.coordinator.outcomes import AnswerFinding, CheckBackResult, TransactionOutcome, result, unknown
from outbox_kit.coordinator.progress import CoordinatorProgress
from outbox_kit.databases.two_phase import DueMessage, MessageState, MessageStore
from outbox_kit.errors import EnvironmentProblem, OutboxKitError
from outbox_kit.schema.two_phase import CHECK_DAYS

QUIET_SECONDS = 5.0
"""For which a server that has not answered is not asked about its other messages: they would use up all threads."""
COUNT_SECONDS = 2.0
"""Between two counts of the messages for the metrics."""
MARGIN_SECONDS = 15.0
"""By which a lease is longer than a check-back: the outcome is stored within it."""
UNANSWERED = {AnswerFinding.no_answer, AnswerFinding.late}
FINAL = {
    TransactionOutcome.committed: MessageState.submitted,
    TransactionOutcome.rolled_back: MessageState.aborted,
}
GIVEN_UP = (
    f"no check-back was answered with an outcome within {CHECK_DAYS} days, and none comes any more: find out whether "
    "the business transaction has committed, then submit or abort the message"
)


@dataclass
class CheckBackRounds:
    """The check-backs of one coordinator. Several coordinators share the messages of an outbox."""

    store: Callable[[], MessageStore]
    """The store of a thread."""
    check_back: CheckBack
    threads: int
    """Check-backs at the same time."""
    progress: CoordinatorProgress
    report: Callable[[str], None]
    """Takes a line of the log."""
    pause_seconds: float = 1.0
    """Between two rounds in which nothing is due."""
    _quiet: dict[str, float] = field(default_factory=dict)
    _counted: float = 0.0
    _running: set["Future[None]"] = field(default_factory=set)

    def run(self, stopped: threading.Event) -> None:
        """Make rounds until it is to stop; then check-backs that have begun end."""
        with ThreadPoolExecutor(self.threads, "check-back") as pool:
            while not stopped.is_set():
                claimed = self._round(pool)
                stopped.wait(0.02 if claimed else self.pause_seconds)

    def _round(self, pool: ThreadPoolExecutor) -> int:
        """Claim as many messages as there are free threads; how many."""
        try:
            self._running = {future for future in self._running if not future.done()}
            free = self.threads - len(self._running)
            due = self.store().claim(free, self.check_back.seconds + MARGIN_SECONDS) if free else []
            if time.monotonic() >= self._counted + COUNT_SECONDS or self.progress.counts is None:
                self.progress.counts, self._counted = self.store().counts(), time.monotonic()
            self._tell("")
        except OutboxKitError as problem:
            self.progress.counts = None
            self._tell(" ".join(line.strip() for line in problem.lines()))
            return 0
        finally:
            self.progress.last_round = time.monotonic()
        for message in due:
            self._running.add(pool.submit(self._settle, message))
        return len(due)

    def _tell(self, problem: str) -> None:
        """Report a problem when it appears, and when it is over."""
        if problem != self.progress.problem:
            self.report(problem or "the database answers again")
        self.progress.problem = problem

    def _settle(self, message: DueMessage) -> None:
        """Ask for the outcome of a message, and store it."""
        try:
            if message.is_expired:
                self.store().postpone(message, None, GIVEN_UP)
                self.report(f"message {message.message_id}: {GIVEN_UP}")
                return
            answer = self._check_back(message)
            self.progress.checked(answer.outcome.value, answer.finding.value if answer.finding else "")
            if answer.outcome in FINAL:
                reason = answer.reason or f"the check-back has answered {answer.outcome.value}"
                self.store().finish(message.message_id, FINAL[answer.outcome], reason)
            else:
                seconds = delay_seconds(message.attempt, random.random())  # noqa: S311 - no secret
                self.store().postpone(message, seconds, answer.reason)
            if message.attempt == 1 or answer.outcome in FINAL:
                self.report(f"message {message.message_id}: {answer.outcome.value}: {answer.reason}".rstrip(": "))
        except EnvironmentProblem as problem:  # the lease ends, and the message is claimed again
            self.report(f"message {message.message_id}: {problem.what}")
        except Exception as cause:  # a round goes on, whatever one message does
            self.report(f"error: message {message.message_id}: {type(cause).__name__}: {cause}")

    def _check_back(self, message: DueMessage) -> CheckBackResult:
        server = server_of(message)
        if self._quiet.get(server, 0.0) > time.monotonic():
            return unknown(AnswerFinding.quiet, f"{server} had no answer to another check-back a moment ago")
        answer = self.check_back.ask(message)
        if answer.finding in UNANSWERED:
            self._quiet[server] = time.monotonic() + QUIET_SECONDS
        else:
            self._quiet.pop(server, None)
        return result(message.protocol, answer)
