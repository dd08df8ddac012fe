"""The files that `check` reads, and what it examines of them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from outbox_kit.cli.options import text_of
from outbox_kit.errors import BadConfigFile, NoConnector, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.lint.subject import Subject

NAMED = 5
"""Skipped files in a note."""
FOREIGN = frozenset((".git", ".hg", ".svn", ".tox", ".venv", "venv", "node_modules", "__pycache__", ".terraform"))
"""Folders that are not of the project."""
NEITHER = "neither a schema file nor a connector config"


@dataclass(frozen=True)
class Sources:
    """The files of one argument."""

    folder: Path | None
    """The folder in which they were found; None for a single file."""
    paths: Sequence[Path]
    """The files that are read."""


@dataclass
class Skipped:
    """Files that are not checked."""

    by_reason: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, reason: str) -> None:
        """Add a file."""
        self.by_reason.setdefault(reason, []).append(name)

    def notes(self) -> Iterator[str]:
        """A sentence for each reason, with the first files."""
        for reason, names in self.by_reason.items():
            shown = ", ".join(f"'{name}'" for name in names[:NAMED])
            more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
            yield f"skipped, {reason}: {shown}{more}"


def content_of(name: str, texts: Mapping[str, str]) -> str:
    """The text of a file. texts: those that are in no file, by name. Raises BadConfigFile."""
    return texts[name] if name in texts else text_of(Path(name))


def files_of(path: Path) -> Sources:
    """A file itself, or the files of a folder that have a suffix of a format."""
    from outbox_kit.lint.formats import suffix_of, suffixes

    if not path.is_dir():
        return Sources(None, [path])
    read, files = frozenset(suffixes()), list[Path]()
    for folder, below, names in os.walk(path):
        below[:] = sorted(set(below) - FOREIGN)
        files += [Path(folder, name) for name in names if suffix_of(name) in read]
    return Sources(path, sorted(file for file in files if file.is_file()))


def examined(
    sources: Sequence[Sources],
    texts: Mapping[str, str],
    excluded: Callable[[Path], bool],
    subjects_of: "Callable[[str, str], list[Subject]]",
    *,
    skips_others: bool = False,
) -> "tuple[list[Subject], list[str]]":
    """What is examined, and notes about files that are not. One that cannot be read does not end a run over several.

    texts: those that are in no file, by name. excluded: whether a file of a folder is left out. subjects_of: gives the
    subjects of a text and a name. skips_others: whether files that are named are treated as those of a folder, and
    nothing to examine is no mistake. Raises UsageProblem if there is nothing to examine.
    """
    from outbox_kit.lint.subjects import with_peers

    skipped, subjects = Skipped(), list["Subject"]()
    alone = [path for each in sources for path in each.paths] if all(each.folder is None for each in sources) else []
    for source in sources:
        foreign = source.folder is not None or skips_others
        for path in source.paths:
            if foreign and excluded(path):
                skipped.add(str(path), "excluded by the settings")
            elif foreign or len(alone) > 1:
                subjects += _of_several(path, texts, skipped, subjects_of, foreign=foreign)
            else:
                name = str(path)
                subjects += subjects_of(content_of(name, texts), name)
    notes = list(skipped.notes())
    if not subjects and not skips_others:
        places = ", ".join(f"'{each.folder or each.paths[0]}'" for each in sources)
        why = "; ".join(notes) or "no file there has a suffix of a format that is read"
        raise UsageProblem(f"no schema file and no connector config found in {places}", why=why)
    return with_peers(subjects), notes


def _of_several(
    path: Path,
    texts: Mapping[str, str],
    skipped: Skipped,
    subjects_of: "Callable[[str, str], list[Subject]]",
    *,
    foreign: bool,
) -> "list[Subject]":
    """What is examined of one of several files: a file that cannot be read is examined for that alone.

    texts: as for `examined`. foreign: whether nobody named the file.
    """
    from outbox_kit.lint.texts import concerns, unreadable

    try:
        text = content_of(str(path), texts)
    except BadConfigFile as cause:
        if not foreign:
            raise
        skipped.add(str(path), cause.what.replace(f"'{path}' ", ""))
        return []
    if not concerns(text):
        overlaid = path.with_name(f"{path.stem.rpartition('.')[0]}{path.suffix}").is_file()
        skipped.add(str(path), "an overlay, which --env applies" if overlaid else NEITHER)
        return []
    try:
        return subjects_of(text, str(path))
    except NoConnector:
        skipped.add(str(path), NEITHER)
    except UsageProblem as cause:
        return [unreadable(str(path), cause)]
    return []
