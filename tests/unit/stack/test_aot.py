"""Ahead-of-time caches: of which Java, when they are used, and when another one is needed."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from outbox_kit.stack import aot, store, warm


@pytest.fixture
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only file of a class path; the Java runtime is version 25, and caches go to a folder of the test."""
    path = tmp_path / "kafka.jar"
    path.touch()
    runtime(tmp_path, monkeypatch, '"25.0.2"')
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(aot.OPTIONS, raising=False)
    monkeypatch.setattr(store, "jars", lambda: [path])
    return path


def runtime(folder: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    (folder / "release").write_text(f"JAVA_VERSION={version}\n")
    monkeypatch.setattr(store, "module", lambda _: SimpleNamespace(JAVA_HOME=folder))


def made(service: str) -> Path:
    path = aot.cache(service)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.mark.usefixtures("jar")
def test_a_cache_is_used_when_it_exists() -> None:
    assert aot.options("kafka") == []
    path = made("kafka")
    assert aot.options("kafka") == [f"-XX:AOTCache={path}"]
    assert aot.options("connect") == []


@pytest.mark.parametrize("version", ['"21.0.4"', '"24"', "unknown"])
def test_an_older_java_has_no_caches(jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    runtime(tmp_path, monkeypatch, version)
    made("kafka")
    assert aot.options("kafka") == []
    warm.warm()  # starts nothing


def test_another_class_path_runtime_or_option_needs_another_cache(
    jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches = [aot.cache("kafka")]
    jar.touch()
    caches.append(aot.cache("kafka"))
    runtime(tmp_path, monkeypatch, '"25.0.3"')
    caches.append(aot.cache("kafka"))
    monkeypatch.setenv(aot.OPTIONS, "-XX:TieredStopAtLevel=1")
    caches.append(aot.cache("kafka"))
    assert len(set(caches)) == 4


@pytest.mark.usefixtures("jar")
def test_caches_that_exist_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for service in warm.JVMS:
        made(service)
    monkeypatch.setattr(warm, "SERVICES", {})
    warm.warm()
