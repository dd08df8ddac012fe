"""Prometheus and its promtool from Debian's package."""

import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.support.alone import alone
from tests.support.servers import debian


def promtool() -> Path:
    """The program that examines rules."""
    return prometheus().with_name("promtool")


def prometheus() -> Path:
    """The server."""
    with alone("prometheus"):  # several processes of a run may unpack it at the same time
        return debian.unpacked("prometheus", ["prometheus"]) / "usr/bin/prometheus"


@cache
def version() -> str:
    """Its release, which the result of an examination follows from."""
    return run("--version", folder=Path()).stdout


def run(*arguments: str, folder: Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run it in a folder; stdout has all that it writes, in order. text: for stdin."""
    command = [str(promtool()), *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, cwd=folder, input=text, **streams, text=True, timeout=300, check=False)  # type: ignore[call-overload,no-any-return]


def refused(output: str, files: Sequence[str]) -> set[str]:
    """The files of unit tests that fail, by the output of `test rules`."""
    parts = output.split("Unit Testing:")[1:]
    return {name for part in parts if "FAILED" in part and (name := part.split()[0]) in files}
