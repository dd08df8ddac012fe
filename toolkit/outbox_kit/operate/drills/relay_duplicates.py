"""The relay was killed while it published: it publishes the last events again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _kill(place: Ground) -> None:
    before = place.published()
    place.write(300)
    place.until(lambda: place.published() > before, "the first messages of the new events")
    place.relays[-1].kill()
    place.start_relay()


DRILL = Drill(
    fault="the relay was killed while it published, and started again",
    chapter="duplicates",
    delivery="relay",
    signal=FaultSignal(Detector.verify, "DUP-02"),
    inject=_kill,
    steps=(1,),
    findings=("DUP-02",),
)
