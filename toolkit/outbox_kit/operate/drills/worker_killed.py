"""The worker dies between a message and the storing of its offset: its successor publishes some events twice."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _kill(place: Ground) -> None:
    before = place.published()
    place.write(200)
    place.until(lambda: place.published() > before + 20, "the first messages of the new events")
    place.restart_worker()
    place.until(lambda: place.status().running, "the task to run")


DRILL = Drill(
    fault="the worker was killed while it published, and started again",
    chapter="duplicates",
    signal=FaultSignal(Detector.verify, "DUP-02"),
    inject=_kill,
    steps=(1,),
    findings=("DUP-02",),
    alone=True,
)
