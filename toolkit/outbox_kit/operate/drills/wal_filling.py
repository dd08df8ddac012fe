"""A paused connector retains WAL until the limit is near."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, Signal

LIMIT = "alter system set max_slot_wal_keep_size = '256MB'"
NO_LIMIT = "alter system reset max_slot_wal_keep_size"
RELOAD = "select pg_reload_conf()"
FILL = "select pg_logical_emit_message(false, 'drill', repeat('x', 1000000)) from generate_series(1, 24)"
BATCHES = 3


def _fill(place: Ground) -> None:
    place.workers.pause(place.connector)
    place.write()
    with place.server() as connection:
        connection.execute(LIMIT)
        connection.execute(RELOAD)
    with place.rows() as connection:
        for _ in range(BATCHES):
            connection.execute(FILL)


def _reset(place: Ground) -> None:
    with place.server() as connection:
        connection.execute(NO_LIMIT)
        connection.execute(RELOAD)


DRILL = Drill(
    fault="the connector is paused, its slot retains WAL, and max_slot_wal_keep_size is near",
    chapter="slot-growing",
    signal=Signal(Detector.doctor, "DOC-SLOT-07"),
    inject=_fill,
    steps=(1, 2, 3),
    restore=_reset,
    alone=True,
)
