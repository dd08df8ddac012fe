"""A place that cannot be written to is refused at its option, before a command asks a broker or a database."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.cli.destination import checked_file, checked_folder
from outbox_kit.errors import UsageProblem

SCHEMA = "service: shop\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B}]\n"
UNREACHABLE = ("--bootstrap", "127.0.0.1:1", "--no-table")
READ_ONLY = Path("/proc")  # in which not even a superuser can create a file
FILES = {
    "adopt --out": ("adopt", "--dsn", "postgresql://me@127.0.0.1:1/shop", "--out"),
    "adopt --report": ("adopt", "--dsn", "postgresql://me@127.0.0.1:1/shop", "--report"),
    "check --report": ("check", "--report"),
    "check --baseline": ("check", "--update-baseline", "--baseline"),
    "diff --report": ("diff", "--against", "outbox.yaml", "--report"),
    "doctor --report": ("doctor", "--dsn", "postgresql://me@127.0.0.1:1/shop", "--report"),
    "gen-connector --out": ("gen-connector", "--out"),
    "gen-contracts --out": ("gen-contracts", "--out"),
    "gen-ddl --out": ("gen-ddl", "--out"),
    "cleanup --out": ("cleanup", "--job", "--out"),
    "gen-runbook --out": ("gen-runbook", "--out"),
    "import-contracts --out": ("import-contracts", "none.yaml", "--out"),
    "coordinator openapi --out": ("coordinator", "openapi", "--out"),
    "schema --out": ("schema", "--out"),
    "offsets show --out": ("offsets", "show", "--connect", "http://127.0.0.1:1", "--out"),
    "offsets reset --save": ("offsets", "reset", "--connect", "http://127.0.0.1:1", "--save"),
    "offsets rewind --save": ("offsets", "rewind", "--to", "b.1:4", "--connect", "http://127.0.0.1:1", "--save"),
    "offsets restore --save": ("offsets", "restore", "--from", "file", "--connect", "http://127.0.0.1:1", "--save"),
    "plan --report": ("plan", "--connect", "http://127.0.0.1:1", "--report"),
    "verify --report": ("verify", *UNREACHABLE, "--report"),
    "verify --baseline": ("verify", *UNREACHABLE, "--update-baseline", "--baseline"),
    "verify --offsets-out": ("verify", *UNREACHABLE, "--offsets-out"),
    "verify follow --offsets-out": ("verify", "follow", *UNREACHABLE, "--offsets-out"),
    "verify follow --report": ("verify", "follow", *UNREACHABLE, "--report"),
    "verify follow --metrics": ("verify", "follow", *UNREACHABLE, "--metrics"),
    "verify merge --offsets-out": ("verify", "merge", "part", *UNREACHABLE, "--offsets-out"),
    "verify merge --report": ("verify", "merge", "part", *UNREACHABLE, "--report"),
}
FOLDERS = {
    "gen-code --out": ("gen-code", "python-psycopg", "--out"),
    "gen-monitoring --out": ("gen-monitoring", "--out"),
    "gen-contracts --schemas": ("gen-contracts", "--schemas"),
    "verify follow --state": ("verify", "follow", *UNREACHABLE, "--state"),
    "verify shard --out": ("verify", "shard", "--of", "1/1", "--bootstrap", "127.0.0.1:1", "--out"),
}
WRITING = {"--out", "--report", "--offsets-out", "--metrics", "--state", "--schemas", "--save"}
ELSEWHERE = {"verify --baseline", "check --baseline"}  # only with --update-baseline


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("OUTBOX_KIT_")]:
        monkeypatch.delenv(name)
    Path("outbox.yaml").write_text(SCHEMA)
    Path("folder.prom").mkdir()
    Path("file").touch()


def refused(words: tuple[str, ...], place: str) -> str:
    """The message with which a command refuses a place."""
    value = f"json={place}" if words[-1] == "--report" else place
    result = CliRunner().invoke(app, [*words, value])
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith(
        f"error: invalid {words[-1]} '{place}': it cannot be written\n  at    {words[-1]}\n"
    )
    return result.stderr


@pytest.mark.parametrize("words", FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_written_is_refused(words: tuple[str, ...]) -> None:
    assert "the folder 'none' does not exist\n  fix   create the folder: mkdir -p none" in refused(words, "none/f.prom")
    assert "'folder.prom' is a folder" in refused(words, "folder.prom")
    assert f"the folder '{READ_ONLY}' cannot be written to" in refused(words, f"{READ_ONLY}/f.prom")
    assert "'file' is not a folder" in refused(words, "file/f.prom")


@pytest.mark.parametrize("words", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_that_cannot_be_created_is_refused(words: tuple[str, ...]) -> None:
    assert "'file' is not a folder" in refused(words, "file")
    assert "'file' is not a folder" in refused(words, "file/new")
    assert f"the folder '{READ_ONLY}' cannot be written to" in refused(words, f"{READ_ONLY}/new")
    assert not Path("file/new").exists()


def test_a_device_is_no_file() -> None:
    with pytest.raises(UsageProblem, match="invalid --out '/dev/null'") as error:
        checked_file("--out", Path("/dev/null"))
    assert error.value.why == "'/dev/null' is not a regular file"


def test_a_place_that_can_be_written_to_is_left_as_it_was() -> None:
    before = sorted(Path().iterdir())
    assert checked_file("--out", Path("new")) == Path("new") and checked_file("--out", Path("file")) == Path("file")
    assert checked_folder("--state", Path("new/folder")) == Path("new/folder")
    assert sorted(Path().iterdir()) == before


def test_a_file_that_is_only_compared_need_not_be_writable() -> None:
    for words in (
        ["gen-connector", "--out", "none/f.json", "--check"],
        ["gen-code", "go-pgx", "--check", "--out", "file"],
    ):
        assert CliRunner().invoke(app, words).exit_code == 1


def options(command: Any, *names: str) -> Iterator[str]:
    """Every option that names a place to write to, with its command."""
    for parameter in command.params:
        yield from (" ".join((*names, option)) for option in parameter.opts if option in WRITING)
    for name, member in getattr(command, "commands", {}).items():
        yield from options(member, *names, name)


def test_every_option_for_a_place_is_checked() -> None:
    assert {*options(typer.main.get_command(app))} == {*FILES, *FOLDERS} - ELSEWHERE
