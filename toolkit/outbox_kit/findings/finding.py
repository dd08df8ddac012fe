"""A finding: a rule that does not hold somewhere, with its evidence. A value, never an exception. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from outbox_kit.findings.rule import WEIGHTS, Rule, Severity

RUN = "*"  # the subject of findings about the run as a whole


@dataclass(frozen=True)
class RecordLocation:
    """A record's coordinates. Partition and offset are -1 for the topic or the partition as a whole."""

    topic: str
    partition: int = -1
    offset: int = -1

    def __str__(self) -> str:
        if self.partition < 0:
            return self.topic
        return f"{self.topic}-{self.partition}" + (f"@{self.offset}" if self.offset >= 0 else "")


WHOLE_RUN = RecordLocation(RUN)


@dataclass(frozen=True)
class FileLocation:
    """A place in a file; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Sample:
    """One occurrence in a topic. Never a payload's values."""

    location: RecordLocation
    expected: str = ""
    actual: str = ""

    @property
    def facts(self) -> str:
        """What was expected and what was found, as a phrase; what was found alone if nothing was expected."""
        if not self.expected:
            return self.actual
        return f"expected {self.expected}" + (f"; found {self.actual}" if self.actual else "")


@dataclass(frozen=True)
class Finding:
    """All occurrences of one rule on one subject."""

    rule: Rule
    severity: Severity
    subject: str = RUN
    """What does not keep the rule: a topic, an option, a table or an event."""
    scope: str = ""
    """What the subject belongs to: a service, a connector or a database."""
    message: str = ""
    """The violation in this place; the rule's problem if it is empty."""
    count: int = 1
    samples: Sequence[Sample] = ()
    """The first occurrences by location."""
    location: FileLocation | None = None
    details: Sequence[str] = ()
    """Further evidence, a line each."""
    remedy: str = ""
    """What to do here, in place of the rule's fix."""
    command: str = ""
    """The command that shows more about the finding."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Members of the finding's JSON that only its command has."""
    accepted: str = ""
    """Why the finding is shown and does not count; empty for one that counts."""

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.rule.id

    @property
    def text(self) -> str:
        """The violation, in one line."""
        return self.message or self.rule.problem or self.rule.title

    @property
    def fix(self) -> str:
        """The next step."""
        return self.remedy or self.rule.fix


def by_weight(finding: Finding) -> tuple[Any, ...]:
    """The key by which findings are sorted: those that count first, then severity, rule, subject and location."""
    place = finding.location
    location = (place.file, place.line, place.column) if place else ()
    weight = WEIGHTS[finding.severity]
    return bool(finding.accepted), weight, finding.rule.id, finding.subject, location, finding.message


class Collector:
    """Findings about records as they come in, grouped by rule and topic, each with its first `most` samples.

    Partitions are read in parallel: the first samples of each partition are kept, so that two runs give the same ones.
    """

    def __init__(self, most: int, rules: Callable[[str], Rule], scope: str = "") -> None:
        """most: samples of each finding. rules: gives the rule of an id, for documents. scope: of the findings."""
        self._most = most
        self._scope = scope
        self._rules = rules
        self._counts: Counter[tuple[str, str]] = Counter()
        self._samples: dict[tuple[str, str], list[Sample]] = {}
        self._kept: Counter[tuple[str, str, int]] = Counter()
        self._rules_by_id: dict[str, Rule] = {}

    def add(
        self, rule: Rule, location: RecordLocation, expected: str = "", actual: str = "", *, count: int = 1
    ) -> None:
        """Add an occurrence. count: how many records it stands for."""
        self._rules_by_id[rule.id] = rule
        self._counts[rule.id, location.topic] += count
        self._keep(rule.id, location.topic, Sample(location, expected, actual))

    def _keep(self, rule: str, topic: str, sample: Sample) -> None:
        samples = self._samples.setdefault((rule, topic), [])
        partition = rule, topic, sample.location.partition
        if self._kept[partition] < self._most:
            self._kept[partition] += 1
            samples.append(sample)

    def has(self, rule: Rule) -> bool:
        """Whether a rule was found broken."""
        return any(counted_rule == rule.id for counted_rule, _ in self._counts)

    def topics(self, rule: Rule) -> set[str]:
        """The topics on which a rule was found broken."""
        return {topic for counted_rule, topic in self._counts if counted_rule == rule.id}

    def merge(self, other: "Collector") -> None:
        """Add the findings of another part of the log."""
        self._rules_by_id |= other._rules_by_id
        self.load(other.document())

    def document(self) -> list[Any]:
        """As plain values of JSON, for `load`."""
        return [
            [rule, topic, count, [[*astuple(s.location), s.expected, s.actual] for s in self._samples[rule, topic]]]
            for (rule, topic), count in self._counts.items()
        ]

    def load(self, document: list[Any]) -> None:
        """Add the findings of a document. Raises UnknownName for a rule that does not exist."""
        for rule, topic, count, samples in document:
            self._rules_by_id.setdefault(rule, self._rules(rule))
            self._counts[rule, topic] += count
            self._samples.setdefault((rule, topic), [])
            for *at, expected, actual in samples:
                self._keep(rule, topic, Sample(RecordLocation(*at), expected, actual))

    def __iter__(self) -> Iterator[Finding]:
        """Sorted by severity, rule and topic."""
        findings = [
            self._finding(self._rules_by_id[rule], topic, count) for (rule, topic), count in self._counts.items()
        ]
        return iter(sorted(findings, key=by_weight))

    def _finding(self, rule: Rule, topic: str, count: int) -> Finding:
        samples = self._first(rule.id, topic)
        return Finding(rule, rule.severity, topic, self._scope, count=count, samples=samples)

    def _first(self, rule: str, topic: str) -> tuple[Sample, ...]:
        return tuple(sorted(self._samples[rule, topic], key=lambda sample: astuple(sample.location))[: self._most])
