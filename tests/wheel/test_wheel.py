"""The wheel, installed into an environment of its own, works from an empty folder without the checkout."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)], check=True)
    venv.create(folder / "env")
    wheel, pip = next(folder.glob("*.whl")), [sys.executable, "-m", "pip", "--python", str(folder / "env")]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", str(wheel)], check=True)
    return folder / "env" / "bin" / "outbox-kit"


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "OUTBOX", "VIRTUAL", "COV"))
    }
    return subprocess.run([str(program), *arguments], cwd=folder, env=clean, capture_output=True, text=True)


def test_it_generates_everything_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "init", "--service", "orders", "-e", "OrderPlaced:Order").returncode == 0
    for command in ("gen-ddl", "gen-connector", "gen-runbook", "schema"):
        done = run(installed, tmp_path, command)
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout) > 1000
    assert run(installed, tmp_path, "gen-connector", "--explain").returncode == 0


def test_the_stack_says_what_to_install(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "demo", "d")
    assert done.returncode == 4
    assert "pip install 'outbox-kit[stack]'" in done.stderr


def test_a_bug_of_ours_ends_in_70_without_a_traceback(tmp_path: Path) -> None:
    code = "import outbox_kit.cli as c, outbox_kit.__main__ as m\nc.app = None\nm.main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 70
    assert "Traceback" not in done.stderr and "--debug" in done.stderr
