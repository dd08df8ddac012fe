"""What a verification is asked for, and what it has found out: values, for the run and for every report."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from outbox_kit.finding import Finding, Severity
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.loss import Latency
from outbox_kit.verify.verdict import Verdict


@dataclass(frozen=True)
class Request:
    """What is asked for. dsn: None to leave the outbox table out.

    Seconds: timeout for everything, settle for open transactions, catch_up for the connector to pass the table's
    last row.
    """

    outbox: Outbox
    bootstrap: str
    dsn: str | None
    timeout: float = 600.0
    settle: float = 10.0
    catch_up: float = 60.0
    fail_on: Severity = Severity.error
    most: int = 32


@dataclass
class Report:
    """What was found, for every report format.

    rows: of the outbox table; None where it was not read. unchecked: the checks that could not be made.
    file, places: the schema file, and line and column in it that a family of checks is about; the outbox's own for "".
    began_ms: in milliseconds since 1970. latency: milliseconds from a row to its message, of a sample; see `Latency`.
    """

    service: str
    verdict: Verdict = Verdict.inconclusive
    findings: list[Finding] = field(default_factory=list)
    topics: dict[str, int] = field(default_factory=dict)
    partitions: dict[str, int] = field(default_factory=dict)
    keys: int = 0
    copies: int = 0
    rows: int | None = None
    unchecked: frozenset[str] = frozenset()
    seconds: float = 0.0
    interruption: KeyboardInterrupt | None = None
    notes: list[str] = field(default_factory=list)
    began_ms: int = 0
    latency: Latency | None = None
    file: str = ""
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def events(self) -> int:
        """All messages that are events, copies too."""
        return sum(self.topics.values())
