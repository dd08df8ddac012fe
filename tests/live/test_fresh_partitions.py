"""Producers on a topic that was just created: the first message of a partition has its answer before the second one.

Without this rule librdkafka 2.16 says that messages are stored which are not, in about one of thirty new topics.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from outbox_kit.kafka import transactions
from outbox_kit.kafka.new_topics import NewTopics
from outbox_kit.kafka.publish import Publisher
from outbox_kit.kafka.read import Cluster, Reading
from outbox_kit.kafka.transactions import TransactionalProducer
from outbox_kit.stack import Stack
from tests.support.waiting import until

PARTITIONS = 3
COPY = SimpleNamespace(topic=lambda: "a topic", partition=lambda: 0, offset=lambda: None)
"""A message that the client says is stored, because the broker took it for a copy."""


@pytest.fixture
def topic() -> str:
    return f"fresh-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def transactional(stack: Stack, topic: str) -> Iterator[TransactionalProducer]:
    producer = TransactionalProducer(Cluster(stack.bootstrap), topic, {}, NewTopics(PARTITIONS, 1))
    producer.open()
    yield producer
    producer.close()


@pytest.fixture
def publisher(stack: Stack) -> Iterator[Publisher]:
    publisher = Publisher(stack.bootstrap, {}, {"enable.idempotence": True}, NewTopics(PARTITIONS, 1))
    yield publisher
    publisher.close()


def sent_alone(send: Callable[[int], bool], answered: Callable[[], object]) -> int:
    """The first message of a partition is sent alone, and others when it is acknowledged. How many were sent.

    send: one to a partition.
    """
    assert [send(0), send(0), send(1), send(1)] == [True, False, True, False]
    for partition in (0, 1):
        until(lambda partition=partition: answered() and send(partition), "the first message is acknowledged")
    assert [send(0), send(1), send(2), send(2)] == [True, True, True, False]
    return 7


def stored(stack: Stack, topic: str) -> int:
    cluster = Cluster(stack.bootstrap)
    reading = Reading(cluster.pin([(topic, number) for number in range(PARTITIONS)]))
    return sum(len(records) for _, _, records in cluster.read(reading, time.monotonic() + 30))


def test_a_transactional_producer(
    stack: Stack, topic: str, transactional: TransactionalProducer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "FIRST_SECONDS", 0.0)

    def answered() -> bool:
        transactional.poll(0.1)
        return not transactional.must_abort

    count = sent_alone(lambda partition: transactional.send(topic, partition, b"key", b"value"), answered)
    until(lambda: transactional.commit(1), "the commit")
    until(lambda: stored(stack, topic) == count, "the end of the transaction reaches each partition")


def test_an_idempotent_producer(stack: Stack, topic: str, publisher: Publisher) -> None:
    count = sent_alone(
        lambda partition: publisher.send(topic, partition, b"key", b"value", [], None, None),
        lambda: all(answer.error is None for answer in publisher.answers(0.1)),
    )
    until(lambda: publisher.answers(0.1) is not None and publisher.pending == 0, "all are acknowledged")
    assert stored(stack, topic) == count


def test_a_message_without_an_offset_is_not_taken_for_stored(
    transactional: TransactionalProducer, publisher: Publisher, topic: str
) -> None:
    until(lambda: transactional.send(topic, 0, b"key", b"value"), "the first message is sent")
    transactional._answered(0, None, COPY)
    assert transactional.must_abort
    assert not transactional.commit(1)
    assert transactional.failure is not None
    assert transactional.failure.passes
    publisher._answered("receipt", 0, None, COPY)
    (answer,) = publisher.answers(0)
    assert (answer.receipt, answer.error is None, answer.of_message, answer.of_topic) == (
        "receipt",
        False,
        False,
        False,
    )


def test_a_wait_whose_time_is_up_ends_at_once(transactional: TransactionalProducer, topic: str) -> None:
    transactional.poll(-1e-8)
    until(lambda: transactional.send(topic, 0, b"k", b"v"), "the message is taken")
    assert transactional.commit(30)
    transactional.poll(-1.0)
