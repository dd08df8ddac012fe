"""Compilers and libraries of other languages, installed once below the user's cache by their own package managers."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import jgo

from outbox_kit.render import code
from outbox_kit.render.code import targets
from outbox_kit.schema.model import Outbox
from outbox_kit.stack.store import cache_folder

NODE = {
    "@opentelemetry/api": "^1.9.0",
    "@prisma/client": "^7.0.0",
    "@types/node": "^20.0.0",
    "@types/pg": "^8.11.0",
    "pg": "^8.13.0",
    "typescript": "^5.7.0",
}
GO = ("github.com/jackc/pgx/v5@v5.8.0", "go.opentelemetry.io/otel@v1.40.0")
JAVA = (
    "org.springframework:spring-jdbc:7.0.1",
    "org.springframework:spring-context:7.0.1",
    "tools.jackson.core:jackson-databind:3.0.2",
    "io.opentelemetry:opentelemetry-api:1.56.0",
)


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """What a command prints; a test fails with all it has said."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@cache
def node() -> Path:
    """A folder with node_modules."""
    folder = cache_folder() / "code" / "node"
    wanted = json.dumps({"private": True, "type": "module", "dependencies": NODE}, indent=2)
    package = folder / "package.json"
    if not (folder / "node_modules" / ".package-lock.json").exists() or package.read_text() != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        package.write_text(wanted)
        run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", folder=folder)
    return folder


def tsc(folder: Path, *options: str) -> None:
    """Check, or compile, the TypeScript below a folder as strictly as it goes."""
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(node() / "node_modules")
        (folder / "package.json").write_text('{"type": "module"}')
    files = [str(path) for path in folder.rglob("*.ts") if "node_modules" not in path.parts]
    strict = ("--strict", "--noUnusedLocals", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
    modern = ("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--skipLibCheck")
    run("node", modules / "typescript" / "bin" / "tsc", *strict, *modern, *options, *files, folder=folder)


def go_module(folder: Path) -> None:
    """Make a folder a Go module that knows the libraries."""
    run("go", "mod", "init", "example.test/shop", folder=folder, GOFLAGS="-mod=mod")
    run("go", "get", *GO, folder=folder, GOFLAGS="-mod=mod")
    run("go", "mod", "tidy", folder=folder, GOFLAGS="-mod=mod")


@cache
def jars() -> str:
    """The class path of Spring, Jackson and OpenTelemetry, from Maven."""
    return os.pathsep.join(str(found.resolve()) for found in jgo.resolve("+".join(JAVA)))


def generated(outbox: Outbox, target: str, folder: Path) -> Path:
    """A target's files in a folder."""
    folder.mkdir(parents=True)
    for path, text in code.files(outbox, targets.named(target)).items():
        (folder / path).write_text(text)
    return folder


def mypy(folder: Path, package: str) -> None:
    """Check a Python package strictly."""
    run(sys.executable, "-m", "mypy", "--strict", "--no-incremental", "-p", package, folder=folder)
