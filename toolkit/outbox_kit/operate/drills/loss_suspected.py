"""One event was written while the publication did not pass it on: it is lost without a repair."""

from outbox_kit.databases.postgres.session import identifier
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _lose(place: Ground) -> None:
    publication = identifier(place.outbox.names.publication).as_string()
    with place.rows() as connection:
        connection.execute(f"alter publication {publication} drop table outbox".encode())
        place.variables["EVENT_ID"] = str(place.write(1, key="lost")[0])
        connection.execute(f"alter publication {publication} add table outbox".encode())
    place.write()


DRILL = Drill(
    fault="an event was not passed on by the publication, and is on no topic",
    chapter="loss-suspected",
    signal=FaultSignal(Detector.verify, "LOS-01"),
    alerts=("OutboxVerdictFailed",),
    prepare=Ground.start_verifier,
    inject=_lose,
    steps=(1, 2, 3),
    restore=Ground.stop_verifier,
)
