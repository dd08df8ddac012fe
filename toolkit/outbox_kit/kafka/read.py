"""Read topics up to ends that are pinned before the first record: bounded, accounted for, never a hang.

The stop is the one that holds for transactional topics too, where control records hide behind the last visible one:
a partition is done when a record at `end - 1` came, or the client says that it reached an end at or behind `end`.
"""

import gc
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar

from confluent_kafka import Consumer, IsolationLevel, KafkaError, KafkaException, TopicCollection, TopicPartition
from confluent_kafka.admin import ConfigResource, OffsetSpec  # type: ignore[attr-defined]

from outbox_kit import deadline as whole
from outbox_kit.kafka.access import Settings, native
from outbox_kit.kafka.admin import Admin
from outbox_kit.kafka.errors import FORBIDDEN, NOT_LEADING, UNREACHABLE, is_final, refusal_text, translated
from outbox_kit.kafka.headers import readable
from outbox_kit.kafka.record import Record
from outbox_kit.waiting import waiting_for

Client = TypeVar("Client")
BATCH = 500
COLLECTED = 50_000  # objects that may be new: the collector of garbage would walk each batch, and halve the speed
REQUEST_SECONDS = 10.0
CALL_SECONDS = 2.0  # of it in one call of the client, which no signal interrupts
FIRST_BACKOFF_MS = 10  # before a second connection, which a new client opens at once: with 100 it waited for 40 ms
IDLE_SECONDS = 30.0
QUEUES_KB = 96 * 1024  # of all partitions together
NO_LEADER = NOT_LEADING | {
    KafkaError._NOENT,  # "no leaders found", by the client
    KafkaError.UNKNOWN_TOPIC_OR_PART,
}
GONE = {KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION}


@dataclass(frozen=True)
class Range:
    """What is planned to be read of one partition: offsets from start, up to and without end."""

    topic: str
    partition: int
    start: int
    end: int
    hidden: int = 0
    """How many offsets behind `end` belong to transactions that are still open."""


@dataclass
class Progress:
    """How one planned range went."""

    planned: Range
    position: int = 0
    """The next offset;."""
    visible: int = 0
    """Records that came."""
    done: bool = False
    error: str = ""
    """What went wrong last."""
    refused: bool = False
    """Whether the broker refused to go on."""


