"""The figures of a running outbox that its database has, in the same terms for all databases. Values only.

Each part is read alone: one that the server refuses, or does not answer in time, is named in `unread`, and is None.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class LogFigures:
    """The end of the server's log."""

    at: float
    """The server's time, in seconds since 1970."""
    end: int | None
    """The position of the end, comparable with that of a delivery; None if nothing reads the log."""
    first: int | None = None
    """The first position that the server still has, on servers that delete their log whether or not it was read."""
    keep_seconds: float | None = None
    """How long such a server keeps its log; None if it is not deleted by age."""
    cap: int | None = None
    """Bytes that a slot may retain; None without a limit."""


@dataclass(frozen=True)
class SlotFigures:
    """A replication slot."""

    active: bool
    wal_status: str
    confirmed: int | None
    """The confirmed position."""
    retained: int | None
    """Bytes of log that the server keeps for it; None if it is lost."""
    unconfirmed: int | None
    """Bytes of log that are not confirmed."""
    safe: int | None
    """Bytes of log that can be written before the slot may be lost; None without a limit, and if it is lost."""
    inactive_seconds: float | None
    """None if it is active, or the server does not record that."""


class HorizonFigure(NamedTuple):
    """The oldest of one kind of what keeps the server from removing dead rows."""

    kind: str
    """Of sessions, prepared transactions, slots, slots for the catalog, or connected standbys: `session`, `prepared`,
    `slot`, `catalog`, `standby`."""
    seconds: float | None
    """Its age; None if the server does not record it."""
    transactions: int | None
    """How many transactions have begun since; None if the server does not count them."""


@dataclass(frozen=True)
class TableFigures:
    """A table, as the catalogue has it."""

    rows: int | None = None
    """The server's estimate."""
    dead: int | None = None
    """Deleted rows that still occupy space, as an estimate; None if the server does not count them."""
    size: int | None = None
    """Bytes, with indexes."""
    inserted: int | None = None
    """Rows that were ever inserted; rows of transactions that were rolled back are counted too."""


class UnpublishedFigures(NamedTuple):
    """Unpublished rows."""

    rows: int
    """Their number, counted up to a limit."""
    oldest_seconds: float | None
    """The age of the oldest one of these; None if there is none, or rows have no time."""


class FailureFigures(NamedTuple):
    """The events that relays could not publish."""

    dead: int
    """Dead letters."""
    waiting: int
    """Events that are sent again, or wait behind one of their key."""
    parked: int
    """Keys whose events wait."""
    attempts: int | None
    """The greatest number of attempts for one event; None if it is not known."""


class RelayFigures(NamedTuple):
    """The relays of an outbox."""

    running: int
    hanging: Sequence[str]
    """Host and process id of each relay that is connected and does not renew its lease."""


@dataclass(frozen=True)
class DatabaseFigures:
    """All of them, at one time."""

    log: LogFigures
    slot: SlotFigures | None = None
    """None if there is none."""
    publication: bool | None = None
    """Whether the publication passes all inserts into the outbox table on; None if there is no publication of it."""
    horizon: Sequence[HorizonFigure] | None = None
    table: TableFigures | None = None
    """The outbox table; None if there is none."""
    inbox: TableFigures | None = None
    """An inbox table in the same database; None if there is none."""
    heartbeat_seconds: float | None = None
    """The age of the last heartbeat; None if there is none."""
    unpublished: UnpublishedFigures | None = None
    """The rows that relays have not published; None if relays do not read the table."""
    failures: FailureFigures | None = None
    relays: RelayFigures | None = None
    unread: Mapping[str, str] = field(default_factory=dict)
    """The parts that the server did not answer, and why. The names are those of the fields."""


class FigureReader(Protocol):
    """Reads the figures of one outbox in one session."""

    def read(self) -> DatabaseFigures:
        """The figures of now. Raises EnvironmentProblem; the session is to be closed then."""

    def rows_since(self, at: float) -> UnpublishedFigures | None:
        """The rows that were written after a time, in seconds since 1970; None if no index finds them.

        Raises EnvironmentProblem.
        """

    def close(self) -> None:
        """End the session. Raises nothing."""


class OpensFigures(Protocol):
    """Begins a session."""

    def __call__(self, dsn: str, outbox: Outbox, seconds: float) -> FigureReader:
        """seconds: for each statement. Raises UsageProblem, EnvironmentProblem."""


def most_counted(outbox: Outbox) -> int:
    """How many unpublished rows are counted at most: enough to pass the threshold, and few enough to be quick."""
    return max(5_000, outbox.monitoring.pending + 1)
