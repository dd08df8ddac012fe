"""`check`: examine a schema file, or any connector config."""

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, reporting
from outbox_kit.cli.options import DEFAULT_PATH, FILE, FILE_VARIABLE, Env, TargetVersion, release_of, text_of
from outbox_kit.cli.output import say, show, write
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.findings.finding import Finding
    from outbox_kit.lint.subject import Subject
    from outbox_kit.versions import Version


SUFFIXES = (".json", ".yaml", ".yml", ".properties", ".tf")
NAMED = 5  # skipped files in a note
OF_CONNECTORS = ("connector.class", "KafkaConnector", "outbox.EventRouter", "outbox.MongoEventRouter")


@app.command("check")
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Schema files, connector JSON, Strimzi YAML, properties or Terraform, or folders of them.",
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
    env: Env = None,
    target: TargetVersion = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every setting of a schema file, with the defaults that hold.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply the fixes that are safe.")] = False,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Check schema files and connector configs: JSON, Strimzi YAML, Java properties or Terraform.

    No database and no worker is contacted. Exit code 1: a finding has at least the severity of --fail-on.
    """
    from outbox_kit.lint import run
    from outbox_kit.lint.rule import RULES

    began, release = time.monotonic(), release_of(target)
    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    arguments = [*(files or ()), *(more_files or ())] or [Path(os.environ.get(FILE_VARIABLE) or DEFAULT_PATH)]
    sources = [_files(argument) for argument in arguments]
    paths = [path for source in sources for path in source.paths]
    if explain and judged.format != reporting.TEXT:
        raise UsageProblem("--explain prints text only", fix="leave out --format, or --explain")
    if explain:
        _explain(paths, env)
    subjects = _all_subjects(paths, release, env)
    findings = run.check(subjects, judged.policy)
    if fix and _fixed(findings, subjects):
        subjects = _all_subjects(paths, release, env)
        findings = run.check(subjects, judged.policy)
    notes = [note for source in sources for note in source.notes()]
    result = run.report(subjects, judged.accept(findings), judged.fail_on, time.monotonic() - began, notes)
    raise typer.Exit(judged.deliver(result))


@dataclass(frozen=True)
class Sources:
    """The files of one argument."""

    folder: Path | None
    """The folder in which they were found; None for a single file."""
    paths: list[Path]
    """The files that are checked."""
    skipped: Mapping[str, list[Path]]
    """Files of the folder that are not checked, by the reason."""

    def notes(self) -> Iterator[str]:
        """A sentence for each reason why files were skipped, with the first of them."""
        for reason, paths in self.skipped.items():
            names = ", ".join(f"'{path.relative_to(self.folder or path)}'" for path in paths[:NAMED])
            more = f" and {len(paths) - NAMED:,} more" if len(paths) > NAMED else ""
            yield f"skipped in '{self.folder}', {reason}: {names}{more}"


def _files(path: Path) -> Sources:
    """The file itself, or those of a folder with a connector config or a schema file. Raises UsageProblem."""
    if not path.is_dir():
        return Sources(None, [path], {})
    paths: list[Path] = []
    skipped: dict[str, list[Path]] = {}
    for file in sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file()):
        if reason := _reason_to_skip(file):
            skipped.setdefault(reason, []).append(file)
        else:
            paths.append(file)
    if not paths:
        suffixes = ", ".join(SUFFIXES)
        why = "; ".join(Sources(path, [], skipped).notes()) or f"the folder contains no file with the suffix {suffixes}"
        raise UsageProblem(f"no schema file and no connector config found in '{path}'", why=why)
    return Sources(path, paths, skipped)


def _reason_to_skip(file: Path) -> str:
    """Why a file of a folder is not checked; empty if it is."""
    from outbox_kit.lint.formats import is_schema_file

    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as cause:
        return f"not readable ({cause.strerror})"
    if is_schema_file(text) or any(word in text for word in OF_CONNECTORS):
        return ""
    if file.with_name(f"{file.stem.rpartition('.')[0]}{file.suffix}").is_file():
        return "an overlay, which --env applies"
    return "neither a schema file nor a connector config"


def _explain(paths: list[Path], env: str | None) -> None:
    from outbox_kit.cli.config import effective
    from outbox_kit.lint.formats import is_schema_file
    from outbox_kit.schema.read import read

    for path in paths:
        if is_schema_file(text_of(path)):
            file = read(path, env)
            for outbox, layers in zip(file.outboxes, file.layers, strict=True):
                show("".join(f"{each.path} = {each.value}{each.mark}\n" for each in effective(outbox, layers)))


def _all_subjects(paths: list[Path], release: "Version | None", env: str | None) -> list["Subject"]:
    from outbox_kit.lint.subjects import with_peers

    return with_peers([subject for path in paths for subject in _subjects(path, release, env)])


def _subjects(path: Path, release: "Version | None", env: str | None) -> list["Subject"]:
    from outbox_kit.lint import formats, subjects
    from outbox_kit.schema.overlay_file import refuse_overlay_text

    text = text_of(path)
    if formats.is_schema_file(text):
        from outbox_kit.lint.outboxes import from_schema_file
        from outbox_kit.schema.read import read

        return from_schema_file(read(path, env), release)
    refuse_overlay_text(path, text)
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
            count = "1 fix" if len(result.edits) == 1 else f"{len(result.edits)} fixes"
            say(f"'{source}': applied {count}")
            changed = True
    return changed
