"""`check`: what is wrong with a schema file, or with anybody's connector config."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import secret
from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Out, TargetVersion, release_of, text_of
from outbox_kit.cli.output import say, show, write
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.lint.run import Found, Policy
    from outbox_kit.lint.subject import Subject
    from outbox_kit.versions import Version


SUFFIXES = (".json", ".yaml", ".yml", ".properties")
OF_CONNECTORS = ("connector.class", "KafkaConnector", "outbox.EventRouter", "outbox.MongoEventRouter")


class LintFormat(StrEnum):
    """How findings are printed."""

    text = "text"
    json = "json"
    sarif = "sarif"
    junit = "junit"
    github = "github"


class Weight(StrEnum):
    """The least severity that fails the check."""

    error = "error"
    warning = "warning"
    info = "info"


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
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", help="RULE=REASON, or RULE:OPTION=REASON: set a finding aside; repeatable."),
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option("--severity", help="RULE=error, warning, info or off; repeatable."),
    ] = None,
    fail_on: Annotated[Weight, typer.Option("--fail-on", help="The least severity that ends in exit code 1.")] = (
        Weight.error
    ),
    output: Annotated[LintFormat, typer.Option("--format", help="How findings are printed.")] = LintFormat.text,
    out: Out = None,
) -> None:
    """Lint a schema file, a connector config of ours, or anybody's connector JSON, Strimzi YAML or properties.

    Nothing is asked of a database or a worker. Exit code 1: something was found.
    """
    from outbox_kit.lint import run
    from outbox_kit.lint.report import FORMATS
    from outbox_kit.lint.subjects import acquainted

    release = release_of(target)
    policy = _policy(ignore or [], severity or [])
    paths = [path for named in files or [DEFAULT_PATH] for path in _files(named)]
    if explain and output is not LintFormat.text:
        raise UsageProblem("--explain is for reading", fix="leave out --format, or --explain")
    if explain:
        _explain(paths)
    subjects = acquainted([subject for path in paths for subject in _subjects(path, release)])
    found = run.check(subjects, policy)
    if fix and _fixed(found, subjects):
        subjects = acquainted([subject for path in paths for subject in _subjects(path, release)])
        found = run.check(subjects, policy)
    text = FORMATS[output.value](found)
    if out is None:
        show(text, nl=False)
    else:
        write(out, text)
        say(f"wrote '{out}'")
    if _fails(found, fail_on):
        raise typer.Exit(1)


def _files(path: Path) -> list[Path]:
    """The file itself, or those of a folder that hold a connector's config or are schema files. Raises UsageProblem."""
    from outbox_kit.lint.formats import is_schema_file

    if not path.is_dir():
        return [path]
    found = []
    for file in sorted(path.rglob("*")):
        if file.suffix in SUFFIXES and file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            if is_schema_file(text) or any(word in text for word in OF_CONNECTORS):
                found.append(file)
    if not found:
        raise UsageProblem(f"no connector config in '{path}'", why=f"no file of {', '.join(SUFFIXES)} holds one")
    return found


def _explain(paths: list[Path]) -> None:
    from outbox_kit.connect.redact import is_secret
    from outbox_kit.lint.formats import is_schema_file
    from outbox_kit.render import connector
    from outbox_kit.schema.effective import settings
    from outbox_kit.schema.read import read

    for path in paths:
        if is_schema_file(text_of(path)):
            for outbox in read(path).outboxes:
                written = connector.config(outbox)

                def shown(name: str, value: str, whole: dict[str, str] = written) -> str:
                    option = name.removeprefix("connect.config.")
                    return secret.shown(value, secret=option != name and is_secret(option, whole))

                show("".join(f"{name} = {shown(name, value)}{mark}\n" for name, value, mark in settings(outbox)))


def _policy(ignore: list[str], severity: list[str]) -> "Policy":
    from outbox_kit.lint.run import Policy

    ignored, weights = {}, {}
    for text in ignore:
        rule, equals, reason = text.partition("=")
        if not equals or not reason.strip():
            raise UsageProblem(
                f"--ignore '{text}' has no reason", fix="write RULE=REASON; the reason goes into reports"
            )
        ignored[rule.strip()] = reason.strip()
    for text in severity:
        rule, _, word = text.partition("=")
        if word not in ("error", "warning", "info", "off"):
            raise UsageProblem(f"--severity '{text}' is none", fix="write RULE=error, warning, info or off")
        weights[rule.strip()] = word
    return Policy.of(weights, ignored)


def _subjects(path: Path, release: "Version | None") -> list["Subject"]:
    from outbox_kit.lint import formats, subjects

    text = text_of(path)
    if formats.is_schema_file(text):
        from outbox_kit.lint.outboxes import from_schema_file
        from outbox_kit.schema.read import read

        return from_schema_file(read(path), release)
    return subjects.from_configs(text, str(path), release)


def _fixed(found: list["Found"], subjects: list["Subject"]) -> bool:
    """Rewrite the files; whether anything was changed."""
    from outbox_kit.lint.fix import fixed

    changed = False
    for source in sorted({one.source for one in found}):
        pairs = [
            (subject.document, one.flaw.edit)
            for one in found
            for subject in subjects
            if one.source == source == subject.source and one.flaw.edit and not one.ignored
            if subject.document.name == one.connector and one.flaw.key in {*subject.config, "connector.class"}
        ]
        done = fixed(text_of(Path(source)), source, pairs)
        if done.made:
            write(Path(source), done.text)
            say(f"'{source}': {len(done.made)} fixed")
            changed = True
    return changed


def _fails(found: list["Found"], least: Weight) -> bool:
    order = list(Weight)
    heavy = order[: order.index(least) + 1]
    return any(one.severity.value in heavy and not one.ignored for one in found)
