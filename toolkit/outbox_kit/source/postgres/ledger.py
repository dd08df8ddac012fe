"""The outbox table as the ledger of what must arrive: compared by sums first, by ids only where those differ.

A bucket is the low twelve bits of an id's last twelve hexadecimal digits; its sum is of those digits as numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import sql

from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.postgres.session import session

FINGERPRINT = sql.SQL("('x' || right({id}::text, 12))::bit(48)::bigint")


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment. buckets: number and sum of ids, by bucket; position: the log's end after it."""

    rows: int
    buckets: dict[int, tuple[int, int]]
    oldest: datetime | None
    position: int


@dataclass(frozen=True)
class Row:
    """One outbox row, as its message must be. key and sequence as text."""

    event_id: str
    aggregate: str
    type: str
    key: str
    sequence: str | None
    route: str | None


def snapshot(dsn: str, outbox: Outbox) -> Snapshot:
    """Count and sum the table's rows; every row in it was committed before `position`."""
    names = _names(outbox)
    query = sql.SQL(
        "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from "
        "(select {fingerprint} fingerprint, {created_at} at from {table} where {aggregate_type} <> {canary}) rows "
        "group by 1"
    ).format(fingerprint=FINGERPRINT.format(**names), **names)
    with session(dsn) as connection:
        found = connection.execute(query).fetchall()
        end = connection.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
    return Snapshot(
        sum(row[1] for row in found),
        {int(row[0]): (int(row[1]), int(row[2])) for row in found},
        min((row[3] for row in found), default=None),
        int(end[0]) if end else 0,
    )


def rows(dsn: str, outbox: Outbox, buckets: Sequence[int]) -> dict[str, Row]:
    """The rows of some buckets as they are now, by id."""
    names = _names(outbox)
    query = sql.SQL(
        "select {id}::text, {aggregate_type}, {type}, {key}::text, {sequence}::text, {route}::text from {table} "
        "where {aggregate_type} <> {canary} and {fingerprint} & 4095 = any(%s)"
    ).format(fingerprint=FINGERPRINT.format(**names), **names)
    with session(dsn) as connection:
        return {row[0]: Row(*row) for row in connection.execute(query, (list(buckets),))}


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
