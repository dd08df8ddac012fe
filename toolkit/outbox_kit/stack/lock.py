"""`python -m outbox_kit.stack.lock`: resolve compose/stack.yaml and write the lock with every file's checksum.

Only here are POMs read; `stack up` takes the files that the lock names.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jgo
from jgo.maven import MavenContext

from outbox_kit.stack.manifest import Artifact, manifest, write_lock


def artifacts() -> Iterator[Artifact]:
    """Resolve everything; a file that several groups need comes once."""
    seen: set[tuple[str, str]] = set()
    for group in manifest().classpath:
        for dependency in jgo.resolve("+".join(group)):
            key = (dependency.groupId, dependency.artifactId)
            if key not in seen:
                seen.add(key)
                yield _described(dependency)
    for plugin in manifest().plugins:
        group_id, name, version = plugin.split(":")
        project = MavenContext().project(group_id, name).at_version(version)
        yield _described(project.artifact(classifier="plugin", packaging="tar.gz"), plugin=True)


def _described(dependency: Any, *, plugin: bool = False) -> Artifact:
    content = Path(dependency.resolve()).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return Artifact(dependency.groupId, dependency.artifactId, dependency.version, len(content), digest, plugin)


def main() -> None:
    """Write the lock, unless an artifact came in two versions."""
    locked = list(artifacts())
    repeated = [name for name, count in Counter(artifact.name for artifact in locked).items() if count > 1]
    if repeated:
        sys.exit(f"in two versions: {', '.join(repeated)}")
    write_lock(locked)


if __name__ == "__main__":
    main()
