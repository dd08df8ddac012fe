"""An outbox's rows as a server's log has them, and the interface of that log."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from outbox_kit.router.events import RowColumn


@dataclass(frozen=True, eq=False)
class TableColumns:
    """The columns of the outbox table, at some time; only equal to itself, so that it can be looked up for each row."""

    columns: tuple[RowColumn, ...]
    """Without values."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(column.name for column in self.columns)


class LogRow(NamedTuple):
    """A row that was inserted."""

    table: TableColumns
    texts: Sequence[bytes | None]
    """Its values in UTF-8, as the database writes them."""
    position: int
    """Of the row in the log; 0 if it was read from the table."""
    receipt: Any
    """For `ServerLog.finish`."""


class LogMessage(NamedTuple):
    """A message of an outbox without a table."""

    content: bytes
    position: int
    receipt: Any
    """For `ServerLog.finish`."""


class LogTransaction(Protocol):
    """A transaction of a log whose positions can be compared after a restart: the receipt of its rows."""

    commit: int
    """Its position in the log: that of its commit."""
    number: int
    """Its number in the database."""
    committed: float
    """When it was committed, in seconds since 1970."""


@dataclass(frozen=True)
class LogIdentity:
    """Which log it is: positions of different logs cannot be compared."""

    system: str
    """The identifier of the database cluster."""
    timeline: int
    """Another one after each fail-over or restored backup."""
    forks: Mapping[int, int]
    """Of each earlier timeline the position up to which this log has it."""


class ServerLog(Protocol):
    """The log of a server for one outbox, which is read by one process at a time.

    Its methods raise UsageProblem, DatabaseUnreachable and DatabaseRefused.
    """

    def position(self) -> int | None:
        """The position before which everything is final; None if the log was never read."""

    def create(self) -> None:
        """Keep the log from now on, for rows that are inserted from now on. Raises SlotInUse if another one has."""

    def first_read(self) -> Iterator[Sequence[LogRow]]:
        """The rows that are in the table, in the order of the events; the log is kept from there on.

        The caller asks for more only when it has stored or sent all before; if it stops, the next call begins anew.
        Raises SlotInUse if another process reads them.
        """

    def open(self) -> None:
        """Begin to read behind the confirmed position. Raises SlotInUse if another process reads the log."""

    def read(self, seconds: float) -> Sequence[LogRow | LogMessage]:
        """The next committed rows, of which there may be none; waits at most so long."""

    def rest(self, seconds: float) -> Sequence[LogRow | LogMessage] | None:
        """The next rows of the transaction of which rows were read; None if it was read to its end.

        Nothing behind it is read. Called only before `close`; waits at most so long.
        """

    def finish(self, receipt: Any) -> None:
        """A row is final."""

    def confirm(self) -> None:
        """Confirm what is final, if it is time; called at least twice a second."""

    def close(self) -> None:
        """Confirm what is final, and let others read the log. Raises nothing."""

    def mark(self) -> int:
        """A point in the log behind everything that is committed now; the log grows behind it."""

    def passed(self, point: int) -> bool:
        """Whether everything before a point was read and is final."""

    def oldest(self) -> float | None:
        """When the oldest transaction with rows that are not final was committed, in seconds since 1970."""

    def columns(self) -> TableColumns:
        """The table's columns as they are now."""


class IdentifiedLog(ServerLog, Protocol):
    """A log that gives the rows of a transaction in the same order each time. Its receipts are `LogTransaction`s."""

    def identity(self) -> LogIdentity:
        """Which log it is; it is open."""

    def reached(self) -> int:
        """The position up to which it was read."""
