"""The slot of a stopped connector reaches max_slot_wal_keep_size: the server removes its WAL."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal
from outbox_kit.operate.drills.wal_filling import FILL, NO_LIMIT, set_limit

LIMIT = "alter system set max_slot_wal_keep_size = '16MB'"
STATUS = "select wal_status from pg_replication_slots where slot_name = %s"


def _fill(place: Ground) -> None:
    place.workers.stop(place.connector)
    place.until(lambda: place.status().connector == "STOPPED", "the stop of the connector")
    place.write()
    set_limit(place, LIMIT)
    with place.rows() as connection:

        def lost() -> bool:
            connection.execute(FILL)
            connection.execute("checkpoint")
            return connection.execute(STATUS, [place.outbox.names.slot]).fetchone() == ("lost",)

        place.until(lost, "the loss of the slot")


DRILL = Drill(
    fault="the connector was stopped, and its slot has reached max_slot_wal_keep_size",
    chapter="slot-lost",
    signal=FaultSignal(Detector.alert, "OutboxSlotLost"),
    inject=_fill,
    steps=(1, 2, 3),
    restore=lambda place: set_limit(place, NO_LIMIT),
    alone=True,
)
