"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.constants import ER

from outbox_kit import dialects
from outbox_kit.errors import OutOfTime, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Outcome, Row, Snapshot
from outbox_kit.source.mysql.session import Session, address, session

GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
FINGERPRINT = "cast(conv(right({id}, 12), 16, 10) as unsigned)"
LIMIT = {  # of a statement's time: MySQL's in milliseconds, MariaDB's in seconds
    "mysql": ("max_execution_time", 1000),
    "mariadb": ("max_statement_time", 1),
}
TOO_LATE = (ER.LOCK_WAIT_TIMEOUT, ER.QUERY_INTERRUPTED, ER.QUERY_TIMEOUT, 1969)  # the last is MariaDB's


@dataclass(frozen=True)
class Table:
    """The outbox table of a database as a `Ledger`. dsn: how to reach it."""

    dsn: str
    outbox: Outbox

    def mark(self, seconds: float) -> str:  # noqa: ARG002 - as PostgreSQL's
        """Raises UsageProblem: a row here does not say when it was committed."""
        title = dialects.named(self.outbox.database.dialect).title
        raise UsageProblem(
            f"--follow cannot compare with a table in {title} yet",
            why="its rows do not say when they were committed",
            fix="leave the table out (--no-ledger), or run verify without --follow",
        )

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        query = (
            "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from (select {fingerprint} fingerprint, "
            "{at} at from {table} where {event}) summed group by 1"
        )
        found = self._asked(query, (), seconds)
        oldest = min((int(row[3]) for row in found if row[3] is not None), default=None)
        sums = {int(row[0]): (int(row[1]), int(row[2])) for row in found}
        return Snapshot(sum(row[1] for row in found), sums, oldest)

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{fingerprint} & 4095 in %s", buckets, seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{id} in %s", ids, seconds)

    def together(self, transactions: Sequence[str], seconds: float) -> dict[str, int]:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: a row here does not say which transaction wrote it."""
        return {}

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:  # noqa: ARG002
        """See `Ledger`: what was rolled back leaves no row."""
        return {}

    def fence(self) -> None:
        """See `Ledger`: the server does not know how far the connector is; a canary does."""

    def behind(self, fence: int) -> str:  # noqa: ARG002
        """See `Ledger`."""
        return "the server does not know how far the connector is"

    def _rows(self, condition: str, wanted: Sequence[Any], seconds: float) -> dict[str, Row]:
        if not wanted:
            return {}
        query = (
            "select concat({id}), {aggregate_type}, {type}, concat({key}), concat({sequence}), concat({route}), {at}, "  # noqa: S608 - names of ours
            "null from {table} where {event} and " + condition
        )
        found = self._asked(query, (tuple(wanted),), seconds)
        return {row[0]: Row(*row) for row in found}

    def _asked(self, query: str, values: tuple[Any, ...], seconds: float) -> tuple[tuple[Any, ...], ...]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(query.format_map(_names(self.outbox)), values)
            return cursor.fetchall()


@contextmanager
def _asking(dsn: str, outbox: Outbox, seconds: float) -> Iterator[Session]:
    """A session whose questions are answered in time or given up: a locked table must not hold the reader."""
    limit, unit = LIMIT[outbox.database.dialect]
    whole = max(1, round(seconds))
    with session(dsn, seconds=whole + GRACE_SECONDS) as cursor:
        cursor.execute(f"set session {limit} = {whole * unit}, session lock_wait_timeout = {whole}")
        try:
            yield cursor
        except pymysql.Error as cause:
            if cause.args[:1] and cause.args[0] not in TOO_LATE:
                raise
            raise OutOfTime(
                "the outbox table could not be read in time",
                where=address(dsn),
                why="it is locked, or too large for the time that is left",
                fix="end what locks it, allow more --timeout, or leave the table out: --no-ledger",
            ) from cause


def _names(outbox: Outbox) -> dict[str, str]:
    """Quoted names as they stand in a query with values: a percent sign is doubled for the driver."""
    c, dialect = outbox.table.columns, dialects.named(outbox.database.dialect)
    own = {
        "id": c.id,
        "aggregate_type": c.aggregate_type,
        "type": c.type,
        "key": outbox.key_column,
        "route": outbox.route_column,
        "sequence": outbox.ordering.sequence,
        "created_at": c.created_at,
    }
    quoted = {name: dialect.ident(column) if column is not None else "null" for name, column in own.items()}
    real = f"{quoted['aggregate_type']} <> {dialect.literal(CANARY_AGGREGATE)}"
    quoted["event"] = "true" if outbox.table.existing else real  # no canary is in a table of somebody else's
    quoted["table"] = dialect.ident(names(outbox).schema, outbox.table.name)
    quoted["at"] = f"cast(floor(unix_timestamp({quoted['created_at']}) * 1000) as signed)"
    quoted["fingerprint"] = FINGERPRINT.format_map(quoted)
    return {name: text.replace("%", "%%") for name, text in quoted.items()}