@dataclass
class Reading:
    """One bounded reading of several partitions."""

    ranges: Sequence[Range]
    progress: dict[tuple[str, int], Progress] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every range was read to its end."""
        return all(progress.done for progress in self.progress.values())


@dataclass(frozen=True)
class Cluster:
    """A Kafka cluster: a log to be verified, and for everybody else the way to a client."""

    bootstrap: str
    """Its brokers."""
    access: Settings = field(default_factory=dict, repr=False)
    """The settings by which a client is let in; see `access`."""
    all_topics: bool = False
    """It holds topics of others too."""

    @contextmanager
    def client(
        self,
        kind: Callable[[dict[str, Any]], Client],
        settings: Mapping[str, Any] | None = None,
        client_errors: list[KafkaError] | None = None,
    ) -> Iterator[Client]:
        """A client for the length of a block, whose failures are ours.

        settings: what it is set to, whatever `access` says. client_errors: receives what it reports of its connections.
        Raises KafkaUnreachable, KafkaRefused, or UsageProblem where a client cannot be set up so.
        """
        client_errors = [] if client_errors is None else client_errors
        quiet = {
            "log_level": 2,
            "socket.timeout.ms": int(_patience() * 1000),
            "reconnect.backoff.ms": FIRST_BACKOFF_MS,
        }
        fixed = {"bootstrap.servers": self.bootstrap, "error_cb": client_errors.append}
        # a consumer reads for long, and reports its own progress
        answer = waiting_for(f"Kafka at {self.bootstrap}") if kind is Admin else nullcontext()
        with translated(self.bootstrap, client_errors, self.access), answer:
            client = kind({**quiet, **native(self.access), **fixed, **(settings or {})})
            try:
                yield client
            finally:
                if isinstance(client, Admin):
                    client.poll(0)  # it hears of its connections then only

    def topics(self) -> dict[str, int]:
        """Every topic with its number of partitions, internal ones left out. Raises KafkaUnreachable.

        Without those of which the broker cannot say how many they have: see `hidden`.
        """
        client_errors: list[KafkaError] = []
        with self.client(Admin, client_errors=client_errors) as admin:
            topics = _metadata(admin, client_errors).topics
        partitions = {name: len(topic.partitions) for name, topic in topics.items() if not name.startswith("__")}
        return {name: count for name, count in partitions.items() if count}

    def hidden(self, names: Sequence[str]) -> dict[str, str]:
        """Those of some topics that we may not know of, and why; the broker leaves them out where all are asked for.

        Raises KafkaRefused where the broker says neither what a topic has, nor that it is not there.
        """
        if not names:
            return {}
        hidden_topics = {}
        with self.client(Admin) as admin:
            descriptions = admin.describe_topics(TopicCollection([*names]), request_timeout=_patience())
            for name, answer in descriptions.items():
                try:
                    answer.result()
                except KafkaException as cause:
                    if cause.args[0].code() in FORBIDDEN:
                        hidden_topics[name] = refusal_text(cause.args[0], "DESCRIBE")
                    elif cause.args[0].code() not in GONE:
                        raise
        return hidden_topics

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        """The topics' own settings by name; None for those that we may not know, and none of a topic that is gone."""
        if not names:
            return {}
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        by_topic: dict[str, dict[str, str] | None] = {}
        with self.client(Admin) as admin:
            futures = admin.describe_configs(resources, request_timeout=_patience())
            for resource, answer in futures.items():
                try:
                    by_topic[resource.name] = {name: entry.value for name, entry in answer.result().items()}
                except KafkaException as cause:
                    if cause.args[0].code() in FORBIDDEN:
                        by_topic[resource.name] = None
                    elif cause.args[0].code() not in GONE:
                        raise
        return by_topic

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        """The range of each partition as it is now: its first offset, and its end for committed data."""
        if not partitions:
            return []
        with self.client(Admin) as admin:
            committed = _offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)
            everything = _offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED)
            first = _offsets(admin, partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED)
        return [Range(t, p, first[t, p], committed[t, p], everything[t, p] - committed[t, p]) for t, p in partitions]

    def at(self, partitions: Sequence[tuple[str, int]], milliseconds: int) -> dict[tuple[str, int], int]:
        """The first offset at or after a moment, of each partition that has one. milliseconds: since 1970."""
        if not partitions:
            return {}
        with self.client(Admin) as admin:
            spec = OffsetSpec.for_timestamp(milliseconds)
            offsets = _offsets(admin, partitions, spec, IsolationLevel.READ_COMMITTED)
        return {topic_partition: offset for topic_partition, offset in offsets.items() if offset >= 0}

    def read(self, reading: Reading, deadline: float) -> Iterator[tuple[str, int, list[Record]]]:
        """The records of a reading's ranges: topic, partition and a few hundred at a time, all within the range.

        deadline: by time.monotonic(). What was not reached is in `reading.progress`. Raises KafkaUnreachable where no
        broker answers at all; a broker that dies half-way ends the reading, with its error in the progress.
        """
        reading.progress = {(r.topic, r.partition): Progress(r, r.start, done=r.end <= r.start) for r in reading.ranges}
        deadline = min(deadline, whole.end())
        waiting = {key for key, progress in reading.progress.items() if not progress.done}
        if not waiting:
            return
        complaints: list[KafkaError] = []
        settings = {**_tuned(len(waiting)), "error_cb": complaints.append}
        with self.client(Consumer, settings) as consumer, _seldom_collected(), ExitStack() as idle:
            try:
                places = [TopicPartition(t, p, reading.progress[t, p].planned.start) for t, p in sorted(waiting)]
                consumer.assign(places)
                last_answer, stalled = time.monotonic(), False
                while waiting and time.monotonic() < deadline:
                    batch = consumer.consume(BATCH, 0.2)
                    if batch:
                        idle.close()
                        last_answer, stalled = time.monotonic(), False
                    elif time.monotonic() - last_answer > IDLE_SECONDS:
                        break
                    elif not stalled:
                        idle.enter_context(waiting_for(f"messages from Kafka at {self.bootstrap}"))
                        stalled = True
                    yield from _within(consumer, reading.progress, waiting, batch)
            finally:
                consumer.close()
                for key in waiting if complaints else ():
                    reading.progress[key].error = complaints[-1].str()


