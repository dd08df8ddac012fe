"""The statements that find and delete old rows of a table. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from outbox_kit.databases.facts import Dialect
from outbox_kit.render import text

BEFORE_ALL = "(0,0)"
"""The place before the first row of a table."""


class RowProof(StrEnum):
    """What proves that the event of a row is published."""

    slot = "slot"
    """The transaction of the row had ended before a position that the reader of a replication slot has confirmed."""
    lanes = "lanes"
    """The transaction of the row is visible in the snapshot of every lane of the relay."""
    mark = "mark"
    """The relay has marked the row as published."""
    point = "point"
    """The row was committed before a point of the log that the stored offset of the connector has passed."""
    age = "age"
    """Nothing but the age of the row."""


@dataclass(frozen=True)
class OldRows:
    """The rows of a table that may be deleted."""

    table: tuple[str, ...]
    """The name of the table, with its schema."""
    created: str
    """The column of the time at which a row was inserted."""
    keep_hours: int
    """Rows are kept for so many hours after that time, by the clock of the database."""
    proof: RowProof = RowProof.age
    """What proves that a row is published."""
    slot: str = ""
    """The replication slot of `RowProof.slot`."""
    lanes: tuple[str, ...] = ()
    """The table of the lanes of `RowProof.lanes`."""
    transaction: str = ""
    """The column of the transaction of a row, for `RowProof.lanes`."""
    published: str = ""
    """The condition of `RowProof.mark` as SQL."""
    event_id: str = ""
    """The column of the event id; empty if the rows are no events."""
    failures: tuple[str, ...] = ()
    """The table of events that a relay could not publish, whose rows are kept; empty if there is none."""
    condition: str = ""
    """A further condition as SQL, which each row must meet."""
    zoneless: bool = False
    """Whether the column of the time has no time zone: it is UTC."""


def delete(dialect: Dialect, rows: OldRows, most: int, after: str = BEFORE_ALL) -> str:
    """The statement that deletes a batch. most: rows. after: the place after which the batch begins."""
    return text.sql("cleanup/delete.sql.j2", dialect, rows=rows, most=most, after=after).strip()


def keys(dialect: Dialect, rows: OldRows, key: str, most: int) -> str:
    """The query for the keys of the oldest rows. key: the column. most: rows."""
    return text.sql("cleanup/keys.sql.j2", dialect, rows=rows, key=key, most=most).strip()


def counts(dialect: Dialect, rows: OldRows) -> str:
    """The query for the numbers of old rows: to be deleted, not proven, failed; and of rows from the future."""
    return text.sql("cleanup/counts.sql.j2", dialect, rows=rows).strip()


def remains(dialect: Dialect, rows: OldRows, partition: str | tuple[str, ...]) -> str:
    """The query for the number of rows that must not be deleted with their partition, at most 1,000."""
    return text.sql("cleanup/remains.sql.j2", dialect, rows=rows, partition=partition).strip()
