"""The inbox of the consumers.

The fields' descriptions are product text: the reference is made of them.
"""

from typing import Literal

from pydantic import Field

from outbox_kit.schema.table import Line, Part


class InboxConsumer(Part):
    """A consumer that has its rows in the inbox."""

    name: Line = Field(max_length=255)
    """The consumer's name, as in the column `consumer`. Consumers with different names process the same message
    independently."""
    group: Line | None = Field(None, max_length=255)
    """The consumer group in Kafka, whose committed offsets limit the purge. Default: the consumer's name."""

    @property
    def consumer_group(self) -> str:
        """The consumer group."""
        return self.group or self.name


class InboxSettings(Part):
    """The inbox of the consumers, in which duplicates of messages are found: `gen-ddl --inbox` creates its table."""

    mode: Literal["message-id", "high-water", "offsets"] = "message-id"
    """What the inbox stores. `message-id`: the id of each message, unique for each consumer. `high-water`: the greatest
    sequence number of each producer and message key, for messages in order; its size is constant. `offsets`: the next
    offset of each topic partition, fenced by the generation of the consumer group; it needs `delivery_guarantee:
    exactly-once`, because a duplicate that the producer publishes has an offset of its own."""
    window_days: int | None = Field(None, ge=1, le=36_500)
    """Days that message ids are kept at least. Default: the days that rows are kept in the outbox, and 7 more for the
    default retention of topics. The purge keeps every id longer that Kafka can still redeliver."""
    partitioned: bool = False
    """Whether the inbox has a partition for each day, which the purge drops as a whole; in PostgreSQL only. The day is
    that of the message id, which must be a UUID of version 7; other ids are rejected."""
    consumers: tuple[InboxConsumer, ...] = ()
    """The consumers of the inbox, whose ids are purged."""
