"""All kept rows have to be published again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Drill


def _write(place: Ground) -> None:
    place.write()


DRILL = Drill(
    fault="consumers need all kept rows again",
    chapter="offsets",
    inject=_write,
    steps=(1, 2, 3),
    findings=("DUP-02",),
)
