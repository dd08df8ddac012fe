"""The three modes of an inbox as steps of statements: the same for every driver, with and without asyncio.

A mode's `claim` yields statements and is sent their answers; it returns for each message whether it is new. The
statements run in the transaction of the effects, so that both are committed or neither is. READ COMMITTED is enough: a
concurrent duplicate waits for a row lock until the first transaction ends.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal, Protocol, TypeVar

from outbox_kit.databases.facts import Dialect
from outbox_kit.databases.facts.inbox import ADVANCE, MARK, RAISE, TAKE
from outbox_kit.databases.facts.inbox_rows import KEYS
from outbox_kit.inbox.message import InboxMessage, stored_id, stored_key
from outbox_kit.inbox.problems import PartitionFenced, SequenceGap
from outbox_kit.inbox.statements import Query, StatementResult, added, expect_rows, inserted, query

Result = TypeVar("Result", covariant=True)
Steps = Generator[Query, StatementResult, Result]
MOST_ROWS = 1000
"""Rows of one insert."""
SAVEPOINT, ROLLBACK = Query("savepoint outbox_kit_inbox"), Query("rollback to savepoint outbox_kit_inbox")
IDS, MARKS, POSITIONS = KEYS["inbox"], KEYS["inbox_mark"], KEYS["inbox_position"]


class InboxMode(Protocol):
    """What an inbox stores of messages."""

    @property
    def table(self) -> str:
        """The usual name of its table."""

    def claim(
        self,
        dialect: Dialect,
        table: Sequence[str],
        consumer: str,
        messages: Sequence[InboxMessage],
        generation: int,
    ) -> Steps[list[bool]]:
        """Store messages in the order given; whether each one is new.

        generation: of the consumer group; see `PartitionOffsets`. Raises InvalidMessage.
        """


@dataclass(frozen=True)
class MessageIds:
    """The id of each message, unique for each consumer. Messages may come in any order, from any source."""

    header: str = "id"
    """The header with the id."""
    ids: Literal["uuid", "text"] = "uuid"
    """The kind of the ids, as the column `message_id` has it."""
    table: str = "inbox"

    def claim(
        self,
        dialect: Dialect,
        table: Sequence[str],
        consumer: str,
        messages: Sequence[InboxMessage],
        generation: int,
    ) -> Steps[list[bool]]:
        """See InboxMode. A single statement for up to 1000 messages, where the database can answer for several."""
        del generation
        ids = [stored_id(message, self.header, uuids=self.ids == "uuid") for message in messages]
        distinct = sorted(set(ids))  # in one order: two transactions with the same ids do not deadlock
        added: set[str] = set()
        for start in range(0, len(distinct), MOST_ROWS):
            added |= yield from self._added(dialect, table, consumer, distinct[start : start + MOST_ROWS])
        flags = []
        for message_id in ids:
            flags.append(message_id in added)
            added.discard(message_id)  # the same id again in one batch
        return flags

    def _added(self, dialect: Dialect, table: Sequence[str], consumer: str, ids: Sequence[str]) -> Steps[set[str]]:
        facts = dialect.inbox
        if len(ids) > 1 and facts.many and facts.returning:
            answer = yield self._insert(dialect, table, consumer, ids, facts.returning)
            return {str(row[0]) for row in answer.rows}
        if len(ids) > 1 and facts.many:
            yield SAVEPOINT
            answer = yield self._insert(dialect, table, consumer, ids)
            if answer.count == len(ids):
                return set(ids)
            yield ROLLBACK  # the count does not show which of them were there
        added = set()
        for message_id in ids:
            answer = yield self._insert(dialect, table, consumer, [message_id])
            if answer.count == 1:
                added.add(message_id)
        return added

    def _insert(
        self, dialect: Dialect, table: Sequence[str], consumer: str, ids: Sequence[str], end: str = ""
    ) -> Query:
        bound = dialect.code.bound if dialect.code else {}
        cast = {"message_id": bound["uuid"]} if self.ids == "uuid" and "uuid" in bound else {}
        lines = (*expect_rows(dialect).counted, end)
        rows = [{"consumer": consumer, "message_id": message_id} for message_id in ids]
        return inserted(lines, dialect, table, IDS, rows, cast)


@dataclass(frozen=True)
class HighWater:
    """The greatest sequence number of each producer and message key: constant in size.

    Messages of a key must come in order: a message with a smaller number than one before it counts as a duplicate.
    """

    producer: str = ""
    """The producer's name, if the consumer reads messages of several; the sequence numbers are the producer's."""
    header: str = "sequence"
    """The header with the sequence number."""
    dense: bool = False
    """Whether the numbers of a key are 1, 2, 3 (`ordering.assigned_by: application`), so that a gap can be seen."""
    start: int | None = None
    """The first number of every key, if the consumer has read the topics from their beginning. None: the first message
    of a key is accepted whatever its number is."""
    accept_gaps: bool = False
    """Whether a message after a gap is processed. False: it raises SequenceGap."""
    table: str = "inbox_mark"

    def claim(
        self,
        dialect: Dialect,
        table: Sequence[str],
        consumer: str,
        messages: Sequence[InboxMessage],
        generation: int,
    ) -> Steps[list[bool]]:
        """See InboxMode. Raises SequenceGap."""
        del generation
        flags = []
        for message in messages:
            flags.append((yield from self._claim(dialect, table, consumer, message)))
        return flags

    def _claim(self, dialect: Dialect, table: Sequence[str], consumer: str, message: InboxMessage) -> Steps[bool]:
        sequence, key = message.number(self.header), stored_key(message)
        values = {"consumer": consumer, "producer": self.producer, "key": key, "sequence": sequence}
        answer = yield query(RAISE, dialect, table, values)
        if answer.count == 0:  # a duplicate, or the first message of its key
            first = (sequence if self.start is None else self.start) - 1
            mark = {"consumer": consumer, "producer": self.producer, "message_key": key}
            yield added(dialect, table, MARKS, mark | {"last_sequence": first})
            answer = yield query(RAISE, dialect, table, values)
            if answer.count == 0:
                return False
        if self.dense and not self.accept_gaps:
            answer = yield query(MARK, dialect, table, values)
            previous = int(answer.rows[0][1])
            if sequence > previous + 1:
                raise SequenceGap(
                    f"gap in the sequence of key '{key}': {sequence} follows {previous}",
                    where=message.place,
                    why="messages are missing, or arrived in another order",
                    fix="find them: outbox-kit verify; to process the message in any case: HighWater(accept_gaps=True)",
                )
        return True


@dataclass(frozen=True)
class PartitionOffsets:
    """The next offset of each topic partition, in the database of the effects; constant in size.

    A duplicate that the producer publishes has an offset of its own: it is found only if the producer publishes exactly
    once. The generation of the consumer group is the fence: after a consumer of a later generation has taken a
    partition over, no other one can store an offset of it.
    """

    table: str = field(default="inbox_position")

    def claim(
        self,
        dialect: Dialect,
        table: Sequence[str],
        consumer: str,
        messages: Sequence[InboxMessage],
        generation: int,
    ) -> Steps[list[bool]]:
        """See InboxMode. messages: of each topic partition in the order of their offsets. Raises PartitionFenced."""
        new: set[tuple[str, int, int]] = set()
        ordered = sorted(messages, key=lambda message: (message.topic, message.partition, message.offset))
        for (topic, partition), group in groupby(ordered, lambda message: (message.topic, message.partition)):
            left = [message.offset for message in group]
            while left:
                values = _partition(consumer, topic, partition) | {"offset": left[0], "next": left[-1] + 1}
                answer = yield query(ADVANCE, dialect, table, values | {"generation": generation})
                if answer.count:
                    break
                stored, owner = yield from _position(dialect, table, _partition(consumer, topic, partition))
                if owner > generation:
                    raise _fenced(topic, partition, owner, generation)
                left = [offset for offset in left if offset >= stored]
            new |= {(topic, partition, offset) for offset in left}
        return [(message.topic, message.partition, message.offset) in new for message in messages]

    def take(
        self,
        dialect: Dialect,
        table: Sequence[str],
        consumer: str,
        place: tuple[str, int],
        generation: int,
        *,
        restart: bool = False,
    ) -> Steps[int]:
        """Take a topic partition over for a generation; the offset at which to continue, 0 if none is stored.

        restart: take it over from a greater generation too, because the group was deleted and counts from 1 again.
        Raises PartitionFenced.
        """
        values = _partition(consumer, *place)
        topic, partition = place
        row = {"consumer": consumer, "topic": topic, "topic_partition": partition, "next_offset": 0, "generation": 0}
        while True:
            yield added(dialect, table, POSITIONS, row)
            stored, owner = yield from _position(dialect, table, values)
            if owner == generation:
                return stored
            if owner > generation and not restart:
                raise _fenced(*place, owner, generation)
            answer = yield query(TAKE, dialect, table, values | {"generation": generation, "seen": owner})
            if answer.count:
                return stored

    def stored(self, dialect: Dialect, table: Sequence[str], consumer: str, place: tuple[str, int]) -> Steps[int]:
        """The offset at which to continue, 0 if none is stored. Raises PartitionFenced if there is no row."""
        offset, _ = yield from _position(dialect, table, _partition(consumer, *place))
        return offset


def _partition(consumer: str, topic: str, partition: int) -> dict[str, Any]:
    return {"consumer": consumer, "topic": topic, "partition": partition}


def _position(dialect: Dialect, table: Sequence[str], values: dict[str, Any]) -> Steps[tuple[int, int]]:
    answer = yield query(dialect.inbox.position, dialect, table, values)
    if not answer.rows:
        place = f"{values['topic']}-{values['partition']}"
        raise PartitionFenced(
            "the topic partition was not taken over", where=place, fix="call PartitionOffsets.take first"
        )
    stored, owner = answer.rows[0]
    return int(stored), int(owner)


def _fenced(topic: str, partition: int, owner: int, generation: int) -> PartitionFenced:
    return PartitionFenced(
        f"generation {owner} of the consumer group has taken the topic partition over",
        where=f"{topic}-{partition}",
        why=f"this consumer is of generation {generation}",
    )
