"""The consumer's half: each message has its effects once, whatever Kafka and the producer deliver again.

Importing this package imports no client library of a database or of Kafka.
"""

from outbox_kit.inbox.inbox import Inbox
from outbox_kit.inbox.message import InboxMessage
from outbox_kit.inbox.modes import HighWater, MessageIds, PartitionOffsets
from outbox_kit.inbox.problems import (
    InvalidMessage,
    OffsetLost,
    OutsideWindow,
    PartitionFenced,
    PartitionMissing,
    Reject,
    SequenceGap,
)

__all__ = [
    "HighWater",
    "Inbox",
    "InboxMessage",
    "InvalidMessage",
    "MessageIds",
    "OffsetLost",
    "OutsideWindow",
    "PartitionFenced",
    "PartitionMissing",
    "PartitionOffsets",
    "Reject",
    "SequenceGap",
]
