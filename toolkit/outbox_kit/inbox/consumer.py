"""A consumer of Kafka that processes each message in one transaction with the inbox, and commits its offset after that.

One thread does all: the client's callbacks are called while records are taken, and no transaction is open then. A
partition that is revoked or lost is abandoned at once; what was committed in the database is found in the inbox by the
next owner.
"""

import logging
import random
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.errors import EnvironmentProblem, KafkaUnreachable, UsageProblem
from outbox_kit.inbox.inbox import Inbox
from outbox_kit.inbox.message import InboxMessage
from outbox_kit.inbox.modes import PartitionOffsets
from outbox_kit.inbox.problems import (
    InvalidMessage,
    OffsetLost,
    OutsideWindow,
    PartitionFenced,
    PartitionMissing,
    Reject,
    SequenceGap,
    is_outage,
)
from outbox_kit.inbox.queues import Backoff, Place, Queues
from outbox_kit.inbox.sessions import Session, completed, session_of
from outbox_kit.kafka.dead_letter_topic import DeadLetterTopic
from outbox_kit.kafka.group_consumer import GroupConsumer

LOG = logging.getLogger(__name__)
POLL_SECONDS = 0.5
MAX_POLL_MS = 300_000
FIRST_BATCH = 16
MOST_CHARACTERS = 1000
"""Of an error in a header."""


@dataclass
class Counts:
    """What a consumer has done since its start."""

    processed: int = 0
    """Messages whose effects are committed."""
    duplicates: int = 0
    """Messages that were processed before."""
    failures: int = 0
    """Attempts that failed because of the message or the handler."""
    waits: int = 0
    """Attempts after which a message waits for earlier messages, or for a partition of the inbox."""
    outages: int = 0
    """Attempts that failed because of the database or of Kafka."""
    dead: int = 0
    """Messages that became dead letters."""
    fenced: int = 0
    """Transactions that were refused because another consumer has the partition."""


@dataclass(frozen=True)
class ConsumerLimits:
    """The sizes and times of a consumer."""

    batch: int = 500
    """Messages of one transaction at most."""
    seconds: float = 5.0
    """How long a transaction should take at most, by which the number of its messages is chosen; at most a quarter of
    `max.poll.interval.ms`."""
    attempts: int = 5
    """Attempts of a message before it becomes a dead letter."""
    backoff: Backoff = field(default_factory=Backoff)


class HandlerFailed(Exception):
    """An error of the handler, with its message."""

    def __init__(self, message: InboxMessage, cause: Exception) -> None:
        super().__init__(str(cause))
        self.message, self.cause = message, cause


