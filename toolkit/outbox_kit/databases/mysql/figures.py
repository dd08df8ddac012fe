"""The figures of an outbox in MySQL or MariaDB; see `databases.figures`.

All statements are sent in one session; those about unpublished rows of a table that relays read, in a second one.
"""

from contextlib import ExitStack
from typing import Any

from outbox_kit.databases.figure_parts import SHARE, FigureParts
from outbox_kit.databases.figures import (
    DatabaseFigures,
    FailureFigures,
    HorizonFigure,
    LogFigures,
    RelayFigures,
    TableFigures,
    UnpublishedFigures,
    most_counted,
)
from outbox_kit.databases.mysql.polling import MySqlTable
from outbox_kit.databases.mysql.probe import position
from outbox_kit.databases.mysql.session import KeptSession, bound
from outbox_kit.databases.mysql.variant import variant_of
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_heartbeat

CLOCK = "select unix_timestamp(current_timestamp(6))"
EXPIRY = "show variables like 'information_schema_stats_expiry'"
CURRENT = "set session information_schema_stats_expiry = 0"
"""MySQL keeps the number of the next row for a day otherwise; MariaDB has no such variable."""
KEPT = "show global variables like 'binlog_expire_logs_seconds'"
FILES = "show binary logs"
HORIZON = """
select if(trx_mysql_thread_id = 0, 'prepared', 'session'), max(timestampdiff(second, trx_started, sysdate(6)))
from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id() group by 1
"""
TABLE = """
select table_rows, data_length + index_length, auto_increment - 1
from information_schema.tables where table_schema = database() and table_name = %(name)s
"""
MEMBERS = """
select place, lease_until > utc_timestamp(6) from {members} where lease_until > utc_timestamp(6) - interval 10 minute
"""
HEARTBEAT = "select unix_timestamp(current_timestamp(6)) - unix_timestamp(max(beat_at)) from {heartbeat}"
FAILURES = """
select coalesce(sum(dead), 0), coalesce(sum(not dead), 0), count(distinct lane_digest), coalesce(max(attempts), 0)
from (select dead, lane_digest, attempts from {failures} limit %(most)s) as f
"""
INDEXED = """
select count(*) from information_schema.statistics
where table_schema = database() and table_name = %(table)s and column_name = %(created)s and seq_in_index = 1
"""
SINCE = """
select count(*), unix_timestamp(current_timestamp(6)) - unix_timestamp(min(created)) from (
    select {created} as created from {table} where {created} > from_unixtime(%(at)s) order by {created} limit %(most)s
) as t
"""


class MySqlFigures:
    """See `FigureReader`."""

    def __init__(self, dsn: str, outbox: Outbox, seconds: float) -> None:
        """See `OpensFigures`."""
        self._outbox, self._seconds, self._block = outbox, seconds, ExitStack()
        names, variant = outbox.names, variant_of(outbox)
        self._parts = {
            "table": bound(names.schema, outbox.table.name),
            "created": bound(outbox.table.columns.created_at or outbox.table.columns.id),
            "heartbeat": bound(names.schema, names.heartbeat_table),
            "failures": bound(names.schema, names.failure_table),
            "members": bound(names.schema, names.member_table),
        }
        self._values: dict[str, Any] = {
            "table": outbox.table.name,
            "created": outbox.table.columns.created_at,
            "most": most_counted(outbox),
        }
        self._indexed: bool | None = None
        self._table: MySqlTable | None = None
        self._kept = KeptSession(dsn)
        self._block.callback(self._kept.close)
        try:
            self._rows(f"set session {variant.time_limit} = {round(seconds * SHARE * variant.units_per_second, 3):g}")
            if self._rows(EXPIRY):
                self._rows(CURRENT)
            if outbox.delivery.polls:
                self._table = self._block.enter_context(MySqlTable(dsn, outbox).examined())
        except BaseException:
            self._block.close()
            raise

    def read(self) -> DatabaseFigures:
        """See `FigureReader`."""
        outbox, parts = self._outbox, FigureParts(self._seconds)
        at = float(self._rows(CLOCK)[0][0])
        log = parts.read("log", lambda: self._log(at)) if not outbox.delivery.polls else None
        table, by_relay = self._table, outbox.delivery.by == "relay"
        return DatabaseFigures(
            log=log or LogFigures(at, None),
            horizon=parts.read("horizon", self._horizon),
            table=parts.read("table", lambda: self._table_figures(outbox.table.name)),
            inbox=parts.read("inbox", lambda: self._table_figures(outbox.names.inbox[-1])),
            heartbeat_seconds=parts.read("heartbeat", self._heartbeat) if has_heartbeat(outbox) else None,
            unpublished=parts.read("unpublished", lambda: self._unpublished(table)) if table is not None else None,
            failures=parts.read("failures", self._failures) if by_relay else None,
            relays=parts.read("relays", self._relays) if by_relay else None,
            unread=parts.unread,
        )

    def rows_since(self, at: float) -> UnpublishedFigures | None:
        """See `FigureReader`."""
        if self._values["created"] is None:
            return None
        if self._indexed is None:
            self._indexed = bool(self._rows(INDEXED)[0][0])
        if not self._indexed:
            return None
        count, oldest = self._rows(SINCE, at=at)[0]
        return UnpublishedFigures(int(count), _number(oldest))

    def close(self) -> None:
        """See `FigureReader`."""
        self._block.close()

    def _log(self, at: float) -> LogFigures:
        status = self._rows(variant_of(self._outbox).log_status)
        files, kept = self._rows(FILES), self._rows(KEPT)
        first = position({"file": files[0][0], "pos": 0}) if files else None
        end = position({"file": status[0][0], "pos": status[0][1]}) if status else None
        return LogFigures(at, end, first, (float(kept[0][1]) or None) if kept else None)

    def _horizon(self) -> list[HorizonFigure]:
        return [HorizonFigure(kind, _number(seconds), None) for kind, seconds in self._rows(HORIZON)]

    def _table_figures(self, name: str) -> TableFigures | None:
        rows = self._rows(TABLE, name=name)
        if not rows:
            return None
        count, size, inserted = (None if value is None else int(value) for value in rows[0])
        return TableFigures(count, None, size, inserted)

    def _heartbeat(self) -> float | None:
        return _number(self._rows(HEARTBEAT)[0][0])

    def _unpublished(self, table: MySqlTable) -> UnpublishedFigures:
        return UnpublishedFigures(*table.unpublished_rows(self._values["most"]))

    def _failures(self) -> FailureFigures:
        return FailureFigures(*map(int, self._rows(FAILURES)[0]))

    def _relays(self) -> RelayFigures:
        rows = self._rows(MEMBERS)
        return RelayFigures(sum(1 for _, runs in rows if runs), [place for place, runs in rows if not runs])

    def _rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        with self._kept.use(seconds=self._seconds) as cursor:
            cursor.execute(statement.format(**self._parts), self._values | values)
            return list(cursor.fetchall())


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def open_figures(dsn: str, outbox: Outbox, seconds: float) -> MySqlFigures:
    """See `OpensFigures`."""
    return MySqlFigures(dsn, outbox, seconds)
