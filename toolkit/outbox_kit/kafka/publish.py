"""A producer that keeps the order of each partition: idempotent, without a gap, partitioned as Kafka Connect's.

A message that the broker refuses ends the producer (`enable.gapless.guarantee`), because later messages of its
partition would overtake it; everything that was not acknowledged then comes back as unsent, and the next message makes
a new producer. While no broker answers, messages wait inside the client and nothing fails.

Of each partition a new producer sends one message first, and waits for its answer: see `fresh_partitions`.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from confluent_kafka import KafkaError, KafkaException, Producer

from outbox_kit.errors import OutboxKitError
from outbox_kit.kafka.access import Settings, native, refusal
from outbox_kit.kafka.connection_errors import ConnectionErrors
from outbox_kit.kafka.errors import FORBIDDEN, UNREACHABLE, is_final, lasting_refusal, refusal_text
from outbox_kit.kafka.fresh_partitions import ProducerTopic, has_offset
from outbox_kit.kafka.new_topics import GONE, NewTopics, partitions_of

CLOSE_SECONDS = 5.0
OF_TOPIC = FORBIDDEN | GONE | {KafkaError.POLICY_VIOLATION}
"""Errors of a topic, whatever the message is."""
OF_MESSAGE = {
    KafkaError.MSG_SIZE_TOO_LARGE,
    KafkaError.RECORD_LIST_TOO_LARGE,
    KafkaError.INVALID_RECORD,
    KafkaError.INVALID_TIMESTAMP,
    KafkaError.INVALID_MSG,
    KafkaError._UNKNOWN_PARTITION,
    KafkaError.TOPIC_EXCEPTION,
    KafkaError._INVALID_ARG,
}

LOG = logging.getLogger(f"{__name__}.client")  # of librdkafka, whose errors come as answers too
LOG.addHandler(logging.NullHandler())
LOG.propagate = False
UNSENT = KafkaError(KafkaError._PURGE_QUEUE)
"""Also of a message without an offset; see `has_offset`."""


class Acknowledgement(NamedTuple):
    """What the brokers have answered."""

    receipt: Any
    error: KafkaError | None
    """None if the message is stored."""

    @property
    def of_message(self) -> bool:
        """Whether this message is refused, and not all of its topic."""
        return self.error is not None and self.error.code() in OF_MESSAGE

    @property
    def of_topic(self) -> bool:
        """Whether the topic accepts no message now."""
        return self.error is not None and self.error.code() in OF_TOPIC

    @property
    def cause(self) -> str:
        """The error in words."""
        return "" if self.error is None else refusal_text(self.error, "WRITE")


class Publisher:
    """One producer at a time, and the topics that it has seen."""

    def __init__(self, bootstrap: str, access: Settings, options: Mapping[str, Any], new_topics: NewTopics) -> None:
        """access: see `access`. options: of the producer, by librdkafka's names."""
        self._access, self._bootstrap, self._connections = access, bootstrap, ConnectionErrors()
        self._common: dict[str, Any] = {
            **native(access),
            "logger": LOG,
            "log_level": 2,  # what it says while it is closed goes to stderr
            "bootstrap.servers": bootstrap,
            "error_cb": self._connections.add,
        }
        self._options, self._new_topics = dict(options), new_topics
        self._producer: Producer | None = None
        self._answers: list[Acknowledgement] = []
        self._topics: dict[str, ProducerTopic] = {}
        self._failed = self._holds_back = False
        self._alone = 0
        self._unprepared: KafkaError | None = None  # why a topic could not be looked up
        self.pending = 0
        """Messages without an answer."""

    @property
    def complaint(self) -> str:
        """The last error of the connections or of a look at a topic, in words; empty after an acknowledgement."""
        return self._connections.text

    def send(
        self,
        topic: str,
        partition: int | None,
        key: bytes | None,
        value: bytes | None,
        headers: Sequence[tuple[str, bytes | None]],
        timestamp: int | None,
        receipt: Any,
    ) -> bool:
        """Give a message to the client; False if it takes none before `answers` was called again.

        timestamp: in milliseconds since 1970; None is the client's clock.
        """
        if self._failed or self._holds_back or (self._alone and self.pending):
            return False
        state = self._topics.get(topic)
        if state is None or state.is_outdated:
            error = self._prepared(topic)
            if error is not None:
                return error.code() not in UNREACHABLE and self._failed_at_once(receipt, error)
            state = self._topics[topic]
        place = state.place(partition, key)
        if place in state.begun:
            return False
        try:
            (self._producer or self._started()).produce(
                topic,
                value,
                key,
                -1 if partition is None else partition,
                partial(self._answered, receipt, place),
                timestamp=timestamp or 0,
                headers=list(headers),
            )
        except BufferError:
            return False
        except KafkaException as cause:
            if cause.args[0].fatal() or cause.args[0].code() == KafkaError._FATAL:
                self._failed = True
                return False
            return self._failed_at_once(receipt, cause.args[0])  # the client itself refuses it
        if place is not None:
            state.begun.add(place)
        self.pending += 1
        return True

    def answers(self, seconds: float) -> list[Acknowledgement]:
        """What has been answered since the last call; waits at most so long for the first."""
        producer = self._producer
        if producer is not None:
            try:
                producer.poll(0 if self._answers else seconds)
            except KafkaException:  # of a producer that has failed; the answers say of which message
                self._failed = True
        elif not self._answers and not self.pending:
            time.sleep(seconds)
        if self._failed:
            self._restart()
        self._holds_back = False
        answers, self._answers = self._answers, []
        self.pending -= len(answers)
        return answers

    def refusal(self) -> OutboxKitError | None:
        """Why the brokers refuse the client, which another attempt would not change; None if they do not."""
        error = self._unprepared
        return None if error is None else lasting_refusal(error, self._bootstrap, self._access)

    def close(self) -> None:
        """End the producer and forget its answers. What has none may be lost; another message makes a new producer."""
        self._end()
        self._answers.clear()
        self._topics.clear()
        self._failed = self._holds_back = False
        self.pending = self._alone = 0

    def _started(self) -> Producer:
        self._producer = Producer({**self._common, **self._options})
        return self._producer

    def _failed_at_once(self, receipt: Any, error: KafkaError) -> bool:
        """Note the answer of a message that the client did not send; none follows it before it was seen."""
        self._answers.append(Acknowledgement(receipt, error))
        self.pending += 1
        self._holds_back = True
        return True

    def _answered(self, receipt: Any, place: int | None, error: KafkaError | None, message: Any) -> None:
        if error is None and not has_offset(message):
            error = UNSENT
        self._answers.append(Acknowledgement(receipt, error))
        if error is None:
            self._connections.text = ""
            topic = self._topics.get(message.topic())
            if topic is not None and topic.fresh and not topic.acknowledged(place, message.partition()):
                del self._topics[message.topic()]  # to be looked up again
            self._alone = max(0, self._alone - 1)
        else:
            self._failed = True

    def _restart(self) -> None:
        """End the producer after a failure, and take back what has no answer.

        If the broker refuses one message, the client gives that answer for all that it has: which one it is about is
        only known if it was the only one. So as many are sent one by one after that, until one is refused.
        """
        self._end()
        failures = [answer for answer in self._answers if answer.error is not None]
        refused = [answer for answer in failures if answer.of_message or answer.of_topic]
        self._alone = len(failures) if len(refused) > 1 else 0
        if self._alone:
            self._answers = [answer._replace(error=UNSENT) if answer.error else answer for answer in self._answers]
        self._failed = False
        self._topics.clear()

    def _end(self) -> None:
        if self._producer is not None:
            with suppress(KafkaException):
                self._producer.purge()
                self._producer.flush(CLOSE_SECONDS)
        self._producer = None

    def _prepared(self, topic: str) -> KafkaError | None:
        """Look for a topic, and create it as Kafka Connect would; why it cannot be used, None if it can."""
        error = self._unprepared = None
        self._connections.clear()
        try:
            partitions = partitions_of(self._common, topic, self._new_topics)
        except KafkaException as cause:
            error = cause.args[0]
        if error is None:
            self._topics[topic] = ProducerTopic.of(partitions, self._topics.get(topic))
        else:
            reported = self._connections.cause(error)
            if error.code() in UNREACHABLE or is_final(reported):
                self._unprepared = reported
            words = reported.str()
            explanation = refusal(words, self._access)
            self._connections.text = words if explanation is None else f"{explanation.why}; fix: {explanation.fix}"
        return error
