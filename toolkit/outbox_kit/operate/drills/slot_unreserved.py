"""The slot of a paused connector has passed max_slot_wal_keep_size: the next checkpoint would remove its WAL."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal
from outbox_kit.operate.drill.slot_limit import fill_until, remove_limit, set_limit

LIMIT = "alter system set max_slot_wal_keep_size = '64MB'"


def _fill(place: Ground) -> None:
    place.workers.pause(place.connector)
    place.until(lambda: place.status().connector == "PAUSED", "the pause of the connector")
    place.write()
    with place.server() as connection:
        connection.execute("checkpoint")  # so that the next one is minutes away
    set_limit(place, LIMIT)
    fill_until(place, lambda state: state[0] == "unreserved")


DRILL = Drill(
    fault="the connector is paused, and its slot has passed max_slot_wal_keep_size",
    chapter="slot-growing",
    signal=FaultSignal(Detector.alert, "OutboxSlotUnreserved"),
    inject=_fill,
    steps=(1, 2, 3, 4),
    restore=remove_limit,
    alone=True,
)
