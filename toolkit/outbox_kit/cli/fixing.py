"""The options of `check` that correct files: --fix, --unsafe-fixes and --diff."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli.check_files import content_of
from outbox_kit.cli.output import say, show, write
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.printable import counted

if TYPE_CHECKING:
    from outbox_kit.findings.finding import Finding
    from outbox_kit.lint.fix_plan import FilePlan, Fixable
    from outbox_kit.lint.subject import Subject

Fix = Annotated[bool, typer.Option("--fix", help="Apply the fixes that are safe.")]
Unsafe = Annotated[
    bool,
    typer.Option("--unsafe-fixes", help="With --fix or --diff: also the fixes that change how the connector behaves."),
]
Diff = Annotated[bool, typer.Option("--diff", help="Print what --fix would change, and change nothing.")]


def expect_consistent(ctx: typer.Context, *, fix: bool, diff: bool, unsafe: bool, stdin: bool) -> None:
    """Raise UsageProblem for options that exclude each other. stdin: whether it is checked."""
    from outbox_kit.cli.options import typed

    if fix and diff:
        raise UsageProblem("--fix and --diff exclude each other", fix="leave out --fix to see the changes first")
    if unsafe and not (fix or diff):
        raise UsageProblem("--unsafe-fixes needs --fix or --diff", fix="see the changes first: --unsafe-fixes --diff")
    if fix and stdin:
        raise UsageProblem("--fix cannot write to stdin", fix="print the changes: --diff; or name the file")
    reported = [name for name in ("output", "report", "update_baseline") if typed(ctx, name)]
    if diff and reported:
        option = {"output": "--format"}.get(reported[0], f"--{reported[0].replace('_', '-')}")
        raise UsageProblem("--diff prints changes instead of a report", fix=f"leave out {option}, or --diff")


def texts_of(findings: "Sequence[Finding]", texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of the files for which a finding has a fix. texts: those that are in no file. Raises BadConfigFile."""
    places = [finding.location for finding in findings if finding.facts.get("edit") and not finding.accepted]
    names = sorted({place.file for place in places if place})
    return {name: content_of(name, texts) for name in names}


def plans_of(
    findings: "Sequence[Finding]", subjects: "Sequence[Subject]", texts: Mapping[str, str], *, unsafe: bool
) -> "list[FilePlan]":
    """The fixes by file. texts: those that are in no file, by name. unsafe: with unsafe fixes."""
    from outbox_kit.lint.fix_plan import planned

    return planned(findings, subjects, texts_of(findings, texts), unsafe=unsafe)


def fixable_of(findings: "Sequence[Finding]", subjects: "Sequence[Subject]", texts: Mapping[str, str]) -> "Fixable":
    """How many fixes can be applied. texts: those that are in no file, by name."""
    from outbox_kit.lint.fix_plan import fixable

    return fixable(findings, subjects, texts_of(findings, texts))


def show_changes(plans: "Sequence[FilePlan]", subjects: "Sequence[Subject]") -> int:
    """Print the changes as a unified diff, without secrets in the configs and beside them.

    Returns 1 if there are some, else 0.
    """
    from outbox_kit.connect.redact import redact, remember
    from outbox_kit.lint.fix_plan import diff

    for subject in subjects:
        remember(subject.config)
    lines = "".join(map(diff, plans)).splitlines(keepends=True)
    beside = ((line.startswith(" ") and "${" not in line, line) for line in lines)  # a reference is no secret
    show("".join(redact(line) if unchanged else line for unchanged, line in beside), nl=False)
    fixes = _fixes(sum(len(plan.edits) for plan in plans))
    say(f"would apply {fixes} to {counted(len(plans), 'file')}" if plans else "nothing to fix")
    return 1 if plans else 0


def apply(plans: "Sequence[FilePlan]") -> bool:
    """Rewrite the files, which keep their permissions and line ends; whether anything was changed.

    Raises EnvironmentProblem.
    """
    for plan in plans:
        path = Path(plan.source).resolve()  # a link stays one
        try:
            mode, crlf = path.stat().st_mode & 0o777, b"\r\n" in path.read_bytes()
        except OSError as cause:
            raise EnvironmentProblem(f"'{plan.source}' cannot be read", why=cause.strerror or str(cause)) from cause
        write(path, plan.after.replace("\n", "\r\n") if crlf else plan.after)
        path.chmod(mode)
        say(f"'{plan.source}': applied {_fixes(len(plan.edits))}")
    return bool(plans)


def _fixes(number: int) -> str:
    return "1 fix" if number == 1 else f"{number:,} fixes"
