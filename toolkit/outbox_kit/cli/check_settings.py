"""What the options of `check` and the settings files decide together; an option decides over a file."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import reporting
from outbox_kit.cli.options import FILE, release_of, typed
from outbox_kit.cli.parsing import ADVANCED
from outbox_kit.errors import UsageProblem
from outbox_kit.printable import counted

if TYPE_CHECKING:
    from outbox_kit.findings.policy import Policy
    from outbox_kit.lint.settings import FileSettings
    from outbox_kit.lint.settings_files import SettingsFiles
    from outbox_kit.versions import Version


class ProfileChoice(StrEnum):
    """The profiles of `findings.profiles`."""

    standard = "standard"
    outage = "outage"
    strict = "strict"


Selected = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="RULE,...",
        help="Check only these rules and groups of rules, such as routing; repeatable.",
        rich_help_panel=reporting.PANEL,
    ),
]
Profile = Annotated[
    ProfileChoice,
    typer.Option(
        "--profile",
        help="outage: only loss, stop and leak are errors. strict: warnings count as errors, infos as warnings.",
        rich_help_panel=reporting.PANEL,
    ),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar=FILE,
        help="The settings file, in place of the nearest .outbox-kit.toml or pyproject.toml.",
        rich_help_panel=ADVANCED,
    ),
]
NoSettings = Annotated[bool, typer.Option("--no-config", help="Read no settings file.", rich_help_panel=ADVANCED)]
ShowSettings = Annotated[
    bool,
    typer.Option(
        "--show-config", help="Print the settings that hold, and where they are from.", rich_help_panel=ADVANCED
    ),
]


@dataclass(frozen=True)
class CommandLine:
    """What the command line has; None, or empty, where it leaves the decision to a settings file."""

    select: Sequence[str]
    profile: str | None
    severity: list[str] | None
    ignore: list[str] | None
    target: str | None
    fail_on: reporting.Threshold | None
    format: reporting.ReportFormat | None
    baseline: Path | None


def command_line(
    ctx: typer.Context,
    select: list[str] | None,
    profile: ProfileChoice,
    severity: list[str] | None,
    ignore: list[str] | None,
    target: str | None,
    fail_on: reporting.Threshold,
    output: reporting.ReportFormat,
    baseline: Path | None,
) -> CommandLine:
    """The options of a command line, without the defaults of those that are not typed."""
    return CommandLine(
        select or (),
        profile.value if typed(ctx, "profile") else None,
        severity,
        ignore,
        target,
        fail_on if typed(ctx, "fail_on") else None,
        output if typed(ctx, "output") else None,
        baseline,
    )


@dataclass(frozen=True)
class Decided:
    """The decisions for a run, and for each of its files."""

    options: CommandLine
    files: "SettingsFiles"
    run: "FileSettings"
    """The settings of the folder that all arguments are in: they decide what holds for the run as a whole."""
    judged: reporting.Judgement

    def release(self, name: str) -> "Version | None":
        """The Debezium release for a file, by its name; None for the file's own. Raises BadConfigFile."""
        return release_of(self.options.target) or self.files.of(Path(name)).release

    def policy(self, name: str) -> "Policy":
        """How findings of a file count by its settings file. Raises BadConfigFile."""
        return self.files.policy_of(Path(name))

    def excluded(self, path: Path) -> bool:
        """Whether a run over a folder leaves a file out. Raises BadConfigFile."""
        return self.files.excluded(path)


