"""The topic of the events was deleted."""

from outbox_kit.kafka import trial_topics
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal


def _delete(place: Ground) -> None:
    trial_topics.delete(place.cluster, place.topic)
    place.until(lambda: place.topic not in place.cluster.topics(), "the deletion of the topic")


DRILL = Drill(
    fault="the topic of the events was deleted",
    chapter="topic-deleted",
    signal=FaultSignal(Detector.doctor, "DOC-TOPICS-01"),
    inject=_delete,
    steps=(1, 2, 3),
)
