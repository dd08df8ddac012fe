"""The wait for a connector that is to stop: its task ends and its replication slot is free a moment later."""

import time

from outbox_kit.databases.interface import RELAY_APPLICATION
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import OutOfTime
from outbox_kit.waiting import waiting_for

POLL_SECONDS = 0.2


def await_stopped(delivery: Debezium, deadline: float) -> None:
    """Wait until a connector is STOPPED or deleted, its task has ended, and it no longer reads its slot.

    deadline: by time.monotonic(). Raises OutOfTime.
    """
    name = delivery.name
    with waiting_for(f"connector '{name}' to stop and release its replication slot"):
        while True:
            status = delivery.status()
            if status.connector in ("STOPPED", "UNKNOWN") and not status.tasks and not _is_read(delivery):
                return
            if time.monotonic() > deadline:
                url, why = delivery.workers.url, f"last state: {status}"
                fix = "see the worker's log; the request stays: outbox-kit status shows when it has taken effect"
                raise OutOfTime(f"connector '{name}' did not stop in time", where=url, why=why, fix=fix)
            time.sleep(POLL_SECONDS)


def _is_read(delivery: Debezium) -> bool:
    """Whether another process than a relay reads the slot."""
    if delivery.dsn is None or delivery.slots is None:
        return False
    reader = delivery.slots.reader(delivery.dsn, delivery.outbox.names.slot)
    return reader is not None and reader.application != RELAY_APPLICATION
