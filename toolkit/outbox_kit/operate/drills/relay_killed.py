"""The relay was killed, and is started again."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal


def kill_and_write(place: Ground) -> None:
    """Kill the relay, and write events."""
    place.relays[-1].kill()
    place.write()


DRILL = Drill(
    fault="the relay was killed, while events are written",
    chapter="relay-stopped",
    delivery="relay",
    signal=FaultSignal(Detector.alert, "OutboxSlotInactive"),
    inject=kill_and_write,
    steps=(1, 2, Act("start the relay as a service", Ground.start_relay), 3),
)
