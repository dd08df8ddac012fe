"""Rules over subjects: which apply, what they find, and the report. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from outbox_kit.errors import noted
from outbox_kit.findings.finding import FileLocation, Finding
from outbox_kit.findings.policy import Policy, policy
from outbox_kit.findings.report import Report, Suite
from outbox_kit.findings.rule import WEIGHTS, Severity
from outbox_kit.findings.verdict import verdict
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import server
from outbox_kit.lint.fix_plan import Fixable
from outbox_kit.lint.merge import merged, once
from outbox_kit.lint.rule import RULES, SEVERITIES, ConfigRule, Consequence, Edit, Violation
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.subjects import USUAL, by_file
from outbox_kit.printable import counted
from outbox_kit.router import options
from outbox_kit.router.options import Effect

HARMLESS = (Effect.none, Effect.restart)
QUOTED = lazy_pattern(r"'([a-z][\w.]+)'")


def check(
    subjects: Sequence[Subject],
    overrides: Policy | None = None,
    settings: Callable[[str], Policy] | None = None,
) -> list[Finding]:
    """Everything that any rule finds, by location; accepted findings have their reason.

    overrides: decides over what a schema file's own `lint` says. settings: the policy of a file by its name, as its
    settings file gives it; a schema file's own `lint` decides over it.
    Raises UnknownName for a rule in a schema file that does not exist.
    """
    overrides = overrides or Policy()
    findings: list[Finding] = []
    for subject in subjects:
        lint = subject.outbox.lint if subject.outbox else None
        decided = settings(subject.source) if settings else Policy()
        decided = policy(lint.severity, lint.ignore, RULES).over(decided) if lint else decided
        decided = overrides.over(decided)
        with noted(subject.source):
            merged_findings = merged(decided.apply(_findings(subject, decided)), decided)
        counted = map(decided.accepted, merged_findings)  # a baseline has findings as they were merged
        findings += [_suppressed(finding, subject) for finding in counted]
    return sorted(once(sorted(findings, key=_by_location)), key=_by_location)


def _suppressed(finding: Finding, subject: Subject) -> Finding:
    """A finding, with the reason if a comment in the file accepts it."""
    line = finding.location.line if finding.location else 0
    for suppression in subject.suppressions:
        if suppression.covers(line) and suppression.reason and not finding.accepted:
            names = {finding.id, *finding.facts["rules"]}
            if any(names.intersection(RULES.members(rule)) for rule in suppression.rules if RULES.knows(rule)):
                return replace(finding, accepted=suppression.reason)
    return finding


def _by_location(finding: Finding) -> tuple[str, int, int, int, str]:
    place = finding.location or FileLocation("")
    return place.file, place.line, place.column, WEIGHTS[finding.severity], finding.id


def _findings(subject: Subject, policy: Policy) -> list[Finding]:
    findings: list[Finding] = []
    shaped = False  # an error is about an option that shapes the messages
    for rule in sorted(RULES, key=lambda rule: rule.last):
        if policy.off(rule) or not rule.is_about(subject) or (rule.last and shaped):
            continue
        for violation in _unique(rule, subject):
            finding = _finding(rule, violation, subject)
            findings.append(finding)
            severity = policy.severities.get(rule.id, finding.severity)
            shaped |= severity is Severity.error and subject.shapes(violation.key)
    return findings


def _unique(rule: ConfigRule, subject: Subject) -> Iterator[Violation]:
    """What a rule finds, each once; nothing about values and options that the file does not show."""
    seen = set()
    for violation in rule.check(subject):
        hidden = subject.document.partial if violation.unset else violation.key in subject.unknown
        if (violation.key, violation.message) in seen or (hidden and not rule.of_names):
            continue
        seen.add((violation.key, violation.message))
        yield violation


def _finding(rule: ConfigRule, violation: Violation, subject: Subject) -> Finding:
    line, column = subject.document.spot(violation.key)
    consequence = violation.consequence or rule.consequence
    edit = _edit(violation.edit, consequence, subject) if violation.edit else None
    severity = violation.severity or (SEVERITIES[consequence] if violation.consequence else rule.severity)
    return Finding(
        rule,
        severity,
        violation.key,
        subject.document.name or "",
        message=_in_words_of(subject, violation.message),
        location=FileLocation(subject.source, line, column),
        facts={
            "connector": subject.document.name,
            "option": violation.unset or violation.key,
            "options": [violation.unset or violation.key],
            "rules": [rule.id],
            "unset": bool(violation.unset),
            "consequence": consequence.name,
            "edit": edit,
        },
    )


def _edit(edit: Edit, consequence: Consequence, subject: Subject) -> dict[str, Any]:
    """An edit as a fact: not safe if it changes what a connector does that runs today."""
    key = edit.rename or edit.key
    value = edit.value if edit.value is not None or not edit.rename else subject.config.get(edit.key)
    effect = options.resolve(subject.config, key).effect_of(subject.config.get(key), value)
    read = subject.option(key) is not None
    safe = edit.safe and (consequence is Consequence.stop or not read or effect in HARMLESS)
    return asdict(replace(edit, safe=safe))


def _in_words_of(subject: Subject, message: str) -> str:
    """A message with the names that options have in the file."""
    if subject.document.kind != "server":
        return message
    return QUOTED.sub(lambda name: f"'{server.setting(name[1])}'" if subject.option(name[1]) else name[0], message)


def report(
    subjects: Sequence[Subject],
    findings: Sequence[Finding],
    fail_on: Severity,
    seconds: float,
    notes: Sequence[str] = (),
    fixable: Fixable | None = None,
    overrides: Policy | None = None,
    settings: Callable[[str], Policy] | None = None,
) -> Report:
    """The report of a check.

    fail_on: the least severity that fails. notes: about the files, such as skipped ones. fixable: how many findings can
    be fixed; None where it is not known. overrides, settings: as `check` had them; rules that are off are left out.
    """
    of_file, findings_of = by_file(subjects), dict[str, list[Finding]]()
    for finding in findings:
        findings_of.setdefault(finding.location.file if finding.location else "", []).append(finding)
    sources = sorted(of_file)
    rules = {source: _checked(source, overrides or Policy(), settings) for source in sources}
    checked_ids = {rule.id for checked in rules.values() for rule in checked}
    return Report(
        command=RULES.command,
        subject=", ".join(sources),
        verdict=verdict(findings, fail_on),
        summary=_summary(findings),
        rules=[rule for rule in RULES if rule.id in checked_ids],
        findings=findings,
        suites=[_suite(source, rules[source], of_file[source], findings_of.get(source, ())) for source in sources],
        document={"fixable": {"safe": fixable.safe, "unsafe": fixable.unsafe}} if fixable else {},
        seconds=seconds,
        notes=[*notes, *_release_notes(subjects), *filter(None, [fixable.sentence() if fixable else ""])],
    )


def _release_notes(subjects: Sequence[Subject]) -> Iterator[str]:
    """A sentence for each release that files name and that is not the usual one."""
    files = dict[str, dict[str, None]]()
    for subject in subjects:
        if subject.names_release and subject.release != USUAL:
            files.setdefault(subject.release.text, {})[subject.source] = None
    for release, names in files.items():
        text = f"{counted(len(names), 'file')} name" if len(names) > 1 else f"'{next(iter(names))}' names"
        yield f"checked against Debezium {release}, which {text}"


def _checked(source: str, overrides: Policy, settings: Callable[[str], Policy] | None) -> list[ConfigRule]:
    """The rules that are not off for a file."""
    decided = overrides.over(settings(source)) if settings else overrides
    return [rule for rule in RULES if not decided.off(rule)]


def _suite(
    source: str, checked: Sequence[ConfigRule], subjects: Sequence[Subject], findings: Sequence[Finding]
) -> Suite:
    """The rules that hold for the connectors of a file, and what they have found. checked: those that are not off."""
    kinds = {(subject.connector, subject.release) for subject in subjects}
    return Suite(source, [rule for rule in checked if any(rule.holds_for(*kind) for kind in kinds)], findings)


def _summary(findings: Sequence[Finding]) -> str:
    """The counts in a phrase."""
    severities = [finding.severity for finding in findings if not finding.accepted]
    counts = [_count(severities.count(severity), severity) for severity in Severity if severity in severities]
    accepted = len(findings) - len(severities)
    return (", ".join(counts) or "no findings") + (f"; {accepted} accepted" if accepted else "")


def _count(number: int, severity: Severity) -> str:
    plural = "s" if number != 1 and severity is not Severity.info else ""
    return f"{number} {severity}{plural}"
