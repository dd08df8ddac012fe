"""Files and folders that a command writes: checked before its work starts."""

import tempfile
from pathlib import Path

import typer

from outbox_kit.errors import UsageProblem


def checked_file(option: str, path: Path) -> Path:
    """A path, if a file can be written there. option: as it is typed, such as `--out`. Raises UsageProblem."""
    if path.is_dir():
        raise _invalid(option, path, f"'{path}' is a folder", f"name a file in it: {option} {path / 'FILE'}")
    if path.exists() and not path.is_file():
        raise _invalid(option, path, f"'{path}' is not a regular file", "name a file")
    if not path.parent.exists():
        raise _invalid(
            option, path, f"the folder '{path.parent}' does not exist", f"create the folder: mkdir -p {path.parent}"
        )
    _writable(option, path, path.parent)
    return path


def checked_folder(option: str, path: Path) -> Path:
    """A path, if it is a folder that can be written to, or one can be created there. Raises UsageProblem."""
    _writable(option, path, next(above for above in (path, *path.parents) if above.exists()))
    return path


def file_option(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """The value of an option for a file that is written. With --check it is only read. Raises UsageProblem."""
    if path is None or context.params.get("check"):
        return path
    return checked_file(parameter.opts[0], path)


def folder_option(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """The value of an option for a folder that is written to. With --check it is only read. Raises UsageProblem."""
    if path is None or context.params.get("check"):
        return path
    return checked_folder(parameter.opts[0], path)


def _writable(option: str, path: Path, folder: Path) -> None:
    """Refuse a folder in which no file can be created: permissions do not tell that of every file system."""
    if not folder.is_dir():
        raise _invalid(option, path, f"'{folder}' is not a folder", "name another place")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as cause:
        why = f"the folder '{folder}' cannot be written to: {cause.strerror or cause}"
        raise _invalid(option, path, why, "name another place, or change the permissions of the folder") from None


def _invalid(option: str, path: Path, why: str, fix: str) -> UsageProblem:
    return UsageProblem(f"invalid {option} '{path}': it cannot be written", where=option, why=why, fix=fix)
