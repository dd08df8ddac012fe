"""The password of the connector's role was changed in the database only."""

from outbox_kit.databases.postgres.session import identifier
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal

END = "select pg_terminate_backend(pid) from pg_stat_activity where usename = %s"


def _change(place: Ground) -> None:
    role = place.outbox.names.role
    with place.server() as connection:
        connection.execute(f"alter role {identifier(role).as_string()} password 'other'".encode())
        connection.execute(END, [role])
    place.write()


DRILL = Drill(
    fault="the password of the connector's role was changed in the database, and its sessions were ended",
    chapter="database-refuses",
    signal=FaultSignal(Detector.alert, "OutboxNoProgress", threshold="OutboxLate"),
    alerts=("OutboxHeartbeatOld", "OutboxSlotInactive"),
    writes=True,
    inject=_change,
    steps=(1, 2, 3),
)
