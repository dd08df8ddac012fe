"""A relay of an outbox table is frozen: its lease ends, and its sessions stay."""

import signal

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal


def freeze_and_write(place: Ground) -> None:
    """Freeze the relay, and write events."""
    place.relays[-1].process.send_signal(signal.SIGSTOP)
    place.write()


DRILL = Drill(
    fault="the relay of the table is frozen, while events are written",
    chapter="relay-stopped",
    delivery="relay",
    source="table",
    signal=FaultSignal(Detector.alert, "OutboxRelayHangs"),
    inject=freeze_and_write,
    steps=(
        Act("end the process of the relay", lambda place: place.relays[-1].kill()),
        2,
        Act("start the relay as a service", Ground.start_relay),
        3,
    ),
)
