"""`check`: examine a schema file, or any connector config."""

import os
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, check_files, check_settings, fixing, reporting
from outbox_kit.cli.options import DEFAULT_PATH, FILE, FILE_VARIABLE, Env, TargetVersion, piped, typed
from outbox_kit.cli.output import show
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.lint.subject import Subject

STDIN = Path("-")


@app.command("check")
def check(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Schema files, files with connectors in any format, or folders of them; - is stdin.",
        ),
    ] = None,
    more_files: Annotated[
        list[Path] | None,
        typer.Option(
            "--file",
            "-f",
            metavar=FILE,
            help=f"The same as an argument; repeatable.  [env var: {FILE_VARIABLE}; default: {DEFAULT_PATH}]",
        ),
    ] = None,
    stdin_name: Annotated[
        str | None,
        typer.Option(
            "--stdin-filename",
            metavar=FILE,
            help="The name of the file that stdin has: in findings, and for its format.",
        ),
    ] = None,
    skip_others: Annotated[
        bool,
        typer.Option(
            "--skip-others",
            help="Skip also files that are named, if they have no config or are excluded by the settings: for hooks.",
        ),
    ] = False,
    env: Env = None,
    target: TargetVersion = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every setting of a schema file, with the defaults that hold.")
    ] = False,
    fix: fixing.Fix = False,
    unsafe_fixes: fixing.Unsafe = False,
    diff: fixing.Diff = False,
    select: check_settings.Selected = None,
    profile: check_settings.Profile = check_settings.ProfileChoice.standard,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
    config: check_settings.SettingsFile = None,
    no_config: check_settings.NoSettings = False,
    show_config: check_settings.ShowSettings = False,
) -> None:
    """Check schema files and connector configs.

    It reads JSON, YAML, properties, Terraform, shell scripts, HTTP requests and Markdown.

    No database and no worker is contacted. Settings are read from the nearest .outbox-kit.toml, or pyproject.toml with
    [tool.outbox-kit.check]. Exit code 1: a finding has at least the severity of --fail-on, or --diff has changes.
    """
    from outbox_kit.lint import run

    began = time.monotonic()
    arguments = [*(files or ()), *(more_files or ())] or [Path(os.environ.get(FILE_VARIABLE) or DEFAULT_PATH)]
    texts = _from_stdin(arguments, stdin_name)
    arguments = [Path(next(iter(texts))) if path == STDIN else path for path in arguments]
    fixing.expect_consistent(ctx, fix=fix, diff=diff, unsafe=unsafe_fixes, stdin=bool(texts))
    options = check_settings.command_line(ctx, select, profile, severity, ignore, target, fail_on, output, baseline)
    decisions = check_settings.decided(options, arguments, config, report, isolated=no_config, update=update_baseline)
    judged = decisions.judged
    sources = [check_files.files_of(argument) for argument in arguments]
    paths = [path for each in sources for path in each.paths]
    if explain and typed(ctx, "output") and output != reporting.TEXT:
        raise UsageProblem("--explain prints text only", fix="leave out --format, or --explain")
    if explain:
        _explain(paths, texts, env)
    if show_config:
        show(check_settings.shown_settings(decisions, [str(path) for path in paths]), nl=False)
        return
    examine = partial(_examined, sources, texts, decisions, env, skips_others=skip_others)
    subjects, notes = examine()
    findings = run.check(subjects, judged.policy, decisions.policy)
    if fix or diff:
        plans = fixing.plans_of(findings, subjects, texts, unsafe=unsafe_fixes)
        if diff:
            raise typer.Exit(fixing.show_changes(plans, subjects))
        if fixing.apply(plans):
            subjects, notes = examine()
            findings = run.check(subjects, judged.policy, decisions.policy)
    accepted = judged.accept(findings)
    fixable = fixing.fixable_of(accepted, subjects, texts)
    result = run.report(
        subjects, accepted, judged.fail_on, time.monotonic() - began, notes, fixable, judged.policy, decisions.policy
    )
    raise typer.Exit(judged.deliver(result))


def _from_stdin(arguments: list[Path], name: str | None) -> dict[str, str]:
    """The text of stdin by its name, if - is an argument. Raises UsageProblem, BadConfigFile."""
    if STDIN in arguments:
        return {name or "stdin": piped(STDIN, "a schema file or a connector config")}
    if name:
        raise UsageProblem("--stdin-filename needs stdin as an argument", fix="add the argument -")
    return {}


def _explain(paths: list[Path], texts: Mapping[str, str], env: str | None) -> None:
    from outbox_kit.cli.config import effective
    from outbox_kit.lint.formats import is_schema_file
    from outbox_kit.schema.read import read

    for path in paths:
        text = check_files.content_of(str(path), texts)
        if is_schema_file(text):
            file = read(path, env, text=text)
            for outbox, layers in zip(file.outboxes, file.layers, strict=True):
                show("".join(f"{each.path} = {each.value}{each.mark}\n" for each in effective(outbox, layers)))


def _examined(
    sources: Sequence[check_files.Sources],
    texts: Mapping[str, str],
    decisions: check_settings.Decided,
    env: str | None,
    *,
    skips_others: bool,
) -> "tuple[list[Subject], list[str]]":
    """What is examined of the files, and notes about others.

    texts: those that are in no file, by name. skips_others: see `check_files.examined`.
    """
    from outbox_kit.lint.texts import from_text

    def subjects_of(text: str, name: str) -> "list[Subject]":
        return from_text(text, name, decisions.release(name), env)

    return check_files.examined(sources, texts, decisions.excluded, subjects_of, skips_others=skips_others)
