"""What a verification is asked for: values."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from outbox_kit.connect.client import Connect
from outbox_kit.databases.ledger import ComparableParts, Ledger
from outbox_kit.delivery import deliveries
from outbox_kit.delivery.interface import Delivery
from outbox_kit.findings.finding import Collector
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka.read import Range, Reading
from outbox_kit.kafka.record import Record
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS, duplicates
from outbox_kit.verify.reading.shard import Shard
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.state.tally import PartitionId


class Log(Protocol):
    """Partitions of records: a cluster's, or messages that were captured.

    all_topics: whether every topic in it is to be examined, not only those that are declared.
    """

    @property
    def all_topics(self) -> bool:
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

    def read(self, reading: Reading, deadline: float) -> Iterator[tuple[str, int, list[Record]]]:
        """The records of a reading's ranges, in each partition's order."""


@dataclass(frozen=True)
class PriorWindows:
    """What was judged in earlier windows: what comes now is held against it, and is all that is judged."""

    folders: Sequence[Path]
    """The folders of their rows."""
    ranges: Mapping[PartitionId, Range]
    """Of each partition what can be read again; what comes behind is new."""
    truncated: Container[PartitionId]
    """Partitions of which there was something before the first window."""
    keys_misplaced: bool
    """Whether keys were in wrong partitions."""
    since: Mapping[PartitionId, int]
    """Where the messages may begin of those rows that the ledger is asked for."""
    until: Mapping[PartitionId, int]
    """Where the messages end that must have a row among these, or an older one."""
    point: int | None = None
    """Where the source's log ended after the rows of this window."""


class Mode(StrEnum):
    """What the topics are compared with."""

    table = "table"
    """The rows of the outbox table, which stay for a while."""
    position = "position"
    """Rows do not stay: only how far the delivery is."""
    file = "file"
    """What an application says it published."""
    window = "window"
    """A follower's window: rows that were written between two moments, if any."""
    topics = "topics"
    """Nothing: the topics are examined by themselves."""


@dataclass(frozen=True)
class Waits:
    """How long a verification waits, in seconds, and for what."""

    timeout: float = 600.0
    """For everything; for each window of a follower."""
    settle: float = 75.0
    """For open transactions to end: brokers abort that of a producer that was killed after 60 s (the default of
    transaction.timeout.ms, which the relay and Kafka Connect have), and look for such every 10 s."""
    catch_up: float = 90.0
    """For the delivery to pass the last row."""
    fence: str = "slot"
    """How it is known that the last row was passed: slot or canary; see `table.catch_up`."""


@dataclass(frozen=True)
class Resources:
    """What a verification may use."""

    engine: str = "auto"
    """auto, memory, disk or spark; see `state.choice`."""
    memory: int = 512 << 20
    """Bytes, for everything."""
    workers: int = 1
    """Processes that read."""
    spool: Path | None = None
    """Where large topics are written down meanwhile; None for the system's place."""
    spark: Mapping[str, str] = field(default_factory=dict)
    """Settings of Spark's session."""
    max_samples: int = 32
    """Samples kept of each finding."""


@dataclass(frozen=True)
class Criteria:
    """What fails a verification."""

    policy: Policy = field(default_factory=Policy)
    """The severity of each check, and the accepted findings."""
    fail_on: Severity = Severity.error
    """The least severity that fails."""
    max_latency: int | None = None
    """Milliseconds from row to message that 99 % of the events may take; None for any."""


@dataclass(frozen=True)
class Request:
    """What is asked for."""

    outbox: Outbox
    log: Log
    """Where the messages are."""
    dsn: str | None = None
    """The database of the outbox table; None to leave the table out."""
    dsn_missing: bool = False
    """Whether there is no dsn because none was given, and not because the table was left out."""
    connect: Connect | None = None
    """Kafka Connect, where the connector is to be examined too."""
    registry: str | None = None
    """The Schema Registry's address; every process finds its credentials in its environment."""
    delivery: Delivery | None = None
    """What publishes the events; None for what the schema file names, asked at `connect` and `dsn`."""
    waits: Waits = field(default_factory=Waits)
    resources: Resources = field(default_factory=Resources)
    criteria: Criteria = field(default_factory=Criteria)
    window: Window = field(default_factory=Window)
    """The part of the log that is read."""
    shards: Sequence[Shard] = ()
    """Parts of the log that were read elsewhere."""
    record: Ledger | None = None
    """An application's published log in place of the table; a follower's table between two moments."""
    prior_windows: PriorWindows | None = None
    """The earlier windows of a follower; only what has come since is judged."""
    comparable_parts: ComparableParts | None = None
    """The parts of each message that are compared with a row; None for nothing."""
    uncompared: str = ""
    """Why rows are not compared now, where they should be."""

    @property
    def delivered_by(self) -> Delivery:
        """What publishes the events."""
        return self.delivery or deliveries.of(self.outbox, self.connect, self.dsn)

    @property
    def mode(self) -> Mode:
        """What the topics are compared with."""
        if self.prior_windows:
            return Mode.window
        if self.window.end != Bound():
            return Mode.topics
        if self.record is not None:
            return Mode.file
        if self.dsn is None:
            return Mode.topics
        return Mode.table if self.outbox.table.keeps_rows else Mode.position

    def bare(self) -> "Request":
        """What a process or a machine is given that reads a part: it can ask only the brokers and the registry."""
        return replace(self, dsn=None, connect=None, delivery=None, record=None, shards=(), prior_windows=None)

    def findings(self) -> Collector:
        """An empty collection of findings."""
        return Collector(self.resources.max_samples, CHECKS.get, self.outbox.service)


def promised(outbox: Outbox) -> Policy:
    """The severities that follow from the schema file: a duplicate is an error where exactly once was promised."""
    if outbox.delivery_guarantee != "exactly-once":
        return Policy()
    return Policy({check.id: Severity.error for check in (duplicates.EVENT, duplicates.RUN_OF_EVENTS)})
