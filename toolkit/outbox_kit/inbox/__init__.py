"""The consumer's half: each message has its effects once, whatever Kafka and the producer deliver again.

Importing this package imports no client library of a database or of Kafka.
"""

from outbox_kit.inbox.inbox import Inbox
from outbox_kit.inbox.message import Message
from outbox_kit.inbox.modes import HighWater, MessageIds, Offsets
from outbox_kit.inbox.problems import InvalidMessage, OutsideWindow, PartitionFenced, PositionLost, Reject, SequenceGap

__all__ = [
    "HighWater",
    "Inbox",
    "InvalidMessage",
    "Message",
    "MessageIds",
    "Offsets",
    "OutsideWindow",
    "PartitionFenced",
    "PositionLost",
    "Reject",
    "SequenceGap",
]
