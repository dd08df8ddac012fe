"""The figures of an outbox in PostgreSQL; see `databases.figures`. All statements are sent in one session.

No statement reads the outbox table as a whole: sizes and numbers are those of the catalogue and the statistics, the
last value of the sequence is the number of inserts, and rows are found by an index, up to a limit.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from psycopg import errors, sql

from outbox_kit.databases.figure_parts import SHARE, FigureParts
from outbox_kit.databases.figures import (
    DatabaseFigures,
    FailureFigures,
    HorizonFigure,
    LogFigures,
    RelayFigures,
    SlotFigures,
    TableFigures,
    UnpublishedFigures,
    most_counted,
)
from outbox_kit.databases.postgres import polling
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.lanes import APPLICATION
from outbox_kit.databases.postgres.row_table import RowTable
from outbox_kit.databases.postgres.session import KeptSession, identifier
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_heartbeat, has_publication, has_slot

STATEMENTS = dict(
    re.findall(
        r"^-- name: (\w+)\n(.*?)(?=^-- name|\Z)",
        Path(__file__).with_name("figures.sql").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
MEGABYTE = 1024 * 1024
HIDDEN = "the user does not see the sessions of other users; grant it pg_read_all_stats"


class PostgresFigures:
    """See `FigureReader`."""

    def __init__(self, dsn: str, outbox: Outbox, seconds: float) -> None:
        """See `OpensFigures`."""
        self._outbox, self._seconds = outbox, seconds
        self._rows: RowTable | None = polling.row_table(dsn, outbox) if outbox.delivery.polls else None
        names, ident = outbox.names, POSTGRES.quote_ident
        self._parameters: dict[str, Any] = {
            "sequence": outbox.ordering.sequence if outbox.ordering.assigned_by == "database" else None,
            "table": ident(names.schema, outbox.table.name),
            "schema": names.schema,
            "name": outbox.table.name,
            "publication": names.publication,
            "created": outbox.table.columns.created_at,
            "slot": names.slot,
            "application": APPLICATION,
            "most": most_counted(outbox),
        }
        self._parts = {
            "table": identifier(names.schema, outbox.table.name),
            "created": identifier(outbox.table.columns.created_at or outbox.table.columns.id),
            "heartbeat": identifier(names.schema, names.heartbeat_table),
            "failures": identifier(names.schema, names.failure_table),
            "members": identifier(names.schema, names.member_table),
        }
        self._indexed: bool | None = None
        self._kept = KeptSession(dsn)
        try:
            self._ask(
                "select set_config('statement_timeout', %(ms)s, false)", {"ms": str(round(seconds * SHARE * 1000))}
            )
        except BaseException:
            self._kept.close()
            raise

    def read(self) -> DatabaseFigures:
        """See `FigureReader`."""
        outbox, parts = self._outbox, FigureParts(self._seconds)
        inserted, log = self._log()
        slot = parts.read("slot", self._slot) if has_slot(outbox) else None
        table = parts.read("table", lambda: self._table(self._parameters["table"], inserted))
        by_relay = outbox.delivery.by == "relay"
        return DatabaseFigures(
            log=log,
            slot=slot,
            publication=parts.read("publication", lambda: bool(self._ask_statement("publication")))
            if has_publication(outbox)
            else None,
            horizon=parts.read("horizon", self._horizon),
            table=table if outbox.table.storage == "table" else None,
            inbox=parts.read("inbox", lambda: self._table(POSTGRES.quote_ident(*outbox.names.inbox))),
            heartbeat_seconds=parts.read("heartbeat", lambda: self._ask_statement("heartbeat"))
            if has_heartbeat(outbox)
            else None,
            unpublished=parts.read("unpublished", self._unpublished) if self._rows is not None else None,
            failures=parts.read("failures", lambda: FailureFigures(**self._ask_statement("failures")))
            if by_relay
            else None,
            relays=parts.read("relays", lambda: RelayFigures(**self._ask_statement("member")))
            if self._rows is not None
            else None,
            unread=parts.unread,
        )

    def rows_since(self, at: float) -> UnpublishedFigures | None:
        """See `FigureReader`."""
        if self._parameters["created"] is None or self._outbox.table.storage != "table":
            return None
        if self._indexed is None:
            self._indexed = bool(self._ask_statement("indexed"))
        if not self._indexed:
            return None
        answer = self._ask_statement("since", at=at)
        return UnpublishedFigures(answer["rows"], answer["oldest"])

    def close(self) -> None:
        """See `FigureReader`."""
        self._kept.close()

    def _log(self) -> tuple[int | None, LogFigures]:
        """The number of inserts by the sequence, None if it is not readable; and the log."""
        answer = self._ask_statement("log")
        cap = answer["cap_mb"]
        end = None if self._outbox.delivery.polls else int(answer["end"])
        return answer["inserted"], LogFigures(answer["at"], end, cap=None if cap is None else cap * MEGABYTE)

    def _slot(self) -> SlotFigures | None:
        row = self._ask_statement("slot")
        if row is None:
            return None
        return SlotFigures(
            active=row["active"],
            wal_status=row["wal_status"] or "",
            confirmed=row["confirmed"],
            retained=row["retained"],
            unconfirmed=row["unconfirmed"],
            safe=row.get("safe_wal_size"),
            inactive_seconds=None if row["active"] else row["inactive"],
        )

    def _horizon(self) -> list[HorizonFigure]:
        answer = self._ask_statement("horizon")
        if not answer["sees_sessions"]:
            raise DatabaseRefused("sessions are not visible", why=HIDDEN)
        return [HorizonFigure(*kind) for kind in answer["kinds"]]

    def _table(self, table: str, inserted: int | None = None) -> TableFigures | None:
        answer = self._ask_statement("table", table=table)
        if answer["rows"] is None:
            return None
        return TableFigures(
            answer["rows"], answer["dead"], answer["bytes"], answer["inserted"] if inserted is None else inserted
        )

    def _unpublished(self) -> UnpublishedFigures:
        rows = self._rows
        assert rows is not None  # noqa: S101 - relays read the table
        with self._kept.use(transaction=True, seconds=self._seconds) as connection:
            try:
                return UnpublishedFigures(*rows.unpublished_rows(connection, self._parameters["most"]))
            except errors.QueryCanceled as late:
                raise TimeoutError(str(late)) from late

    def _ask_statement(self, name: str, **values: Any) -> Any:
        return self._ask(STATEMENTS[name], self._parameters | values)

    def _ask(self, statement: str, values: Mapping[str, Any]) -> Any:
        """The first value of the first row; None without a row. Raises TimeoutError where the server gives up."""
        query = sql.SQL(statement).format(**self._parts)
        with self._kept.use(seconds=self._seconds) as connection:
            try:
                row = connection.execute(query, values).fetchone()
            except errors.QueryCanceled as late:
                raise TimeoutError(str(late)) from late
        return row[0] if row else None


def open_figures(dsn: str, outbox: Outbox, seconds: float) -> PostgresFigures:
    """See `OpensFigures`."""
    return PostgresFigures(dsn, outbox, seconds)
