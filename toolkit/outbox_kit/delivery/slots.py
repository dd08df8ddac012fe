"""A replication slot in words. Pure."""

from outbox_kit.databases.interface import Slot

LOST = ("lost", "unreserved")
"""The values of `wal_status` of a slot whose log may be gone."""


def slot_text(slot: Slot) -> str:
    """A replication slot in one line."""
    state = "active" if slot.active else "inactive"
    return f"{state}, retained WAL {size(slot.retained)}, lag {size(slot.behind)} (wal_status={slot.wal_status})"


def lsn(position: int) -> str:
    """A position in PostgreSQL's log as the server writes it. position: in bytes."""
    return f"{position >> 32:X}/{position & 0xFFFFFFFF:X}"


def size(count: int) -> str:
    """A number of bytes with a unit."""
    number = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1024 or unit == "GB":
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    raise AssertionError("unreachable")
