"""The database was restored from a dump: it has neither the slot nor the rows that were written after the dump."""

from outbox_kit.databases.postgres.session import identifier
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal
from outbox_kit.operate.drills.slot_lost import drop_slot

BACKUP = 'pg_dump "$OUTBOX_KIT_DSN" --file backup.sql'
RESTORE = 'psql "$OUTBOX_KIT_DSN" --quiet --set ON_ERROR_STOP=1 --file backup.sql'


def _restore(place: Ground) -> None:
    """Restore a dump that lacks the newest events; whatever publishes them is stopped."""
    place.command(BACKUP)
    before = place.published()
    newer = place.write()
    place.until(lambda: place.published() >= before + len(newer), "the events after the backup")
    database = identifier(place.service).as_string()
    if place.relays:
        place.stop_relay()
    else:
        place.workers.stop(place.connector)
    drop_slot(place)
    with place.server() as connection:
        connection.execute(f"drop database {database} with (force)".encode())
        connection.execute(f"create database {database}".encode())
    place.command(RESTORE)


DRILL = Drill(
    fault="the database was restored from a backup that lacks the newest rows",
    chapter="restore",
    signal=FaultSignal(Detector.doctor, "DOC-SLOT-01"),
    inject=_restore,
    steps=(1, 2, 3, 4),
    verdict="FAIL",
    findings=("LOS-03",),
    leaves_marks=True,
)
