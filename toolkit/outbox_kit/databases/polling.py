"""An outbox table that relays read by polling: its lanes, and the interface of what reads them.

Every message key belongs to a lane, by a hash that the database computes. A relay is a member as long as its lease has
not ended by the database's clock; a lane belongs to one member, and its epoch grows with each owner, so that whoever
has lost a lane writes nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from outbox_kit.databases.changes import TableColumns
from outbox_kit.databases.failures import FailureTable
from outbox_kit.errors import LanesLost
from outbox_kit.schema.model import Outbox


class Lane(NamedTuple):
    """A lane of this relay."""

    number: int
    epoch: int
    """Of its ownership."""


class Position(NamedTuple):
    """Up to where a lane is published. A table whose rows are changed when they are published needs none of it."""

    seen: str = ""
    """What is published: a snapshot as the server writes it."""
    window: str | None = None
    """The snapshot up to which rows are read now; None if a new one is to be taken."""
    last: tuple[str, str] | None = None
    """Order and id of the last row of the window that was read; None before its first."""


@dataclass(frozen=True)
class Membership:
    """The relays that run, and the lanes, as the database has them."""

    alive: bool
    """Whether the lease of this relay has not ended."""
    members: Sequence[str]
    """The members whose leases have not ended, sorted."""
    lanes: Collection[Lane]
    """Those that belong to this relay."""
    free: int
    """Lanes that belong to no such member."""


@dataclass(frozen=True)
class PolledRows:
    """Rows that are not published, in the order of the events of each key."""

    table: TableColumns
    texts: Sequence[Sequence[bytes | None]]
    """Their values in UTF-8, as the database writes them."""
    ids: Sequence[str]
    """The texts of the column by which the table finds them again: their ids, if those are unique."""
    end: Position
    """The position behind them."""
    window: str | None = None
    """The snapshot up to which they were read."""
    written: float | None = None
    """When the first of them was written, in seconds since 1970, if the table says so."""


class OutboxTable(Protocol):
    """The table of one outbox, read by one relay. Its methods raise UsageProblem and EnvironmentProblem."""

    @property
    def member(self) -> str:
        """The name of this relay among the others; another one after each `open`."""

    @property
    def reads_ahead(self) -> bool:
        """Whether more rows can be read before those that were read are stored as published."""

    @property
    def wakes(self) -> bool:
        """Whether `wait` can return early when a row is committed; if not, rows are only found by looking."""

    def open(self, lease_seconds: float) -> None:
        """Connect and become a member. Raises UsageProblem if the table is not what `gen-ddl` makes."""

    def close(self) -> None:
        """Give up all lanes, stop being a member, and disconnect. Raises nothing."""

    def renew(self, lease_seconds: float) -> Membership:
        """Extend the lease, if it has not ended."""

    def claim(self, most: int) -> Sequence[tuple[Lane, Position]]:
        """Take at most so many free lanes."""

    def release(self, lanes: Collection[Lane]) -> None:
        """Give up lanes, whose positions are stored."""

    def read(self, lanes: Collection[Lane], position: Position, most: int) -> PolledRows:
        """The next rows of lanes with one position, at most so many."""

    def store(self, lanes: Collection[Lane], position: Position, ids: Sequence[str]) -> bool:
        """Store that rows are published; False if the lease has ended or a lane belongs to another relay.

        ids: of the rows that were read since the position that is stored.
        """

    def request_wakeups(self) -> bool:
        """Have `wait` return early when a row is committed, until it has done so once. Not called unless `wakes`.

        False if rows of transactions that are open now would not lead to it. Rows that were committed before are to be
        looked for afterwards. Another relay's request counts too: if that relay ends or hangs, nothing leads to it.
        """

    def wait(self, seconds: float) -> bool:
        """Wait at most so long until a row is committed; whether one may have been."""

    def columns(self) -> TableColumns:
        """The columns of an event as they are now."""

    def mark(self) -> str:
        """A mark behind every row that is committed now."""

    def passed(self, mark: str) -> bool:
        """Whether every row before a mark is stored as published, by whichever relay."""

    def runs(self) -> int:
        """How many relays run now; it need not be open."""

    def position(self) -> int | None:
        """A number that changes when rows were published; None if there is none."""


class OutboxTables(Protocol):
    """Makes the table of an outbox."""

    def __call__(self, dsn: str, outbox: Outbox) -> OutboxTable:
        """The table at an address, not connected."""


class FailureTables(Protocol):
    """Makes the table of an outbox's failed events."""

    def __call__(self, dsn: str, outbox: Outbox, owned: "OwnedLanes | None" = None) -> FailureTable:
        """The table at an address.

        owned: leave out the events of the lanes of other relays, and write nothing about them.
        """


class OwnedLanes(Protocol):
    """The lanes of this relay at this moment."""

    def __call__(self) -> Collection[int]:
        """Their numbers."""

    def lanes(self) -> Collection[Lane]:
        """The lanes with their epochs, by which every write about their events is fenced."""

    @property
    def member(self) -> str:
        """The name of this relay among the others."""


def lanes_lost(why: str) -> LanesLost:
    """The error of a relay whose lanes may be others' now; it drops what it has read."""
    return LanesLost("the relay has lost its lanes: it drops what it has read", why=why)


def fair_share(lanes: int, members: Sequence[str], member: str) -> int:
    """How many lanes a member should have, so that all are shared out and none has two more than another."""
    if member not in members:
        return 0
    least, more = divmod(lanes, len(members))
    return least + (members.index(member) < more)
