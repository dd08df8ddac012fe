"""What Kafka can still deliver to a consumer group, as a value. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DeliverablePartition:
    """The records of a topic partition that can be delivered to a consumer group."""

    topic: str
    partition: int
    first: int
    """The first retained offset."""
    end: int
    """The offset after the last committed record."""
    committed: int | None
    """The group's committed offset; None if it has none."""
    oldest: float | None
    """The timestamp of the first retained record, in seconds since 1970; None if there is no record."""
    resume: float | None
    """The same of the first record that the group has not committed; None if there is none."""
    retention: float | None
    """The topic's retention.ms, in seconds; None: unlimited."""
