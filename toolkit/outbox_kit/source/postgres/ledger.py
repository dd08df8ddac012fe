"""The outbox table as the ledger of what must arrive: compared by sums first, by ids only where those differ.

A bucket is the low twelve bits of an id's last twelve hexadecimal digits; its sum is of those digits as numbers.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import errors, sql

from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.postgres.session import Session, address, session

FINGERPRINT = sql.SQL("('x' || right({id}::text, 12))::bit(48)::bigint")


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment. buckets: number and sum of ids, by bucket."""

    rows: int
    buckets: dict[int, tuple[int, int]]
    oldest: datetime | None


@dataclass(frozen=True)
class Row:
    """One outbox row, as its message must be. key and sequence as text; milliseconds: when it was written."""

    event_id: str
    aggregate: str
    type: str
    key: str
    sequence: str | None
    route: str | None
    milliseconds: int


def snapshot(dsn: str, outbox: Outbox, seconds: float) -> Snapshot:
    """Count and sum the table's rows, in so many seconds at most. Raises OutOfTime."""
    names = _names(outbox)
    query = sql.SQL(
        "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from "
        "(select {fingerprint} fingerprint, {created_at} at from {table} where {aggregate_type} <> {canary}) rows "
        "group by 1"
    ).format(fingerprint=FINGERPRINT.format(**names), **names)
    with _asking(dsn, seconds) as connection:
        found = connection.execute(query).fetchall()
    return Snapshot(
        sum(row[1] for row in found),
        {int(row[0]): (int(row[1]), int(row[2])) for row in found},
        min((row[3] for row in found), default=None),
    )


def position(dsn: str) -> int:
    """Where the log ends now: all that can be seen in the table is in it before that. In bytes since its beginning."""
    with session(dsn) as connection:
        found = connection.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
    return int(found[0]) if found else 0


def rows(dsn: str, outbox: Outbox, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
    """The rows of some buckets as they are now, by id."""
    condition = sql.SQL("{fingerprint} & 4095 = any(%s)").format(fingerprint=FINGERPRINT.format(**_names(outbox)))
    return _rows(dsn, outbox, condition, list(buckets), seconds)


def rows_of(dsn: str, outbox: Outbox, ids: Sequence[str], seconds: float) -> dict[str, Row]:
    """The rows with these ids as they are now, by id."""
    condition = sql.SQL("{id} = any(%s::uuid[])").format(**_names(outbox))
    return _rows(dsn, outbox, condition, list(ids), seconds)


def _rows(dsn: str, outbox: Outbox, condition: sql.Composed, wanted: list[Any], seconds: float) -> dict[str, Row]:
    query = sql.SQL(
        "select {id}::text, {aggregate_type}, {type}, {key}::text, {sequence}::text, {route}::text, "
        "(extract(epoch from {created_at}) * 1000)::bigint from {table} "
        "where {aggregate_type} <> {canary} and {condition}"
    ).format(condition=condition, **_names(outbox))
    with _asking(dsn, seconds) as connection:
        return {row[0]: Row(*row) for row in connection.execute(query, (wanted,))}


@contextmanager
def _asking(dsn: str, seconds: float) -> Iterator[Session]:
    """A session whose questions are answered in time or given up: a locked table must not hold the reader."""
    with session(dsn) as connection:
        connection.execute("select set_config('statement_timeout', %s, true)", (str(max(1, int(seconds * 1000))),))
        try:
            yield connection
        except errors.QueryCanceled as cause:
            raise OutOfTime(
                "the outbox table could not be read in time",
                where=address(dsn),
                why="it is locked, or too large for the time that is left",
                fix="end what locks it, allow more --timeout, or leave the table out: --no-ledger",
            ) from cause


def _names(outbox: Outbox) -> dict[str, Any]:
    c = outbox.table.columns
    return {
        "id": sql.Identifier(c.id),
        "created_at": sql.Identifier(c.created_at),
        "aggregate_type": sql.Identifier(c.aggregate_type),
        "type": sql.Identifier(c.type),
        "key": sql.Identifier(outbox.key_column),
        "route": sql.Identifier(outbox.route_column),
        "sequence": sql.Identifier(outbox.ordering.sequence) if outbox.ordering.sequence else sql.NULL,
        "table": sql.Identifier(outbox.database.db_schema, outbox.table.name),
        "canary": sql.Literal(CANARY_AGGREGATE),
    }