class Consumer:
    """Reads topics as a member of a consumer group and calls a handler once for each message."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        topics: Sequence[str],
        inbox: Inbox,
        connect: Callable[[], Any],
        handle: Callable[[Any, InboxMessage], object],
        *,
        dead_letters: str | None = None,
        limits: ConsumerLimits | None = None,
    ) -> None:
        """settings: of the consumer by librdkafka's names, with `bootstrap.servers` and `group.id`.

        connect: opens a connection, as `Inbox.once` takes it; with psycopg in autocommit mode.
        handle: is called with the connection and the message, within the transaction; it must not commit. An error
        rolls back; `Reject` makes the message a dead letter.
        dead_letters: the topic for messages that fail too often; None: they are attempted until they succeed, and their
        partition waits.
        """
        self._settings, self._topics, self._inbox = dict(settings), list(topics), inbox
        self._connect, self._handle = connect, handle
        self._dead_letters = DeadLetterTopic(settings, dead_letters) if dead_letters else None
        self._limits = limits or ConsumerLimits()
        longest = int(settings.get("max.poll.interval.ms", MAX_POLL_MS)) / 1000
        self._budget = min(self._limits.seconds, longest / 4)
        self._backoff, self._ended = self._limits.backoff, threading.Event()
        self._queues, self._size = Queues(2 * self._limits.batch), min(FIRST_BATCH, self._limits.batch)
        self._connection: Any = None
        self._outages = 0
        self._client: GroupConsumer | None = None
        self.counts = Counts()

    def stop(self) -> None:
        """End `run` after the transaction that is open; from any thread or signal handler."""
        self._ended.set()

    def run(self, *, signals: bool = False) -> None:
        """Consume until `stop` is called. signals: stop at SIGINT and SIGTERM; in the main thread only.

        The database or Kafka being unreachable ends nothing: attempts are repeated. Raises UsageProblem, KafkaRefused,
        OffsetLost.
        """
        if signals:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: self.stop())
        failures = 0
        while not self._ended.is_set():
            self._queues = Queues(2 * self._limits.batch)
            client = self._client = GroupConsumer(
                self._settings, self._topics, assigned=self._assigned, revoked=self._queues.remove, lost=self._abandoned
            )
            try:
                while not self._ended.is_set():
                    self._round(client)
                    failures = 0
            except Exception as error:
                if not is_outage(error) and not isinstance(error, KafkaUnreachable | PartitionFenced):
                    raise
                failures += 1  # while partitions were assigned: join the group again
                self._outage(error)
                self._ended.wait(self._pause(failures))
            finally:
                client.close()
                self._client = None
                self._disconnect()

    def _round(self, client: GroupConsumer) -> None:
        """Take records, and process those that are due."""
        now = time.monotonic()
        pause, resume = self._queues.switched(now)
        client.pause(pause)
        client.resume(resume)
        due = self._queues.next_time()
        wait = POLL_SECONDS if due is None else min(POLL_SECONDS, max(0.0, due - now))
        records = client.records(self._limits.batch, wait)
        self._queues.put(map(_message, records))
        batch = self._queues.ready(time.monotonic(), self._size)
        if batch and not self._ended.is_set():
            self._queues.turn(batch)
            self._process(batch)
            client.commit(self._queues.uncommitted())

    def _process(self, batch: Sequence[InboxMessage]) -> None:
        """Process a batch in one transaction; if that fails for a message, each message in one of its own."""
        began = time.monotonic()
        try:
            self._transact(batch)
        except Exception as error:
            if isinstance(error, PartitionFenced):
                self._fenced(batch, error)
            elif len(batch) == 1:
                self._failed(batch[0], error)
            elif is_outage(error):
                self._outage(error)
            else:
                self._singly(batch)
            return
        self._outages = 0
        each = (time.monotonic() - began) / len(batch)
        self._size = max(1, min(self._limits.batch, 2 * self._size, int(self._budget / max(each, 1e-9))))

    def _singly(self, batch: Sequence[InboxMessage]) -> None:
        """Process messages in a transaction each; those behind a failed one of their partition wait."""
        until, failed = time.monotonic() + self._budget, set[Place]()
        for message in batch:
            place = (message.topic, message.partition)
            if place in failed or time.monotonic() > until:
                continue
            try:
                self._transact([message])
            except Exception as error:
                failed.add(place)
                if isinstance(error, PartitionFenced):
                    self._fenced([message], error)
                elif is_outage(error):
                    self._outage(error)
                    return
                else:
                    self._failed(message, error)

    def _transact(self, batch: Sequence[InboxMessage], *, effects: bool = True) -> None:
        """One transaction: the inbox and the effects. The messages leave their queues when it is committed."""
        session = self._session()
        generation = self._client.generation() if self._client and isinstance(self._inbox.mode, PartitionOffsets) else 0
        try:
            with session.transaction():
                try:
                    flags = completed(self._inbox.claim(batch, generation), session.execute)
                except Exception as error:
                    self._inbox.expect_partition(error, batch)
                    raise
                for message, is_new in zip(batch, flags, strict=True):
                    if is_new and effects:
                        self._handle_one(message)
        except OutsideWindow:
            self._inbox.expect_days(session, batch)
            raise
        for message in batch:
            if (queue := self._queues.of(message)) is not None:
                queue.done(message)
        new = sum(flags) if effects else 0
        self.counts.processed += new
        self.counts.duplicates += len(batch) - sum(flags)

    def _handle_one(self, message: InboxMessage) -> None:
        try:
            self._handle(self._connection, message)
        except Exception as error:
            if is_outage(error):
                raise
            raise HandlerFailed(message, error) from error

    def _failed(self, message: InboxMessage, error: Exception) -> None:
        """Note a failed attempt: attempt the message later, or make it a dead letter."""
        cause = error.cause if isinstance(error, HandlerFailed) else error
        queue = self._queues.of(message)
        if is_outage(cause):
            self._outage(cause)
            return
        if queue is None:
            return
        if isinstance(cause, SequenceGap | PartitionMissing):
            queue.waits += 1
            self.counts.waits += 1
            queue.not_before = time.monotonic() + self._pause(queue.waits)
            LOG.warning("message %s waits: %s", message.place, "; ".join([cause.what, cause.why, cause.fix]))
            return
        queue.failures += 1
        self.counts.failures += 1
        is_final = isinstance(cause, Reject | InvalidMessage | OutsideWindow) or queue.failures >= self._limits.attempts
        LOG.warning("attempt %d of message %s failed: %r", queue.failures, message.place, cause)
        if is_final and self._dead_letters is not None:
            self._bury(message, cause, queue.failures)
        else:
            queue.not_before = time.monotonic() + self._pause(queue.failures)

    def _bury(self, message: InboxMessage, cause: Exception, attempts: int) -> None:
        """Send a dead letter, and note the message as processed, so that a duplicate of it is skipped."""
        assert self._dead_letters is not None  # noqa: S101 - of the caller
        try:
            self._dead_letters.send(message.key, message.value, _letter_headers(message, cause, attempts, self._inbox))
            try:
                self._transact([message], effects=False)
            except (InvalidMessage, OutsideWindow):  # the inbox cannot store it
                if (queue := self._queues.of(message)) is not None:
                    queue.done(message)
        except Exception as error:
            if not (is_outage(error) or isinstance(error, EnvironmentProblem)):
                raise
            self._outage(error)
            return
        self.counts.dead += 1

    def _fenced(self, batch: Sequence[InboxMessage], error: PartitionFenced) -> None:
        """Abandon partitions that another consumer has taken over; a rebalance follows."""
        self.counts.fenced += 1
        LOG.warning("%s", "; ".join([error.what, error.where]))
        for message in batch:
            if (queue := self._queues.of(message)) is not None and (
                len(batch) == 1 or f"{message.topic}-{message.partition}" == error.where
            ):
                queue.messages.clear()

    def _outage(self, error: Exception) -> None:
        """Wait before anything is attempted, and connect again."""
        self.counts.outages += 1
        self._outages += 1
        LOG.warning("the database or Kafka does not accept the messages, they are attempted again: %r", error)
        self._queues.postpone(time.monotonic() + self._pause(self._outages))
        self._disconnect()

    def _assigned(self, places: Sequence[Place]) -> Mapping[Place, int]:
        """Take partitions over; in the mode PartitionOffsets, the offsets that the database has."""
        self._queues.add(places)
        mode = self._inbox.mode
        if not isinstance(mode, PartitionOffsets) or self._client is None:
            return {}
        generation, session, starts = self._client.generation(), self._session(), {}
        for place in places:
            stored = self._taken(session, mode, place, generation)
            if stored:
                first = self._client.first_offset(place)
                if first > stored:
                    raise OffsetLost(
                        f"the messages {stored} to {first - 1} are deleted and were not processed",
                        where=f"{place[0]}-{place[1]}",
                        why="the topic has retained them for a shorter time than the consumer was stopped",
                        fix=f"accept the loss: set next_offset to {first} in the inbox's table",
                    )
                starts[place] = stored
        return starts

    def _taken(self, session: Session, mode: PartitionOffsets, place: Place, generation: int) -> int:
        """Take a partition over, from a generation of a deleted group too; the offset at which to continue."""
        facts, table, name = self._inbox.facts, self._inbox.table, self._inbox.consumer
        try:
            with session.transaction():
                return completed(mode.take(facts, table, name, place, generation), session.execute)
        except PartitionFenced:
            with session.transaction():
                stored = completed(mode.stored(facts, table, name, place), session.execute)
            # a member of the present generation may commit, one of an earlier generation may not
            if self._client is None or not self._client.commit({place: stored}, wait=True):
                raise
            with session.transaction():
                return completed(mode.take(facts, table, name, place, generation, restart=True), session.execute)

    def _abandoned(self, places: Sequence[Place]) -> None:
        """Drop partitions that another consumer may have: nothing is committed."""
        self._queues.remove(places)

    def _pause(self, failures: int) -> float:
        """Seconds before the next attempt."""
        return self._backoff.pause(failures, random.random())  # noqa: S311 - so that consumers do not try at once

    def _session(self) -> Session:
        if self._connection is None:
            self._connection = self._connect()
        return session_of(self._connection)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                session_of(connection).close()


def _message(record: Any) -> InboxMessage:
    _, created = record.timestamp()
    headers = {name: value for name, value in record.headers() or ()}
    place = (record.topic(), record.partition(), record.offset())
    return InboxMessage(*place, record.key(), record.value(), headers, created if created >= 0 else None)


def _letter_headers(
    message: InboxMessage, cause: Exception, attempts: int, inbox: Inbox
) -> list[tuple[str, bytes | None]]:
    """The headers of a message and the reason for which it is a dead letter."""
    reason = "rejected" if isinstance(cause, Reject) else "invalid" if isinstance(cause, UsageProblem) else "failed"
    facts = {
        "reason": reason,
        "error": f"{type(cause).__name__}: {cause}"[:MOST_CHARACTERS],
        "consumer": inbox.consumer,
        "attempts": str(attempts),
        "topic": message.topic,
        "partition": str(message.partition),
        "offset": str(message.offset),
    }
    return [*message.headers.items(), *((f"dead-letter.{name}", text.encode()) for name, text in facts.items())]
