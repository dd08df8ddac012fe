"""A connector is started although its slot is lost: Kafka Connect reports RUNNING, and its task does not begin."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal
from outbox_kit.operate.drill.slot_limit import remove_limit
from outbox_kit.operate.drills.slot_limit_reached import lose_slot


def _resume(place: Ground) -> None:
    lose_slot(place)
    place.workers.resume(place.connector)


DRILL = Drill(
    fault="the connector was started again, and its slot is lost",
    chapter="slot-lost",
    signal=FaultSignal(Detector.alert, "OutboxTaskNotStarted"),
    needs_prometheus=True,
    needs_jmx=True,
    inject=_resume,
    steps=(1, 2, 3),
    restore=remove_limit,
    alone=True,
)
