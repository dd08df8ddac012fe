"""Rules over subjects: which apply, what they find, what was set aside and why. Pure."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from outbox_kit.errors import UnknownName
from outbox_kit.finding import Severity
from outbox_kit.lint import rules as rule_package
from outbox_kit.lint.rule import RULES, Flaw, Rule
from outbox_kit.lint.subject import Subject
from outbox_kit.schema.nearest import nearest


@dataclass(frozen=True)
class Found:
    """A flaw with its rule, its weight in this run, and its place. ignored: the reason it was set aside for."""

    rule: Rule
    severity: Severity
    flaw: Flaw
    source: str
    line: int
    column: int
    connector: str | None
    ignored: str = ""

    @property
    def where(self) -> str:
        """file:line:column"""
        return f"{self.source}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Policy:
    """What a team has decided: other severities, and rules to set aside, each with its reason.

    severities: by rule; None switches a rule off. ignored: rule, or rule and option as `rule:option`, to the reason.
    """

    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, severity: Mapping[str, str], ignore: Mapping[str, str]) -> "Policy":
        """A policy in words: `off` for None. Raises UnknownName for a rule that there is none of."""
        weights = {named(rule).id: None if word == "off" else Severity(word) for rule, word in severity.items()}
        for rule in ignore:
            named(rule.partition(":")[0])
        return cls(weights, ignore)

    def over(self, other: "Policy") -> "Policy":
        """Both, this one's word being the last."""
        return Policy({**other.severities, **self.severities}, {**other.ignored, **self.ignored})


@cache
def catalogue() -> Mapping[str, Rule]:
    """Every rule, by its id, sorted."""
    for module in pkgutil.iter_modules(rule_package.__path__):
        importlib.import_module(f"{rule_package.__name__}.{module.name}")
    return dict(sorted(RULES.items()))


def named(rule: str) -> Rule:
    """The rule of that id. Raises UnknownName with the nearest one."""
    known = catalogue()
    if rule not in known:
        raise UnknownName(
            f"no rule '{rule}'{nearest(rule, list(known))}", fix="list them with: outbox-kit explain --all"
        )
    return known[rule]


def check(subjects: Sequence[Subject], policy: Policy | None = None) -> list[Found]:
    """Everything that any rule finds, by place; what is set aside is among it, with its reason.

    policy: wins over what a schema file's own `lint` says. Raises UnknownName for a rule there that is none.
    """
    policy = policy or Policy()
    found = []
    for subject in subjects:
        lint = subject.outbox.lint if subject.outbox else None
        decided = policy.over(Policy.of(lint.severity, lint.ignore)) if lint else policy
        found += _found(subject, decided)
    order = list(Severity)
    return sorted(found, key=lambda f: (f.source, f.line, f.column, order.index(f.severity), f.rule.id))


def _found(subject: Subject, policy: Policy) -> list[Found]:
    found: list[Found] = []
    for rule in sorted(catalogue().values(), key=lambda rule: rule.last):
        severity = policy.severities.get(rule.id, rule.severity)
        if severity is None or not rule.holds_for(subject.connector, subject.release):
            continue
        if not (rule.last and any(one.severity is Severity.error and subject.shapes(one.flaw.key) for one in found)):
            found += [_placed(rule, severity, flaw, subject, policy) for flaw in _unique(rule.check(subject))]
    return found


def _unique(flaws: Iterator[Flaw]) -> Iterator[Flaw]:
    seen = set()
    for flaw in flaws:
        if (flaw.key, flaw.message) not in seen:
            seen.add((flaw.key, flaw.message))
            yield flaw


def _placed(rule: Rule, severity: Severity, flaw: Flaw, subject: Subject, policy: Policy) -> Found:
    line, column = subject.document.spot(flaw.key)
    reason = policy.ignored.get(f"{rule.id}:{flaw.key}", policy.ignored.get(rule.id, ""))
    found = Found(rule, severity, flaw, subject.source, line, column, subject.document.name)
    return replace(found, ignored=reason) if reason else found
