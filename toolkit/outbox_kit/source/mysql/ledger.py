"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pymysql
from pymysql.constants import ER

from outbox_kit import dialects
from outbox_kit.errors import OutOfTime, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import LONGEST_SECONDS, Outcome, Row, RowsAlone, Snapshot, dated, moment, summed
from outbox_kit.source.mysql.session import Session, address, session

OUTCOMES, OUTCOMES_SECONDS = 10_000, 30.0  # ids in one question, and what it may take
GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
FINGERPRINT = "cast(conv(right({id}, 12), 16, 10) as unsigned)"
LIMIT = {  # of a statement's time: MySQL's in milliseconds, MariaDB's in seconds
    "mysql": ("max_execution_time", 1000),
    "mariadb": ("max_statement_time", 1),
}
STATEMENT_MS = 2000  # from a statement's beginning, of which its rows have their time, to its transaction's being known
CLOCKS_MS = 60_000  # how far this clock and those that stamp messages may be apart
# a transaction that has taken no lock has written nothing; their times are in the server's own zone
OPEN = (
    "select cast(floor(unix_timestamp(current_timestamp(6)) * 1000) as signed), (select cast(min(unix_timestamp("
    "trx_started)) * 1000 as signed) from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id() "
    "and (trx_lock_structs > 0 or trx_rows_modified > 0))"
)
ANY = "select 1 from {table} where {event} limit 1"
TOO_LATE = (ER.LOCK_WAIT_TIMEOUT, ER.QUERY_INTERRUPTED, ER.QUERY_TIMEOUT, 1969)  # the last is MariaDB's


class Table(RowsAlone):
    """The outbox table of a database as a `Ledger`.

    Its rows do not say when they were committed: between two marks are those that were written after the first one's
    horizon and before the second's, a moment before which nobody is writing any more.
    """

    def mark(self, seconds: float, after: str = "") -> str:
        """The horizon and the present moment. after: the mark before, behind whose horizon this one's never is.

        Raises OutOfTime, UsageProblem.
        """
        dated(self.outbox)
        if self.outbox.table.existing:
            title = dialects.named(self.outbox.database.dialect).title
            raise UsageProblem(
                f"--follow cannot compare with a table of somebody else's in {title}",
                why="nothing says how far the connector is, and no row of ours is written there that would",
                fix="leave the table out (--no-ledger), or run verify without --follow",
            )
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute("set session time_zone = 'SYSTEM'")
            cursor.execute(OPEN)
            ((now, oldest),) = cursor.fetchall()
        horizon = max(min(now, now if oldest is None else oldest) - STATEMENT_MS, now - LONGEST_SECONDS * 1000)
        return f"{max(horizon, _horizon(after) if after else 0)}@{now}"

    @staticmethod
    def goes_on(before: str, now: str) -> bool:
        """Whether two marks can be of one database: its clock goes on."""
        return moment(before) <= moment(now)

    @staticmethod
    def since(mark: str) -> int:
        """From when on messages may be of rows after a mark, by their timestamps: milliseconds since 1970."""
        return _horizon(mark) - CLOCKS_MS

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        query = (
            "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from (select {fingerprint} fingerprint, "
            "{at} at from {table} where {event} and {between}) summed group by 1"
        )
        found = summed(self._asked(query, (), seconds))
        if self.between and self._asked(ANY, (), seconds):
            return replace(found, oldest=self.since(self.between[0]))
        return found

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{fingerprint} & 4095 in %s and {between}", buckets, seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{id} in %s", ids, seconds)

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """See `Ledger`: what was rolled back leaves no row; what was written at other times does."""
        asked, found = list(ids) if self.between else [], dict[str, Outcome]()
        for n in range(0, len(asked), OUTCOMES):
            found |= dict.fromkeys(self.rows_of(asked[n : n + OUTCOMES], OUTCOMES_SECONDS), Outcome.committed)
        return found

    def _rows(self, condition: str, wanted: Sequence[Any], seconds: float) -> dict[str, Row]:
        if not wanted:
            return {}
        query = (
            "select concat({id}), {aggregate_type}, {type}, concat({key}), concat({sequence}), concat({route}), {at}, "  # noqa: S608 - names of ours
            "null from {table} where {event} and " + condition
        )
        found = self._asked(query, (tuple(wanted),), seconds)
        return {row[0]: Row(*row) for row in found}

    def _written(self) -> str:
        """The condition that a row was written between the horizons."""
        if self.between is None:
            return "true"
        begin, end = (f"from_unixtime({_horizon(one)} / 1000)" for one in self.between)
        column = "{created_at}".format_map(_names(self.outbox))
        return f"{column} >= {begin} and {column} < {end}"

    def _asked(self, query: str, values: tuple[Any, ...], seconds: float) -> tuple[tuple[Any, ...], ...]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(query.format_map(_names(self.outbox) | {"between": self._written()}), values)
            return cursor.fetchall()


def _horizon(mark: str) -> int:
    """In milliseconds since 1970."""
    return int(mark.partition("@")[0])


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
