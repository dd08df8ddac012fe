"""The stored offset and the slot were deleted: the initial snapshot published all rows again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _reset(place: Ground) -> None:
    place.kit("offsets reset --yes")


DRILL = Drill(
    fault="the stored offset was deleted, and the initial snapshot published all rows again",
    chapter="snapshot-repeated",
    signal=FaultSignal(Detector.verify, "DUP-02"),
    inject=_reset,
    steps=(1, 2),
    findings=("DUP-02",),
)
