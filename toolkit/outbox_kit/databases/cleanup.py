"""The interface by which old rows of a table are removed, and what it shows. Values only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from outbox_kit.databases.observed import HorizonHolder
from outbox_kit.errors import TableInUse

LOCK_SECONDS = 0.5
"""How long a statement waits for a lock behind which writers would wait."""


class DeletedBatch(NamedTuple):
    """The result of a DELETE."""

    rows: int
    """How many were deleted."""
    last: str = ""
    """The place of the last one, after which the next batch begins; empty if the database needs none."""


class AddedPartitions(NamedTuple):
    """The partitions of the next days that were created."""

    names: Sequence[str] = ()
    notes: Sequence[str] = ()
    """Which ones were not, and why, a sentence each."""


@dataclass(frozen=True)
class TableCondition:
    """A table as the server shows it."""

    columns: Mapping[str, str]
    """The types of its columns by name; empty if there is no such table."""
    times: Mapping[str, bool] = field(default_factory=dict)
    """The columns of a time, and whether they have no time zone."""
    partitioned: bool = False
    """Whether it has partitions."""
    key: str = ""
    """A column by which a row is found; empty if there is none."""
    rows: int | None = None
    """About how many rows it has; None if the server does not show it."""
    dead_rows: int | None = None
    """Deleted rows that still use space; None if the server does not count them."""
    size: int | None = None
    """Bytes on disk, with its indexes; None if the server does not show it."""
    history: int | None = None
    """Transactions whose old rows the server has not purged; None if there is no such number."""
    holders: Sequence[HorizonHolder] = ()
    """What keeps the server from removing dead rows, the oldest first."""
    notes: Sequence[str] = ()
    """What could not be shown, a sentence each."""


@dataclass(frozen=True)
class TablePartition:
    """A partition, by the clock of the database."""

    name: str
    schema: str = ""
    old: bool = False
    """Whether all of its rows are older than they must be kept."""
    default: bool = False
    """Whether it has the rows for which there is no other partition."""
    pending: bool = False
    """Whether a former run has begun to detach it."""
    detached: bool = False
    """Whether a former run has detached it and not dropped it."""
    bounds: str = ""
    """Its bounds, as the database writes them."""
    rows: int | None = None
    """About how many rows it has; None if the server does not show it."""
    size: int | None = None
    """Bytes on disk; None if the server does not show it."""


class RemovalState(StrEnum):
    """What became of a partition."""

    dropped = "dropped"
    kept = "kept"
    """It has rows that must not be deleted."""
    blocked = "blocked"
    """Its locks were not granted."""
    planned = "planned"
    """It would be dropped: nothing was changed."""


@dataclass(frozen=True)
class PartitionRemoval:
    """The outcome for one partition."""

    state: RemovalState
    why: str = ""
    """The reason, if it was not dropped."""
    details: Sequence[str] = field(default=())
    """The sessions that have the locks, a sentence each."""


COUNTED = 1000
"""Rows of a partition that must not be deleted are counted up to this number."""


def partition_kept(count: int) -> PartitionRemoval:
    """The outcome for a partition with rows that must not be deleted. count: up to `COUNTED`."""
    rows = f"at least {count:,}" if count == COUNTED else f"{count:,}"
    return PartitionRemoval(RemovalState.kept, f"{rows} of its rows are not old, not proven, or of failed events")


class CleanupSession(Protocol):
    """A connection that removes old rows, one process at a time for each table.

    Every statement has limits for its time and its locks. The methods raise DatabaseUnreachable and DatabaseRefused.
    """

    def open(self, purpose: str) -> None:
        """Connect and take the lock of a purpose. Raises TableInUse if another process has it."""

    def close(self) -> None:
        """End the connection, and with it the lock. Raises nothing."""

    def examine(self, table: tuple[str, ...]) -> TableCondition:
        """The table as it is now."""

    def exists(self, table: tuple[str, ...]) -> bool:
        """Whether there is a table of that name."""

    def query(self, statement: str) -> Sequence[Sequence[Any]]:
        """The rows of a query."""

    def delete(self, statement: str) -> DeletedBatch:
        """Delete a batch in one transaction."""

    def delete_keys(self, table: tuple[str, ...], column: str, keys: Sequence[Any]) -> int:
        """Delete rows by their keys in one transaction: how many there were."""

    def partitions(self, table: tuple[str, ...], keep_hours: int) -> Sequence[TablePartition]:
        """The partitions, and those that a former run has detached."""

    def add_partitions(self, table: tuple[str, ...], days: int) -> AddedPartitions:
        """Create the partitions of the next days that do not exist."""

    def remove(
        self, table: tuple[str, ...], partition: TablePartition, partitions: Sequence[TablePartition], remains: str
    ) -> PartitionRemoval:
        """Drop a partition. remains: the query for the number of its rows that must not be deleted."""


def in_use(place: str, holder: str) -> TableInUse:
    """The error of a process that does not have the lock. holder: the session that has it, if it is shown."""
    return TableInUse(
        "another cleanup of this table runs",
        where=place,
        why=holder or "its session is not visible to this user",
        fix="wait until it has ended, or end it",
    )
