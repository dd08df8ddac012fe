"""The GitHub Action's steps, run by the shell that runs them there; GitHub itself is not at hand."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[3]
ACTION: dict[str, Any] = YAML(typ="safe").load(ROOT / ".github" / "actions" / "outbox-kit" / "action.yml")
EXAMPLE = str(ROOT / "tests" / "examples" / "minimal.yaml")
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


def run(step: str, **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step with its inputs, each by the variable that carries it: nothing is pasted into a script."""
    names = {name: value[len("${{ inputs.") : -len(" }}")] for name, value in STEPS[step]["env"].items()}
    given = {name: inputs.get(key, str(ACTION["inputs"][key]["default"])) for name, key in names.items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "-e", "-c", STEPS[step]["run"]]
    return subprocess.run(command, env={**os.environ, **given, "PATH": path}, capture_output=True, text=True)


def test_a_good_schema_file_passes() -> None:
    assert run("Check", schema=EXAMPLE).returncode == 0


def test_a_flaw_is_shown_beside_its_line(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(Path(EXAMPLE).read_text() + "connect: {config: {errors.tolerance: all}}\n")
    done = run("Check", schema=str(path))
    assert done.returncode == 1
    assert f"::error file={path},line=7," in done.stdout


def test_the_environment_is_checked_and_compared_and_not_a_text_of_the_shell(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    overlay = "environments: {dev: , prod: {connect: {config: {errors.tolerance: all}}}}\n"
    path.write_text(Path(EXAMPLE).read_text() + overlay)
    assert "the file defines 2 environments" in run("Check", schema=str(path)).stderr
    assert run("Check", schema=str(path), env="dev").returncode == 0
    assert run("Check", schema=str(path), env="prod").returncode == 1
    assert run("Compare", schema=str(path), base=str(path), env="dev").returncode == 0
    hostile = f"$(touch {tmp_path}/ran) --fix"
    for step in ("Check", "Compare"):
        refused = run(step, schema=str(path), base=str(path), env=hostile)
        assert refused.returncode == 2 and f"environment '{hostile}' not found" in refused.stderr
    assert not (tmp_path / "ran").exists()


def test_a_breaking_change_fails(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(Path(EXAMPLE).read_text() + 'routing: {topic: "new.{aggregate}"}\n')
    assert run("Compare", base=EXAMPLE, schema=str(path)).returncode == 1
    assert run("Compare", base=EXAMPLE, schema=EXAMPLE).returncode == 0


@pytest.mark.parametrize("step", STEPS)
def test_no_input_is_pasted_into_a_script(step: str) -> None:
    assert "${{" not in STEPS[step]["run"]
