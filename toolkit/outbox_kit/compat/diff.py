"""What a change of the schema file means to consumers: on the wire, and in the contract. Pure."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from outbox_kit.compat.rules import RULES, Change, Pair, contract
from outbox_kit.compat.schemas import Assumption
from outbox_kit.findings.finding import RUN, FileLocation, Finding
from outbox_kit.findings.report import Report, Suite
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict, verdict
from outbox_kit.printable import counted
from outbox_kit.schema.model import Outbox

SHOWN = 300
LINE = 60
"""Characters of a value that is shown in the message."""
SUMMARIES = {
    Verdict.failed: "the change breaks consumers",
    Verdict.inconclusive: "the compatibility is undecidable",
    Verdict.passed: "compatible",
}


def changes(old: Sequence[Outbox], new: Sequence[Outbox], assumption: Assumption) -> list[Change]:
    """Every change between two files that a consumer notices."""
    changed: list[Change] = []
    for before, after in paired(old, new):
        if after is None:
            changed += contract.removed(before.events)
        else:
            pair = Pair(before, after, assumption)
            changed += (change for module in RULES.modules() for change in module.changes(pair))
    return changed


def of_service(
    old: Sequence[Outbox], new: Sequence[Outbox], service: str | None
) -> tuple[Sequence[Outbox], Sequence[Outbox]]:
    """The outboxes of a service in both files, or all; a single one on both sides is the same, renamed or not."""
    if service is None or len(old) == len(new) == 1:
        return old, new
    return [each for each in old if each.service == service], [each for each in new if each.service == service]


def paired(old: Sequence[Outbox], new: Sequence[Outbox]) -> list[tuple[Outbox, Outbox | None]]:
    """Each old outbox with the new one of its service; a single one on both sides is the same, renamed or not."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    by_service = {outbox.service: outbox for outbox in new}
    return [(outbox, by_service.get(outbox.service)) for outbox in old]


def findings(changes: Sequence[Change]) -> list[Finding]:
    """The changes as findings; what happens to several events in the same way is one."""
    merged = defaultdict[Change, list[str]](list)
    for change in changes:
        if change.comparison is None:
            merged[replace(change, event="")].append(change.event)
    kept = [change for change in changes if change.comparison is not None]
    kept += [replace(change, event=", ".join(filter(None, events))) for change, events in merged.items()]
    return [_finding(change) for change in kept]


def _finding(change: Change) -> Finding:
    comparison = change.comparison
    witness = comparison.witness if comparison and comparison.pointer else None
    return Finding(
        change.rule,
        change.severity or change.rule.severity,
        change.event or RUN,
        message=change.message + (f" from {change.before} to {change.after}" if _in_a_line(change) else ""),
        details=list(_details(change)),
        facts={
            "event": change.event or None,
            "was": change.before or None,
            "now": change.after or None,
            "pointer": (comparison.pointer or None) if comparison else None,
            "keyword": (comparison.rule or None) if comparison else None,
            "violation": (comparison.violation or None) if comparison else None,
            "witness": witness,
            "undecided": (comparison.why or None) if comparison else None,
        },
    )


def _details(change: Change) -> Iterator[str]:
    """The evidence of a change, a line each."""
    if change.before and not _in_a_line(change):
        yield f"before: {_short(change.before)}"
        yield f"after: {_short(change.after or 'none')}"
    if (comparison := change.comparison) is None:
        return
    if comparison.why:
        yield comparison.why
    elif not comparison.pointer:
        yield "proven by comparison of the schemas; no example was found"
    else:
        yield f"example: {_short(json.dumps(comparison.witness))}"
        yield f"rejected: {comparison.violation}"


def _in_a_line(change: Change) -> bool:
    """Whether both values are short enough for the message."""
    return bool(change.before and change.after) and max(len(change.before), len(change.after)) <= LINE


def _short(line: str) -> str:
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def report(old: str, new: str, differences: Sequence[str], findings: Sequence[Finding], fail_on: Severity) -> Report:
    """The report of a comparison.

    old, new: the files. differences: every change, as a text. fail_on: the least severity that fails.
    """
    result, rules = verdict(findings, fail_on), list(RULES)
    changes = counted(len(differences), "change") if differences else "no changes"
    return Report(
        command=RULES.command,
        subject=f"{old} and {new}",
        verdict=result,
        summary=f"{SUMMARIES[result]}, {changes}",
        rules=rules,
        findings=findings,
        suites=[Suite(RUN, rules, findings)],
        document={"changes": list(differences)},
        lines=differences,
        location=FileLocation(new),
    )
