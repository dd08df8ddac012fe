"""Topics of one's own for a while: made, written to, and taken away again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from confluent_kafka import KafkaError, Producer
from confluent_kafka.admin import NewTopic  # type: ignore[attr-defined]

from outbox_kit import deadline
from outbox_kit.errors import KafkaRefused
from outbox_kit.kafka.admin import Admin
from outbox_kit.kafka.read import Cluster

SECONDS = 30.0
IN_ORDER: dict[str, Any] = {"enable.idempotence": True, "max.in.flight.requests.per.connection": 1}
"""One request at a time, as the topics are new: see `fresh_partitions`."""


class Written(NamedTuple):
    """A message to be written, partition and all."""

    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, str | bytes | None]]
    milliseconds: int = 0
    """Its timestamp, since 1970; 0 is the client's clock."""


@contextmanager
def topics(cluster: Cluster, names: Sequence[str], partitions: int) -> Iterator[None]:
    """New topics for the length of a block, one copy each. Raises KafkaRefused where one is there already."""
    created: list[str] = []
    try:
        with cluster.client(Admin) as admin:
            futures = admin.create_topics(
                [NewTopic(name, partitions, 1) for name in names], request_timeout=deadline.allowed(SECONDS)
            )
            for name, future in futures.items():
                future.result()
                created.append(name)
        yield
    finally:  # those that were made, also where a later one was refused
        if created:
            with cluster.client(Admin) as admin:
                for future in admin.delete_topics(created, request_timeout=deadline.allowed(SECONDS)).values():
                    future.result()


def write(cluster: Cluster, messages: Sequence[Written]) -> None:
    """Write messages in their order and wait until the brokers have them. Raises KafkaRefused."""
    errors: list[KafkaError] = []

    def delivered(error: KafkaError | None, _: Any) -> None:
        if error is not None:
            errors.append(error)

    with cluster.client(Producer, IN_ORDER) as producer:
        for message in messages:
            producer.produce(
                message.topic,
                message.value,
                message.key,
                message.partition,
                headers=message.headers,
                on_delivery=delivered,
                timestamp=message.milliseconds,
            )
        seconds = deadline.allowed(SECONDS)
        unsent = producer.flush(seconds)
    if unsent or errors:
        why = errors[0].str() if errors else f"no answer in {seconds:.0f} s"
        raise KafkaRefused("messages could not be written", where=cluster.bootstrap, why=why)
