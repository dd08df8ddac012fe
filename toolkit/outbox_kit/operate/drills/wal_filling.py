"""A paused connector retains WAL until the limit is near."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal
from outbox_kit.operate.drill.slot_limit import SlotState, fill_until, remove_limit, set_limit

LIMIT = "alter system set max_slot_wal_keep_size = '128MB'"
NEAR_BYTES = 24_000_000
"""WAL that can still be written before the slot is lost."""


def _fill(place: Ground) -> None:
    place.workers.pause(place.connector)
    place.until(lambda: place.status().connector == "PAUSED", "the pause of the connector")
    place.write()
    set_limit(place, LIMIT)
    fill_until(place, _is_near)


def _is_near(state: SlotState) -> bool:
    _, safe_bytes = state
    return safe_bytes is not None and safe_bytes <= NEAR_BYTES


DRILL = Drill(
    fault="the connector is paused, its slot retains WAL, and max_slot_wal_keep_size is near",
    chapter="slot-growing",
    signal=FaultSignal(Detector.alert, "OutboxSlotShare"),
    alerts=("OutboxSlotBytes", "OutboxSlotFullSoon"),
    inject=_fill,
    steps=(1, 3, 4),
    restore=remove_limit,
    alone=True,
)