def _metadata(admin: Admin, client_errors: Sequence[KafkaError]) -> Any:
    """The metadata of the cluster, asked for in short calls: an interruption is handled between two of them.

    Raises KafkaException after `REQUEST_SECONDS`, and at once if the server at the address is not a broker, or lets the
    client not in.
    """
    until = time.monotonic() + _patience()
    while True:
        try:
            return admin.list_topics(timeout=min(CALL_SECONDS, max(0.1, until - time.monotonic())))
        except KafkaException as cause:
            admin.poll(0)
            final = any(is_final(error) for error in client_errors)
            if final or cause.args[0].code() not in UNREACHABLE or time.monotonic() >= until:
                raise


@contextmanager
def _seldom_collected() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _within(
    consumer: Consumer, progress: dict[tuple[str, int], Progress], waiting: set[tuple[str, int]], batch: list[Any]
) -> Iterator[tuple[str, int, list[Record]]]:
    """The records of a batch by partition, those behind the end left out; partitions that are done stop fetching."""
    groups: defaultdict[tuple[str, int], list[Record]] = defaultdict(list)
    for message in batch:
        if (error := message.error()) is None:
            groups[message.topic(), message.partition()].append(readable(message))
        else:
            _event(progress, waiting, message, error)
    for key, records in groups.items():
        seen = progress[key]
        last = records[-1].offset()
        if last >= seen.planned.end:
            records = [m for m in records if m.offset() < seen.planned.end]
        seen.visible += len(records)
        seen.position = min(last + 1, seen.planned.end)
        if last >= seen.planned.end - 1 and key in waiting:
            seen.done = True
            waiting.discard(key)
            consumer.pause([TopicPartition(*key)])
        if records:
            yield *key, records


def _event(progress: dict[tuple[str, int], Progress], waiting: set[tuple[str, int]], message: Any, error: Any) -> None:
    """A partition's end, or its error. An end before the pinned one is old news: the log has moved on since."""
    key = (message.topic(), message.partition())
    if key not in progress:
        return  # of the client as a whole: its connections' errors come by themselves
    if error.code() != KafkaError._PARTITION_EOF:
        progress[key].error, progress[key].refused = refusal_text(error, "READ"), True
        waiting.discard(key)
    elif message.offset() >= progress[key].planned.end:
        progress[key].position = progress[key].planned.end
        progress[key].done = True
        waiting.discard(key)


def _offsets(
    admin: Admin, partitions: Sequence[tuple[str, int]], spec: OffsetSpec, isolation: IsolationLevel
) -> dict[tuple[str, int], int]:
    """One offset of each partition; a topic that was made just now has no leader for a moment."""
    specs = {TopicPartition(t, p): spec for t, p in partitions}
    deadline = time.monotonic() + _patience()
    while True:
        try:
            answers = admin.list_offsets(specs, isolation_level=isolation, request_timeout=_patience())
            return {(place.topic, place.partition): answer.result().offset for place, answer in answers.items()}
        except KafkaException as cause:
            if cause.args[0].code() not in NO_LEADER or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _patience() -> float:
    """Seconds that an answer of the brokers may take now."""
    return whole.allowed(REQUEST_SECONDS)


def _tuned(partitions: int = 1) -> dict[str, Any]:
    """A consumer that leaves no trace, and is quick: the client's own back-off would make it three times slower."""
    return {
        "group.id": f"outbox-kit-verify-{uuid.uuid4()}",
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "enable.partition.eof": True,
        "auto.offset.reset": "error",
        "allow.auto.create.topics": False,
        "isolation.level": "read_committed",
        "fetch.queue.backoff.ms": 5,
        "queued.min.messages": 50_000,
        "queued.max.messages.kbytes": max(1024, min(16 * 1024, QUEUES_KB // partitions)),  # of each partition
        "fetch.message.max.bytes": 1024 * 1024,
    }
