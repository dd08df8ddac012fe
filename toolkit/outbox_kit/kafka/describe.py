"""What `doctor` observes of a Kafka cluster: its brokers, and topics with their settings."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaException, TopicCollection

from outbox_kit import deadline
from outbox_kit.kafka.admin import Admin
from outbox_kit.kafka.errors import FORBIDDEN, refusal_text
from outbox_kit.kafka.read import GONE, REQUEST_SECONDS, Cluster


@dataclass(frozen=True)
class ObservedTopic:
    """A topic."""

    partitions: int
    replicas: int
    """The smallest number of replicas of a partition."""
    leaderless: int
    """Partitions without a leader."""
    settings: Mapping[str, str] | None
    """Its settings; None if the user may not see them."""


@dataclass(frozen=True)
class ObservedKafka:
    """A Kafka cluster."""

    bootstrap: str
    """The address by which it was asked."""
    cluster: str
    """Its id."""
    brokers: int
    topics: Mapping[str, ObservedTopic]
    """Those that were asked for and exist."""
    hidden: Mapping[str, str]
    """Those that the user may not see, and why."""


def describe(cluster: Cluster, names: Collection[str]) -> ObservedKafka:
    """The cluster and the named topics. Raises KafkaUnreachable, KafkaRefused."""
    requested, patience = sorted(set(names)), deadline.allowed(REQUEST_SECONDS)
    hidden: dict[str, str] = {}
    described: dict[str, Any] = {}
    with cluster.client(Admin) as admin:
        group = admin.describe_cluster(request_timeout=patience).result()
        answers = admin.describe_topics(TopicCollection(requested), request_timeout=patience) if requested else {}
        for name, answer in answers.items():
            try:
                described[name] = answer.result()
            except KafkaException as cause:
                if cause.args[0].code() in FORBIDDEN:
                    hidden[name] = refusal_text(cause.args[0], "DESCRIBE")
                elif cause.args[0].code() not in GONE:
                    raise
    settings = cluster.settings([*described])
    topics = {name: _topic(topic, settings.get(name)) for name, topic in described.items()}
    return ObservedKafka(cluster.bootstrap, str(group.cluster_id), len(group.nodes), topics, hidden)


def _topic(topic: Any, settings: Mapping[str, str] | None) -> ObservedTopic:
    return ObservedTopic(
        partitions=len(topic.partitions),
        replicas=min((len(partition.replicas) for partition in topic.partitions), default=0),
        leaderless=sum(_leaderless(partition.leader) for partition in topic.partitions),
        settings=settings,
    )


def _leaderless(leader: Any) -> bool:
    return leader is None or leader.id < 0
