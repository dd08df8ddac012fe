"""The events that must have been published: the outbox table, or a published log.

A ledger is compared by sums first, and row by row only if those differ. See `digest` for a row's number and bucket.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from outbox_kit.databases import digest
from outbox_kit.errors import OutOfTime, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.parts import MessagePart

Buckets = dict[int, tuple[int, int]]
LONGEST_SECONDS = 3600  # of a transaction whose rows a follower finds when it has committed


class Outcome(StrEnum):
    """The outcome of a transaction, as far as its writer knows it."""

    committed = "committed"
    rolled_back = "rolled_back"
    unknown = "unknown"


@dataclass(frozen=True)
class ComparableParts:
    """What of a message a ledger can be compared with."""

    digested: tuple[MessagePart, ...] = ()
    """Of every row, by a hash."""
    sampled: tuple[MessagePart, ...] = ()
    """Of some rows, whose values are read."""


@dataclass(frozen=True)
class Snapshot:
    """The ledger at one moment."""

    rows: int
    buckets: Buckets
    """Number and sum of rows, by bucket."""
    oldest: int | None
    """Milliseconds since 1970."""
    ended: int | None = None
    """Transactions with lower numbers had ended by then; None where all have that are there."""


@dataclass(frozen=True)
class Row:
    """One committed row, as its message must be; None is what the ledger does not say."""

    event_id: str
    """Canonical. key and sequence as text;."""
    aggregate: str | None
    type: str | None
    key: str | None
    sequence: str | None
    route: str | None
    milliseconds: int | None
    """When it was written, since 1970."""
    transaction: str | None
    """What rows that were committed together have in common."""
    values: tuple[Any, ...] = ()
    """Of the parts that were asked for, in their order."""

    @classmethod
    def of(cls, columns: Sequence[Any]) -> "Row":
        """A row from a query's columns: those of a row in their order, and then its values."""
        event_id, aggregate, kind, key, sequence, route, milliseconds, transaction, *values = columns
        return cls(event_id, aggregate, kind, key, sequence, route, milliseconds, transaction, tuple(values))


ROWS_AT_ONCE = 5000


@runtime_checkable
class Ledger(Protocol):
    """Questions that are each answered in so many seconds, or given up with an EnvironmentProblem."""

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:
        """Which of some parts can be compared, and how; the others cannot."""

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        """Count and sum the committed rows. parts: those that are in their numbers."""

    def read(
        self, parts: Sequence[MessagePart], buckets: Sequence[int] | None, seconds: float
    ) -> Iterator[Sequence[Row]]:
        """The committed rows of some buckets, or all of them, some thousands at a time.

        Values are texts, of a payload its `digest.short`.
        """

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:
        """The committed rows with these canonical ids as they are now, by id. Values are whole: text or bytes."""

    def oldest(self, seconds: float) -> int | None:
        """When the oldest row that is there now was written, in milliseconds since 1970; None where nothing says it."""

    def lowest(self, since: int, seconds: float) -> int | None:
        """The lowest sequence number of the rows written since a moment, in milliseconds since 1970."""

    def rows_per_transaction(
        self, transactions: Sequence[str], seconds: float, ended: int | None = None
    ) -> dict[str, int]:
        """The number of rows of each of these transactions. ended: see `Snapshot`; later rows are left out."""

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """The outcomes of events without a committed row, as far as they are known."""


class MarkedLedger(Ledger, Protocol):
    """A table whose rows say between which two marks they were committed. A mark is a moment, as a text."""

    @property
    def dsn(self) -> str:
        """The address of its database."""

    @property
    def outbox(self) -> Outbox:
        """The outbox whose table it is."""

    def mark(self, seconds: float, after: str = "") -> str:
        """The present moment. after: the mark before, behind which this one never is.

        Raises UsageProblem where the rows do not say it, OutOfTime.
        """

    def is_same_database(self, before: str, now: str) -> bool:
        """Whether two marks can be of one database."""

    def start_time(self, mark: str) -> int | None:
        """The earliest timestamp of messages of rows after a mark, in milliseconds since 1970.

        None where only messages that came after the mark are of rows after it.
        """

    def limited(self, begin: str, end: str) -> Ledger:
        """Only the rows that were committed between two marks."""


@runtime_checkable
class Partial(Protocol):
    """A ledger whose rows may leave things out."""

    present_fields: frozenset[str]
    """What they do say: key, type, transaction."""


def summed(counted: Iterable[Sequence[Any]]) -> Snapshot:
    """A snapshot from what a query has counted: bucket, rows, their sum, and when the oldest was written, each."""
    rows_by_bucket = list(counted)
    sums = {int(bucket): (int(rows), int(total)) for bucket, rows, total, _ in rows_by_bucket}
    oldest = min((int(written) for *_, written in rows_by_bucket if written is not None), default=None)
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
    selected = None if buckets is None else set(buckets)
    for batch in batches:
        yield batch if selected is None else [row for row in batch if number_of(row) % digest.BUCKETS in selected]


def quoted_names(outbox: Outbox) -> dict[str, str]:
    """What stands in a query in SQL for the words in braces: quoted names, `null` for a column that there is none of.

    event: the condition that a row is an event.
    """
    c, read, dialect = outbox.table.columns, router_columns(outbox), outbox.dialect
    columns = {
        "id": read.id,
        "aggregate_type": c.aggregate_type,
        "type": c.type,
        "key": read.key,
        "route": read.route,
        "sequence": outbox.ordering.sequence,
        "created_at": c.created_at,
    }
    quoted = {name: dialect.quote_ident(column) if column else "null" for name, column in columns.items()}
    real = f"{quoted['aggregate_type']} <> {dialect.quote_literal(CANARY_AGGREGATE)}"
    quoted["event"] = "1 = 1" if outbox.table.existing else real  # an existing table contains no canary
    quoted["table"] = dialect.quote_ident(outbox.names.schema, outbox.table.name)
    return quoted


def unread_in_time(where: str, *, locks: bool = True) -> OutOfTime:
    """The error of a table that was not read in time. where: the server's address. locks: whether a lock may be why."""
    return OutOfTime(
        "the outbox table could not be read in time",
        where=where,
        why=f"it is {'locked, or ' if locks else ''}too large for the time that is left",
        fix=f"{'end the session that locks it, ' if locks else ''}increase --timeout, or leave out the table: "
        "--no-table",
    )


def require_created_at(outbox: Outbox) -> None:
    """Raises UsageProblem for a table without a column for the time: its rows cannot be limited to a window."""
    if outbox.table.columns.created_at is None:
        raise UsageProblem(
            "verify follow cannot compare with a table that does not say when a row was written",
            fix="use --no-table, or run outbox-kit verify instead",
        )


def mark_time(mark: str) -> int:
    """The time of a mark by the database's clock, which follows its @: milliseconds since 1970."""
    return int(mark.split("@")[1])


@dataclass(frozen=True)
class SnapshotOnlyLedger:
    """The part of a `Ledger` that is the same for servers whose rows do not say which transaction wrote them."""

    dsn: str
    outbox: Outbox

    def rows_per_transaction(
        self,
        transactions: Sequence[str],  # noqa: ARG002 - a Ledger's
        seconds: float,  # noqa: ARG002
        ended: int | None = None,  # noqa: ARG002
    ) -> dict[str, int]:
        """See `Ledger`."""
        return {}

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: a transaction that was rolled back leaves no row."""
        return {}
