"""Several findings as one: about options that are not set, about a renamed one, and with the same content. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from outbox_kit.findings.finding import Finding
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import RULES

MISSING, REMOVED = "required-option-missing", "removed-option"
DEFAULTS = "left-at-default"


def merged(findings: Iterable[Finding], policy: Policy) -> list[Finding]:
    """The findings of one connector: those about options that are not set are one of each kind.

    A required option that is missing and the one that it was called before are one finding. Other required ones are
    one; others of one severity are one, unless a fix sets the option. policy: what it says of the rule of the merged
    findings holds for them, whatever it says of theirs.
    """
    kept, groups = list[Finding](), dict[tuple[str, Severity, str], list[Finding]]()
    for finding in _with_former_names(list(findings)):
        if (
            not finding.facts["unset"]
            or finding.facts["edit"]
            or (finding.severity is Severity.error and finding.id != MISSING)
        ):
            kept.append(finding)
        else:
            kind = MISSING if finding.id == MISSING else DEFAULTS
            severity = policy.severities.get(kind, finding.severity) if kind == DEFAULTS else finding.severity
            if severity is not None:
                groups.setdefault((kind, severity, finding.accepted), []).append(replace(finding, severity=severity))
    for (kind, _, _), group in groups.items():
        kept.append(group[0] if len(group) == 1 else _merged_finding(kind, group))
    return kept


def _with_former_names(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, of which those about a missing option and about its former name are one."""
    missing = {(each.facts["option"], each.accepted): each for each in findings if each.id == MISSING}
    renamed = dict[str, Finding]()
    for finding in findings:
        successor = (finding.facts["edit"] or {}).get("rename")
        required = missing.pop((successor, finding.accepted), None) if finding.id == REMOVED else None
        if required is not None:
            options, rules = [successor, *finding.facts["options"]], [*finding.facts["rules"], MISSING]
            renamed[finding.facts["option"]] = replace(
                finding,
                severity=required.severity,
                message=f"{finding.message}, which is required and not set",
                facts={**finding.facts, "options": options, "rules": sorted(rules), "consequence": "stop"},
            )
    left = [each for each in findings if each.id != MISSING or each in missing.values()]
    return [renamed.get(each.facts["option"], each) if each.id == REMOVED else each for each in left]


def once(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with the same content in one file as one, with the other lines; one that has a fix stays alone."""
    kept, same = list[Finding](), dict[tuple[object, ...], list[Finding]]()
    for finding in findings:
        if finding.facts["edit"] or finding.location is None:
            kept.append(finding)
        else:
            content = finding.id, finding.severity, finding.accepted, finding.location.file, finding.message
            same.setdefault((*content, *finding.details), []).append(finding)
    return kept + [_with_lines(group) for group in same.values()]


def _with_lines(group: Sequence[Finding]) -> Finding:
    first = group[0]
    others = sorted({finding.location.line for finding in group[1:] if finding.location})
    if not others:
        return first
    lines = f"also at line {others[0]}" if len(others) == 1 else f"also at lines {', '.join(map(str, others))}"
    names = [*dict.fromkeys(option for finding in group for option in finding.facts["options"])]
    return replace(first, details=[*first.details, lines], facts={**first.facts, "lines": others, "options": names})


def _merged_finding(kind: str, group: Sequence[Finding]) -> Finding:
    """One finding for several."""
    unset = sorted({finding.facts["option"] for finding in group})
    first = group[0]
    facts = {**first.facts, "options": unset, "rules": sorted({finding.id for finding in group})}
    names = ", ".join(unset)
    if kind == MISSING:
        more = [finding.message for finding in group if finding.message != f"'{finding.facts['option']}' is not set"]
        message = f"required options are not set: {names}"
        return replace(first, message=message, details=[*dict.fromkeys(more)], facts=facts)
    lines = [f"{finding.message} [{finding.id}]: {finding.fix}" for finding in group]
    return replace(
        first,
        rule=RULES.get(DEFAULTS),
        message=f"options are left at their defaults: {names}",
        details=[*dict.fromkeys(lines)],
        facts=facts,
    )
