"""Kafka as a sink that publishes exactly once: messages and the position behind them in short transactions.

A transaction is committed as soon as nothing more is to be sent, and after so many messages or so long at the latest,
because an open one holds back all readers with read_committed. A refusal is only believed of a message that was sent
alone: until one is, each transaction has half as many messages as the one before.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from outbox_kit.databases.changes import LogIdentity
from outbox_kit.databases.failures import FailedEvent, event_digest
from outbox_kit.errors import KafkaRefused, KafkaUnreachable, ProducerFenced, UsageProblem
from outbox_kit.kafka.new_topics import NewTopics
from outbox_kit.kafka.newest import newest_record
from outbox_kit.kafka.publish import Acknowledgement
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.transactions import RefusedByClient, TransactionalProducer, TransactionFailure
from outbox_kit.relay.exactly_once.places import OPEN, SENT, Places
from outbox_kit.relay.exactly_once.positions import KEY, LogPosition, StoredPosition, decoded, encoded
from outbox_kit.relay.interface import OutboxEvent, SendResult, SendStatus
from outbox_kit.relay.sinks.kafka import new_topics, overridden, result_of
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.shape import Config

MOST, LONGEST_SECONDS = 10_000, 0.1
"""Messages of a transaction, and how long it is open before it is committed."""
PASSING = range(1, 4)
"""How many transactions in succession may fail for no reason of their own."""
END_SECONDS = 0.1
BEGIN_SECONDS = 15.0
SETTINGS = {"cleanup.policy": "compact", "segment.bytes": str(16 * 1024 * 1024)}
"""Of the topic of positions."""


class _Sent(NamedTuple):
    """A message of the open transaction."""

    receipt: Any
    event: OutboxEvent | FailedEvent


class TransactionalKafka:
    """See `Sink`. `begin` comes before the first message."""

    def __init__(self, outbox: Outbox, config: Config, cluster: Cluster, report: Callable[[str], None]) -> None:
        """config: the connector's that the schema file generates. report: takes a line about a change of its state."""
        self._cluster, self._report = cluster, report
        self._topic = connector_topics(outbox).position
        events = new_topics(config)
        self._new_topic = NewTopics(1, events.replication_factor, SETTINGS)
        self._producer = TransactionalProducer(cluster, self._topic, overridden(config), events)
        self.places = Places()
        """Of the events that were read."""
        self.event: Callable[[Any], OutboxEvent | FailedEvent]
        """What is sent under a receipt."""
        self._log = LogIdentity("", 0, {})
        self._next = self._newest = b""  # the positions that are being stored, and that are
        self._sent: list[_Sent] = []
        self._refused: SendResult | None = None
        self._most, self._failures, self._began = MOST, 0, 0.0
        self._full = self._stored = self._aborts = False

    def open(self) -> StoredPosition | None:
        """Fence the relay before, and say what it has stored; None if nothing is stored."""
        self._forget()
        self._producer.open()
        self._producer.prepare(self._topic, self._new_topic)
        record = newest_record(self._cluster, self._topic)  # waits for the leader of a new topic
        self._expect_compaction()
        try:
            return None if record is None else decoded(record.value() or b"")
        except ValueError as cause:
            raise KafkaRefused(
                "the stored position of the relay cannot be read",
                where=f"{self._cluster.bootstrap}, topic '{self._topic}'",
                why=str(cause),
                fix="see what writes to the topic; without it the relay begins at the position of the replication slot",
            ) from cause

    def begin(self, position: LogPosition | None, log: LogIdentity | None, stored: StoredPosition | None) -> None:
        """Begin at a position, and store it, which shows that this can be done.

        log: which log is read; None before it is. stored: by the relay before.
        """
        self.places.clear(position)
        self._log = log or self._log
        self._store_alone({} if stored is None else stored.published)

    def send(self, message: Message, receipt: Any) -> bool:
        """See `Sink`."""
        if self._full or len(self._sent) >= self._most:
            self._full = True
            return False
        try:
            accepted = self._producer.send(*message_parts(message))
        except RefusedByClient as refusal:
            self._refused = result_of(Acknowledgement(receipt, refusal.error))
            self._full = True  # none follows it before it was seen
            return True
        if not accepted:
            self._full = True
            return False
        if not self._sent:
            self._began = time.monotonic()
        sent = _Sent(receipt, self.event(receipt))
        self._sent.append(sent)
        self._mark(sent, SENT)
        return True

    def results(self, seconds: float) -> Sequence[SendResult]:
        """See `Sink`."""
        if self._aborts or self._producer.must_abort:
            return self._aborted()
        if not self._sent:
            self._full = False
            refused, self._refused = self._refused, None
            self._producer.poll(0.0 if refused else seconds)
            return [refused] if refused else []
        if not (self._full or seconds or time.monotonic() - self._began >= LONGEST_SECONDS):
            self._producer.poll(0.0)
            return []
        self._full = True  # nothing more before it has ended
        return self._committed()

    @property
    def problem(self) -> str:
        """See `Sink`."""
        complaint = self._producer.complaint
        return f"Kafka at {self._cluster.bootstrap}: {complaint}" if complaint else ""

    def refusal(self) -> None:
        """None: `open` raises it."""

    def close(self) -> None:
        """See `Sink`."""
        self._producer.close()
        self._forget()

    def _committed(self) -> Sequence[SendResult]:
        """Go on with the commit: the results if it has ended."""
        if not self._stored:
            prefix = self.places.prefix()
            if prefix.sent < sum(_is_in_log(sent) for sent in self._sent):
                return []  # an event before the last one is to be stored as failed first
            published = {e.number: event_digest(e.event_id) for _, e in self._sent if isinstance(e, FailedEvent)}
            self._stored = self._store(published, prefix.position)
        if not self._stored:
            self._producer.poll(0.0)
            return []
        if not self._producer.commit(END_SECONDS):
            return []
        self._newest = self._next
        results = [SendResult(sent.receipt, SendStatus.delivered) for sent in self._sent]
        self._most, self._failures = min(MOST, self._most * 2), 0
        if self._refused is not None:
            results.append(self._refused)
        self._forget()
        return results

    def _aborted(self) -> Sequence[SendResult]:
        """Go on with the abort: the results if it has ended."""
        self._aborts = True
        failure = self._producer.failure
        assert failure is not None  # noqa: S101 - it is the reason
        try:
            if not self._producer.abort(END_SECONDS):
                return []
        except KafkaRefused:  # the brokers have no transaction of it, if they had refused its first message
            self._open_again()
        answer = Acknowledgement(self._sent[0].receipt if self._sent else None, failure.error)
        self._failures += failure.passes
        if failure.topic == self._topic or not (answer.of_message or answer.of_topic or self._failures in PASSING):
            self._raise(failure)
        count = len(self._sent)
        results = [SendResult(sent.receipt, SendStatus.unsent, answer.cause) for sent in self._sent]
        if count == 1 and not failure.passes:
            results = [result_of(answer)]
            if failure.topic is None and answer.of_topic:
                self._store_alone({})  # which fails if it is about the topic of positions
        if self._refused is not None:
            results.append(self._refused)
        for sent in self._sent:
            self._mark(sent, OPEN)
        self._most = count if failure.passes else max(1, count // 2)
        self._forget()
        return results

    def _open_again(self) -> None:
        """Open a new producer. Raises ProducerFenced if another relay has stored a position since."""
        self._producer.open()
        record = newest_record(self._cluster, self._topic)
        if (None if record is None else record.value()) != self._newest:
            what = "another relay publishes the events of this outbox: what this one has read is dropped"
            raise ProducerFenced(what, where=f"{self._cluster.bootstrap}, topic '{self._topic}'")
        self._store_alone({})

    def _store_alone(self, published: Mapping[int, str]) -> None:
        """Store the position in a transaction without messages. Raises KafkaRefused, KafkaUnreachable."""
        stored = self._store(published, self.places.position)
        until = time.monotonic() + BEGIN_SECONDS
        while not (stored and self._producer.commit(END_SECONDS)):
            if self._producer.must_abort:
                self._raise(self._producer.failure)
            if time.monotonic() > until:
                raise KafkaUnreachable("Kafka does not commit a transaction", where=self._cluster.bootstrap)
        self._newest = self._next

    def _store(self, published: Mapping[int, str], position: LogPosition | None) -> bool:
        """Whether a position is added to the transaction; if not, the client takes nothing now."""
        self._next = encoded(StoredPosition(position, self._log.system, self._log.timeline, published))
        return self._producer.send(self._topic, 0, KEY, self._next)

    def _mark(self, sent: _Sent, state: int) -> None:
        if _is_in_log(sent):
            sent.event.receipt.state = state  # type: ignore[union-attr]

    def _forget(self) -> None:
        self._sent.clear()
        self._refused = None
        self._full = self._stored = self._aborts = False

    def _raise(self, failure: TransactionFailure | None) -> None:
        raise KafkaRefused(
            "a transaction of the relay was aborted",
            where=f"{self._cluster.bootstrap}, topic '{failure.topic if failure else None}'",
            why=failure.error.str() if failure else "",
        )

    def _expect_compaction(self) -> None:
        """Raise UsageProblem if the topic does not keep its newest record."""
        settings = self._cluster.settings([self._topic]).get(self._topic)
        if settings is None:
            self._report(f"the settings of topic '{self._topic}' cannot be seen: its cleanup.policy must be compact")
        elif settings.get("cleanup.policy") != "compact":
            raise UsageProblem(
                f"invalid cleanup.policy '{settings.get('cleanup.policy')}' of topic '{self._topic}': expected compact",
                where=self._cluster.bootstrap,
                why="the position of the relay would be deleted after some time",
                fix=f"kafka-configs --alter --entity-type topics --entity-name {self._topic} "
                "--add-config cleanup.policy=compact",
            )


def message_parts(message: Message) -> tuple[Any, ...]:
    """A message as a producer takes it."""
    return message.topic, message.partition, message.key, message.value, message.headers, message.timestamp


def _is_in_log(sent: _Sent) -> bool:
    """Whether a message is of a row of the log: not of a stored event, and not of the first read of the table."""
    return isinstance(sent.event, OutboxEvent) and sent.event.receipt is not None
