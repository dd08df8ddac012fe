"""An earlier version of the schema file: another file, or the file as of a Git revision."""

import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outbox_kit.errors import OutboxKitError, UsageProblem

PREFIX = "git:"
SECONDS = 60.0
FILES = ("*.yaml", "*.yml", "*.json")
"""What a schema file can consist of: itself, and the JSON Schemas that it names."""


@contextmanager
def earlier(version: str, file: Path) -> Iterator[Path]:
    """The path of an earlier version, while the context is open.

    version: a path, or `git:REVISION` for the schema file as of that revision. file: the schema file as it is now.
    Raises UsageProblem for a file that does not exist, and for a revision that Git does not have, or that does not
    have the file.
    """
    if not version.startswith(PREFIX):
        if not Path(version).exists():
            fix = "give the path of the earlier schema file, or a Git revision that has it, such as git:main"
            raise UsageProblem(f"no file '{version}'", fix=fix)
        yield Path(version)
        return
    revision = version.removeprefix(PREFIX)
    folder = file.absolute().parent
    top = Path(_git(folder, version, "rev-parse", "--show-toplevel").decode().strip())
    commit = (
        _git(folder, version, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    )
    archive = _git(top, version, "archive", "--format=tar", commit)
    with tempfile.TemporaryDirectory(prefix="outbox-kit-") as temporary:
        _unpack(archive, Path(temporary))
        path = Path(temporary) / file.resolve().relative_to(top.resolve())
        if not path.is_file():
            fix = f"name a revision that has the file: git log --oneline -- {file}"
            raise UsageProblem(f"'{file}' does not exist in revision '{revision}'", fix=fix)
        try:
            yield path
        except OutboxKitError as error:
            raise _renamed(error, f"{temporary}/", f"{version}:") from None


def _git(folder: Path, version: str, *arguments: str) -> bytes:
    """What Git answers in a folder. Raises UsageProblem."""
    program = shutil.which("git")
    if program is None:
        raise UsageProblem(f"'{version}' needs Git", fix="install git, or give the path of the earlier file")
    try:
        done = subprocess.run(
            [program, "-C", str(folder), *arguments], capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise UsageProblem(f"'{version}' cannot be read", why=f"git {arguments[0]} took over {SECONDS:g} s") from None
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        fix = "give an existing revision; in CI, fetch it first: git fetch origin main"
        raise UsageProblem(f"'{version}' cannot be read", where=str(folder), why=why, fix=fix)
    return done.stdout


def _unpack(archive: bytes, folder: Path) -> None:
    """Write the YAML and JSON files of an archive, and no links out of the folder."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files.getmembers():
            if member.isdir() or any(Path(member.name).match(pattern) for pattern in FILES):
                files.extract(member, folder, filter="data")


def _renamed(error: OutboxKitError, temporary: str, name: str) -> OutboxKitError:
    """The error with a readable name in place of the temporary folder."""

    def text(value: str) -> str:
        return value.replace(temporary, name)

    details = [text(line) for line in error.details]
    return type(error)(text(error.what), where=text(error.where), why=text(error.why), fix=error.fix, details=details)
