"""The connector is paused by a request, and forgotten."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _pause(place: Ground) -> None:
    place.workers.pause(place.connector)
    place.write()


DRILL = Drill(
    fault="the connector was paused, while events are written",
    chapter="paused",
    signal=FaultSignal(Detector.alert, "OutboxConnectorNotRunning"),
    alerts=("OutboxNoProgress", "OutboxLate", "OutboxPending"),
    writes=True,
    inject=_pause,
    steps=(1, 2, 3),
)
