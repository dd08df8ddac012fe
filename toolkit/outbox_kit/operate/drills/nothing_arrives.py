"""The publication has lost the outbox table: everything is RUNNING, and no event is published."""

from datetime import UTC, datetime

from outbox_kit.databases.postgres.session import identifier
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _drop(place: Ground) -> None:
    place.variables["LOST_SINCE"] = datetime.now(UTC).isoformat(timespec="milliseconds")
    publication = identifier(place.outbox.names.publication).as_string()
    with place.rows() as connection:
        connection.execute(f"alter publication {publication} drop table outbox".encode())
    place.write()


DRILL = Drill(
    fault="the publication has lost the outbox table, and events were written",
    chapter="nothing-arrives",
    signal=FaultSignal(Detector.alert, "OutboxTableNotPublished"),
    inject=_drop,
    steps=(1, 2, 3, 4),
)
