"""The same stack as containers: `docker compose` over compose/compose.yaml."""

import shutil
import subprocess

from outbox_kit.assets import COMPOSE
from outbox_kit.errors import StackFailed


def compose(name: str, *arguments: str) -> None:
    """Run one `docker compose` command for a stack. Raises StackFailed where Docker is not there or fails."""
    if shutil.which("docker") is None:
        raise StackFailed("there is no docker on this machine", fix="leave --runtime out: no Docker is needed")
    if subprocess.run(["docker", "compose", "version"], check=False, capture_output=True).returncode:
        raise StackFailed(
            "this docker has no compose plugin",
            fix="install docker's compose plugin, or leave --runtime out: no Docker is needed",
        )
    file = str(COMPOSE / "compose.yaml")
    command = ["docker", "compose", "--file", file, "--project-name", f"outbox-kit-{name}", *arguments]
    done = subprocess.run(command, check=False)
    if done.returncode:
        raise StackFailed(
            f"docker compose {arguments[0]} ended in exit code {done.returncode}",
            fix="see its message above; without Docker, leave --runtime out",
        )