def decided(
    options: CommandLine,
    arguments: Sequence[Path],
    config: Path | None,
    reports: list[str] | None,
    *,
    isolated: bool,
    update: bool,
) -> Decided:
    """The decisions of the options and the settings files.

    arguments: the files and folders to check. config: the only settings file to read. isolated: none is read.
    Raises UsageProblem, also for a bad settings file, and UnknownName for a rule or group that does not exist.
    """
    from outbox_kit.lint.rule import RULES
    from outbox_kit.lint.settings_files import SettingsFiles, shown

    if config and isolated:
        raise UsageProblem("--config and --no-config exclude each other", fix="leave out one of them")
    release_of(options.target)
    files = SettingsFiles(config, isolated=isolated)
    run = files.of_folder(_common_folder(arguments))
    values = run.values
    judged = reporting.judgement(
        RULES,
        options.severity,
        options.ignore,
        options.fail_on or reporting.Threshold(values.fail_on or reporting.Threshold.error),
        options.format or (reporting.ReportFormat(values.format) if values.format else reporting.TEXT),
        reports,
        options.baseline or (Path(shown(run.baseline)) if run.baseline else None),
        update,
        select=options.select,
        profile=options.profile,
    )
    return Decided(options, files, run, judged)


def _common_folder(arguments: Sequence[Path]) -> Path:
    """The folder that all files and folders are in."""
    folders = [str(path if path.is_dir() else path.parent) for path in (each.absolute() for each in arguments)]
    return Path(os.path.commonpath(folders))


def shown_settings(decisions: Decided, names: Sequence[str]) -> str:
    """The settings that hold, by settings file: the run's first, then those of other files. names: of the files."""
    from outbox_kit.lint.settings_files import shown

    of_names: dict[Path | None, list[str]] = {decisions.run.file: []}
    kept = {decisions.run.file: decisions.run}
    for name in names:
        settings = decisions.files.of(Path(name))
        kept.setdefault(settings.file, settings)
        of_names.setdefault(settings.file, []).append(name)
    blocks = []
    for file, settings in kept.items():
        title = f"# {shown(file) if file else 'no settings file'}, for {counted(len(of_names[file]), 'file')}"
        blocks.append("\n".join([title, *_lines(decisions.options, settings), ""]))
    return "\n".join(blocks)


def _lines(options: CommandLine, settings: "FileSettings") -> Iterator[str]:
    """A line for each setting: the key, the value as TOML, and where it is from."""
    from outbox_kit.cli.options import pair
    from outbox_kit.findings.policy import names
    from outbox_kit.findings.profiles import DEFAULT
    from outbox_kit.lint.settings_files import shown

    file, values = shown(settings.file) if settings.file else "", settings.values
    defaults = {"target-version": "", "profile": DEFAULT, "select": [], "exclude": [], "fail-on": "error"}
    defaults |= {"baseline": "", "format": "text"}
    typed_values: dict[str, Any] = {"target-version": options.target, "profile": options.profile}
    typed_values |= {"select": names(options.select), "fail-on": options.fail_on, "format": options.format}
    typed_values["baseline"] = str(options.baseline) if options.baseline else None
    for key, default in defaults.items():
        place, value = f"{file}:{settings.lines.get((key,), 1)}", getattr(values, key.replace("-", "_"))
        option = typed_values.get(key)
        if option:
            yield f"{key} = {json.dumps(option)}  (--{key})"
        else:
            yield f"{key} = {json.dumps(value or default)}  ({place if value else 'default'})"
    for table in ("severity", "ignore"):
        entries = {name: (word, (table, name)) for name, word in getattr(values, table).items()}
        typed_entries = [pair(f"--{table}", text) for text in getattr(options, table) or []]
        for name, (word, at) in entries.items():
            if name not in dict(typed_entries):
                yield f"{table}.{json.dumps(name)} = {json.dumps(word)}  ({file}:{settings.lines.get(at, 1)})"
        for name, word in typed_entries:
            yield f"{table}.{json.dumps(name)} = {json.dumps(word)}  (--{table})"
    for pattern, reasons in values.per_file_ignores.items():
        for name, word in reasons.items():
            line = settings.lines.get(("per-file-ignores", pattern, name), 1)
            key = f"per-file-ignores.{json.dumps(pattern)}.{json.dumps(name)}"
            yield f"{key} = {json.dumps(word)}  ({file}:{line})"
