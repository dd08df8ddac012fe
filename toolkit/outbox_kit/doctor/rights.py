"""The rights that the Kafka user of a worker or relay needs for one outbox. Pure."""

from collections.abc import Iterator, Sequence

from outbox_kit.doctor.observation import INTERNAL_TOPICS, SystemObservation
from outbox_kit.kafka.acls import Resource

PRODUCE, CREATE = ("WRITE",), ("WRITE", "CREATE")
EXCHANGE = ("READ", "WRITE")


def needed(seen: SystemObservation) -> Iterator[tuple[Resource, Sequence[str]]]:
    """Each resource with the operations on it. A topic that exists need not be created."""
    existing = {*seen.kafka.topics, *seen.kafka.hidden} if seen.kafka else set()
    creates = not seen.by_relay  # a relay creates no topics of events
    for topic in seen.routes.topics:
        yield _topic(topic), PRODUCE if topic in existing or not creates else CREATE
    yield from _relay(seen) if seen.by_relay else _connector(seen, existing)


def _relay(seen: SystemObservation) -> Iterator[tuple[Resource, Sequence[str]]]:
    if seen.outbox.delivery_guarantee == "exactly-once":
        yield _topic(seen.topics.position), EXCHANGE
        yield Resource("TRANSACTIONAL_ID", seen.topics.position), PRODUCE


def _connector(seen: SystemObservation, existing: set[str]) -> Iterator[tuple[Resource, Sequence[str]]]:
    topics, config = seen.topics, seen.config
    if "heartbeat.interval.ms" in config:
        yield _topic(topics.heartbeat), PRODUCE if topics.heartbeat in existing else CREATE
    if "schema.history.internal.kafka.topic" in config:
        yield _topic(topics.history), EXCHANGE if topics.history in existing else (*EXCHANGE, "CREATE")
    if seen.worker_settings is not None:
        for setting in INTERNAL_TOPICS:
            yield _topic(seen.worker_settings[setting]), EXCHANGE
        yield Resource("GROUP", seen.worker_settings["group.id"]), ("READ",)


def _topic(name: str) -> Resource:
    return Resource("TOPIC", name)
