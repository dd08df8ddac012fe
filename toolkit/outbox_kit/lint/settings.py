"""The settings of `check` in a file of their own: what a team has decided for connector configs, which have no place
for it. Pure: text in, settings out; `lint.settings_files` finds and reads the files.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from outbox_kit.errors import BadConfigFile, UnknownName
from outbox_kit.findings import formats
from outbox_kit.findings.policy import WORDS, Policy, policy
from outbox_kit.findings.profiles import PROFILES
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.globs import matches
from outbox_kit.lint.rule import RULES
from outbox_kit.printable import counted
from outbox_kit.schema.problem import SchemaProblem, Steps
from outbox_kit.versions import Version

RELEASE = lazy_pattern(r"\d+(\.\d+)+(\.[A-Z]\w*)?")
TOML_PLACE = lazy_pattern(r" \(at line (\d+), column (\d+)\)$")


def _release(text: str) -> str:
    if not RELEASE.fullmatch(text) or not Version.of(text).is_debezium:
        raise ValueError(f"expected a Debezium release up to {Version.newest_debezium()}, such as 3.6")
    return text


Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Text = Annotated[str, StringConstraints(min_length=1)]
if TYPE_CHECKING:
    Level = str
    ProfileName = str
    FormatName = str
else:
    Level = Literal[WORDS]
    ProfileName = Literal[tuple(PROFILES)]
    FormatName = Literal[tuple(formats.names())]


def _key(name: str) -> str:
    return name.replace("_", "-")


class CheckSettings(BaseModel):
    """The keys of a settings file. None, or empty: the file does not decide it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, alias_generator=_key)

    target_version: Annotated[str, AfterValidator(_release)] | None = None
    """The Debezium release, such as 3.6."""
    profile: ProfileName | None = None
    """How strict a run is: a name of PROFILES."""
    select: Annotated[list[Text], Field(min_length=1)] | None = None
    """The rules and groups that are checked."""
    severity: dict[str, Level] = {}
    """Severities by rule or group; `off` disables a rule."""
    ignore: dict[str, Reason] = {}
    """Findings to accept: a rule, a group or `rule:option`, and the reason."""
    per_file_ignores: dict[Text, dict[str, Reason]] = {}
    """The same by a pattern of file names."""
    exclude: list[Text] = []
    """Patterns of file names that a run over a folder leaves out."""
    fail_on: Literal["error", "warning", "info"] | None = None
    """The least severity that fails."""
    baseline: Text | None = None
    """A file with accepted findings, relative to the settings file's folder."""
    format: FormatName | None = None
    """The format on stdout."""


@dataclass(frozen=True)
class FileSettings:
    """Settings with the file that they are from."""

    values: CheckSettings = field(default_factory=CheckSettings)
    file: Path | None = None
    """The settings file, with its folder; None where there is none."""
    root: Path = Path()
    """The folder that patterns are relative to."""
    lines: Mapping[Steps, int] = field(default_factory=dict)
    """The line of each key and entry that the file has, from 1."""

    @property
    def release(self) -> Version | None:
        """The Debezium release to check against, or None."""
        return Version.of(self.values.target_version) if self.values.target_version else None

    @property
    def baseline(self) -> Path | None:
        """The baseline file, or None."""
        return self.file.parent / self.values.baseline if self.file and self.values.baseline else None

    def relative(self, path: Path) -> PurePosixPath:
        """A file's path as the patterns mean it. path: absolute, or relative to the root."""
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return PurePosixPath(inside.as_posix().lstrip("/"))

    def excluded(self, path: Path) -> bool:
        """Whether a run over a folder leaves a file out. path: as for `relative`."""
        return excluded(self.relative(path), self.values.exclude)

    def policy(self, path: Path) -> Policy:
        """How findings of a file count. path: as for `relative`."""
        values, relative = self.values, self.relative(path)
        ignored = dict(values.ignore)
        for pattern, reasons in values.per_file_ignores.items():
            if matches(relative, pattern):
                ignored |= reasons
        return policy(values.severity, ignored, RULES, values.select, values.profile)


