"""Checks whose result follows from their input alone: an input that passed once is not checked again.

What passed is an empty file in the cache, named by the SHA-256 of all that the result follows from. A check that failed
leaves nothing, and is made again. `--fresh` makes them all.
"""

import hashlib
import importlib.metadata
import inspect
import platform
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from outbox_kit.stack.store import cache_folder

made: Counter[str] = Counter()
known: Counter[str] = Counter()
fresh = False


def once(what: str, check: Callable[[], None], *evidence: str | bytes | Path) -> None:
    """Make a check, unless it passed before with the same evidence.

    what: which kind of check it is, for the summary. check: raises where it fails; the module in which it is written is
    evidence too. evidence: texts, files and folders that the result follows from, beside the installed packages.
    """
    mark = cache_folder() / "passed" / what / digest(packages(), Path(inspect.getfile(check)), *evidence)
    if mark.exists() and not fresh:
        known[what] += 1
        return
    check()
    made[what] += 1
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


def summary(made: Counter[str], known: Counter[str]) -> str:
    """How many of each kind were made and how many passed before; nothing where there were none."""
    kinds = sorted(made | known)
    return ", ".join(f"{kind} {known[kind]} of {made[kind] + known[kind]}" for kind in kinds)


@cache
def packages() -> str:
    """The interpreter and every installed package with its version."""
    installed = {f"{one.name}=={one.version}" for one in importlib.metadata.distributions()}
    return "\n".join([platform.python_version(), platform.platform(), *sorted(installed)])


def digest(*evidence: str | bytes | Path) -> str:
    """The SHA-256 of texts, files and folders."""
    digest = hashlib.sha256()
    for one in evidence:
        for part in _parts(one):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _parts(evidence: str | bytes | Path) -> list[bytes]:
    """A text, a file's content, or the names and contents of a folder's files.

    What a link leads to is not read, nor what Python has compiled: it holds the time of the source.
    """
    if isinstance(evidence, str):
        return [evidence.encode("utf-8", "surrogatepass")]
    if isinstance(evidence, bytes):
        return [evidence]
    if evidence.is_file():
        return [evidence.read_bytes()]
    found = (path for path in evidence.rglob("*") if "__pycache__" not in path.parts)
    files = sorted(path for path in found if path.is_file() and not path.is_symlink())
    return [part for path in files for part in (str(path.relative_to(evidence)).encode(), path.read_bytes())]
