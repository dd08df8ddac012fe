"""The only relay of an outbox table was killed, and is started again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal
from outbox_kit.operate.drills.relay_killed import kill_and_write

DRILL = Drill(
    fault="the only relay of the table was killed, while events are written",
    chapter="relay-stopped",
    delivery="relay",
    source="table",
    signal=FaultSignal(Detector.alert, "OutboxRelayAbsent"),
    alerts=("OutboxOldestStays", "OutboxLate", "OutboxPending"),
    inject=kill_and_write,
    steps=(1, 2, Act("start the relay as a service", Ground.start_relay), 3),
)
