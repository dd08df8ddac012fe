"""What a database offers to a hand-over between the connector and relays; `interface.Server` has the parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from outbox_kit.databases.failures import FailureCounts
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class RelayTables:
    """What a database has of the tables of an outbox's relay."""

    missing: Sequence[str]
    """What a relay needs that does not exist, a sentence each."""
    failures: FailureCounts | None
    """The events that relays could not publish; None without such a table."""
    polled: bool
    """Whether there are lanes, of relays that read the outbox table."""
    connector_offset: Mapping[str, Any] | None
    """The offset that is kept for the relay; None if there is none."""


@dataclass(frozen=True)
class TableRelays:
    """The relays that share an outbox table."""

    present: bool
    """Whether the database has the tables of such relays."""
    running: Sequence[str]
    """Host and process id of each relay whose lease has not ended."""
    failures: FailureCounts | None
    """The events that relays could not publish; None without such a table."""


@dataclass(frozen=True)
class RecordedRows:
    """What was recorded as published in a hand-over from a connector."""

    changed: int | None
    """The rows that were deleted or marked; None if a position was stored."""
    left: int
    """The committed rows that the connector has not published, which the relay publishes."""
    doubled: int
    """Of these the rows that the connector may have published: of the transaction within which it was stopped."""


@dataclass(frozen=True)
class SettledSlot:
    """Where a connector continues that follows relays of a table."""

    position: int | None
    """The position of the slot if it was moved; None if it stays."""
    stray: int
    """The unpublished rows that are not behind the slot's position: a connector would never publish them."""
    left: int
    """The unpublished rows behind it."""
    doubled: int
    """The published rows behind it."""


class SlotTableHandOver(Protocol):
    """A hand-over between a connector with a replication slot and relays that read the table.

    The methods raise UsageProblem and EnvironmentProblem. outbox: with the `delivery` of the relays.
    """

    def running_relays(self, dsn: str, outbox: Outbox) -> Sequence[str]:
        """Host and process id of each relay whose lease has not ended; empty without the tables of such relays.

        outbox: with any `delivery`.
        """

    def table_relays(self, dsn: str, outbox: Outbox) -> TableRelays:
        """The relays of now."""

    def record_published(
        self, dsn: str, outbox: Outbox, offset: Mapping[str, Any] | None, *, trusted: bool
    ) -> RecordedRows:
        """Record what a stopped connector has published, as the relays record it; the slot is read by no process.

        offset: of the connector, as Kafka Connect has it. trusted: whether it is certain that it is of this server.
        Raises UnsafeChange if a relay runs.
        """

    def may_read_log(self, dsn: str, outbox: Outbox) -> bool:
        """Whether the connector's role may read the log."""

    def create_slot(self, dsn: str, outbox: Outbox) -> None:
        """Create the connector's slot; waits for transactions that are open."""

    def published_mark(self, dsn: str, outbox: Outbox) -> str:
        """A mark behind every row that is committed now."""

    def is_published(self, dsn: str, outbox: Outbox, mark: str) -> bool:
        """Whether relays have published every row before a mark."""

    def settle_slot(self, dsn: str, outbox: Outbox) -> SettledSlot:
        """Move the slot to the first row that no relay has published; relays and connector are stopped.

        If rows are stray, it is not moved.
        """


class OffsetTableHandOver(Protocol):
    """A hand-over between a connector with a stored offset and relays that delete the published rows of the table.

    The methods raise UsageProblem and EnvironmentProblem. outbox: with the `delivery` of the relays.
    """

    def running_relays(self, dsn: str, outbox: Outbox) -> Sequence[str]:
        """See `SlotTableHandOver`; also relays that mark rows."""

    def table_relays(self, dsn: str, outbox: Outbox) -> TableRelays:
        """The relays of now."""

    def committed_rows(self, dsn: str, outbox: Outbox) -> Sequence[str]:
        """The texts by which the rows that are committed now are found."""

    def delete_rows(self, dsn: str, outbox: Outbox, rows: Sequence[str]) -> None:
        """Delete rows by these texts, which waits for no open insert."""


class LogHandOver(Protocol):
    """A hand-over between a connector and a relay that read one log; what has a dsn raises EnvironmentProblem."""

    def relay_tables(self, dsn: str, outbox: Outbox) -> RelayTables:
        """What exists of the relay's tables."""

    def keep_offset(self, dsn: str, outbox: Outbox, offset: Mapping[str, Any] | None, *, advance: bool = False) -> bool:
        """Store the offset of a stopped connector for the relay, which leaves out what the connector has published.

        offset: as Kafka Connect has it; None if the relay is to leave out nothing.
        advance: whether the slot may be moved to the end of the last transaction that the connector has completed.
        Returns whether the relay will use it: it does not if the slot is not where the connector has left it.
        """

    def reached(self, offset: Mapping[str, Any]) -> int | None:
        """The position up to which the log was published with an offset; None before the first row was streamed.

        Raises ValueError, TypeError or OverflowError for the offset of another kind of connector.
        """

    def offset_at(self, position: int) -> Mapping[str, Any]:
        """The offset of a connector that is to publish everything behind a position, and nothing before it."""
