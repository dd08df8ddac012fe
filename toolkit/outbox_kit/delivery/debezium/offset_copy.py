"""The stored offset of a connector is copied to another one."""

import time

from outbox_kit.connect.client import Connect
from outbox_kit.errors import ConnectRefused
from outbox_kit.waiting import waiting_for

POLL_SECONDS = 0.5


def copy_offset(workers: Connect, former: str, new: str, deadline: float) -> None:
    """Store the offset of a stopped connector for another stopped one, until a worker shows both as the same.

    A worker shows the earlier offsets of a connector for a moment after it has stopped, and after it has accepted
    others. deadline: by time.monotonic(). Raises ConnectRefused if they stay different, and ConnectUnreachable.
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
