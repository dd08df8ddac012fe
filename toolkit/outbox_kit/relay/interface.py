"""The interfaces of a relay's source and of its sink; `databases.failures` has that of its failed events."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from outbox_kit.errors import OutboxKitError
from outbox_kit.router.chain import Message, Outcome


class OutboxEvent(NamedTuple):
    """An event that was read, and what the router makes of it."""

    outcome: Outcome
    columns: Sequence[str]
    """The names of its row's columns."""
    texts: Sequence[bytes | None]
    """Their values in UTF-8, as the database writes them."""
    receipt: Any
    """Given back to the source when the event is final."""


class LaneAges(NamedTuple):
    """The lanes that a relay reads now, of a source that relays share."""

    worker: str = ""
    """The name of the relay among the others, as `status` shows it."""
    oldest: Mapping[int, float | None] = MappingProxyType({})
    """When the oldest event of a lane, or of those read with it, was committed that is read and not final, by number.

    In seconds since 1970; None if there is none.
    """


class Source(Protocol):
    """Where events come from, in the order in which they are to be published.

    Its methods raise EnvironmentProblem if the database does not answer; a source that has raised is closed and opened
    again, and begins behind the last event before which all are final.
    """

    def open(self) -> None:
        """Connect. Raises SlotInUse if another relay or connector reads the outbox."""

    def read(self, seconds: float) -> Sequence[OutboxEvent]:
        """The next events, of which there may be none; waits at most so long for the first."""

    def rest(self, seconds: float) -> Sequence[OutboxEvent] | None:
        """The next events of what was read in part, such as a transaction, and would be read again from its beginning.

        None if there are no more: a stop causes no duplicates when all events that were read are final. Nothing else is
        read. Called only before `close`; waits at most so long for the first.
        """

    def finish(self, receipt: Any) -> None:
        """An event is final: acknowledged by the sink, or stored as failed."""

    def maintain(self) -> None:
        """Confirm positions and keep the connection alive; called at least twice a second, whatever else happens."""

    def close(self) -> None:
        """Confirm what is final and close the connection. Raises nothing."""

    def point(self) -> int:
        """A point behind everything that is committed now."""

    def passed(self, point: int) -> bool:
        """Whether every event before a point is final."""

    def position(self) -> int | None:
        """The position before which everything is final, as the database has it; None before the first start."""

    def oldest(self) -> float | None:
        """When the oldest event that was read and is not final was committed, in seconds since 1970, or None."""

    def lane_ages(self) -> LaneAges:
        """The lanes that it reads now; none if relays do not share it."""

    def outcome(self, row: Mapping[str, str | None]) -> Outcome:
        """What the router makes of the texts of a row, by column, with the configuration and the table of now."""


class SendStatus(StrEnum):
    """What became of a message."""

    delivered = "delivered"
    refused = "refused"
    """The sink does not accept this message."""
    closed = "closed"
    """The message's destination accepts no messages now; it is not the message's fault."""
    unsent = "unsent"
    """Not acknowledged, because of another message or of the connection: it is to be sent again."""


class SendResult(NamedTuple):
    """What became of a message that was sent."""

    receipt: Any
    """As given to `Sink.send`."""
    status: SendStatus
    cause: str = ""


class Sink(Protocol):
    """Where messages go.

    Of messages with one topic and key, none is delivered behind one that was refused or closed until `send` is called
    for it again: what was sent after it comes back as unsent.
    """

    def send(self, message: Message, receipt: Any) -> bool:
        """Take a message to be sent; False if there is no room, or no connection, until `results` was called again."""

    def results(self, seconds: float) -> Sequence[SendResult]:
        """What became of messages since the last call; waits at most so long for the first."""

    @property
    def problem(self) -> str:
        """Why nothing can be sent now; empty if it can."""

    def refusal(self) -> OutboxKitError | None:
        """Why nothing can be sent, if another attempt would not change that, such as a wrong password."""

    def close(self) -> None:
        """Close the connections; what was not acknowledged may be lost. Raises nothing."""
