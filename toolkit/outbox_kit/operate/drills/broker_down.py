"""The broker dies, and is started again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

BROKER = "kafka"


def _kill(place: Ground) -> None:
    place.stack.kill(BROKER)
    place.write()


def _start(place: Ground) -> None:
    place.stack.start(BROKER)
    place.until(lambda: place.status().running, "the task to run")


DRILL = Drill(
    fault="the broker was killed, while events are written",
    chapter="unreachable",
    signal=FaultSignal(Detector.alert, "OutboxSystemUnanswered"),
    jmx_alerts=("OutboxWriteStuck",),
    inject=_kill,
    steps=(Act("start the broker", _start), 1, 2, 3),
    alone=True,
)
