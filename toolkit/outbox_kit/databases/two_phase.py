"""The interface by which a coordinator stores two-phase messages. Values only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from outbox_kit.errors import UsageProblem


class MessageState(StrEnum):
    """The state of a two-phase message."""

    prepared = "prepared"
    """It waits for the outcome of the business transaction."""
    submitted = "submitted"
    """The business transaction has committed: the events are rows of the outbox."""
    aborted = "aborted"
    """The business transaction was rolled back: nothing is published."""


class CheckBackProtocol(StrEnum):
    """Whose answers a check-back gets."""

    v1 = "v1"
    """JSON with an outcome."""
    dtm = "dtm"
    """The status codes of DTM."""


@dataclass(frozen=True)
class MessageEvent:
    """An event that a message publishes when it is submitted."""

    event_id: str
    """Its id, a UUID."""
    aggregate: str
    """The aggregate type."""
    aggregate_id: str
    """The id of the aggregate."""
    type: str
    """The event type."""
    payload: str | None
    """As text; None for a tombstone."""
    columns: Mapping[str, Any]
    """The values of further columns of the outbox table, by name."""


@dataclass(frozen=True)
class NewMessage:
    """A message as a client prepares it."""

    message_id: str
    protocol: CheckBackProtocol
    """Whose answers its check-back gets."""
    check_back: str
    """The URL that is asked for the outcome; empty for a message that is submitted at once."""
    events: Sequence[MessageEvent]
    digest: str
    """Of the client's document: a repeated request has the same one."""
    check_after_seconds: float
    """Time from `prepare` to the first check-back."""


@dataclass(frozen=True)
class StoredMessage:
    """A message as it is stored, without its events."""

    message_id: str
    state: MessageState
    digest: str
    """See NewMessage."""
    attempts: int
    """Check-backs so far."""
    reason: str
    """What the last check-back has shown; empty before."""
    prepared_at: str
    """In UTC, as ISO 8601."""
    finished_at: str | None
    """The same; None while it is prepared."""
    next_check_at: str | None
    """The same; None if there is none."""


@dataclass(frozen=True)
class DueMessage:
    """A message that a coordinator has claimed for a check-back."""

    message_id: str
    protocol: CheckBackProtocol
    """Whose answers its check-back gets."""
    check_back: str
    """The URL that is asked."""
    attempt: int
    """The number of this check-back, from 1. It fences a coordinator whose lease has ended."""
    is_expired: bool
    """Whether it was prepared longer than CHECK_DAYS ago."""


@dataclass(frozen=True)
class MessageCounts:
    """The messages that are not finished."""

    prepared: int
    """Those that wait for an outcome."""
    oldest_seconds: float
    """The age of the oldest of them; 0 without one."""
    given_up: int
    """Those for which no check-back comes any more: an operator decides."""


class RefusedMessage(UsageProblem):
    """The outbox table refuses the events of a message."""


class MessageStore(Protocol):
    """The messages of one outbox, on a connection of its own.

    Every call is one transaction. The methods raise DatabaseUnreachable and DatabaseRefused, after which the next call
    connects anew. A store is used by one thread.
    """

    def prepare(self, message: NewMessage) -> StoredMessage:
        """Store a message unless one of its id exists; the one that is stored now.

        The events are inserted and rolled back, so that a later submit cannot fail because of them. Raises
        RefusedMessage.
        """

    def submit_new(self, message: NewMessage) -> StoredMessage:
        """Store a message as submitted and insert its events, unless one of its id exists. Raises RefusedMessage."""

    def finish(self, message_id: str, state: MessageState, reason: str = "") -> StoredMessage | None:
        """Submit or abort a prepared message; the message as it is then, None if there is none.

        A message that is finished already is not changed.
        """

    def read(self, message_id: str) -> StoredMessage | None:
        """A message; None if there is none."""

    def check_now(self, message_id: str) -> StoredMessage | None:
        """Make a prepared message due, unless it is older than CHECK_DAYS; the message, None if there is none."""

    def claim(self, most: int, lease_seconds: float) -> Sequence[DueMessage]:
        """Messages that are due, at most so many. No other coordinator claims them for the lease."""

    def postpone(self, message: DueMessage, seconds: float | None, reason: str) -> None:
        """Set the time of the next check-back; None for never. Nothing happens if the lease was lost."""

    def counts(self) -> MessageCounts:
        """The messages that are not finished."""

    def close(self) -> None:
        """End the connection. Raises nothing."""
