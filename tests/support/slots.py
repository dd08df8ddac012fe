"""Replication slots of PostgreSQL, whose sessions end a moment after their readers."""

from typing import Any

from tests.support.waiting import until

HELD = "select 1 from pg_replication_slots where slot_name = %s and active"
DROP = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s"


def wait_until_free(rows: Any, slot: str) -> None:
    """Wait until no session holds a slot. rows: a connection in autocommit."""
    until(lambda: not rows.execute(HELD, (slot,)).fetchall(), f"no session holds {slot}")


def drop(rows: Any, slot: str) -> None:
    """Drop a slot, if it is there, when no session holds it. rows: a connection in autocommit."""
    wait_until_free(rows, slot)
    rows.execute(DROP, (slot,))
