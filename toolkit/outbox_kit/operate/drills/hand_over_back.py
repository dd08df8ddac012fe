"""A connector takes the place of the relay while events are written."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Drill


def _write(place: Ground) -> None:
    place.write()


def _choose(place: Ground) -> None:
    place.variables["WORKERS"] = place.connect_url
    place.stop_relay()
    place.change("delivery", {"by": "connector"})


DRILL = Drill(
    fault="a connector has to take the place of the relay",
    chapter="hand-over",
    delivery="relay",
    inject=_write,
    steps=(Act("stop the relay, and set delivery.by to connector", _choose), 3, 4),
    delivery_after="connector",
)
