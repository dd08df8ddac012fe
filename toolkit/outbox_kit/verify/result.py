"""What a verification is asked for, and what it has found out: values, for the run and for every report."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from outbox_kit.connect.client import Connect
from outbox_kit.finding import Finding, Findings, Severity
from outbox_kit.kafka.read import Range, Reading
from outbox_kit.schema.model import Outbox
from outbox_kit.source.ledger import Held, Ledger
from outbox_kit.verify.baseline import Known
from outbox_kit.verify.catalogue import CHECKS, severities
from outbox_kit.verify.loss import Latency
from outbox_kit.verify.needs import NOTHING_MET, Need
from outbox_kit.verify.shard import Shard
from outbox_kit.verify.tally import Here
from outbox_kit.verify.verdict import Verdict
from outbox_kit.verify.window import SCHEMA as OFFSETS
from outbox_kit.verify.window import Window, offsets

RUN = "*"  # the topic of what concerns the run as a whole


class Log(Protocol):
    """Partitions of records: a cluster's, or messages that were captured.

    whole: whether every topic in it is to be examined, not only those that are declared.
    """

    @property
    def whole(self) -> bool:
        """See above."""

    def topics(self) -> dict[str, int]:
        """Every topic with its number of partitions."""

    def hidden(self, names: Sequence[str]) -> dict[str, str]:
        """Those of some topics that may be there and may not be known of, and why."""

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        """The topics' settings; None where they may not be read."""

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        """The range of each partition as it is now."""

    def at(self, partitions: Sequence[tuple[str, int]], milliseconds: int) -> dict[tuple[str, int], int]:
        """The first offset at or after a moment, of each partition that has one."""

    def read(self, reading: Reading, deadline: float) -> Iterator[tuple[str, int, list[Any]]]:
        """The records of a reading's ranges, in each partition's order."""


@dataclass(frozen=True)
class Remembered:
    """What was judged in earlier windows: what comes now is held against it, and is all that is judged.

    folders: of its rows. ranges: of each partition what can be read again; what comes behind is new. cut: partitions of
    which there was something before the first window. strewn: whether keys were in wrong partitions.
    since: where the messages may begin of those rows that the ledger is asked for. until: where the messages end that
    must have a row among these, or an older one.
    """

    folders: Sequence[Path]
    ranges: Mapping[Here, Range]
    cut: Container[Here]
    strewn: bool
    since: Mapping[Here, int]
    until: Mapping[Here, int]


@dataclass(frozen=True)
class Request:
    """What is asked for.

    log: where the messages are. dsn: None to leave the outbox table out. connect: Kafka Connect, where it is to be
    asked too. severities: of checks that weigh otherwise here. engine: auto, memory, spool or spark; see `choice`.
    memory: in bytes, for everything. workers: processes that read. spool: where large topics are written down
    meanwhile; None for the system's place. shards: parts of the log that were read elsewhere. spark: settings of
    Spark's session. window: the part of the log that is read. known: the findings of a baseline.
    record: an application's own ledger, in place of the table. fence: slot or canary; see `fence`. registry: the
    Schema Registry's address, whose credentials every process finds in its environment. latency: milliseconds that
    events may take (p99). held: what of each message is compared with a row; None for nothing. remembered: what was
    judged before; only what has come since is judged. uncompared: why rows are not compared now, where they should be.
    unnamed: whether there is no dsn because nobody named one, and not because the table was left out.

    Seconds: timeout for everything, settle for open transactions, catch_up for the connector to pass the table's last
    row.
    """

    outbox: Outbox
    log: Log
    dsn: str | None
    timeout: float = 600.0
    settle: float = 10.0
    catch_up: float = 90.0
    fail_on: Severity = Severity.error
    most: int = 32
    connect: Connect | None = None
    severities: Mapping[str, Severity] = field(default_factory=dict)
    engine: str = "auto"
    memory: int = 512 << 20
    workers: int = 1
    spool: Path | None = None
    shards: Sequence[Shard] = ()
    spark: Mapping[str, str] = field(default_factory=dict)
    window: Window = field(default_factory=Window)
    known: Known = field(default_factory=dict)
    record: Ledger | None = None
    registry: str | None = None
    latency: int | None = None
    fence: str = "slot"
    remembered: "Remembered | None" = None
    held: Held | None = None
    uncompared: str = ""
    unnamed: bool = False

    def bare(self) -> "Request":
        """What a process or a machine is given that reads a part: it can ask only the brokers and the registry."""
        return replace(self, dsn=None, connect=None, record=None, shards=(), remembered=None)

    def findings(self) -> Findings:
        """None yet, with the weights that are asked for."""
        exactly_once = self.outbox.delivery == "exactly-once"
        return Findings(severities(exactly_once=exactly_once) | dict(self.severities), self.most)


