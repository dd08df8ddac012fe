"""What a verification has found out, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.databases.ledger import ComparableParts
from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.findings.verdict import Verdict
from outbox_kit.verify.checks import CHECKS, Check
from outbox_kit.verify.checks.latency import Latency
from outbox_kit.verify.needs import NOTHING_MET, Need
from outbox_kit.verify.reading.window import SCHEMA as OFFSETS
from outbox_kit.verify.reading.window import offsets


@dataclass
class RowCoverage:
    """What of the messages was held against rows."""

    comparable_parts: ComparableParts
    """The parts, of all rows or of a sample."""
    nothing: tuple[str, ...] = ()
    """Parts that were held against nothing."""
    messages: int = 0
    """Those that had a row."""
    sample: int = 0
    """How many of them are in the sample."""
    rowless: int = 0
    """Messages of which nothing can be said, for their rows may have been cleaned up."""
    unjudged: int = 0
    """Rows without a message that may be older than what was read of the topics."""


@dataclass(frozen=True)
class AggregateTrace:
    """One aggregate with an anomaly: offset, number and kind (fresh, again, late) of its events as they came."""

    topic: str
    partition: int
    key: str
    points: Sequence[tuple[int, int, str]]


@dataclass
class Coverage:
    """What decides which checks could be made."""

    met: set[Need] = field(default_factory=set)
    """The needs of checks that the run itself has met."""
    unmet: Mapping[str, frozenset[Need]] = field(default_factory=dict)
    """The needs of checks that were not met, by topic; see `unmet`."""
    off: frozenset[str] = frozenset()
    """Checks that were switched off."""
    unseen: frozenset[str] = frozenset()
    """Topics whose settings could not be read."""
    overlapping: frozenset[str] = frozenset()
    """Topics whose aggregates may have had events on another topic meanwhile; see `routing.previous_topics`."""
    complete_topics: frozenset[str] = frozenset()
    """Topics that have each aggregate's first event."""


@dataclass
class Timing:
    """When it ran, and how long events took."""

    began_ms: int = 0
    """Milliseconds since 1970."""
    seconds: float = 0.0
    drained: float | None = None
    """Seconds until the connector had passed the last event; None where it was not waited for."""
    latency: Latency | None = None
    """From a row to its message, of a sample."""


@dataclass
class MessageTimes:
    """When messages were sent, of a sample."""

    moments: Sequence[int] = ()
    """The timestamps of the messages in the sample, in milliseconds since 1970."""
    weight: int = 1
    """Messages for which each of the sample stands."""
    ends: Sequence[int] = ()
    """The timestamps of the first and last messages of all partitions."""


@dataclass
class Result:
    """What a verification has found out."""

    service: str
    verdict: Verdict = Verdict.inconclusive
    findings: list[Finding] = field(default_factory=list)
    topics: dict[str, int] = field(default_factory=dict)
    """Records by topic, without canaries."""
    partitions: dict[str, int] = field(default_factory=dict)
    """The number of partitions by topic."""
    previous: frozenset[str] = frozenset()
    """Topics that events were moved away from; see `routing.previous_topics`."""
    keys: int = 0
    copies: int = 0
    """Events that came again."""
    rows: int | None = None
    """Rows of the outbox table; None where it was not read."""
    recognised: dict[str, int] = field(default_factory=dict)
    """Records that are events, however faulty, by topic."""
    verified: dict[str, int] = field(default_factory=dict)
    """Events with an id and a key that are declared, by topic."""
    interruption: KeyboardInterrupt | None = None
    notes: list[str] = field(default_factory=list)
    ends: Mapping[tuple[str, int], int] = field(default_factory=dict)
    """Up to where each partition was read."""
    traces: Sequence[AggregateTrace] = ()
    """The aggregates with the most anomalies."""
    coverage: Coverage = field(default_factory=Coverage)
    timing: Timing = field(default_factory=Timing)
    message_times: MessageTimes = field(default_factory=MessageTimes)
    compared: RowCoverage | None = None
    """None where no row was read."""

    @property
    def events(self) -> int:
        """All messages that are events, copies too."""
        return sum(self.recognised.values())

    @property
    def suites(self) -> list[str]:
        """The topics, and the run as a whole where something was found of it or there is no topic."""
        return sorted({*self.topics, *(finding.subject for finding in self.findings)}) or [RUN]

    def why_unchecked(self, check: Check, suite: str | None = None) -> str:
        """Why a check was not made, in one suite or anywhere; empty where it was made."""
        subjects = {finding.subject for finding in self.findings if finding.rule == check}
        if subjects if suite is None else suite in subjects:
            return ""
        if check.id in self.coverage.off:
            return "switched off"
        if suite is not None and (subjects if suite == RUN else RUN in subjects):
            return "found of a topic" if suite == RUN else "found of the run as a whole"
        missing = check.needs & self.coverage.unmet.get(suite or RUN, NOTHING_MET)
        return next((need.value for need in Need if need in missing), "")

    def unchecked(self, suite: str | None = None) -> dict[str, str]:
        """Why checks were not made, by their ids."""
        reasons = {check.id: self.why_unchecked(check, suite) for check in CHECKS}
        return {check: reason for check, reason in reasons.items() if reason}

    def offsets(self) -> dict[str, Any]:
        """Where the reading ended and when it began, as a file keeps them for a later run's begin."""
        return {"schema": OFFSETS, "began_ms": self.timing.began_ms, "offsets": offsets(self.ends)}
