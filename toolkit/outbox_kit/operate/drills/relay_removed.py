"""The outbox of a relay is removed with everything that belongs to it."""

from dataclasses import replace

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act
from outbox_kit.operate.drills.removed import DRILL as OF_CONNECTOR
from outbox_kit.operate.drills.removed import check_removed

DRILL = replace(
    OF_CONNECTOR,
    delivery="relay",
    steps=(Act("stop the relay", Ground.stop_relay), 1, 2, 3, Act("look for what is left", check_removed)),
)
