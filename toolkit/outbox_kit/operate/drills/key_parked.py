"""An event is refused by its topic: it becomes a dead letter, and its key is parked."""

from outbox_kit.kafka import topic_settings
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

LIMIT = "max.message.bytes"
TOO_LOW = "100"


def _lower(place: Ground) -> None:
    topic_settings.change(place.cluster, place.topic, {LIMIT: TOO_LOW})
    place.write(3)


def _raise(place: Ground) -> None:
    topic_settings.change(place.cluster, place.topic, {LIMIT: None})


def _await(place: Ground) -> None:
    place.until(lambda: '"total": 0' in place.kit("relay keys --format json"), "the events to be sent again")


DRILL = Drill(
    fault="the topic of the events refuses them, and their keys are parked",
    chapter="dead-letters",
    delivery="relay",
    signal=FaultSignal(Detector.alert, "OutboxDeadLetters"),
    alerts=("OutboxParkedKeys", "OutboxFailedAttempts"),
    inject=_lower,
    steps=(1, Act("set max.message.bytes of the topic back", _raise), 2, Act("wait until no key is parked", _await), 3),
)
