"""A member of a consumer group that commits what its program has processed, and nothing else."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from confluent_kafka import OFFSET_INVALID, Consumer, KafkaError, KafkaException, TopicPartition

from outbox_kit.errors import OutboxKitError, UsageProblem
from outbox_kit.kafka.errors import FORBIDDEN, NOT_LET_IN, problem
from outbox_kit.kafka.headers import readable

Place = tuple[str, int]
"""A topic and a partition."""
METADATA = b"CGMDv2:"  # of librdkafka's serialized group metadata; the generation follows in 4 bytes
REQUEST_SECONDS = 10.0
IGNORED = {KafkaError._PARTITION_EOF}
FINAL = FORBIDDEN | NOT_LET_IN | {KafkaError._AUTO_OFFSET_RESET}
LEFT = {KafkaError._MAX_POLL_EXCEEDED}
NOT_OWNED = {
    KafkaError.ILLEGAL_GENERATION,
    KafkaError.UNKNOWN_MEMBER_ID,
    KafkaError.REBALANCE_IN_PROGRESS,
    KafkaError.FENCED_INSTANCE_ID,
    KafkaError._NO_OFFSET,
}
OWN = ("enable.auto.commit", "enable.auto.offset.store", "error_cb", "on_commit")
LOG = logging.getLogger(__name__)
CLIENT_LOG = logging.getLogger(f"{__name__}.client")


class GroupConsumer:
    """A consumer of librdkafka with manual commits. Its callbacks are called within `records` and `close` only."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        topics: Sequence[str],
        *,
        assigned: Callable[[Sequence[Place]], Mapping[Place, int]],
        revoked: Callable[[Sequence[Place]], Mapping[Place, int]],
        lost: Callable[[Sequence[Place]], None],
    ) -> None:
        """settings: of the consumer by librdkafka's names, with `bootstrap.servers` and `group.id`.

        assigned: is called with new topic partitions; returns offsets at which to begin, where they are not Kafka's.
        revoked: is called before partitions are given to another member; returns the next offsets, to be committed.
        lost: is called for partitions that another member may have already.
        Raises UsageProblem for settings that librdkafka refuses, and for those that contradict manual commits.
        """
        for name in OWN:
            if name in settings:
                raise UsageProblem(f"the setting {name} of the consumer is fixed", fix="remove it")
        if not settings.get("group.id"):
            raise UsageProblem("the consumer has no group.id", fix="set group.id")
        self._bootstrap = str(settings.get("bootstrap.servers", ""))
        self._incremental = (
            "cooperative" in str(settings.get("partition.assignment.strategy", ""))
            or settings.get("group.protocol") == "consumer"
        )
        self._assigned, self._revoked, self._lost = assigned, revoked, lost
        self._failure: BaseException | None = None
        self.complaint = ""
        """The last error that the client reported of its connections."""
        fixed = {
            "enable.auto.commit": False,
            "enable.auto.offset.store": False,
            "error_cb": self._complained,
            "on_commit": _committed,
        }
        try:
            self._consumer = Consumer({"auto.offset.reset": "earliest", "logger": CLIENT_LOG, **settings, **fixed})
        except KafkaException as cause:
            raise UsageProblem("invalid settings of the consumer", why=cause.args[0].str()) from cause
        self._consumer.subscribe(
            list(topics), on_assign=self._on_assign, on_revoke=self._on_revoke, on_lost=self._on_lost
        )

    def records(self, limit: int, seconds: float) -> list[Any]:
        """At most `limit` records; waits at most so long for the first. Raises what a callback raised, KafkaRefused."""
        records = []
        for record in self._consumer.consume(limit, timeout=seconds):
            error = record.error()
            if error is None:
                records.append(readable(record))
            elif error.code() in LEFT:
                LOG.warning("the consumer has left its group: %s", error.str())
            elif error.fatal() or error.code() in FINAL:
                raise self._problem(error)
            elif error.code() not in IGNORED:
                LOG.warning("Kafka: %s", error.str())
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        return records

    def generation(self) -> int:
        """The generation of the group, of which this member knows; -1 if it has not joined."""
        metadata = self._consumer.consumer_group_metadata()
        if not isinstance(metadata, bytes) or not metadata.startswith(METADATA):
            raise UsageProblem(
                "this version of confluent-kafka does not show the generation of the group",
                fix="use another mode than Offsets, or confluent-kafka 2.13 to 2.16",
            )
        return int.from_bytes(metadata[len(METADATA) :][:4], "little", signed=True)

    def commit(self, offsets: Mapping[Place, int], *, wait: bool = False) -> bool:
        """Commit next offsets, of partitions that this member owns. wait: for the answer; whether it was stored.

        Raises KafkaUnreachable, KafkaRefused if it waits; not for a partition that another member has.
        """
        if not offsets:
            return True
        places = [TopicPartition(topic, partition, offset) for (topic, partition), offset in offsets.items()]
        try:
            if not wait:
                self._consumer.commit(offsets=places, asynchronous=True)
                return True
            answers = self._consumer.commit(offsets=places, asynchronous=False)
        except KafkaException as cause:
            if cause.args[0].code() in NOT_OWNED:
                return False
            raise self._problem(cause.args[0]) from cause
        return not any(answer.error for answer in answers)

    def first_offset(self, place: Place) -> int:
        """The first offset that a partition still has. Raises KafkaUnreachable, KafkaRefused."""
        try:
            low, _ = self._consumer.get_watermark_offsets(TopicPartition(*place), timeout=REQUEST_SECONDS)
        except KafkaException as cause:
            raise self._problem(cause.args[0]) from cause
        return int(low)

    def pause(self, places: Sequence[Place]) -> None:
        """Take no more records of partitions, and stay a member of the group."""
        self._switch(self._consumer.pause, places)

    def resume(self, places: Sequence[Place]) -> None:
        """Take records of paused partitions again."""
        self._switch(self._consumer.resume, places)

    def close(self) -> None:
        """Leave the group; `revoked` is called first. Raises nothing of Kafka's."""
        try:
            self._consumer.close()
        except KafkaException as cause:
            LOG.warning("the consumer was not closed cleanly: %s", cause.args[0].str())

    def _switch(self, function: Callable[[list[TopicPartition]], Any], places: Sequence[Place]) -> None:
        if places:
            try:
                function([TopicPartition(*place) for place in places])
            except KafkaException as cause:
                raise self._problem(cause.args[0]) from cause

    def _on_assign(self, consumer: Any, partitions: list[Any]) -> None:
        places = [(partition.topic, partition.partition) for partition in partitions]
        try:
            starts = self._assigned(places)
        except BaseException as failure:  # the client would end the process
            self._failure, starts = failure, {}
        at = [TopicPartition(*place, starts.get(place, OFFSET_INVALID)) for place in places]
        if self._incremental:
            consumer.incremental_assign(at)
        else:
            consumer.assign(at)

    def _on_revoke(self, _: Any, partitions: list[Any]) -> None:
        try:
            self.commit(self._revoked([(partition.topic, partition.partition) for partition in partitions]), wait=True)
        except OutboxKitError as failure:  # the messages are delivered again, and found to be duplicates
            LOG.warning("offsets were not committed before a rebalance: %s", failure)

    def _on_lost(self, _: Any, partitions: list[Any]) -> None:
        self._lost([(partition.topic, partition.partition) for partition in partitions])

    def _complained(self, error: KafkaError) -> None:
        self.complaint = error.str()
        LOG.warning("Kafka: %s", error.str())

    def _problem(self, error: KafkaError) -> OutboxKitError:
        return problem(error, self._bootstrap)


def _committed(error: KafkaError | None, _: list[Any]) -> None:
    if error is not None and error.code() not in NOT_OWNED:
        LOG.warning("offsets were not committed: %s", error.str())
