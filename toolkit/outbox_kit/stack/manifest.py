"""What the stack is made of: versions from compose/stack.yaml, files with checksums from compose/stack.lock.json."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache

from ruamel.yaml import YAML

from outbox_kit.assets import COMPOSE

LOCK = COMPOSE / "stack.lock.json"


@dataclass(frozen=True)
class Artifact:
    """One file of a Maven repository. size in bytes, sha256 in hexadecimal;"""

    group: str
    name: str
    version: str
    size: int
    sha256: str
    plugin: bool = False
    """An archive, not a jar, and its classifier."""
    classifier: str = "plugin"

    @property
    def file(self) -> str:
        """The file's name, as the repository spells it."""
        return f"{self.name}-{self.version}{f'-{self.classifier}.tar.gz' if self.plugin else '.jar'}"


@dataclass(frozen=True)
class Manifest:
    """The versions that the stack runs, and where they come from."""

    postgres: str
    kafka: str
    debezium: str
    classpath: tuple[tuple[str, ...], ...]
    plugins: tuple[str, ...]


@cache
def manifest() -> Manifest:
    """Read compose/stack.yaml, versions filled in."""
    data = YAML(typ="safe").load((COMPOSE / "stack.yaml").read_text(encoding="utf-8"))

    def filled(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name.format_map(data) for name in names)

    return Manifest(
        postgres=data["postgres"],
        kafka=data["kafka"],
        debezium=data["debezium"],
        classpath=tuple(filled(group) for group in data["classpath"]),
        plugins=filled(data["plugins"]),
    )


@cache
def locked() -> tuple[Artifact, ...]:
    """Every file that the stack needs from a Maven repository, from the lock."""
    return tuple(Artifact(**entry) for entry in json.loads(LOCK.read_text(encoding="utf-8")))


def write_lock(artifacts: Sequence[Artifact]) -> None:
    """Write the lock, one file a line, sorted."""
    ordered = sorted(artifacts, key=lambda artifact: (artifact.plugin, artifact.group, artifact.name))
    lines = ",\n".join(json.dumps(asdict(artifact)) for artifact in ordered)
    LOCK.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
