"""Another configuration is tried beside the connector, and takes its place."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Drill


def _write(place: Ground) -> None:
    place.variables["PREVIOUS"] = place.connector
    place.write()


def _name(place: Ground) -> None:
    place.change("connect.connector", f"{place.service}-next")
    place.change("connect.slot", f"{place.service}_next")


DRILL = Drill(
    fault="another configuration has to be tried beside the connector",
    chapter="replace",
    inject=_write,
    steps=(Act("set connect.connector and connect.slot to new names", _name), 1, 2, 3),
)
