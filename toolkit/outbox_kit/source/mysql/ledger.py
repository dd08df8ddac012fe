"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pymysql
from pymysql.constants import ER

from outbox_kit import dialects
from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Row, RowsAlone, Snapshot, summed
from outbox_kit.source.mysql.session import Session, address, session

GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
FINGERPRINT = "cast(conv(right({id}, 12), 16, 10) as unsigned)"
LIMIT = {  # of a statement's time: MySQL's in milliseconds, MariaDB's in seconds
    "mysql": ("max_execution_time", 1000),
    "mariadb": ("max_statement_time", 1),
}
TOO_LATE = (ER.LOCK_WAIT_TIMEOUT, ER.QUERY_INTERRUPTED, ER.QUERY_TIMEOUT, 1969)  # the last is MariaDB's


class Table(RowsAlone):
    """The outbox table of a database as a `Ledger`."""

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        query = (
            "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from (select {fingerprint} fingerprint, "
            "{at} at from {table} where {event}) summed group by 1"
        )
        return summed(self._asked(query, (), seconds))

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{fingerprint} & 4095 in %s", buckets, seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{id} in %s", ids, seconds)

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
