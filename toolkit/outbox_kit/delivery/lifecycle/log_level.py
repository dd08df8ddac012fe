"""The level of a logger of Kafka Connect for a bounded time: it is set back whatever happens."""

import time
from dataclasses import dataclass

from outbox_kit import deadline
from outbox_kit.connect.client import Connect
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.errors import ConnectRefused

ROOT = "root"
DEFAULT = "INFO"
"""The level of a worker whose root logger is not known."""


@dataclass(frozen=True)
class LogLevel:
    """A logger and its level."""

    workers: Connect
    """The Connect cluster, on all of whose workers the level is set."""
    logger: str
    """The logger, with all below it."""
    level: str
    """The level while it is changed, in capitals."""
    seconds: float
    """How long it is changed."""
    timeout: float
    """Seconds for the answers to one request."""
    report: Report
    """Takes a line for each thing that was done."""

    def plan(self) -> OperationPlan:
        """The plan; empty if the logger has the level."""
        before = self._now()
        facts = [("logger", f"{self.logger}: {before}")]
        text = (
            f"set the level of logger '{self.logger}' to {self.level} on all workers for {self.seconds:g} s, "
            f"then back to {before}"
        )
        steps = [Step("set-level", text, lambda: self._run(before))] if before != self.level else []
        restore = f"if this process is killed, set it back: outbox-kit log-level {before} --logger {self.logger} --keep"
        return OperationPlan("log-level", self.logger, facts, steps, notes=[restore])

    def keep_plan(self) -> OperationPlan:
        """The plan to set the level without an end."""
        before = self._now()
        text = f"set the level of logger '{self.logger}' to {self.level} on all workers"
        steps = [Step("set-level", text, lambda: self._set(self.level))] if before != self.level else []
        return OperationPlan("log-level", self.logger, [("logger", f"{self.logger}: {before}")], steps)

    def _now(self) -> str:
        """The level that holds: of the logger, or of the root, from which it inherits."""
        with deadline.within(self.timeout):
            level = self.workers.log_level(self.logger) or self.workers.log_level(ROOT)
        return (level or DEFAULT).upper()

    def _run(self, before: str) -> None:
        self._set(self.level)
        end = time.monotonic() + self.seconds
        try:
            while (left := end - time.monotonic()) > 0:
                time.sleep(min(left, 1.0))
        finally:
            self._set(before)

    def _set(self, level: str) -> None:
        try:
            with deadline.within(self.timeout):
                self.workers.set_log_level(self.logger, level)
        except ConnectRefused as error:
            error.fix = error.fix or "needs Kafka 3.7 or later, and the admin API on this address (admin.listeners)"
            raise
        self.report(f"the level of logger '{self.logger}' is {level}")
