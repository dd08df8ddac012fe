"""The canary's way: insert its row, wait for its message, delete the row."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from outbox_kit.databases import canary
from outbox_kit.databases.interface import Probe
from outbox_kit.kafka.canary import MessageLocation, await_header
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.model import Outbox
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.routes import Routes


@dataclass(frozen=True)
class SentCanary:
    """A canary row that was inserted."""

    event_id: uuid.UUID
    """Its id, which is the `id` header of its message."""
    topic: str
    """The topic of its message."""
    location: MessageLocation | None
    """Its message; None if it did not arrive in time."""
    milliseconds: int
    """From the insert to the message, or to the end of the wait."""


def send(
    outbox: Outbox, probe: Probe, dsn: str, cluster: Cluster, seconds: float, meanwhile: Callable[[], None]
) -> SentCanary:
    """Insert a canary row, and wait for its message; the row is deleted again whatever happens.

    seconds: how long it may take. meanwhile: called every second; what it raises ends the wait. Raises UsageProblem
    for an existing table, and what the database and Kafka raise.
    """
    event_id, topic = uuid.uuid4(), Routes(outbox).canary
    with canary.inserted(probe, dsn, outbox, event_id), waiting_for(f"the canary's message in '{topic}'"):
        written = time.monotonic()
        location = await_header(cluster, topic, ("id", str(event_id).encode()), seconds, meanwhile)
        return SentCanary(event_id, topic, location, round((time.monotonic() - written) * 1000))
