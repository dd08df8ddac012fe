"""A paused connector retains WAL until the limit is near."""

from outbox_kit.databases.postgres.session import Session
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal

LIMIT = "alter system set max_slot_wal_keep_size = '128MB'"
NO_LIMIT = "alter system reset max_slot_wal_keep_size"
RELOAD = "select pg_reload_conf()"
FILL = "select pg_logical_emit_message(false, 'drill', repeat('x', 1000000)) from generate_series(1, 8)"
SAFE = "select safe_wal_size from pg_replication_slots where slot_name = %s"
NEAR_BYTES = 24_000_000
"""WAL that can still be written before the slot is lost."""


def _fill(place: Ground) -> None:
    place.workers.pause(place.connector)
    place.until(lambda: place.status().connector == "PAUSED", "the pause of the connector")
    place.write()
    set_limit(place, LIMIT)
    with place.rows() as connection:
        place.until(lambda: _safe_bytes(connection, place) is not None, "the limit to hold")
        while (_safe_bytes(connection, place) or 0) > NEAR_BYTES:
            connection.execute(FILL)


def _safe_bytes(connection: Session, place: Ground) -> int | None:
    """How much WAL can be written until the slot is lost; None without a limit."""
    row = connection.execute(SAFE, [place.outbox.names.slot]).fetchone()
    return None if row is None else row[0]


def set_limit(place: Ground, statement: str) -> None:
    """Change the limit of slots by a statement, and let the server read it."""
    with place.server() as connection:
        connection.execute(statement)
        connection.execute(RELOAD)


DRILL = Drill(
    fault="the connector is paused, its slot retains WAL, and max_slot_wal_keep_size is near",
    chapter="slot-growing",
    signal=FaultSignal(Detector.alert, "OutboxSlotShare"),
    alerts=("OutboxSlotBytes", "OutboxSlotFullSoon"),
    inject=_fill,
    steps=(1, 3, 4),
    restore=lambda place: set_limit(place, NO_LIMIT),
    alone=True,
)
