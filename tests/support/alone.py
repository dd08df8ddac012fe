"""What only one of several processes of the tests may do at a time, such as filling a cache."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from outbox_kit.stack.store import cache_folder


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Wait until no other process is in a block of this name."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
