"""The table was truncated: its rows are in the WAL only."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _truncate(place: Ground) -> None:
    with place.rows() as connection:
        connection.execute("truncate outbox")
    place.write()


DRILL = Drill(
    fault="the table was truncated",
    chapter="truncated",
    signal=FaultSignal(Detector.verify, "LOS-07"),
    inject=_truncate,
    steps=(1, 2),
    findings=("LOS-07",),
)
