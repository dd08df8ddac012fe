"""The database of a relay was restored from a dump that lacks the newest rows."""

from dataclasses import replace

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act
from outbox_kit.operate.drills.restored_backup import DRILL as OF_CONNECTOR

DRILL = replace(
    OF_CONNECTOR,
    delivery="relay",
    steps=(1, Act("start the relay", Ground.start_relay), 2),
)
