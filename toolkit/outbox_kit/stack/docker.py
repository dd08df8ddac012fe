"""The same stack as containers: `docker compose` over compose/compose.yaml."""

import shutil
import subprocess

from outbox_kit.assets import COMPOSE
from outbox_kit.errors import StackFailed


def compose(name: str, *arguments: str) -> None:
    """Run one `docker compose` command for a stack. Raises StackFailed where Docker is not there or fails."""
    docker = shutil.which("docker")
    if docker is None:
        raise StackFailed("docker is not installed", fix="leave out --runtime: no Docker is needed")
    if subprocess.run([docker, "compose", "version"], check=False, capture_output=True).returncode:
        raise StackFailed(
            "docker has no compose plugin",
            fix="install docker's compose plugin, or leave --runtime out: no Docker is needed",
        )
    project = ["--file", str(COMPOSE / "compose.yaml"), "--project-name", f"outbox-kit-{name}"]
    done = subprocess.run([docker, "compose", *project, *arguments], check=False)
    if done.returncode:
        raise StackFailed(
            f"docker compose {arguments[0]} ended in exit code {done.returncode}",
            fix="see its message above; without Docker, leave --runtime out",
        )
