"""The connector gets another name."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Drill


def _write(place: Ground) -> None:
    place.write()


def _name(place: Ground) -> None:
    place.change("connect.connector", f"{place.service}-renamed")


DRILL = Drill(
    fault="the connector has to get another name",
    chapter="rename",
    inject=_write,
    steps=(Act("set connect.connector to the new name", _name), 1, 2, 3),
)