def excluded(path: PurePosixPath, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns means a file. path: relative to the folder of the settings file."""
    return any(matches(path, pattern) for pattern in patterns)


def settings(text: str, file: Path, shown: str = "") -> FileSettings | None:
    """The settings of a text; None for a pyproject.toml without settings of ours.

    file: an absolute path, whose name decides where the settings stand: in pyproject.toml below
    `[tool.outbox-kit.check]`, in all other files below `[check]` or at the top level. shown: its name in messages.
    Raises BadConfigFile with all mistakes, a line each.
    """
    shown = shown or str(file)
    document = _document(text, shown)
    section = _section(document, file)
    if section is None:
        return None
    lines = dict(_lines(text))
    problems: list[SchemaProblem] = []
    values = CheckSettings()
    try:
        values = CheckSettings.model_validate(_below(document, section))
    except ValidationError as cause:
        from outbox_kit.schema import messages

        problems = list(messages.problems(cause.errors(), CheckSettings))
    problems += [] if problems else _unknown_names(values)
    places = [((*section, *problem.at), problem.text) for problem in problems]
    if section == ("check",):
        places += [((key,), f"'{key}' is outside of [check]") for key in document if key != "check"]
    if places:
        details = [
            f"  {shown}:{line}: {text}" for line, text in sorted((_line(lines, at), text) for at, text in places)
        ]
        raise BadConfigFile(
            f"{counted(len(places), 'problem')} in '{shown}'",
            fix="correct the file; its keys are described in docs/check.md, rules by: outbox-kit explain --all",
            details=details,
        )
    below = {place[len(section) :]: line for place, line in lines.items() if place[: len(section)] == section}
    return FileSettings(values, file, file.parent, below)


def _document(text: str, shown: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as cause:
        place = TOML_PLACE.search(str(cause))
        where = f"{shown}:{place[1]}:{place[2]}" if place else shown
        raise BadConfigFile("invalid TOML", where=where, why=TOML_PLACE.sub("", str(cause))) from None


def _section(document: Mapping[str, Any], file: Path) -> Steps | None:
    """The path of the table with the settings; None if a pyproject.toml has none."""
    if file.name != "pyproject.toml":
        return ("check",) if isinstance(document.get("check"), dict) else ()
    steps = ("tool", "outbox-kit", "check")
    return steps if isinstance(_below(document, steps), dict) else None


def _below(document: Any, steps: Steps) -> Any:
    for step in steps:
        document = document.get(step) if isinstance(document, dict) else None
    return document


def _unknown_names(values: CheckSettings) -> list[SchemaProblem]:
    """The rules and groups that do not exist."""
    from outbox_kit.schema import messages

    names: list[tuple[Steps, str]] = [(("select",), name) for name in values.select or []]
    names += [(("severity", name), name) for name in values.severity]
    names += [(("ignore", key), key.partition(":")[0]) for key in values.ignore]
    for pattern, reasons in values.per_file_ignores.items():
        names += [(("per-file-ignores", pattern, key), key.partition(":")[0]) for key in reasons]
    problems = []
    for at, name in names:
        try:
            RULES.members(name)
        except UnknownName as cause:
            problems.append(SchemaProblem(f"{messages.dotted(at)}: {cause.what}", at))
    return problems


# -- the lines of a TOML file, which its parser does not keep ----------------------------------------------------------

PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
PATH = rf"{PART}(?:\s*\.\s*{PART})*"
TABLE = lazy_pattern(rf"^[ \t]*\[\s*({PATH})\s*\]")
ENTRY = lazy_pattern(rf"^[ \t]*({PATH})\s*=")
INLINE = lazy_pattern(rf"[{{,]\s*({PATH})\s*=")


def _lines(text: str) -> Iterator[tuple[Steps, int]]:
    """The line of each table and key, the first one of a path that occurs again."""
    seen: set[Steps] = set()
    table: Steps = ()
    for number, line in enumerate(text.splitlines(), 1):
        places: list[Steps] = []
        if match := TABLE.match(line):
            table = _steps(match[1])
            places = [table]
        elif match := ENTRY.match(line):
            entry = (*table, *_steps(match[1]))
            places = [entry, *((*entry, *_steps(inner)) for inner in INLINE.findall(line, match.end()))]
        for place in places:
            if place not in seen:
                seen.add(place)
                yield place, number


def _steps(path: str) -> Steps:
    return tuple(part.strip("\"'") for part in re.findall(PART, path))


def _line(lines: Mapping[Steps, int], place: Steps) -> int:
    """The line of a place, or of the nearest place above it that the file has."""
    candidates = (place[:end] for end in range(len(place), 0, -1))
    return next((lines[steps] for steps in candidates if steps in lines), 1)
