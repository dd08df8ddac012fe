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
        for found in jgo.resolve("+".join(group)):
            key = (found.groupId, found.artifactId)
            if key not in seen:
                seen.add(key)
                yield _described(found)
    for plugin in manifest().plugins:
        group_id, name, version = plugin.split(":")
        project = MavenContext().project(group_id, name).at_version(version)
        yield _described(project.artifact(classifier="plugin", packaging="tar.gz"), plugin=True)


def _described(found: Any, *, plugin: bool = False) -> Artifact:
    content = Path(found.resolve()).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return Artifact(found.groupId, found.artifactId, found.version, len(content), digest, plugin)


def main() -> None:
    """Write the lock, unless an artifact came in two versions."""
    found = list(artifacts())
    twice = [name for name, count in Counter(artifact.name for artifact in found).items() if count > 1]
    if twice:
        sys.exit(f"in two versions: {', '.join(twice)}")
    write_lock(found)


if __name__ == "__main__":
    main()
