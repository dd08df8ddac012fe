"""Downloads: whole and with the right checksum, or not at all. The network's faults are played by a fake client."""

import errno
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from outbox_kit.errors import StackFailed
from outbox_kit.stack import store
from outbox_kit.stack.manifest import Artifact

CONTENT = b"a jar"
JAR = Artifact("org.example", "thing", "1.0", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


def _client(deliver: Callable[[Path], None]) -> Any:
    """Stands for `jgo.maven`: one artifact, that `deliver` writes into the staging folder."""

    class Context:
        def __init__(self, repo_cache: Path, **_: object) -> None:
            self.path = repo_cache / "file.jar"

        def project(self, *_: str) -> "Context":
            return self

        at_version = artifact = project

        def resolve(self) -> Path:
            self.path.parent.mkdir(parents=True)
            deliver(self.path)
            return self.path

    return SimpleNamespace(MavenContext=Context, PythonResolver=lambda **_: None)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(store, "locked", lambda: (JAR,))
    return tmp_path / "outbox-kit" / "artifacts"


def _serve(monkeypatch: pytest.MonkeyPatch, deliver: Callable[[Path], None]) -> None:
    client = _client(deliver)
    monkeypatch.setattr(store, "module", lambda _: client)


def _left(cache: Path) -> list[Path]:
    return list(cache.rglob("*"))


def test_a_file_is_fetched_once_and_then_found(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[Path] = []
    _serve(monkeypatch, lambda path: (fetched.append(path), path.write_bytes(CONTENT))[0])
    assert store.jars() == store.jars() == [cache / "thing-1.0.jar"]
    assert len(fetched) == 1
    assert _left(cache) == [cache / "thing-1.0.jar"]


def test_a_file_with_another_checksum_is_refused_and_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _serve(monkeypatch, lambda path: path.write_bytes(b"b jar") and None)
    with pytest.raises(StackFailed, match="is not the file that the lock names") as error:
        store.jars()
    assert JAR.sha256 in error.value.why
    assert _left(cache) == []


def test_a_disk_that_fills_up_leaves_no_half_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(path: Path) -> None:
        path.write_bytes(CONTENT[:2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    _serve(monkeypatch, fill)
    with pytest.raises(StackFailed) as error:
        store.jars()
    assert "No space left" in error.value.why
    assert _left(cache) == []


def test_too_little_disk_is_said_before_the_first_byte(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _serve(monkeypatch, lambda _: pytest.fail("nothing should be fetched"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    with pytest.raises(StackFailed, match="the downloads need") as error:
        store.jars()
    assert "XDG_CACHE_HOME" in error.value.fix


def test_a_file_cut_short_in_the_cache_is_fetched_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir(parents=True)
    (cache / JAR.file).write_bytes(CONTENT[:2])
    _serve(monkeypatch, lambda path: path.write_bytes(CONTENT) and None)
    store.jars()
    assert (cache / JAR.file).read_bytes() == CONTENT


def test_an_interrupt_while_downloading_leaves_no_half_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(path: Path) -> None:
        path.write_bytes(CONTENT[:2])
        raise KeyboardInterrupt

    _serve(monkeypatch, interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.jars()
    assert _left(cache) == []


def test_a_missing_package_is_answered_with_the_extra_that_brings_it() -> None:
    with pytest.raises(StackFailed) as error:
        store.module("outbox_kit_no_such_package")
    assert error.value.fix == "pip install 'outbox-kit[stack]'"
