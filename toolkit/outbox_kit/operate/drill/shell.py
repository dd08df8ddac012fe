"""The shell in which the commands of a chapter are typed, with the variables of a local stack and no others."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from outbox_kit.errors import EnvironmentProblem

OTHERS = ("OUTBOX_", "PG", "KAFKA_")
"""The first letters of variables that name systems or credentials: none is read, and none is handed on. libpq reads its
own even if the address is complete: PGSERVICE is looked up before anything else."""
PROGRAM = '#!/bin/sh\nexec "{python}" -m outbox_kit "$@"\n'
CLIENT = '#!/bin/sh\nexec "{program}" "$@"\n'
SECONDS = 300.0
END_SECONDS = 20.0


@contextmanager
def without_other_systems() -> Iterator[None]:
    """The environment of this process without variables that name other systems, for the length of a block."""
    others = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(OTHERS)}
    try:
        yield
    finally:
        os.environ.update(others)


class Typed(NamedTuple):
    """A command that was typed."""

    code: int
    output: str
    """Of stdout and stderr."""


@dataclass(frozen=True)
class Shell:
    """A shell in a folder."""

    folder: Path
    """Where commands are run."""
    variables: Mapping[str, str]
    """The stack's addresses and passwords."""
    programs: Path
    """The folder of the database's own programs, such as its client."""

    def environment(self) -> dict[str, str]:
        """The environment of every command: variables of other systems are left out."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OTHERS)}
        path = f"{self._own_programs()}{os.pathsep}{inherited.get('PATH', os.defpath)}"
        return {**inherited, **self.variables, "PATH": path, "NO_COLOR": "1"}

    def typed(self, line: str, more: Mapping[str, str] | None = None) -> Typed:
        """Run a line in a shell. more: variables that an operator sets before.

        Raises EnvironmentProblem if it does not end within five minutes.
        """
        try:
            done = subprocess.run(
                [_shell(), "-c", line],
                cwd=self.folder,
                env={**self.environment(), **(more or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise EnvironmentProblem(f"the command did not end within {SECONDS:.0f} s", where=line) from None
        return Typed(done.returncode, done.stdout.decode(errors="replace"))

    def started(self, line: str, log: Path) -> "Background":
        """Start a line in a shell without waiting for its end. log: the file of its output."""
        with log.open("ab") as output:
            process = subprocess.Popen(
                [_shell(), "-c", f"exec {line}"],
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return Background(process)

    def _own_programs(self) -> Path:
        """A folder with this outbox-kit and the client of the stack's database, before all others in the path."""
        folder = self.folder / ".programs"
        if not folder.exists():
            folder.mkdir()
            _write_program(folder / "outbox-kit", PROGRAM.format(python=sys.executable))
            for program in self.programs.iterdir():
                _write_program(folder / program.name, CLIENT.format(program=program))
        return folder


@dataclass(frozen=True)
class Background:
    """A process that was started by a shell."""

    process: "subprocess.Popen[bytes]"

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def kill(self) -> None:
        """End it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """End it with SIGTERM, and after a while with SIGKILL."""
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


def _shell() -> str:
    return shutil.which("sh") or "/bin/sh"


def _write_program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
