"""The broker of a relay dies, and is started again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

BROKER = "kafka"


def _kill(place: Ground) -> None:
    place.stack.kill(BROKER)
    place.write()


def _start(place: Ground) -> None:
    place.stack.start(BROKER)


DRILL = Drill(
    fault="the broker was killed, while events are written",
    chapter="unreachable",
    delivery="relay",
    signal=FaultSignal(Detector.alert, "OutboxLate"),
    inject=_kill,
    steps=(Act("start the broker", _start), 1, 2),
    alone=True,
)
