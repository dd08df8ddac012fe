"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from psycopg import errors, sql

from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Outcome, Row, Snapshot
from outbox_kit.source.postgres import probe
from outbox_kit.source.postgres.session import Session, address, session

GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
FINGERPRINT = sql.SQL("('x' || right({id}::text, 12))::bit(48)::bigint")


@dataclass(frozen=True)
class Table:
    """The outbox table of a database as a `Ledger`. dsn: how to reach it."""

    dsn: str
    outbox: Outbox

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        own = _names(self.outbox)
        query = sql.SQL(
            "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from "
            "(select {fingerprint} fingerprint, {created_at} at from {table} where {aggregate_type} <> {canary}) rows "
            "group by 1"
        ).format(fingerprint=FINGERPRINT.format(**own), **own)
        with _asking(self.dsn, seconds) as connection:
            found = connection.execute(query).fetchall()
        oldest = min((row[3] for row in found), default=None)
        return Snapshot(
            sum(row[1] for row in found),
            {int(row[0]): (int(row[1]), int(row[2])) for row in found},
            None if oldest is None else int(oldest.timestamp() * 1000),
        )

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        condition = sql.SQL("{fingerprint} & 4095 = any(%s)").format(
            fingerprint=FINGERPRINT.format(**_names(self.outbox))
        )
        return self._rows(condition, list(buckets), seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        condition = sql.SQL("{id} = any(%s::uuid[])").format(**_names(self.outbox))
        return self._rows(condition, list(ids), seconds)

    def together(self, transactions: Sequence[str], seconds: float) -> dict[str, int]:
        """See `Ledger`; a transaction with savepoints is several here."""
        query = sql.SQL("select xmin::text, count(*) from {table} where xmin::text = any(%s) group by 1")
        with _asking(self.dsn, seconds) as connection:
            return dict(connection.execute(query.format(**_names(self.outbox)), (list(transactions),)).fetchall())

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: what was rolled back leaves no row."""
        return {}

    def fence(self) -> int:
        """See `Ledger`; in bytes of log since its beginning: all that can be seen in the table is before that."""
        with session(self.dsn) as connection:
            found = connection.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
        return int(found[0]) if found else 0

    def behind(self, fence: int) -> str:
        """See `Ledger`: what the slot has confirmed has been published."""
        name = names(self.outbox).slot
        slot = probe.slot(self.dsn, name)
        if slot is None:
            return f"there is no slot '{name}'"
        return "" if slot.confirmed >= fence else f"{fence - slot.confirmed} bytes of log are unread by slot '{name}'"

    def _rows(self, condition: sql.Composable, wanted: list[Any], seconds: float) -> dict[str, Row]:
        query = sql.SQL(
            "select {id}::text, {aggregate_type}, {type}, {key}::text, {sequence}::text, {route}::text, "
            "(extract(epoch from {created_at}) * 1000)::bigint, xmin::text from {table} "
            "where {aggregate_type} <> {canary} and {condition}"
        ).format(condition=condition, **_names(self.outbox))
        with _asking(self.dsn, seconds) as connection:
            return {row[0]: Row(*row) for row in connection.execute(query, (wanted,))}


@contextmanager
def _asking(dsn: str, seconds: float) -> Iterator[Session]:
    """A session whose questions are answered in time or given up: a locked table must not hold the reader."""
    with session(dsn, seconds=max(1.0, seconds) + GRACE_SECONDS) as connection:
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
