"""The replication slot was dropped while the connector was stopped."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal

DROP = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s and not active"
IDLE = "select 1 from pg_replication_slots where slot_name = %s and not active"


def drop_slot(place: Ground) -> None:
    """Drop the slot as soon as nothing reads it."""
    slot = place.outbox.names.slot
    with place.rows() as connection:
        place.until(lambda: connection.execute(IDLE, [slot]).fetchone(), "the end of the slot's reader")
        connection.execute(DROP, [slot])


def _drop(place: Ground) -> None:
    place.workers.stop(place.connector)
    drop_slot(place)
    place.write()


DRILL = Drill(
    fault="the replication slot was dropped, and events were written after it",
    chapter="slot-lost",
    signal=FaultSignal(Detector.alert, "OutboxSlotAbsent"),
    inject=_drop,
    steps=(1, 2, 3),
)
