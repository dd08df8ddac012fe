"""The slot of a stopped connector reaches max_slot_wal_keep_size: the server removes its WAL."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal
from outbox_kit.operate.drill.slot_limit import fill_until, remove_limit, set_limit

LIMIT = "alter system set max_slot_wal_keep_size = '16MB'"


def lose_slot(place: Ground) -> None:
    """Stop the connector, and let the server remove the WAL of its slot."""
    place.workers.stop(place.connector)
    place.until(lambda: place.status().connector == "STOPPED", "the stop of the connector")
    place.write()
    set_limit(place, LIMIT)
    fill_until(place, lambda state: state[0] == "lost", checkpoint=True)


DRILL = Drill(
    fault="the connector was stopped, and its slot has reached max_slot_wal_keep_size",
    chapter="slot-lost",
    signal=FaultSignal(Detector.alert, "OutboxSlotLost"),
    inject=lose_slot,
    steps=(1, 2, 3),
    restore=remove_limit,
    alone=True,
)
