"""The server's limit for the WAL of a slot, and WAL that fills it."""

from collections.abc import Callable
from typing import LiteralString

from outbox_kit.operate.drill.ground import Ground

NO_LIMIT = "alter system reset max_slot_wal_keep_size"
RELOAD = "select pg_reload_conf()"
FILL = "select pg_logical_emit_message(false, 'drill', repeat('x', 1000000)) from generate_series(1, 8)"
STATUS = "select wal_status, safe_wal_size from pg_replication_slots where slot_name = %s"
SlotState = tuple[str, int | None]
"""A slot's status, and how many bytes of WAL can be written until it is lost; None without a limit."""


def set_limit(place: Ground, statement: LiteralString) -> None:
    """Change the limit of slots by a statement, and let the server read it."""
    with place.server() as connection:
        connection.execute(statement.encode())
        connection.execute(RELOAD)


def remove_limit(place: Ground) -> None:
    """Let slots retain WAL without a limit again."""
    set_limit(place, NO_LIMIT)


def fill_until(place: Ground, reached: Callable[[SlotState], bool], *, checkpoint: bool = False) -> None:
    """Write WAL until the slot has a state. checkpoint: after each part, so that the server removes what it may.

    Raises OutOfTime.
    """
    with place.rows() as connection:

        def is_reached() -> bool:
            row = connection.execute(STATUS, [place.outbox.names.slot]).fetchone()
            if row is not None and reached((row[0], row[1])):
                return True
            connection.execute(FILL)
            if checkpoint:
                connection.execute("checkpoint")
            return False

        place.until(is_reached, "the slot to reach its limit")
