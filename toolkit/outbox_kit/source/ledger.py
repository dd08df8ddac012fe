"""What must have arrived: the outbox table, or an application's own record.

A ledger is compared by sums first, and row by row only where those differ. What a row's number and its bucket are, see
`digest`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from outbox_kit import dialects
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.parts import Part
from outbox_kit.source import digest

Buckets = dict[int, tuple[int, int]]
LONGEST_SECONDS = 3600  # of a transaction whose rows a follower finds when it has committed


class Outcome(StrEnum):
    """What became of a transaction, as far as its writer knows."""

    committed = "committed"
    rolled_back = "rolled_back"
    unknown = "unknown"


@dataclass(frozen=True)
class Held:
    """What of a message a ledger can be compared with.

    digested: of every row, by a hash. sampled: of some rows, whose values are read.
    """

    digested: tuple[Part, ...] = ()
    sampled: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Snapshot:
    """The ledger at one moment. buckets: number and sum of rows, by bucket. oldest: milliseconds since 1970.

    ended: transactions with lower numbers had ended by then; None where all have that are there.
    """

    rows: int
    buckets: Buckets
    oldest: int | None
    ended: int | None = None


@dataclass(frozen=True)
class Row:
    """One committed row, as its message must be; None is what the ledger does not say.

    event_id: canonical. key and sequence as text; milliseconds: when it was written, since 1970. transaction: what rows
    that were committed together have in common. values: of the parts that were asked for, in their order.
    """

    event_id: str
    aggregate: str | None
    type: str | None
    key: str | None
    sequence: str | None
    route: str | None
    milliseconds: int | None
    transaction: str | None
    values: tuple[Any, ...] = ()

    @classmethod
    def of(cls, columns: Sequence[Any]) -> "Row":
        """A row from a query's columns: those of a row in their order, and then its values."""
        event_id, aggregate, kind, key, sequence, route, milliseconds, transaction, *values = columns
        return cls(event_id, aggregate, kind, key, sequence, route, milliseconds, transaction, tuple(values))


ROWS_AT_ONCE = 5000


class Ledger(Protocol):
    """Questions that are each answered in so many seconds, or given up with an EnvironmentProblem."""

    def held(self, parts: Sequence[Part], seconds: float) -> Held:
        """Which of some parts can be compared, and how; the others cannot."""

    def snapshot(self, parts: Sequence[Part], seconds: float) -> Snapshot:
        """Count and sum the committed rows. parts: those that are in their numbers."""

    def read(self, parts: Sequence[Part], buckets: Sequence[int] | None, seconds: float) -> Iterator[Sequence[Row]]:
        """The committed rows of some buckets, or all of them, some thousands at a time.

        Values are texts, of a payload its `digest.short`.
        """

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[Part] = ()) -> dict[str, Row]:
        """The committed rows with these canonical ids as they are now, by id. Values are whole: text or bytes."""

    def oldest(self, seconds: float) -> int | None:
        """When the oldest row that is there now was written, in milliseconds since 1970; None where nothing says it."""

    def lowest(self, since: int, seconds: float) -> int | None:
        """The lowest sequence number of the rows written since a moment, in milliseconds since 1970."""

    def together(self, transactions: Sequence[str], seconds: float, ended: int | None = None) -> dict[str, int]:
        """How many rows each of these transactions has. ended: see `Snapshot`; later ones are left out."""

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """What became of events that are no committed rows, as far as it is known."""

    def fence(self) -> int | None:
        """Where the source's log ends now; None where the ledger has no log behind it."""

    def behind(self, fence: int) -> str:
        """Why it cannot be said that everything before a fence has been published; empty where it has been."""


@runtime_checkable
class Partial(Protocol):
    """A ledger whose rows may leave things out. says: what they do say: key, type, transaction."""

    says: frozenset[str]


def summed(found: Iterable[Sequence[Any]]) -> Snapshot:
    """A snapshot from what a query has counted: bucket, rows, their sum, and when the oldest was written, each."""
    every = list(found)
    sums = {int(bucket): (int(rows), int(total)) for bucket, rows, total, _ in every}
    oldest = min((int(written) for *_, written in every if written is not None), default=None)
    return Snapshot(sum(rows for rows, _ in sums.values()), sums, oldest)


def counted(batches: Iterable[Sequence[Row]]) -> Snapshot:
    """A snapshot of rows that were read, for servers that cannot hash. Values are texts."""
    sums: dict[int, tuple[int, int]] = {}
    oldest = None
    for row in (row for batch in batches for row in batch):
        number = number_of(row)
        rows, total = sums.get(number % digest.BUCKETS, (0, 0))
        sums[number % digest.BUCKETS] = rows + 1, total + number
        if row.milliseconds is not None:
            oldest = row.milliseconds if oldest is None else min(oldest, row.milliseconds)
    return Snapshot(sum(rows for rows, _ in sums.values()), sums, oldest)


def number_of(row: Row) -> int:
    """The number of a row whose values are texts."""
    values = [None if value is None else str(value).encode() for value in row.values]
    return digest.number(row.event_id.encode(), values)


def chosen(batches: Iterable[Sequence[Row]], buckets: Sequence[int] | None) -> Iterator[Sequence[Row]]:
    """Of rows that were read those of some buckets; see `counted`."""
    wanted = None if buckets is None else set(buckets)
    for batch in batches:
        yield batch if wanted is None else [row for row in batch if number_of(row) % digest.BUCKETS in wanted]


def dated(outbox: Outbox) -> None:
    """Raises UsageProblem for a table of which nobody can tell which rows came between two moments."""
    if outbox.table.columns.created_at is None:
        raise UsageProblem(
            "--follow cannot compare with a table that does not say when a row was written",
            fix="leave the table out (--no-ledger), or run verify without --follow",
        )


def moment(mark: str) -> int:
    """When a mark was made, by the database's clock: what follows its @, in milliseconds since 1970."""
    return int(mark.split("@")[1])


@dataclass(frozen=True)
class RowsAlone:
    """What a `Ledger` answers where rows tell nothing of their transactions, nor the server of the connector.

    dsn: how to reach the database. between: two marks, where only rows are meant that were written after the one and
    before the other. passed: nothing; see `fence`.
    """

    dsn: str
    outbox: Outbox
    between: tuple[str, str] | None = None
    passed: None = None

    def mark(self, seconds: float, after: str = "") -> str:  # noqa: ARG002 - as MySQL's
        """Raises UsageProblem: a row does not say when it was committed."""
        raise UsageProblem(
            f"--follow cannot compare with a table in {dialects.named(self.outbox.database.dialect).title} yet",
            why="its rows do not say when they were committed",
            fix="leave the table out (--no-ledger), or run verify without --follow",
        )

    def together(self, transactions: Sequence[str], seconds: float, ended: int | None = None) -> dict[str, int]:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: a row does not say which transaction wrote it."""
        return {}

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:  # noqa: ARG002
        """See `Ledger`: what was rolled back leaves no row."""
        return {}

    def fence(self) -> None:
        """See `Ledger`: a canary does."""

    def behind(self, fence: int) -> str:  # noqa: ARG002
        """See `Ledger`."""
        return "the server does not know how far the connector is"
