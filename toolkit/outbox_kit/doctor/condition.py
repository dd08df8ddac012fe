"""The condition of one outbox's pipeline, as it can be seen from outside: connector, slot, heartbeat, topics."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from outbox_kit import dialects, source
from outbox_kit.connect.client import Connect
from outbox_kit.connect.health import Health, health
from outbox_kit.doctor.proof import stored_position
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import whereabouts

MISSED_HEARTBEATS = 3
LOST = {"lost", "unreserved"}
UNKNOWN = "not known: Kafka Connect tells it of connectors that are registered only"


@dataclass(frozen=True)
class Condition:
    """What was seen. slot and heartbeat_seconds are None where the database was not asked or has none.

    stored, topics: None where Kafka Connect knows no such connector, and so says nothing of them. slots: whether the
    database has any. beats: whether the connector touches a row of ours.
    """

    connector: str
    health: Health
    stored: int | None
    topics: list[str] | None
    slot: Any | None
    heartbeat_seconds: float | None
    database_asked: bool
    slots: bool
    beats: bool
    complaints: tuple[str, ...]

    def lines(self) -> Iterator[tuple[str, str]]:
        """A label and a text for each fact."""
        yield "connector", f"{self.connector}: {self.health}"
        yield "worker", ", ".join(self.health.workers) or "-"
        registered = self.topics is not None
        none = "none stored" if registered else UNKNOWN
        yield "position", none if self.stored is None else str(self.stored)
        if not self.database_asked:
            yield "slot", "not looked at: set OUTBOX_KIT_DSN"
        elif self.slots and self.slot is None:
            yield "slot", "none"
        elif self.slot is not None:
            read = "is read" if self.slot.active else "nobody reads it"
            kept = f"keeps {_bytes(self.slot.retained)} of log, {_bytes(self.slot.behind)} behind"
            yield "slot", f"{read}, {kept}, {self.slot.wal_status}"
        if self.database_asked and self.beats:
            age = self.heartbeat_seconds
            yield "heartbeat", "none yet" if age is None else f"{age:.0f} s ago"
        yield "topics", (", ".join(self.topics or ()) or "none written yet") if registered else UNKNOWN

    def document(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "connector": self.connector,
            "status": asdict(self.health),
            "position": self.stored,
            "slot": asdict(self.slot) if self.slot else None,
            "heartbeat_seconds": self.heartbeat_seconds,
            "topics": self.topics,
            "complaints": list(self.complaints),
        }


def look(connect: Connect, outbox: Outbox, dsn: str | None) -> Condition:
    """Ask Kafka Connect and, where it is to be had, the database."""
    derived = names(outbox)
    if dsn:
        whereabouts.expect(dsn, outbox)
    found = health(connect.status(derived.connector))
    probe = source.named(outbox.database.dialect).probe
    dialect = dialects.named(outbox.database.dialect)
    slots, beats = dialect.slots, dialect.capture.beats
    slot = probe.slot(dsn, derived.slot) if dsn and slots else None
    age = probe.heartbeat_age(dsn, outbox) if dsn else None
    complaints = [*_connector(found), *(_slot(slot, outbox) if dsn and slots else []), *_heartbeat(age, outbox)]
    registered = found.connector != "UNKNOWN"
    stored = stored_position(connect, derived.connector, probe) if registered else None
    topics = connect.topics(derived.connector) if registered else None
    return Condition(
        derived.connector, found, stored, topics, slot, age, dsn is not None, slots, beats, tuple(complaints)
    )


def _connector(found: Health) -> Iterator[str]:
    if found.connector == "UNKNOWN":
        yield "Kafka Connect knows no such connector: outbox-kit deploy-connector"
    elif not found.running:
        yield f"{found}"


def _slot(slot: Any | None, outbox: Outbox) -> Iterator[str]:
    if slot is None:
        yield f"the slot '{names(outbox).slot}' does not exist"
    elif slot.wal_status in LOST:
        yield f"the slot is {slot.wal_status}: see 'The slot is lost' in the runbook"
    elif not slot.active:
        yield f"nobody reads the slot, which keeps {_bytes(slot.retained)} of log"


def _heartbeat(age: float | None, outbox: Outbox) -> Iterator[str]:
    idle = dialects.named(outbox.database.dialect).capture.idle_seconds
    limit = MISSED_HEARTBEATS * outbox.connect.heartbeat_ms / 1000 + idle + 5
    if age is not None and age > limit:
        yield f"the last heartbeat is {age:.0f} s old, expected every {outbox.connect.heartbeat_ms / 1000:g} s"


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError("unreachable")
