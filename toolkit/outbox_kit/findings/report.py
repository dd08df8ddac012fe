"""A report as values: what every format is given. Each command makes one of what it has examined. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Any, TypeVar

from outbox_kit.findings.finding import RUN, FileLocation, Finding
from outbox_kit.findings.rule import Rule
from outbox_kit.findings.verdict import Verdict

Value = TypeVar("Value")
HEADINGS = {Verdict.passed: "PASS", Verdict.failed: "FAIL", Verdict.inconclusive: "INCONCLUSIVE"}


@dataclass(frozen=True)
class ReportTable:
    """Rows of texts under a heading."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    shares: Sequence[float] = ()
    """The length of each row's bar in a picture, in percent; no bars where it is empty."""


@dataclass(frozen=True)
class PlotPoint:
    """A bar or a dot of a plot, in a box of 1000 by 200."""

    x: float
    """The left edge of a bar, the middle of a dot."""
    y: float
    width: float = 0.0
    height: float = 0.0
    label: str = ""
    """The text that is shown when it is pointed at."""
    kind: str = ""


@dataclass(frozen=True)
class Plot:
    """Marks, with the texts at the ends of the axes."""

    title: str
    marks: Sequence[PlotPoint]
    left: str
    right: str
    top: str
    bottom: str = "0"
    middle: str = ""
    """In the middle of the horizontal axis."""
    path: str = ""
    """A line through some of the marks, as SVG writes one."""


@dataclass(frozen=True)
class Suite:
    """The rules that apply to one subject: a topic, a file, or the run as a whole."""

    name: str
    rules: Sequence[Rule]
    findings: Sequence[Finding]
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Why a rule could not be checked, by its id."""

    def cases(self) -> Iterator[tuple[Rule, Sequence[Finding], str]]:
        """Each rule with its findings, and why it was not checked (empty where it was)."""
        by_rule: dict[str, list[Finding]] = {}
        for finding in self.findings:
            by_rule.setdefault(finding.id, []).append(finding)
        for rule in self.rules:
            findings = by_rule.get(rule.id, [])
            yield rule, findings, "" if findings else self.unchecked.get(rule.id, "")


@dataclass(frozen=True)
class Report:
    """The result of a command, for every format."""

    command: str
    """The command as it is typed."""
    subject: str
    """What was examined: a service, files, a database."""
    verdict: Verdict
    summary: str
    """The result in one line, without the verdict."""
    rules: Sequence[Rule]
    """The catalogue, sorted."""
    findings: Sequence[Finding]
    suites: Sequence[Suite]
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Why a rule was checked nowhere, by its id."""
    inapplicable: frozenset[str] = frozenset()
    """Those of these reasons with which a rule does not apply; with all others it could not be checked."""
    document: Mapping[str, Any] = field(default_factory=dict)
    """Members of the JSON document that only this command has."""
    lines: Sequence[str] = ()
    """Facts about what was examined, a line each."""
    notes: Sequence[str] = ()
    tables: Sequence[ReportTable] = ()
    figures: Mapping[str, str] = field(default_factory=dict)
    """Numbers with what they count, the number first."""
    plots: Sequence[Plot] = ()
    traces: Sequence[Plot] = ()
    """Aggregates, as plots of their events."""
    location: FileLocation | None = None
    """Where in the schema file the outbox begins."""
    places: Mapping[str, FileLocation] = field(default_factory=dict)
    """Where in the schema file a group of rules has what it is about, by the group's title."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What was examined, when and with what: facts that make an archived report a proof, by their names."""
    heading: str = ""
    """The verdict in words, in place of PASS, FAIL and INCONCLUSIVE."""
    started_ms: int = 0
    """Milliseconds since 1970."""
    seconds: float = 0.0

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        return f"{self.heading or HEADINGS[self.verdict]}: {self.summary}"

    def reasons(self) -> dict[str, list[str]]:
        """The rules that were checked nowhere, by the reason: also those that do not apply."""
        reasons: dict[str, list[str]] = {}
        for rule in self.rules:
            if rule.id in self.unchecked:
                reasons.setdefault(self.unchecked[rule.id], []).append(rule.id)
        return reasons

    def unexamined(self) -> dict[str, list[str]]:
        """The rules that could not be checked, by the reason."""
        return {reason: rules for reason, rules in self.reasons().items() if reason not in self.inapplicable}

    def not_applicable(self) -> list[str]:
        """The rules that do not apply to what was examined."""
        return [rule.id for rule in self.rules if self.unchecked.get(rule.id, "") in self.inapplicable]

    def passed(self) -> list[str]:
        """The rules that were checked and found to hold everywhere."""
        broken = {finding.id for finding in self.findings}
        return [rule.id for rule in self.rules if rule.id not in broken and rule.id not in self.unchecked]

    def checked(self) -> str:
        """How many rules of each group were checked."""
        counts: dict[str, list[bool]] = {}
        for rule in self.rules:
            counts.setdefault(rule.group.title, []).append(rule.id not in self.unchecked)
        return ", ".join(f"{title} {sum(done)} of {len(done)}" for title, done in counts.items())

    def place(self, finding: Finding) -> FileLocation | None:
        """The line of a file that a finding is about, as far as there is one."""
        return finding.location or self.places.get(finding.rule.group.title, self.location)


def listed(ids: Sequence[str]) -> str:
    """Ids of rules as a text; consecutive numbers of a family as a range, such as `CE-01 to CE-08`."""
    texts: list[str] = []
    for _, group in groupby(enumerate(ids), key=lambda entry: _consecutive(*entry)):
        first, *rest = [name for _, name in group]
        texts += [f"{first} to {rest[-1]}"] if len(rest) > 1 else [first, *rest]
    return ", ".join(texts)


def _consecutive(index: int, name: str) -> tuple[str, int]:
    """What is the same of ids whose numbers follow each other. index: in their list."""
    family, _, number = name.rpartition("-")
    return (family, int(number) - index) if number.isdecimal() else (name, index)


def suite_name(subject: str) -> str:
    """The subject of findings as a title."""
    return "the run as a whole" if subject == RUN else subject


def cleaned(value: Value, clean: Callable[[str], str]) -> Value:
    """The value with every text in it cleaned: topics, keys and headers may hold anything. Rules are our own texts."""
    result: Any = value
    if isinstance(value, str) and not isinstance(value, Enum):
        result = clean(value)
    elif isinstance(value, Mapping):
        result = {cleaned(name, clean): cleaned(inner, clean) for name, inner in value.items()}
    elif isinstance(value, list | tuple):
        result = [cleaned(inner, clean) for inner in value]
    elif is_dataclass(value) and not isinstance(value, Rule | type):
        changes = {attribute.name: cleaned(getattr(value, attribute.name), clean) for attribute in fields(value)}
        result = replace(value, **changes)
    return result  # type: ignore[no-any-return]
