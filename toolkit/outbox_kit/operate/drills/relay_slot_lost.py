"""The relay was killed, and its replication slot was dropped."""

from dataclasses import replace

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act
from outbox_kit.operate.drills.slot_lost import DRILL as OF_CONNECTOR
from outbox_kit.operate.drills.slot_lost import drop_slot


def _drop(place: Ground) -> None:
    place.relays[-1].kill()
    drop_slot(place)
    place.write()


DRILL = replace(
    OF_CONNECTOR,
    delivery="relay",
    inject=_drop,
    steps=(2, Act("start the relay as a service", Ground.start_relay), 3),
)
