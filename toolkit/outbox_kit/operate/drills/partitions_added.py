"""Partitions were added to the topic of the events."""

from outbox_kit.kafka import topic_settings
from outbox_kit.operate.drill.ground import PARTITIONS, Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal


def _add(place: Ground) -> None:
    topic_settings.add_partitions(place.cluster, place.topic, PARTITIONS + 2)


def _declare(place: Ground) -> None:
    place.change("connect.topics.partitions", PARTITIONS + 2)


DRILL = Drill(
    fault="two partitions were added to the topic of the events",
    chapter="partitions-added",
    signal=FaultSignal(Detector.doctor, "DOC-TOPICS-02"),
    inject=_add,
    steps=(1, Act("set connect.topics.partitions to the new number", _declare), 2, 4),
    leaves_marks=True,
)
