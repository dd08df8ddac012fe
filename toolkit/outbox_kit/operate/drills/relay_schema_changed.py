"""An event type is added to the outbox of a relay."""

from dataclasses import replace

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act
from outbox_kit.operate.drills.schema_changed import DRILL as OF_CONNECTOR


def _restart(place: Ground) -> None:
    place.stop_relay()
    place.start_relay()
    place.write()


declare = OF_CONNECTOR.steps[0]
DRILL = replace(OF_CONNECTOR, delivery="relay", steps=(declare, 1, 2, Act("restart the relay", _restart)))
