"""Rules about topics: of events, and of the connector itself."""

from collections.abc import Iterator

from outbox_kit.delivery.partitions import partitions_fix
from outbox_kit.delivery.slots import size
from outbox_kit.doctor.needs import KAFKA
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka.describe import ObservedTopic
from outbox_kit.printable import counted
from outbox_kit.schema.inbox_coherence import kept_days

ALTER = (
    "kafka-configs.sh --bootstrap-server {at} --alter --entity-type topics --entity-name {topic} "
    "--add-config {name}={value}"
)
RECREATE = (
    "create it, or allow the worker to create it. Deleted messages are not published again: to publish all rows of the "
    "table again, outbox-kit remove --reset-offsets --allow-destructive, then outbox-kit deploy-connector --probe"
)
CREATE = (
    "kafka-topics.sh --bootstrap-server {at} --create --topic {topic} --partitions {partitions} "
    "--config cleanup.policy=delete --config max.message.bytes={size}"
)
UNLIMITED = 1 << 60
"""From here on a limit is none: Debezium creates the topic of its schema history with the largest number."""
REQUEST = "producer.override.max.request.size"


def _events(system: SystemObservation) -> dict[str, ObservedTopic]:
    """The topics of events that exist."""
    observed = system.kafka.topics if system.kafka else {}
    return {name: observed[name] for name in system.routes.topics if name in observed}


def _address(system: SystemObservation) -> str:
    return system.kafka.bootstrap if system.kafka else "HOST:PORT"


def _setting(topic: ObservedTopic, name: str) -> str:
    return (topic.settings or {}).get(name, "")


@rule("DOC-TOPICS-01", Severity.error, fix=RECREATE, needs=KAFKA)
def exist(system: SystemObservation) -> Iterator[SystemViolation]:
    """The topics of events exist.

    A connector creates them at the first event, if its worker may; a relay creates none. A deleted topic is created
    again without its messages, or the connector waits for it and stays RUNNING.
    """
    if system.kafka is None:
        return
    written = system.connect.topics if system.connect else ()
    for topic in system.routes.topics:
        if topic in system.kafka.topics or topic in system.kafka.hidden:
            continue
        settings = {"partitions": system.outbox.connect.topics.partitions, "size": system.config[REQUEST]}
        create = CREATE.format(at=_address(system), topic=topic, **settings)
        if topic in written:
            yield SystemViolation(f"topic '{topic}' was deleted: the connector has written to it", topic)
        elif system.by_relay:
            text = f"topic '{topic}' does not exist, and a relay creates none"
            started = system.relay is not None and system.relay.started
            yield SystemViolation(text, topic, create, severity=None if started else Severity.warning)
        else:
            text = f"topic '{topic}' does not exist yet: the worker creates it at the first event, if it may"
            yield SystemViolation(text, topic, create, severity=Severity.info)


@rule("DOC-TOPICS-02", Severity.error, fix="make the numbers equal", needs=KAFKA)
def partitions(system: SystemObservation) -> Iterator[SystemViolation]:
    """The topics of events have the partitions of the schema file.

    When partitions are added, keys move to other partitions, and the order of their events is lost. Partitions cannot
    be taken away.
    """
    declared, events = system.outbox.connect.topics.partitions, _events(system)
    numbers = {topic.partitions for topic in events.values()}
    for name, topic in events.items():
        if topic.partitions != declared:
            text = f"topic '{name}' has {topic.partitions} partitions, the schema file declares {declared}"
            yield SystemViolation(text, name, partitions_fix(name, topic.partitions, numbers))


@rule("DOC-TOPICS-03", Severity.error, fix="set cleanup.policy=delete on the topic", needs=KAFKA)
def not_compacted(system: SystemObservation) -> Iterator[SystemViolation]:
    """No topic of events is compacted.

    Compaction deletes the older events of every key.
    """
    for name, topic in _events(system).items():
        if "compact" in (policy := _setting(topic, "cleanup.policy")):
            fix = ALTER.format(at=_address(system), topic=name, name="cleanup.policy", value="delete")
            yield SystemViolation(f"topic '{name}' has cleanup.policy={policy}", name, fix)


@rule("DOC-TOPICS-04", Severity.error, fix="raise max.message.bytes of the topic", needs=KAFKA)
def large_messages(system: SystemObservation) -> Iterator[SystemViolation]:
    """The topics of events accept the largest payload that the table accepts.

    The connector's task fails at a message that the broker rejects; a relay makes it a dead letter.
    """
    largest = system.outbox.table.max_payload_bytes
    for name, topic in _events(system).items():
        limit = _setting(topic, "max.message.bytes")
        if limit.isdecimal() and int(limit) < largest:
            fix = ALTER.format(at=_address(system), topic=name, name="max.message.bytes", value=system.config[REQUEST])
            text = f"topic '{name}' accepts {size(int(limit))}, the table payloads of {size(largest)}"
            yield SystemViolation(text, name, fix)


