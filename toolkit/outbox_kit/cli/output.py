"""Where results go: stdout for the result, stderr for what is said about it; files whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

import typer

from outbox_kit import printable, secret
from outbox_kit.errors import EnvironmentProblem, UsageProblem


def say(text: str) -> None:
    """A line about the work, on stderr, without secrets and without what moves a terminal's cursor."""
    plain = "".join(
        character if character.isprintable() or character in "\n\t" else "?" for character in secret.hidden(text)
    )
    typer.echo(plain, err=True)


def show(text: str, *, nl: bool = True) -> None:
    """A result, on stdout, without secrets; see `deliver` for files that are made to be used."""
    typer.echo(clean(text), nl=nl)


def show_json(document: Any) -> None:
    """A result as JSON that strict readers take."""
    show(printable.as_json(document), nl=False)


def clean(text: str) -> str:
    """A text without secrets, and without what no encoding has."""
    return secret.hidden(text).encode(errors="replace").decode()


def deliver(text: str, out: Path | None, *, check: bool = False) -> None:
    """Print a generated file, write it, or compare it (exit 1 where the file on disk differs)."""
    if check and out is None:
        raise UsageProblem("--check compares with a file, and none is named", fix="add --out FILE")
    if out is None:
        typer.echo(text, nl=False)
    elif check:
        if not out.is_file() or out.read_bytes() != text.encode(errors="replace"):
            say(f"'{out}' differs from what the schema file gives; write it again without --check")
            raise typer.Exit(1)
        say(f"'{out}' is up to date")
    else:
        write(out, text)
        say(f"wrote '{out}'")


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the folders above it. Raises EnvironmentProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as cause:
        raise EnvironmentProblem(f"'{path}' cannot be written", why=cause.strerror or str(cause)) from cause
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as cause:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise EnvironmentProblem(f"'{path}' cannot be written", why=cause.strerror or str(cause)) from cause
