"""The stacks of a run: one that all its processes share, and those of tests that kill, freeze or reconfigure one.

Only the run's first process starts the shared stack, in a thread that holds it until the run ends: its services die
with that process, however it dies. Under xdist the workers ask for it by a file in a folder that they are given.
"""

import json
import os
import shutil
import tempfile
import threading
import traceback
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from outbox_kit.stack import Stack, aot, services, store, warm
from outbox_kit.stack.manifest import Artifact
from tests.support.alone import alone
from tests.support.waiting import until

CONNECTORS = Path(__file__).parents[1] / "live" / "connectors.json"
FLUSH_MS = 200  # a connector's offsets are stored so often: deployments wait for it
SCRAM_ITERATIONS = 1  # of passwords that are known: PostgreSQL's default takes two thirds of the time of a connection
START_SECONDS = 600.0
# Tests start many JVMs for a short time: the second compiler costs them more than it gains.
JAVA = "-XX:TieredStopAtLevel=1"


def set_java_options() -> None:
    """Let every JVM that is started from here on be one of short life."""
    given = os.environ.get(aot.OPTIONS, "")
    if JAVA not in given:  # a process of xdist inherits it
        os.environ[aot.OPTIONS] = f"{given} {JAVA}".strip()


class SharedStack:
    """The stack of a run with several processes, held by the first of them. folder: where the others ask for it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="outbox-kit-run-"))
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._hold, name="shared stack")
        self._thread.start()

    def end(self) -> None:
        """Take the stack down, if it was started."""
        self._over.set()
        self._thread.join()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _hold(self) -> None:
        while not (self.folder / "wanted").exists():
            if self._over.wait(0.05):
                return
        name = f"run-{uuid.uuid4().hex[:8]}"
        try:
            with started(name):
                _write(self.folder / "started", name)
                self._over.wait()
        except BaseException:
            _write(self.folder / "failed", traceback.format_exc())


def attached(folder: Path) -> Stack:
    """The stack that the run's first process holds. folder: of its SharedStack. Raises AssertionError."""
    (folder / "wanted").touch()
    name, failed = folder / "started", folder / "failed"
    until(lambda: name.exists() or failed.exists(), "the run's stack is started", START_SECONDS)
    assert name.exists(), failed.read_text()
    return Stack.attach(name.read_text())


@contextmanager
def started(name: str | None = None, flush_ms: int = FLUSH_MS) -> Iterator[Stack]:
    """A stack for the length of a block, with the connectors of every database. flush_ms: see FLUSH_MS."""
    prepare()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "OFFSET_FLUSH_MS", flush_ms)
        patch.setattr(services, "SCRAM_ITERATIONS", SCRAM_ITERATIONS)
        with Stack.running(name) as stack:
            yield stack


def prepare() -> None:
    """Fill the caches with which a stack starts."""
    with alone("stack"):  # several processes of a run may start one at the same time
        add_connectors()
        warm.warm()


def add_connectors() -> None:
    """Unpack other databases' connectors beside the stack's own, before a worker looks for them.

    MySQL's is given a newer driver: 9.1.0 reads a snapshot as EUC-JP in a Java without the module jdk.charsets, which
    the stack's is.
    """
    artifacts = [Artifact(**entry) for entry in json.loads(CONNECTORS.read_text())]
    plugins = store.unpacked([artifact for artifact in artifacts if artifact.plugin], "plugins")
    (driver,) = store.fetched([artifact for artifact in artifacts if not artifact.plugin])
    for old in plugins.glob("debezium-connector-mysql-*/*/mysql-connector-j-*.jar"):
        if old.name != driver.name:
            shutil.copy(driver, old.with_name(driver.name))
            old.unlink()


def _write(path: Path, text: str) -> None:
    """Write a file that is whole as soon as it exists."""
    staging = path.with_suffix(".new")
    staging.write_text(text)
    staging.replace(path)
