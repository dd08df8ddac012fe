"""A consumer has lost events, which are published again from their rows."""

from datetime import UTC, datetime

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Drill

KEY = "resent"
COUNT = 3


def _write(place: Ground) -> None:
    before = place.published()
    place.variables |= {"KEY": KEY, "LOST_SINCE": _now()}
    ids = place.write(COUNT, key=KEY)
    place.until(lambda: place.published() >= before + COUNT, "the messages of the events")
    place.variables |= {"EVENT_ID": str(ids[0]), "LOST_UNTIL": _now()}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


DRILL = Drill(
    fault="a consumer has lost the events of a key, which were published",
    chapter="resend",
    inject=_write,
    steps=(1, 2, 3),
    findings=("DUP-02",),
)
