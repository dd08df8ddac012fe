"""Which message ids may be purged: only those that nothing can deliver again. Pure.

An id was received after its record was appended to the topic. So if it was received before the first retained record
was appended, its own record is deleted. Times are in seconds since 1970.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from uuid import UUID

from outbox_kit.clocks import SKEW
from outbox_kit.databases.facts.inbox import AHEAD_DAYS
from outbox_kit.inbox.problems import PurgeRefused
from outbox_kit.kafka.deliverable import DeliverablePartition
from outbox_kit.printable import counted

DAY = 86_400.0

Protection = Literal["retention", "position"]
UNLIMITED = (
    "limit its retention.ms; or choose inbox.mode: high-water, whose table does not grow with the messages; or, if the "
    "offsets of its consumers are never reset, purge up to these: cleanup --by-position"
)
"""What to do about an inbox that can only grow."""
AFTER_RESET = (
    "ids of messages before the committed offsets are purged: after a reset of the offsets these messages have their "
    "effects a second time"
)


@dataclass(frozen=True)
class PurgeHorizon:
    """InboxMessage ids that were received before an instant may be purged."""

    instant: float
    """In seconds since 1970."""
    reason: str
    """What limits it, in words."""
    notes: tuple[str, ...] = ()
    """What the window does not cover, in sentences; each is a finding about the settings."""


def horizon(
    window: float,
    now: float,
    partitions: Sequence[DeliverablePartition],
    protection: Protection = "retention",
    skew: float = SKEW,
) -> PurgeHorizon:
    """The horizon of a purge.

    window: in seconds, how long ids are kept at least. partitions: all that the consumer reads.
    protection: `retention` keeps the id of every record that a topic retains, for offsets may be reset; `position` only
    those of records from the group's committed offsets on.
    Raises PurgeRefused if a partition has records and the group has no committed offset in it.
    """
    if not partitions:
        raise PurgeRefused("no topic was examined", fix="name the topics that the consumer reads")
    limit = PurgeHorizon(now - window, f"the window of {days(window)}")
    for partition in partitions:
        place = f"{partition.topic}-{partition.partition}"
        if partition.committed is None and partition.oldest is not None:
            raise PurgeRefused(
                "the consumer group has no committed offset",
                where=place,
                why="it may read the partition from its beginning",
                fix="check the name of the group (inbox.consumers.group); start the consumer, and purge after that",
            )
        first = partition.oldest if protection == "retention" else partition.resume
        if first is not None and first <= 0:
            raise PurgeRefused("the first record has no timestamp", where=place, why="its age is unknown")
        if first is not None and first - skew < limit.instant:
            record = "the first retained record" if protection == "retention" else "the committed offset"
            limit = PurgeHorizon(first - skew, f"{record} of {place}")
    notes = [AFTER_RESET] if protection == "position" else shorter(window, partitions)
    return PurgeHorizon(limit.instant, limit.reason, tuple(notes))


def shorter(window: float, partitions: Sequence[DeliverablePartition]) -> list[str]:
    """A sentence for each topic that retains records longer than the window. window: in seconds."""
    retentions = {partition.topic: partition.retention for partition in partitions}
    sentences = []
    for topic, retention in sorted(retentions.items()):
        if retention is None:
            sentences.append(
                f"topic '{topic}' has unlimited retention: no message id can be purged, because a reset of the offsets "
                f"delivers its records again; {UNLIMITED}"
            )
        elif retention > window:
            sentences.append(
                f"the inbox's window ({days(window)}) is shorter than the retention of topic '{topic}' "
                f"({days(retention)}): message ids are kept until the topic has deleted their records"
            )
    return sentences


def day_of(message_id: str) -> date | None:
    """The day, in UTC, with which a UUID of version 7 begins; None for another text, and for a time without a date."""
    try:
        code = UUID(message_id)
        return datetime.fromtimestamp((code.int >> 80) / 1000, UTC).date() if code.version == 7 else None
    except (ValueError, OverflowError, OSError):
        return None


def awaits_partition(message_id: str, existing: Collection[date], now: float) -> bool:
    """Whether an id that had no partition may have one: those of the next days were not created, or just now.

    existing: the days of the partitions, read after the id was refused. now: in seconds since 1970. No partition will
    be created for a day before the newest one, whose messages may have been processed, nor for one far in the future.
    """
    day = day_of(message_id)
    last = datetime.fromtimestamp(now, UTC).date() + timedelta(days=AHEAD_DAYS)
    return day is not None and (day in existing or day > max(existing, default=date.min)) and day <= last


def days(seconds: float) -> str:
    """A duration in words."""
    whole = round(seconds / DAY)
    return counted(whole, "day") if whole >= 1 else counted(round(seconds / 3600), "hour")
