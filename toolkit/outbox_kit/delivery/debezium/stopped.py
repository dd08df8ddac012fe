"""Whether a connector has stopped: its task has ended, and no process but a relay reads its replication slot."""

import time

from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.interface import RELAY_APPLICATION, SlotReader
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import OutOfTime
from outbox_kit.waiting import waiting_for

POLL_SECONDS = 0.2
REQUESTED = "see the worker's log; the request stays: outbox-kit status shows when it has taken effect"


def is_stopped(status: ConnectorStatus) -> bool:
    """Whether a connector is STOPPED, and its task has ended."""
    return status.connector == "STOPPED" and not status.tasks


def is_relay(reader: SlotReader | None) -> bool:
    """Whether a slot is read by a relay."""
    return reader is not None and reader.application == RELAY_APPLICATION


def slot_reader(delivery: Debezium) -> SlotReader | None:
    """The process that reads the slot now; None if there is none, or no slot, or if the database was not named.

    Raises EnvironmentProblem.
    """
    if delivery.dsn is None or delivery.slots is None:
        return None
    return delivery.slots.reader(delivery.dsn, delivery.outbox.names.slot)


def await_stopped(delivery: Debezium, deadline: float, *, deleted: bool = False, fix: str = REQUESTED) -> None:
    """Wait until a connector is STOPPED and no longer reads its slot, which is free a moment after the task has ended.

    deadline: by time.monotonic(). deleted: whether a connector that is not registered is one. Raises OutOfTime.
    """
    name, slot = delivery.name, delivery.outbox.names.slot
    released = f" and to release replication slot '{slot}'" if delivery.slots else ""
    with waiting_for(f"connector '{name}' to be STOPPED{released}"):
        while True:
            status, reader = delivery.status(), slot_reader(delivery)
            ended = is_stopped(status) or (deleted and status.connector == "UNKNOWN")
            if ended and (reader is None or is_relay(reader)):
                return
            if time.monotonic() > deadline:
                reads = f"; {reader} reads replication slot '{slot}'" if reader else ""
                why = f"last state: {status}{reads}"
                raise OutOfTime(
                    f"connector '{name}' did not stop in time", where=delivery.workers.url, why=why, fix=fix
                )
            time.sleep(POLL_SECONDS)
