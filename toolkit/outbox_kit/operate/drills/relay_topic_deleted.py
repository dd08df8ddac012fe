"""The topic of a relay's events was deleted."""

from dataclasses import replace

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act
from outbox_kit.operate.drills.topic_deleted import DRILL as OF_CONNECTOR

DRILL = replace(
    OF_CONNECTOR,
    delivery="relay",
    steps=(Act("stop the relay", Ground.stop_relay), 2, Act("start the relay as a service", Ground.start_relay), 3),
)
