"""Offsets are stored for a stopped connector, until the workers show them.

A worker reads the offsets from their topic: it shows the earlier ones for a moment after it has accepted others, or
after the connector has stopped. A connector that is resumed in that moment begins elsewhere.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from outbox_kit.connect.client import Connect
from outbox_kit.errors import ConnectRefused
from outbox_kit.waiting import waiting_for

POLL_SECONDS = 0.3
Entry = Mapping[str, Any]
"""One stored offset: `partition` and `offset`, as Kafka Connect has them."""


def shows_offsets(workers: Connect, name: str, expected: Callable[[Sequence[Entry]], bool], deadline: float) -> bool:
    """Whether the workers show the stored offsets of a connector as expected before a deadline, by time.monotonic()."""
    with waiting_for(f"the workers to show the stored offset of '{name}'"):
        while not (is_shown := expected(workers.offsets(name))) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
    return is_shown


def store_offsets(workers: Connect, name: str, entries: Sequence[Entry], deadline: float, fix: str) -> None:
    """Store offsets of a stopped connector, and wait until the workers show them.

    deadline: by time.monotonic(). fix: the next step if they do not.
    Raises ConnectRefused then, and ConnectUnreachable.
    """
    for entry in entries:
        workers.set_offset(name, entry["partition"], entry["offset"])
    if not shows_offsets(workers, name, lambda stored: all(dict(entry) in stored for entry in entries), deadline):
        what = f"the stored offset of '{name}' was not changed, though the worker has accepted it"
        raise ConnectRefused(what, where=workers.url, fix=fix)


def copy_offset(workers: Connect, former: str, new: str, deadline: float) -> None:
    """Store the offset of a stopped connector for another stopped one, until a worker shows both as the same.

    deadline: by time.monotonic(). Raises ConnectRefused if they stay different, and ConnectUnreachable.
    """
    with waiting_for(f"the stored offset of '{former}' to be that of '{new}'"):
        while True:
            stored = workers.offsets(former)
            for entry in stored:
                workers.set_offset(new, entry["partition"], entry["offset"])
            copied = workers.offsets(new)
            if stored and stored == copied == workers.offsets(former):
                return
            if time.monotonic() > deadline:
                what = f"the stored offset of '{new}' is not that of '{former}', though the worker has accepted it"
                raise ConnectRefused(what, where=workers.url, why=f"{copied} in place of {stored}")
            time.sleep(POLL_SECONDS)
