"""Candidates as text and as JSON, and the report of an adoption. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.proposal import COLUMNS, Proposal
from outbox_kit.adopt.rule import RULES
from outbox_kit.databases.catalogue import Catalogue
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.report import Report, Suite
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict, verdict
from outbox_kit.printable import counted
from outbox_kit.schema import presets

INTO = {"id": "header id", "aggregate_type": "topic", "aggregate_id": "key", "type": "header eventType",
        "payload": "value", "sequence": "order", "version": "order"}  # fmt: skip


def sources(catalogue: Catalogue) -> str:
    """What was examined, as a phrase."""
    kinds = Counter(table.kind for table in catalogue.tables)
    counted = ", ".join(f"{number} {kind}{'s' if number != 1 else ''}" for kind, number in sorted(kinds.items()))
    schemas = sorted({table.schema for table in catalogue.tables})
    location = f" in {', '.join(schemas[:8])}{' and others' if len(schemas) > 8 else ''}" if schemas else ""
    server = f"{databases.get(catalogue.dialect).title} {catalogue.version}"
    return f"{counted or 'no tables'}{location} of the database '{catalogue.database}' ({server})"


def listing(candidates: Sequence[Candidate]) -> Iterator[str]:
    """A line for each candidate, best first."""
    wide = max(len(candidate.table.title) for candidate in candidates)
    for candidate in candidates:
        reason = (
            f"{candidate.library.name}: {presets.get(candidate.library.name).title}"
            if candidate.library
            else f"score {candidate.score}, by names and types"
        )
        table = candidate.table
        yield f"{candidate.likelihood:<9} {table.title:<{wide}}  about {counted(table.rows, 'row')}, {reason}"


def mapping(candidate: Candidate) -> Iterator[str]:
    """A line for each role: its column, the type of the column, and its place in the message."""
    roles = (*COLUMNS, *(role for role in ("sequence", "version", "destination", "headers") if role in candidate.roles))
    wide = max((len(column) for column in candidate.roles.values()), default=0)
    for role in roles:
        column = candidate.column(role)
        if column is None:
            yield f"  {role:<15} -"
        else:
            into = f"  -> {INTO[role]}" if role in INTO else ""
            yield f"  {role:<15} {column.name:<{wide}}  {column.type}{into}"
    unused = [column.name for column in candidate.table.columns if column.name not in candidate.roles.values()]
    if unused:
        yield f"  {'unused':<15} {', '.join(unused)}"


def report(
    catalogue: Catalogue,
    candidates: Sequence[Candidate],
    adopted: Sequence[Candidate],
    proposed: Sequence[Proposal],
    findings: Sequence[Finding],
    fail_on: Severity,
) -> Report:
    """The report of an adoption. adopted: the candidates whose rows were read, best first, as they were proposed.

    findings: the findings on them. fail_on: the least severity, on the best one, that fails.
    """
    rules = list(RULES)
    best = adopted[0].table.title if adopted else ""
    impossible = not proposed or bool(proposed[0].problems)
    counted = [finding for finding in findings if finding.subject == best]
    return Report(
        command=RULES.command,
        subject=catalogue.database,
        verdict=Verdict.failed if impossible else verdict(counted, fail_on),
        summary=f"'{best}'; examined: {sources(catalogue)}"
        if best
        else f"no outbox table found; examined: {sources(catalogue)}",
        rules=rules,
        findings=findings,
        suites=[
            Suite(
                candidate.table.title,
                rules,
                [finding for finding in findings if finding.subject == candidate.table.title],
            )
            for candidate in adopted
        ],
        lines=[*listing(candidates), "", best, *mapping(adopted[0])] if adopted else [],
        document={
            "looked_at": sources(catalogue),
            "candidates": [plain(candidate, file, findings) for candidate, file in zip(adopted, proposed, strict=True)],
        },
    )


def plain(candidate: Candidate, proposed: Proposal, findings: Sequence[Finding]) -> dict[str, Any]:
    """A candidate for programs. findings: the findings on all candidates."""
    table = candidate.table
    return {
        "table": table.title,
        "kind": table.kind,
        "likelihood": candidate.likelihood,
        "score": candidate.score,
        "preset": candidate.library.name if candidate.library else None,
        "rows": table.rows,
        "sampled": candidate.evidence.count,
        "mapping": {
            role: candidate.roles.get(role) for role in (*COLUMNS, "sequence", "version", "destination", "headers")
        },
        "findings": [finding.id for finding in findings if finding.subject == table.title],
        "proposed": proposed.file or None,
        "problems": list(proposed.problems),
    }