@rule("DOC-TOPICS-05", Severity.warning, fix="raise retention.ms of the topic", needs=KAFKA)
def retention(system: SystemObservation) -> Iterator[SystemViolation]:
    """Topics keep messages at least as long as the outbox keeps rows.

    Consumers that were stopped miss events, and loss can be examined for a shorter time.
    """
    if system.outbox.table.retention not in ("delete", "partition"):
        return
    kept = system.outbox.table.kept_hours * 3_600_000
    for name, topic in _events(system).items():
        milliseconds = _setting(topic, "retention.ms")
        if milliseconds.isdecimal() and int(milliseconds) < kept:
            fix = ALTER.format(at=_address(system), topic=name, name="retention.ms", value=kept)
            text = f"topic '{name}' keeps messages for {int(milliseconds) / 3_600_000:.1f} h"
            yield SystemViolation(f"{text}, the table keeps rows for {system.outbox.table.kept_title}", name, fix)


@rule("DOC-TOPICS-06", Severity.warning, fix="raise the number of replicas: kafka-reassign-partitions.sh", needs=KAFKA)
def replicas(system: SystemObservation) -> Iterator[SystemViolation]:
    """The topics of events have replicas, where the cluster has several brokers.

    The broker of a partition without a replica takes its events with it.
    """
    for name, topic in _events(system).items():
        if system.kafka and topic.replicas < 2 <= system.kafka.brokers:
            yield SystemViolation(f"topic '{name}' has no replica; there are {system.kafka.brokers} brokers", name)


@rule("DOC-TOPICS-07", Severity.error, fix="start the brokers that have its partitions", needs=KAFKA)
def leaders(system: SystemObservation) -> Iterator[SystemViolation]:
    """Every partition of a topic of events has a leader.

    Nothing can be written to a partition without one.
    """
    for name, topic in _events(system).items():
        if topic.leaderless:
            yield SystemViolation(f"topic '{name}' has {topic.leaderless} partitions without a leader", name)


@rule(
    "DOC-TOPICS-08",
    Severity.warning,
    fix="compare the transformations: outbox-kit plan; then delete the topic",
    needs=(Need.by_connector, *KAFKA),
)
def no_raw_topic(system: SystemObservation) -> Iterator[SystemViolation]:
    """Rows of the outbox do not go to a topic of change records.

    The event router, or its predicate, does not apply to them: they are no events for consumers.
    """
    topic = system.topics.rows
    if system.kafka and topic in system.kafka.topics:
        yield SystemViolation(f"topic '{topic}' exists: rows were published without the event router", topic)


@rule("DOC-TOPICS-09", Severity.error, fix="correct the topic's settings", needs=(Need.needs_history, *KAFKA))
def history(system: SystemObservation) -> Iterator[SystemViolation]:
    """The topic of the schema history has one partition, and keeps everything.

    The connector's task fails at its next start if a part of the history is missing.
    """
    name = system.topics.history
    topic = system.kafka.topics.get(name) if system.kafka else None
    if topic is None:
        return
    if topic.partitions != 1:
        yield SystemViolation(f"topic '{name}' has {topic.partitions} partitions, expected 1", name)
    if "compact" in (policy := _setting(topic, "cleanup.policy")):
        fix = ALTER.format(at=_address(system), topic=name, name="cleanup.policy", value="delete")
        yield SystemViolation(f"topic '{name}' has cleanup.policy={policy}", name, fix)
    for setting in ("retention.ms", "retention.bytes"):
        if (value := _setting(topic, setting)).isdecimal() and int(value) < UNLIMITED:
            fix = ALTER.format(at=_address(system), topic=name, name=setting, value=-1)
            yield SystemViolation(f"topic '{name}' has {setting}={value}, expected -1", name, fix)


@rule("DOC-TOPICS-10", Severity.warning, fix="raise inbox.window_days in the schema file", needs=KAFKA)
def inbox_window(seen: SystemObservation) -> Iterator[SystemViolation]:
    """The inbox keeps message ids at least as long as the topics keep messages.

    After a reset of a consumer's offsets, messages are delivered again whose ids may be deleted: they are processed
    twice. The purge of outbox-kit keeps these ids, a statement that deletes rows by their age does not.
    """
    inbox = seen.outbox.inbox
    if inbox.mode != "message-id" or not inbox.consumers:
        return
    days = kept_days(seen.outbox)
    for name, topic in _events(seen).items():
        milliseconds = _setting(topic, "retention.ms")
        if milliseconds == "-1":
            text = f"topic '{name}' keeps messages without a limit, the inbox keeps ids for {counted(days, 'day')}"
            fix = "limit retention.ms of the topic, or use another inbox.mode"
            yield SystemViolation(text, name, fix)
        elif milliseconds.isdecimal() and int(milliseconds) > days * 86_400_000:
            text = f"topic '{name}' keeps messages for {int(milliseconds) / 86_400_000:.1f} days"
            yield SystemViolation(f"{text}, the inbox keeps ids for {counted(days, 'day')}", name)
