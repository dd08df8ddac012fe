"""Positions in a log as Kafka has them: their record, and what they mean for the log of now. Pure.

A position is a transaction of the database by its commit, and how many of its rows are published, so that a large
transaction can be published in several of Kafka's. A log gives the rows of a transaction in the same order each time.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from outbox_kit.databases.changes import LogIdentity, LogTransaction

KEY = b"position"


class LogPosition(NamedTuple):
    """Everything before it is published, or stored as failed."""

    commit: int
    """Of the transaction, in the log."""
    rows: int
    """How many of its rows are before the position."""
    number: int | None
    """Of the transaction; None if the position is before all of its rows, and the transaction need not exist."""
    committed: float
    """When the transaction was committed, in seconds since 1970."""

    @classmethod
    def of(cls, transaction: LogTransaction, rows: int) -> "LogPosition":
        """The position behind so many rows of a transaction."""
        return cls(transaction.commit, rows, transaction.number, transaction.committed)

    def is_in(self, transaction: LogTransaction) -> bool:
        """Whether it is in a transaction, and not in another one with the same place in another log."""
        return (self.commit, self.number, self.committed) == (
            transaction.commit,
            transaction.number,
            transaction.committed,
        )


class StoredPosition(NamedTuple):
    """What a transaction of Kafka stores beside its messages."""

    position: LogPosition | None
    """None if no row of the log was published."""
    system: str
    """See `LogIdentity`."""
    timeline: int
    """See `LogIdentity`."""
    published: Mapping[int, str]
    """The stored events that the transaction has published, by number, and their `event_digest`."""


class Resumed(NamedTuple):
    """Where a log is to be continued."""

    position: LogPosition | None
    """None for where the database continues by itself."""
    reason: str = ""
    """Why a stored position is not used; empty if it is, or if there is none."""


def encoded(stored: StoredPosition) -> bytes:
    """The record's value."""
    position = None if stored.position is None else stored.position._asdict()
    return orjson.dumps(
        {
            "position": position,
            "system": stored.system,
            "timeline": stored.timeline,
            "published": [*stored.published.items()],
        }
    )


def decoded(value: bytes) -> StoredPosition:
    """What a record's value says. Raises ValueError."""
    try:
        document: dict[str, Any] = orjson.loads(value)
        position = document["position"]
        return StoredPosition(
            None if position is None else LogPosition(**position),
            str(document["system"]),
            int(document["timeline"]),
            {int(number): str(digest) for number, digest in document["published"]},
        )
    except (KeyError, TypeError, orjson.JSONDecodeError) as cause:
        raise ValueError(f"not a stored position: {value[:100]!r}") from cause


def resumed(stored: StoredPosition | None, log: LogIdentity, end: int) -> Resumed:
    """Where to continue, if Kafka has this position. end: of the log, as it is now.

    A log can be another one than the position's: after a restored backup or a fail-over, other transactions have the
    same places. None that may be one of these is skipped.
    """
    if stored is None or stored.position is None:
        return Resumed(None)
    position = stored.position
    if stored.system != log.system:
        return Resumed(None, "it is of another database cluster")
    if stored.timeline != log.timeline:
        fork = log.forks.get(stored.timeline)
        if fork is None:
            return Resumed(None, f"it is of timeline {stored.timeline}, which is not in the log of this server")
        if position.commit >= fork:
            return Resumed(LogPosition(fork, 0, None, 0.0))
    if position.commit > end:
        return Resumed(None, "the log of this server ends before it")
    return Resumed(position)
