"""A relay takes the place of the connector while events are written."""

from outbox_kit.operate.drill.ground import MONITORING, OF_SLOT, Ground
from outbox_kit.operate.drill.model import Act, Drill


def _write(place: Ground) -> None:
    place.write()


def _choose(place: Ground) -> None:
    place.change("delivery", {"by": "relay"})
    place.change("monitoring", {**MONITORING, **OF_SLOT})  # a relay has no threshold of a connector


DRILL = Drill(
    fault="a relay has to take the place of the connector",
    chapter="hand-over",
    inject=_write,
    steps=(Act("set delivery.by to relay", _choose), 1, 2, Act("start the relay", Ground.start_relay), 4),
    delivery_after="relay",
)
