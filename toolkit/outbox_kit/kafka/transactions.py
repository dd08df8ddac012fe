"""A transactional producer: all messages of a transaction are published, or none for readers with read_committed.

A producer with the same transactional id fences the one before: that one's open transaction is aborted when this one is
opened, and it writes nothing more. No method waits long: what has not ended is asked about again by the next call.

Of each partition a new producer sends one message first, and waits for its answer: see `fresh_partitions`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from confluent_kafka import KafkaError, KafkaException, Producer

from outbox_kit.errors import KafkaRefused, OutboxKitError, ProducerFenced
from outbox_kit.kafka.access import native
from outbox_kit.kafka.connection_errors import ConnectionErrors
from outbox_kit.kafka.errors import UNREACHABLE, is_final, problem
from outbox_kit.kafka.fresh_partitions import ProducerTopic, has_offset
from outbox_kit.kafka.new_topics import NewTopics, partitions_of
from outbox_kit.kafka.publish import LOG
from outbox_kit.kafka.read import Cluster
from outbox_kit.waiting import waiting_for

OPEN_SECONDS = 15.0
SLICE_SECONDS = 1.0
CLOSE_SECONDS = 2.0
FIRST_SECONDS = 0.1
"""For the answer to the first message of a partition, before `send` takes none behind it."""
TIMEOUT_MS = 60_000
"""After which the brokers abort a transaction of a producer that has died."""
FIXED = {
    "enable.idempotence": True,
    "partitioner": "murmur2_random",  # as the Java producer's
    "transaction.timeout.ms": TIMEOUT_MS,
    "queue.buffering.max.messages": 100_000,
    "allow.auto.create.topics": False,
}
FENCED = {KafkaError._FENCED, KafkaError.INVALID_PRODUCER_EPOCH, KafkaError.PRODUCER_FENCED}
PURGED = {KafkaError._PURGE_QUEUE, KafkaError._PURGE_INFLIGHT}
NOT_STORED = KafkaError(KafkaError.OUT_OF_ORDER_SEQUENCE_NUMBER)
"""Of a message without an offset; see `has_offset`."""


class TransactionFailure(NamedTuple):
    """Why a transaction must be aborted."""

    error: KafkaError
    topic: str | None
    """Of the message that was not accepted, if the client says it; others may have failed with it."""

    @property
    def passes(self) -> bool:
        """Whether it says nothing of the messages: the one before had used up numbers that the brokers miss now."""
        return self.error.code() in {KafkaError.OUT_OF_ORDER_SEQUENCE_NUMBER, KafkaError.UNKNOWN_PRODUCER_ID}


class RefusedByClient(Exception):
    """The client has not sent a message; its transaction is not affected."""

    def __init__(self, error: KafkaError) -> None:
        super().__init__(error.str())
        self.error = error


class TransactionalProducer:
    """One producer at a time. Its methods raise ProducerFenced, KafkaRefused and KafkaUnreachable."""

    def __init__(self, cluster: Cluster, name: str, options: Mapping[str, Any], new_topics: NewTopics) -> None:
        """name: the transactional id. options: of the producer, by librdkafka's names. new_topics: those of events."""
        self._cluster, self._name, self._new_topics = cluster, name, new_topics
        self._connections = ConnectionErrors()
        self._common: dict[str, Any] = {
            **native(cluster.access),
            "logger": LOG,
            "log_level": 0,  # what it says comes as an error too
            "bootstrap.servers": cluster.bootstrap,
            "error_cb": self._connections.add,
        }
        self._options = {**options, **FIXED, "transactional.id": name}
        self._producer: Producer | None = None
        self._own_topics: set[str] = set()
        self._topics: dict[str, ProducerTopic] = {}
        self._begun = self._committing = False
        self.failure: TransactionFailure | None = None
        """Why the transaction must be aborted; None if nothing has failed."""

    @property
    def complaint(self) -> str:
        """The last error of the connections or of a look at a topic, in words; empty after a commit."""
        return self._connections.text

    @property
    def _refusal(self) -> KafkaError | None:
        """Why the brokers refuse the client, which another attempt would not change; None if they do not."""
        last = self._connections.last
        return last if last is not None and is_final(last) else None

    def open(self) -> None:
        """Fence the producer before this one, and wait until its transaction has ended."""
        self.close()
        self._connections.clear()
        producer, until = Producer({**self._common, **self._options}), time.monotonic() + OPEN_SECONDS
        with waiting_for(f"Kafka at {self._cluster.bootstrap}"):
            while True:
                try:
                    producer.init_transactions(SLICE_SECONDS)
                    break
                except KafkaException as cause:
                    with suppress(KafkaException):  # of a producer that has failed
                        producer.poll(0)  # the client reports errors of its connections then only
                    if not cause.args[0].retriable() or self._refusal is not None or time.monotonic() > until:
                        raise self._problem(cause.args[0]) from cause
        self._producer = producer

    def prepare(self, topic: str, new: NewTopics) -> None:
        """Create a topic that is not one of the events, if it does not exist."""
        try:
            partitions_of(self._common, topic, new)
        except KafkaException as cause:
            where = f"{self._cluster.bootstrap}, topic '{topic}'"
            raise problem(cause.args[0], where, self._cluster.access) from cause
        self._own_topics.add(topic)

    def send(
        self,
        topic: str,
        partition: int | None,
        key: bytes | None,
        value: bytes | None,
        headers: Sequence[tuple[str, bytes | None]] = (),
        timestamp: int | None = None,
    ) -> bool:
        """Give a message to the client, in a new transaction if there is none; False if it takes none now.

        timestamp: in milliseconds since 1970; None is the client's clock. Raises RefusedByClient.
        """
        if self.failure is not None or not self._is_known(topic):
            return False
        producer, state = self._opened, self._topics.get(topic)
        place = None if state is None else state.place(partition, key)
        if state is not None and place in state.begun:
            self._await_first(state, place)
            if topic not in self._topics or place in state.begun or self.failure is not None:
                return False
            place = None
        try:
            if not self._begun:
                producer.begin_transaction()
                self._begun = True
            producer.produce(
                topic,
                value,
                key,
                -1 if partition is None else partition,
                partial(self._answered, place),
                timestamp=timestamp or 0,
                headers=list(headers),
            )
        except BufferError:
            return False
        except KafkaException as cause:
            error = cause.args[0]
            if error.code() == KafkaError._STATE:
                self._ask_for_failure()
                return False
            if error.fatal() or error.code() in {KafkaError._FATAL, *FENCED}:
                self._take(producer.poll, 0)  # so that the reason comes
                raise self._problem(self._connections.fatal or error) from cause
            raise RefusedByClient(error) from cause
        if state is not None and place is not None:
            state.begun.add(place)
        return True

    def poll(self, seconds: float) -> None:
        """Take what the brokers have answered; waits at most so long for the first."""
        self._take(self._opened.poll, seconds)

    def commit(self, seconds: float) -> bool:
        """Whether the transaction is committed, within so many seconds. If not, see `must_abort`.

        What was begun is asked about again by the next call; nothing can be sent before.
        """
        if not self._committing and (
            self.failure is not None or self._take(self._opened.flush, seconds) or self.failure
        ):
            return False
        self._committing = True  # only a commit that has ended can be followed by an abort
        if not self._ended(self._opened.commit_transaction, seconds):
            return False
        self._connections.text = ""
        return True

    @property
    def must_abort(self) -> bool:
        """Whether the transaction can only be aborted."""
        return self.failure is not None and not self._committing

    def abort(self, seconds: float) -> bool:
        """Whether the transaction is aborted, within so many seconds.

        Raises KafkaRefused if the producer cannot be used any more, for another reason than that it is fenced.
        """
        if self._begun and not self._ended(self._opened.abort_transaction, seconds):
            return False
        self.failure = None
        self._topics.clear()
        return True

    def close(self) -> None:
        """End the producer; its transaction is aborted. Raises nothing."""
        producer, self._producer = self._producer, None
        if producer is not None:
            with suppress(KafkaException):
                producer.purge()
                if self._begun:
                    producer.abort_transaction(CLOSE_SECONDS)
        self._topics.clear()
        self._begun, self._committing, self.failure, self._connections.fatal = False, False, None, None

    @property
    def _opened(self) -> Producer:
        assert self._producer is not None  # noqa: S101 - it is open
        return self._producer

    def _await_first(self, topic: ProducerTopic, place: int | None) -> None:
        """Wait a moment for the answer to the first message of a partition."""
        until = time.monotonic() + FIRST_SECONDS
        while place in topic.begun and self.failure is None and time.monotonic() < until:
            self.poll(until - time.monotonic())

    def _take(self, take: Callable[[float], int], seconds: float) -> int:
        """Take answers; a producer that has failed for good raises here too."""
        try:
            return take(max(0.0, seconds))  # the client waits without end for less than nothing
        except KafkaException as cause:
            raise self._problem(self._connections.fatal or cause.args[0]) from cause

    def _ended(self, end: Any, seconds: float) -> bool:
        try:
            end(seconds)
        except KafkaException as cause:
            error = cause.args[0]
            if error.txn_requires_abort():
                self._committing = False
                self.failure = self.failure or TransactionFailure(error, None)
            elif not error.retriable():
                raise self._problem(error) from cause
            return False
        self._begun = self._committing = False
        return True

    def _is_known(self, topic: str) -> bool:
        """Whether a topic exists; False if no broker answers. Raises RefusedByClient if it cannot be used."""
        before = self._topics.get(topic)
        if topic in self._own_topics or (before is not None and not before.is_outdated):
            return True
        try:
            partitions = partitions_of(self._common, topic, self._new_topics)
        except KafkaException as cause:
            self._connections.text = cause.args[0].str()
            if cause.args[0].code() in UNREACHABLE:
                return False
            raise RefusedByClient(cause.args[0]) from cause
        self._topics[topic] = ProducerTopic.of(partitions, before)
        return True

    def _ask_for_failure(self) -> None:
        """Take note of why the transaction has failed; it takes no message then."""
        self._take(self._opened.poll, 0)
        try:
            self._opened.begin_transaction()  # which is refused with the reason
        except KafkaException as cause:
            self.failure = self.failure or TransactionFailure(cause.args[0], None)

    def _answered(self, place: int | None, error: KafkaError | None, message: Any) -> None:
        if error is None and not has_offset(message):
            error = NOT_STORED
        if error is not None:
            if error.code() not in PURGED and self.failure is None:
                self.failure = TransactionFailure(error, message.topic())
            return
        topic = self._topics.get(message.topic())
        if topic is not None and topic.fresh and not topic.acknowledged(place, message.partition()):
            del self._topics[message.topic()]  # to be looked up again

    def _problem(self, error: KafkaError) -> OutboxKitError:
        place = f"{self._cluster.bootstrap}, transactional id '{self._name}'"
        if error.code() in FENCED:
            return ProducerFenced(
                "another relay publishes the events of this outbox, or the transaction took too long: what this one "
                "has read is dropped",
                where=place,
                why=error.str(),
            )
        if error.code() == KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
            fix = f"grant WRITE and DESCRIBE on it: kafka-acls --add --transactional-id '{self._name}' ..."
            return KafkaRefused("no right to use the transactional id", where=place, why=error.str(), fix=fix)
        if error.fatal() or error.code() == KafkaError._FATAL:
            return KafkaRefused("the transaction was lost", where=place, why=error.str())
        refusal = self._refusal if error.code() in UNREACHABLE else None
        return problem(refusal or error, self._cluster.bootstrap, self._cluster.access)
