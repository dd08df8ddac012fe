"""What is seen of a connector, its slot, its heartbeat and its topics, and what of it is not well. Pure."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from outbox_kit.connect.status import ConnectorStatus, failure
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.interface import Health
from outbox_kit.schema.model import Outbox

MISSED_HEARTBEATS = 3
LOST = ("lost", "unreserved")  # a slot's state
UNKNOWN = "not known: Kafka Connect tells it of connectors that are registered only"


@dataclass(frozen=True)
class Observation:
    """What Kafka Connect and the database have answered."""

    outbox: Outbox
    """The outbox."""
    status: ConnectorStatus
    """The states of the connector and its task."""
    stored: int | None
    """The log position that the connector has stored; None if Kafka Connect does not know the connector."""
    topics: list[str] | None
    """The topics that the connector has written; None if Kafka Connect does not know the connector."""
    slot: Slot | None
    """The replication slot; None if the database was not asked, or has none."""
    heartbeat_seconds: float | None
    """The age of the last heartbeat; None if the database was not asked, or has none."""
    database_asked: bool
    """Whether the database was asked."""

    def health(self) -> Health:
        """The same as a delivery's health."""
        name, status = self.outbox.names.connector, self.status
        cause = failure(name, status) if status.failed else None
        return Health(tuple(self._facts()), self._document(), tuple(self._problems()), cause, status.trace.splitlines())

    def _facts(self) -> Iterator[tuple[str, str]]:
        capture, slot = self.outbox.dialect.capture, self.slot
        yield "connector", f"{self.outbox.names.connector}: {self.status}"
        yield "worker", ", ".join(self.status.workers) or "-"
        registered = self.topics is not None
        none = "none stored" if registered else UNKNOWN
        yield "position", none if self.stored is None else str(self.stored)
        if not self.database_asked:
            yield "slot", "not looked at: set OUTBOX_KIT_DSN"
        elif capture.uses_slot and slot is None:
            yield "slot", "none"
        elif slot is not None:
            read = "is read" if slot.active else "nobody reads it"
            kept = f"keeps {_bytes(slot.retained)} of log, {_bytes(slot.behind)} behind"
            yield "slot", f"{read}, {kept}, {slot.wal_status}"
        if self.database_asked and capture.uses_heartbeat_table:
            age = self.heartbeat_seconds
            yield "heartbeat", "none yet" if age is None else f"{age:.0f} s ago"
        yield "topics", (", ".join(self.topics or ()) or "none written yet") if registered else UNKNOWN

    def _document(self) -> dict[str, Any]:
        return {
            "connector": self.outbox.names.connector,
            "status": asdict(self.status),
            "position": self.stored,
            "slot": asdict(self.slot) if self.slot else None,
            "heartbeat_seconds": self.heartbeat_seconds,
            "topics": self.topics,
            "complaints": list(self._problems()),
        }

    def _problems(self) -> Iterator[str]:
        if self.status.connector == "UNKNOWN":
            yield "Kafka Connect knows no such connector: outbox-kit deploy-connector"
        elif not self.status.running:
            yield f"{self.status}"
        if self.database_asked and self.outbox.dialect.capture.uses_slot:
            yield from self._slot_problems()
        age, beat = self.heartbeat_seconds, self.outbox.connect.heartbeat_ms / 1000
        if age is not None and age > MISSED_HEARTBEATS * beat + self.outbox.dialect.capture.idle_seconds + 5:
            yield f"the last heartbeat is {age:.0f} s old, expected every {beat:g} s"

    def _slot_problems(self) -> Iterator[str]:
        slot = self.slot
        if slot is None:
            yield f"the slot '{self.outbox.names.slot}' does not exist"
        elif slot.wal_status in LOST:
            yield f"the slot is {slot.wal_status}: see 'The slot is lost' in the runbook"
        elif not slot.active:
            yield f"nobody reads the slot, which keeps {_bytes(slot.retained)} of log"


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError("unreachable")
