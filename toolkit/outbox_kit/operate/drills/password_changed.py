"""The password of the connector's role is changed, as planned."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Drill


def _write(place: Ground) -> None:
    place.write()


DRILL = Drill(
    fault="the password of the connector's role has to be changed",
    chapter="password",
    inject=_write,
    steps=(1, 2),
)
