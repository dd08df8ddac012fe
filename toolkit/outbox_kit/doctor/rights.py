"""The rights that the Kafka user of a worker or relay needs for one outbox. Pure."""

from collections.abc import Iterator, Sequence

from outbox_kit.doctor.observation import INTERNAL_TOPICS, SystemObservation
from outbox_kit.kafka.acls import Resource

PRODUCE, CREATE = ("WRITE",), ("WRITE", "CREATE")
EXCHANGE = ("READ", "WRITE")


def needed(system: SystemObservation) -> Iterator[tuple[Resource, Sequence[str]]]:
    """Each resource with the operations on it. A topic that exists need not be created."""
    existing = {*system.kafka.topics, *system.kafka.hidden} if system.kafka else set()
    creates = not system.by_relay  # a relay creates no topics of events
    for topic in system.routes.topics:
        yield _topic(topic), PRODUCE if topic in existing or not creates else CREATE
    yield from _relay(system) if system.by_relay else _connector(system, existing)


def _relay(system: SystemObservation) -> Iterator[tuple[Resource, Sequence[str]]]:
    if system.outbox.delivery_guarantee == "exactly-once":
        yield _topic(system.topics.position), EXCHANGE
        yield Resource("TRANSACTIONAL_ID", system.topics.position), PRODUCE


def _connector(system: SystemObservation, existing: set[str]) -> Iterator[tuple[Resource, Sequence[str]]]:
    topics, config = system.topics, system.config
    if "heartbeat.interval.ms" in config:
        yield _topic(topics.heartbeat), PRODUCE if topics.heartbeat in existing else CREATE
    if "schema.history.internal.kafka.topic" in config:
        yield _topic(topics.history), EXCHANGE if topics.history in existing else (*EXCHANGE, "CREATE")
    if system.worker_settings is not None:
        for setting in INTERNAL_TOPICS:
            yield _topic(system.worker_settings[setting]), EXCHANGE
        yield Resource("GROUP", system.worker_settings["group.id"]), ("READ",)


def _topic(name: str) -> Resource:
    return Resource("TOPIC", name)
