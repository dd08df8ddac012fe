"""Rules over subjects: which apply, what they find, and the report. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from outbox_kit.findings.finding import FileLocation, Finding
from outbox_kit.findings.policy import Policy, policy
from outbox_kit.findings.report import Report, Suite
from outbox_kit.findings.rule import WEIGHTS, Severity
from outbox_kit.findings.verdict import verdict
from outbox_kit.lint.rule import RULES, ConfigRule, Violation
from outbox_kit.lint.subject import Subject


def check(subjects: Sequence[Subject], overrides: Policy | None = None) -> list[Finding]:
    """Everything that any rule finds, by location; accepted findings have their reason.

    overrides: decides over what a schema file's own `lint` says.
    Raises UnknownName for a rule there that does not exist.
    """
    overrides = overrides or Policy()
    findings: list[Finding] = []
    for subject in subjects:
        lint = subject.outbox.lint if subject.outbox else None
        decided = overrides.over(policy(lint.severity, lint.ignore, RULES)) if lint else overrides
        findings += decided.apply(_findings(subject, decided))
    return sorted(findings, key=_by_location)


def _by_location(finding: Finding) -> tuple[str, int, int, int, str]:
    place = finding.location or FileLocation("")
    return place.file, place.line, place.column, WEIGHTS[finding.severity], finding.id


def _findings(subject: Subject, policy: Policy) -> list[Finding]:
    findings: list[Finding] = []
    shaped = False  # an error is about an option that shapes the messages
    for rule in sorted(RULES, key=lambda rule: rule.last):
        severity = policy.severities.get(rule.id, rule.severity)
        if severity is None or not rule.holds_for(subject.connector, subject.release) or (rule.last and shaped):
            continue
        for violation in _unique(rule.check(subject)):
            findings.append(_finding(rule, violation, subject))
            shaped |= severity is Severity.error and subject.shapes(violation.key)
    return findings


def _unique(violations: Iterator[Violation]) -> Iterator[Violation]:
    seen = set()
    for violation in violations:
        if (violation.key, violation.message) not in seen:
            seen.add((violation.key, violation.message))
            yield violation


def _finding(rule: ConfigRule, violation: Violation, subject: Subject) -> Finding:
    line, column = subject.document.spot(violation.key)
    edit = asdict(violation.edit) if violation.edit else None
    return Finding(
        rule,
        rule.severity,
        violation.key,
        subject.document.name or "",
        message=violation.message,
        location=FileLocation(subject.source, line, column),
        facts={"connector": subject.document.name, "option": violation.key, "edit": edit},
    )


def report(
    subjects: Sequence[Subject],
    findings: Sequence[Finding],
    fail_on: Severity,
    seconds: float,
    notes: Sequence[str] = (),
) -> Report:
    """The report of a check. fail_on: the least severity that fails. notes: about the files, such as skipped ones."""
    sources = sorted({subject.source for subject in subjects})
    return Report(
        command=RULES.command,
        subject=", ".join(sources),
        verdict=verdict(findings, fail_on),
        summary=_summary(findings),
        rules=list(RULES),
        findings=findings,
        suites=[_suite(source, subjects, findings) for source in sources],
        seconds=seconds,
        notes=notes,
    )


def _suite(source: str, subjects: Sequence[Subject], findings: Sequence[Finding]) -> Suite:
    """The rules that hold for a file's connectors, and what they have found."""
    of_source = [subject for subject in subjects if subject.source == source]
    rules = [rule for rule in RULES if any(rule.holds_for(subject.connector, subject.release) for subject in of_source)]
    return Suite(
        source, rules, [finding for finding in findings if finding.location and finding.location.file == source]
    )


def _summary(findings: Sequence[Finding]) -> str:
    """The counts in a phrase."""
    counted = [finding.severity for finding in findings if not finding.accepted]
    counts = [_count(counted.count(severity), severity) for severity in Severity if severity in counted]
    accepted = len(findings) - len(counted)
    return (", ".join(counts) or "no findings") + (f"; {accepted} accepted" if accepted else "")


def _count(number: int, severity: Severity) -> str:
    plural = "s" if number != 1 and severity is not Severity.info else ""
    return f"{number} {severity}{plural}"
