"""The options that every command with findings has, and where its report goes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli.destination import checked_file
from outbox_kit.cli.options import text_of
from outbox_kit.cli.output import clean, say, show, write
from outbox_kit.cli.parsing import ADVANCED
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.findings import formats
from outbox_kit.printable import as_json

if TYPE_CHECKING:
    from outbox_kit.findings.finding import Finding
    from outbox_kit.findings.policy import Policy
    from outbox_kit.findings.report import Report
    from outbox_kit.findings.rule import RuleCatalogue, Severity

PANEL = "Findings and reports"
ReportFormat = StrEnum("ReportFormat", [(name, name) for name in formats.names()])  # type: ignore[misc]


TEXT = ReportFormat("text")


class Threshold(StrEnum):
    """The least severity that fails."""

    error = "error"
    warning = "warning"
    info = "info"


Format = Annotated[
    ReportFormat,
    typer.Option(
        "--format", help=f"Format on stdout: {', '.join(formats.names())}.", metavar="FORMAT", rich_help_panel=PANEL
    ),
]
Reports = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="FORMAT=PATH",
        help="Also write a report to a file; repeatable.",
        rich_help_panel=PANEL,
    ),
]
FailOn = Annotated[Threshold, typer.Option(help="Minimum severity that fails.", rich_help_panel=PANEL)]
Severities = Annotated[
    list[str] | None,
    typer.Option(
        "--severity",
        metavar="RULE=LEVEL",
        help="Set the severity of a rule, or of a group of rules: error, warning, info or off; repeatable.",
        rich_help_panel=ADVANCED,
    ),
]
Ignored = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="RULE=REASON",
        help="Accept findings of a rule or group, or only those of RULE:SUBJECT; they are shown and do not fail. "
        "Repeatable.",
        rich_help_panel=ADVANCED,
    ),
]
BaselineFile = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Accept the findings in this file.",
        rich_help_panel=ADVANCED,
    ),
]
UpdateBaseline = Annotated[
    bool,
    typer.Option(
        "--update-baseline", help="Write the findings of this run to the --baseline file.", rich_help_panel=ADVANCED
    ),
]


@dataclass(frozen=True)
class Judgement:
    """What the options say of findings and reports."""

    command: str
    policy: "Policy"
    fail_on: "Severity"
    format: str
    reports: Sequence[tuple[str, Path]]
    baseline: Path | None
    update: bool
    """Whether the findings are written to the baseline file."""

    def accept(self, findings: "Sequence[Finding]") -> "list[Finding]":
        """The findings of a run; all of them are accepted where they are written to the baseline."""
        from outbox_kit.findings import baseline
        from outbox_kit.findings.policy import Policy

        if not self.update:
            return list(findings)
        document = baseline.document(self.command, findings)
        return Policy(baseline=baseline.baseline(document, self.command)).apply(findings)

    def write(self, report: "Report", tell: Callable[[str], None] = say) -> list[EnvironmentProblem]:
        """Write the reports and the baseline; returns the problems, so that a full disk takes no other file along."""
        from outbox_kit.findings import baseline

        files = [(path, clean(formats.render(name, report))) for name, path in self.reports]
        if self.update and self.baseline:
            files.append((self.baseline, as_json(baseline.document(self.command, report.findings))))
        problems = []
        for path, text in files:
            try:
                write(path, text)
                tell(f"wrote '{path}'")
            except EnvironmentProblem as problem:
                problems.append(problem)
        return problems

    def deliver(self, report: "Report") -> int:
        """Write and print the report; returns the exit code of its verdict.

        Raises EnvironmentProblem after both, if a file could not be written.
        """
        from outbox_kit.findings.verdict import EXIT_CODES

        problems = self.write(report)
        show(formats.render(self.format, report), nl=False)
        if problems:
            raise problems[0]
        return EXIT_CODES[report.verdict]


def judgement(
    rules: "RuleCatalogue[..., Any]",
    severity: list[str] | None,
    ignore: list[str] | None,
    fail_on: Threshold,
    output: ReportFormat,
    reports: list[str] | None,
    baseline_file: Path | None,
    update: bool = False,
    *,
    select: Sequence[str] = (),
    profile: str | None = None,
) -> Judgement:
    """The options, checked. Raises UsageProblem, and UnknownName for a rule or group that does not exist."""
    from outbox_kit.findings import baseline, policy
    from outbox_kit.findings.rule import Severity

    decided = policy.parsed(severity or [], ignore or [], rules, select, profile)
    if update and baseline_file is None:
        raise UsageProblem("--update-baseline needs a file", fix="name it: --baseline FILE")
    if update and baseline_file:
        checked_file("--baseline", baseline_file)
    accepted = baseline.EMPTY
    if baseline_file and not update:
        accepted = baseline.baseline(json_of(baseline_file, "a file that --update-baseline wrote"), rules.command)
    return Judgement(
        rules.command,
        replace(decided, baseline=accepted),
        Severity(fail_on),
        output.value,
        [_report(text) for text in reports or []],
        baseline_file,
        update,
    )


def json_of(path: Path, expected: str) -> Any:
    """The document of a JSON file. expected: what the file should be. Raises UsageProblem."""
    try:
        return json.loads(text_of(path, expected))
    except (ValueError, RecursionError) as cause:
        raise UsageProblem("the file is not JSON", where=str(path), why=str(cause)) from None


def _report(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if name not in formats.names() or not (equals and path):
        raise UsageProblem(f"invalid --report '{text}'", fix=f"write FORMAT=PATH, with {', '.join(formats.names())}")
    return name, checked_file("--report", Path(path))
