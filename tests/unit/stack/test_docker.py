"""`--runtime docker`: what is said where Docker is missing or fails, and that compose reads our file."""

import shutil
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from outbox_kit.assets import COMPOSE
from outbox_kit.errors import StackFailed
from outbox_kit.stack import docker


def _compose_reader() -> list[str] | None:
    """The command that reads compose files here: the plugin, else the older program."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) and not subprocess.run([*command, "version"], capture_output=True).returncode:
            return command
    return None


def _fake_docker(folder: Path, exit_code: int) -> Path:
    program = folder / "docker"
    program.write_text(f'#!/bin/sh\n[ "$2" = version ] && exit 0\necho "$@" > {folder}/arguments\nexit {exit_code}\n')
    program.chmod(0o755)
    return program


def test_compose_reads_our_file() -> None:
    """By docker compose itself where it is installed, else as far as YAML and our own services go."""
    services = YAML(typ="safe").load((COMPOSE / "compose.yaml").read_text())["services"]
    assert set(services) == {"postgres", "kafka", "connect"}
    assert all("healthcheck" in service and "image" in service for service in services.values())
    if reader := _compose_reader():
        command = [*reader, "--file", str(COMPOSE / "compose.yaml"), "config", "--quiet"]
        environment = {"POSTGRES_PASSWORD": "a", "OUTBOX_DB_PASSWORD": "b", "PATH": "/usr/local/bin:/usr/bin:/bin"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_machine_without_docker_is_told_that_none_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StackFailed) as error:
        docker.compose("s", "up")
    assert error.value.exit_code == 4
    assert "--runtime" in error.value.fix


def test_a_failing_compose_ends_in_an_environment_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_docker(tmp_path, 17)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StackFailed, match="exit code 17"):
        docker.compose("s", "up", "--detach")


def test_compose_is_given_our_file_and_a_project_of_the_stacks_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake_docker(tmp_path, 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    docker.compose("s", "down", "--volumes")
    arguments = (tmp_path / "arguments").read_text().split()
    assert arguments[arguments.index("--file") + 1] == str(COMPOSE / "compose.yaml")
    assert arguments[-4:] == ["--project-name", "outbox-kit-s", "down", "--volumes"]