@dataclass
class Compared:
    """What of the messages was held against rows.

    held: the parts, of all rows or of a sample. nothing: parts that were held against nothing. messages: those that had
    a row. sample: how many of them are in the sample. rowless: messages of which nothing can be said, for their rows
    may have been cleaned up. unjudged: rows without a message that may be older than what was read of the topics.
    """

    held: Held
    nothing: tuple[str, ...] = ()
    messages: int = 0
    sample: int = 0
    rowless: int = 0
    unjudged: int = 0


class Outcome(StrEnum):
    """What became of a check: exactly one of these."""

    passed = "passed"
    found = "found"
    unchecked = "not checked"


@dataclass(frozen=True)
class Trail:
    """One aggregate with an anomaly: offset, number and kind (fresh, again, late) of its events as they came."""

    topic: str
    partition: int
    key: str
    points: Sequence[tuple[int, int, str]]


@dataclass
class Report:
    """What was found, for every report format.

    topics: records by topic, without canaries. recognised: those that are events, however faulty. verified: those with
    an id and a key that are declared. rows: of the outbox table; None where it was not read. met: what the run did, of
    what checks need. unmet: what was missing, by topic; see `unmet`. unseen: topics whose settings could not be read.
    begun: topics that have each aggregate's first event. ends: up to where each partition was read. compared: None
    where no row was read. file, places: the schema file, and line and column in it that a family of checks is about;
    the outbox's own for "". began_ms: in milliseconds since 1970. latency: milliseconds from a row to its message, of a
    sample; see `Latency`. drained: seconds until the connector had passed the last event, where it was waited for.
    moments: the timestamps of the messages in the sample, each of which stands for `weight` of them. trails: the
    aggregates with the most anomalies.
    """

    service: str
    verdict: Verdict = Verdict.inconclusive
    findings: list[Finding] = field(default_factory=list)
    topics: dict[str, int] = field(default_factory=dict)
    partitions: dict[str, int] = field(default_factory=dict)
    keys: int = 0
    copies: int = 0
    rows: int | None = None
    recognised: dict[str, int] = field(default_factory=dict)
    verified: dict[str, int] = field(default_factory=dict)
    met: set[Need] = field(default_factory=set)
    unmet: Mapping[str, frozenset[Need]] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()
    seconds: float = 0.0
    interruption: KeyboardInterrupt | None = None
    notes: list[str] = field(default_factory=list)
    began_ms: int = 0
    latency: Latency | None = None
    drained: float | None = None
    ends: Mapping[tuple[str, int], int] = field(default_factory=dict)
    moments: Sequence[int] = ()
    weight: int = 1
    trails: Sequence[Trail] = ()
    file: str = ""
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    compared: Compared | None = None

    @property
    def events(self) -> int:
        """All messages that are events, copies too."""
        return sum(self.recognised.values())

    @property
    def suites(self) -> list[str]:
        """The topics, and the run as a whole where something was found of it or there is no topic."""
        return sorted({*self.topics, *(one.topic for one in self.findings)}) or [RUN]

    def outcome(self, check: str, suite: str | None = None) -> Outcome:
        """What became of a check: in one suite, or altogether where none is named."""
        if any(one.check == check and suite in (None, one.topic) for one in self.findings):
            return Outcome.found
        return Outcome.unchecked if self.why(check, suite) else Outcome.passed

    def why(self, check: str, suite: str | None = None) -> str:
        """Why a check without a finding was not made; empty where it was."""
        others = {one.topic for one in self.findings if one.check == check}
        if suite is not None and (others if suite == RUN else RUN in others):
            return "found of a topic" if suite == RUN else "found of the run as a whole"
        missing = CHECKS[check].needs & self.unmet.get(suite or RUN, NOTHING_MET)
        return next((need.value for need in Need if need in missing), "")

    @property
    def unchecked(self) -> frozenset[str]:
        """The checks that were not made."""
        return frozenset(check for check in CHECKS if self.outcome(check) is Outcome.unchecked)

    def reasons(self) -> dict[str, list[str]]:
        """The checks that were not made, by the reason."""
        found: dict[str, list[str]] = {}
        for check in CHECKS:
            if self.outcome(check) is Outcome.unchecked:
                found.setdefault(self.why(check), []).append(check)
        return found

    def offsets(self) -> dict[str, Any]:
        """Where the reading ended and when it began, as a file keeps them for a later run's begin."""
        return {"schema": OFFSETS, "began_ms": self.began_ms, "offsets": offsets(self.ends)}
