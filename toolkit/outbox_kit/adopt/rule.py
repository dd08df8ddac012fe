"""The rules of `adopt`: functions over a table, entered into the catalogue by the modules in `rules/`. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.findings.finding import Finding, by_weight
from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity


@dataclass(frozen=True)
class TableViolation:
    """One occurrence on a table."""

    message: str
    """The violation, in one line."""
    fix: str = ""
    """In place of the rule's."""
    sql: str = ""
    """The fix as SQL, if it changes the table."""
    severity: Severity | None = None
    """In place of the rule's."""


Check = Callable[[Candidate], Iterator[TableViolation]]
UNSUPPORTED_KIND = "unsupported-table-kind"


@dataclass(frozen=True, kw_only=True)
class TableRule(Rule):
    """A rule of `adopt`. An error keeps the table from being captured as the proposed file says."""

    check: Check
    documents: str
    """The fix for a database of documents, which has no triggers, CHECKs and columns."""


RULES = RuleCatalogue("adopt", "outbox_kit.adopt.rules", TableRule)


def rule(name: str, severity: Severity, *, fix: str, documents: str = "") -> Callable[[Check], Check]:
    """Enter a function into the catalogue. Its docstring is the title and, after a blank line, why it matters."""
    return RULES.function(name, severity, fix=fix, documents=documents or fix)


def findings(candidate: Candidate) -> Sequence[Finding]:
    """Everything that any rule finds on a candidate, by weight."""
    findings = [_finding(rule, candidate, violation) for rule in RULES for violation in rule.check(candidate)]
    unlogged = [finding for finding in findings if finding.id == UNSUPPORTED_KIND]  # all else is about rows that arrive
    return unlogged or sorted(findings, key=by_weight)


def _finding(rule: TableRule, candidate: Candidate, violation: TableViolation) -> Finding:
    fix = rule.documents if databases.get(candidate.dialect).documents else rule.fix
    return Finding(
        rule,
        violation.severity or rule.severity,
        candidate.table.title,
        message=violation.message,
        remedy=violation.fix or fix,
        details=violation.sql.splitlines(),
        facts={"table": candidate.table.title, "sql": violation.sql},
    )
