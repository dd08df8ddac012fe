"""Secrets that are planted in every input of every command, and looked for in all that comes out.

Commands are those of the command line itself: a new one is run without a further line, unless it needs a parameter.
What is looked through: stdout, stderr, files that are written, and the command lines of all processes that are started.
"""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer.main
from typer.testing import CliRunner

from outbox_kit.cli import app
from tests.support.reports import FORMATS

MARK = "zYgote9"
"""In every planted secret."""
CODES = (0, 1, 2, 3, 4)
SWITCHES = ([], ["--verbose", "--debug"])  # with both there is all that one of them shows
LONG = {
    "demo": "starts a stack",
    "stack up": "starts a stack",
    "stack env": "prints the passwords of a local stack, for eval",
}
"""Commands that are not run, and why."""
ARGUMENTS: Mapping[str, Sequence[Sequence[str]]] = {
    "import-contracts": [["contract.yaml"]],
    "drill": [["--list"], ["connector-paused"]],
    "relay": [["--once"]],
    "relay dead show": [["1"]],
    "relay dead retry": [["--all"], ["1"]],
    "relay dead discard": [["1", "--reason", "a test"]],
    "verify merge": [["shard"]],
    "verify follow": [["--windows", "1", "--interval", "0.1"]],
    "verify inspect": [["shop.Order-0@0"]],
    "verify shard": [["--of", "1/1", "--out", "shard"]],
    "gen-ddl": [[], ["--apply"], ["--apply", "--password-env", "OUTBOX_DB_PASSWORD"], ["--diff", "outbox.yaml"]],
    "gen-code": [["python-psycopg"]],
    "preview": [[], ["--row", "7"]],
    "deploy-connector": [["--yes"], ["--yes", "--probe", "--stable-for", "0"]],
    "init": [["made", "--service", "shop", "-e", "OrderPlaced:Order", "--force"]],
    "adopt": [[], ["--preset", "modulith"]],
    "diff": [["--against", "outbox.yaml"]],
    "check": [[], ["connector.json"]],
    "remove": [["--allow-destructive"], ["--drop-slot", "--reset-offsets", "--allow-destructive"]],
    "explain": [["table.retention"]],
    "coordinator serve": [["--address", "70000"], ["--address", "0"]],
    "exporter": [["--once"]],
    "lag": [["--wait", "0"]],
    "gen-monitoring": [["--out", "monitoring"], ["--part", "alerts"]],
    "log-level": [["WARN", "--for", "1"]],
    "rename": [["--from", "former-outbox"]],
    "replace": [["--from", "former-outbox", "--trial", "0"]],
    "snapshot": [["start"]],
    "cleanup": [[], ["--by-age"], ["--table", "dead-letters", "--older-than", "1d", "--dry-run"]],
    "offsets rewind": [["--to", "1"]],
    "offsets restore": [["--from", "offsets.json"]],
}
"""Arguments of commands that need some, or do more with them."""


def commands() -> dict[str, Any]:
    """Every command of the command line by its words."""

    def below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", {})
        if not inner or getattr(command, "invoke_without_command", False):
            yield " ".join(words), command
        for name, child in inner.items():
            yield from below(child, (*words, name))

    return dict(below(typer.main.get_command(app), ()))


def confirmation(name: str) -> list[str]:
    """What lets a command change something without a question at the terminal, if it asks one."""
    options = {option for parameter in commands()[name].params for option in parameter.opts}
    return ["--yes"] if "--yes" in options else []


def invocations(name: str, limit: int | None = 1) -> list[list[str]]:
    """The command lines of a command, with each of its formats. limit: of its time in seconds; None leaves it out."""
    command = commands()[name]
    options = {option for parameter in command.params for option in parameter.opts}
    required = [parameter.name for parameter in command.params if parameter.required]
    assert name in ARGUMENTS or not required, (
        f"'{name}' needs {required}: add it to ARGUMENTS of tests/support/planted.py"
    )
    patience = ["--timeout", str(limit)] if "--timeout" in options and limit is not None else []
    reports = [part for form in FORMATS for part in ("--report", f"{form}=report.{form}")]
    forms = [["--format", "json"]] if "--format" in options else []
    forms += [reports] if "--report" in options else []
    lines = ARGUMENTS.get(name, [[]])
    patience += confirmation(name)
    return [[*name.split(), *line, *patience, *form] for line in lines for form in ([], *forms)]


@dataclass
class Inspection:
    """What commands have printed, written and started."""

    marks: Sequence[str] = (MARK,)
    """Texts that must not occur."""
    switches: Sequence[Sequence[str]] = SWITCHES
    """Of the command line as a whole: each is used once."""
    started: set[str] = field(default_factory=set)
    """Command lines of processes below this one."""

    def run(self, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
        """Run a command with each switch; fails where a mark comes out. Returns the last exit code."""
        code, own = 0, {"XDG_STATE_HOME": str(Path("state").absolute())}  # the stacks of this machine are not touched
        for switches in self.switches:
            before = _files()
            done = CliRunner(env={**environment, **own}).invoke(app, [*switches, *arguments])
            assert done.exit_code in CODES, (arguments, done.exit_code, done.exception)
            written = {path: text for path, text in _files().items() if before.get(path) != text}
            for place, text in {"output": done.stdout + done.stderr, **written}.items():
                self.expect_clean(f"{' '.join(arguments)}: {place}", text)
            code = done.exit_code
        return code

    def expect_clean(self, place: str, text: str) -> None:
        """Fail where a text has a mark."""
        leaked = [mark for mark in self.marks if mark.lower() in text.lower()]
        assert not leaked, f"{place} shows {leaked}:\n{text}"


@contextmanager
def inspection(*marks: str) -> Iterator[Inspection]:
    """An inspection; at its end the command lines of started processes are looked through. marks: beside `MARK`."""
    inspected, ended = Inspection((MARK, *marks)), threading.Event()
    thread = threading.Thread(target=_watch, args=(inspected.started, ended.is_set, ended.wait), daemon=True)
    thread.start()
    try:
        yield inspected
    finally:
        ended.set()
        thread.join()
    for line in inspected.started:
        inspected.expect_clean("a process", line)


def _files() -> dict[str, str]:
    """The texts of the files in the working folder."""
    paths = (path for path in Path().rglob("*") if path.is_file())
    return {str(path): path.read_bytes().decode(errors="replace") for path in paths}


def _watch(lines: set[str], ended: Callable[[], bool], wait: Callable[[float], Any]) -> None:
    """Note the command lines of all processes below this one."""
    while not ended():
        for child in _descendants(os.getpid()):
            try:
                lines.add(Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
            except OSError:  # it has ended
                continue
        wait(0.02)


def _descendants(pid: int) -> list[int]:
    """The processes below one."""
    below: list[int] = []
    try:
        tasks = list(Path(f"/proc/{pid}/task").glob("*/children"))
    except OSError:  # it has ended
        return below
    for task in tasks:
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        below += children
        for child in children:
            below += _descendants(child)
    return below
