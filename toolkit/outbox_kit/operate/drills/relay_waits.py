"""A relay hangs and keeps the slot, so that the relay that was started beside it waits."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal
from outbox_kit.operate.drills.relay_frozen import freeze_and_write


def _start_another(place: Ground) -> None:
    freeze_and_write(place)
    place.start_relay()


def _end_first(place: Ground) -> None:
    for relay in place.relays[:-1]:
        relay.kill()


DRILL = Drill(
    fault="a relay hangs and keeps the slot, and another relay waits for it",
    chapter="relay-stopped",
    delivery="relay",
    signal=FaultSignal(Detector.alert, "OutboxRelayWaits"),
    inject=_start_another,
    steps=(Act("end the process of the relay that hangs", _end_first), 3),
    restore=_end_first,
    needs_prometheus=True,
)
