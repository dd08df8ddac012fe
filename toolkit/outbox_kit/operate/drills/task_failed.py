"""The task fails at a topic whose limit is too low, which is raised again."""

from outbox_kit.kafka import topic_settings
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

LIMIT = "max.message.bytes"
TOO_LOW = "100"


def _lower(place: Ground) -> None:
    topic_settings.change(place.cluster, place.topic, {LIMIT: TOO_LOW})
    place.write()


def _raise(place: Ground) -> None:
    topic_settings.change(place.cluster, place.topic, {LIMIT: None})


DRILL = Drill(
    fault="the topic of the events refuses them, and the task fails",
    chapter="task-failed",
    signal=FaultSignal(Detector.alert, "OutboxTaskNotRunning"),
    jmx_alerts=("OutboxStreamingAbsent",),
    inject=_lower,
    steps=(1, Act("set max.message.bytes of the topic back", _raise), 2, 3),
)
