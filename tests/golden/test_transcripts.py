"""Commands of the documentation that need no server, run in their page's order; `--update-golden` rewrites them."""

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.support import pages
from tests.support.cli import invoke

PAGES = [page for page in pages.pages() if any(block.task == "run" for block in pages.blocks(page))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_output_that_a_page_shows_is_what_its_commands_print(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in pages.blocks(page):
        if block.task == "file":
            path = tmp_path / block.value
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        if block.task == "run":
            outputs = [pages.shown(_printed(typed.command), block.value) for typed in pages.typed(block)]
            if request.config.getoption("--update-golden"):
                pages.write_outputs(block, outputs)
            else:
                for typed, output in zip(pages.typed(block), outputs, strict=True):
                    assert pages.steady(typed.output) == pages.steady(output), block.id


def _printed(command: str) -> str:
    """What a command prints, on stdout and stderr as they come."""
    found = pages.kit_commands(command)
    if not found:
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    (arguments,) = found
    return invoke(*shlex.split(arguments), code=None).output
