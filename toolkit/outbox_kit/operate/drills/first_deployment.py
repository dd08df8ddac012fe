"""A connector is deployed the first time onto a table whose rows another process has published."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Drill

REMOVE = "remove --drop-slot --reset-offsets --allow-destructive"


def _publish(place: Ground) -> None:
    before = place.published()
    rows = place.write()
    place.until(lambda: place.published() >= before + len(rows), "the messages of the rows")
    place.kit(REMOVE)


def _choose(place: Ground) -> None:
    place.change("connect.snapshot", "no_data")


DRILL = Drill(
    fault="the table has rows that another process has published, and no connector",
    chapter="first-deployment",
    inject=_publish,
    steps=(1, Act("set connect.snapshot to no_data", _choose), 2, 3, 4),
    leaves_marks=True,
)
