"""`check`: what is wrong with a schema file, or with anybody's connector config."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import secret
from outbox_kit.cli import app, reporting
from outbox_kit.cli.options import DEFAULT_PATH, TargetVersion, release_of, text_of
from outbox_kit.cli.output import say, show, write
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.findings.finding import Finding
    from outbox_kit.lint.subject import Subject
    from outbox_kit.versions import Version


SUFFIXES = (".json", ".yaml", ".yml", ".properties")
OF_CONNECTORS = ("connector.class", "KafkaConnector", "outbox.EventRouter", "outbox.MongoEventRouter")


@app.command("check")
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Schema files, connector JSON, Strimzi YAML or properties, or folders of them. [default: outbox.yaml]"
        ),
    ] = None,
    target: TargetVersion = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every setting of a schema file, with the defaults that hold.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Rewrite what has one safe fix.")] = False,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Lint a schema file, a connector config of ours, or anybody's connector JSON, Strimzi YAML or properties.

    Nothing is asked of a database or a worker. Exit code 1: something was found.
    """
    from outbox_kit.lint import run
    from outbox_kit.lint.rule import RULES

    began, release = time.monotonic(), release_of(target)
    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    paths = [path for argument in files or [DEFAULT_PATH] for path in _files(argument)]
    if explain and judged.format != reporting.TEXT:
        raise UsageProblem("--explain is for reading", fix="leave out --format, or --explain")
    if explain:
        _explain(paths)
    subjects = _all_subjects(paths, release)
    findings = run.check(subjects, judged.policy)
    if fix and _fixed(findings, subjects):
        subjects = _all_subjects(paths, release)
        findings = run.check(subjects, judged.policy)
    result = run.report(subjects, judged.accept(findings), judged.fail_on, time.monotonic() - began)
    raise typer.Exit(judged.deliver(result))


def _files(path: Path) -> list[Path]:
    """The file itself, or those of a folder that hold a connector's config or are schema files. Raises UsageProblem."""
    from outbox_kit.lint.formats import is_schema_file

    if not path.is_dir():
        return [path]
    paths = []
    for file in sorted(path.rglob("*")):
        if file.suffix in SUFFIXES and file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            if is_schema_file(text) or any(word in text for word in OF_CONNECTORS):
                paths.append(file)
    if not paths:
        raise UsageProblem(f"no connector config in '{path}'", why=f"no file of {', '.join(SUFFIXES)} holds one")
    return paths


def _explain(paths: list[Path]) -> None:
    from outbox_kit.connect.redact import is_secret
    from outbox_kit.lint.formats import is_schema_file
    from outbox_kit.schema.effective import settings
    from outbox_kit.schema.read import read
    from outbox_kit.wire import connector

    for path in paths:
        if is_schema_file(text_of(path)):
            for outbox in read(path).outboxes:
                written = connector.config(outbox)

                def shown(name: str, value: str, whole: dict[str, str] = written) -> str:
                    option = name.removeprefix("connect.config.")
                    return secret.shown(value, secret=option != name and is_secret(option, whole))

                show("".join(f"{name} = {shown(name, value)}{mark}\n" for name, value, mark in settings(outbox)))


def _all_subjects(paths: list[Path], release: "Version | None") -> list["Subject"]:
    from outbox_kit.lint.subjects import with_peers

    return with_peers([subject for path in paths for subject in _subjects(path, release)])


def _subjects(path: Path, release: "Version | None") -> list["Subject"]:
    from outbox_kit.lint import formats, subjects

    text = text_of(path)
    if formats.is_schema_file(text):
        from outbox_kit.lint.outboxes import from_schema_file
        from outbox_kit.schema.read import read

        return from_schema_file(read(path), release)
    return subjects.from_configs(text, str(path), release)


def _fixed(findings: "list[Finding]", subjects: list["Subject"]) -> bool:
    """Rewrite the files; whether anything was changed."""
    from outbox_kit.lint.fix import fixed
    from outbox_kit.lint.rule import Edit

    changed = False
    for source in sorted({finding.location.file for finding in findings if finding.location}):
        edits = [
            (subject.document, Edit(**finding.facts["edit"]))
            for finding in findings
            for subject in subjects
            if finding.location and finding.location.file == source == subject.source
            if finding.facts["edit"] and not finding.accepted
            if (subject.document.name or "") == finding.scope
            if finding.subject in {*subject.config, "connector.class"}
        ]
        result = fixed(text_of(Path(source)), source, edits)
        if result.edits:
            write(Path(source), result.text)
            say(f"'{source}': {len(result.edits)} fixed")
            changed = True
    return changed
