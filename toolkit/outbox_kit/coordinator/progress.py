"""What a coordinator has done since its start."""

import threading
from collections import Counter
from dataclasses import dataclass, field

from outbox_kit.databases.two_phase import MessageCounts


@dataclass
class CoordinatorProgress:
    """Counters, written by all threads."""

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Answers, by the operation and the status."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Check-backs by their outcome."""
    findings: Counter[str] = field(default_factory=Counter)
    """Check-backs without an outcome, by the finding."""
    counts: MessageCounts | None = None
    """Of the last round; None while the database does not answer."""
    problem: str = ""
    """Why the last round failed; empty if it did not."""
    last_round: float = 0.0
    """The time of the last round, by the monotonic clock."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, operation: str, status: int) -> None:
        """Count an answer to a request."""
        with self.lock:
            self.requests[operation, status] += 1

    def checked(self, outcome: str, finding: str) -> None:
        """Count a check-back. finding: empty for an outcome."""
        with self.lock:
            self.outcomes[outcome] += 1
            if finding:
                self.findings[finding] += 1
