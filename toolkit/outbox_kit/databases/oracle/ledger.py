"""The outbox table as the ledger of what must arrive."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import (
    ROWS_AT_ONCE,
    ComparableParts,
    Row,
    Snapshot,
    SnapshotOnlyLedger,
    chosen,
    counted,
    quoted_names,
    unread_in_time,
)
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.oracle.session import TIME_IS_UP, Session, address, code, driver, session
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.parts import MessagePart

SINCE_1970 = "({created_at} - timestamp '1970-01-01 00:00:00')"
AT = " + ".join(
    f"floor(extract({unit} from {SINCE_1970}) * {milliseconds})"
    for unit, milliseconds in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000))
)
ROWS = (
    "select {canonical}, {aggregate_type}, {type}, to_char({key}), to_char({sequence}), to_char({route}), {at}, "
    "null{values} from {table} where {event}"
)
AMONG = " and {canonical} in (select item from json_table(:wanted, '$[*]' columns (item varchar2(255) path '$')))"
OLDEST = "select min({at}) from {table} where {event}"
LOWEST = "select min({sequence}) from {table} where {event} and {at} >= :since"
# whose text is what the connector sends
TEXTS = {"VARCHAR2", "NVARCHAR2", "CHAR"}
TYPES = "select column_name, data_type from all_tab_columns where owner = :owner and table_name = :name"


class TableLedger(SnapshotOnlyLedger):
    """The outbox table of a database as a `Ledger`. Hashes are made here: the server has none of a LOB."""

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:
        """See `Ledger`: payloads are sampled, because each LOB is read separately."""
        digested = [part for part in parts if part.place != "payload"]
        if self.outbox.table.existing:
            place = {"owner": self.outbox.names.schema, "name": self.outbox.table.name}
            types = dict(self._fetched_rows(TYPES, place, seconds))
            digested = [part for part in digested if types.get(part.column) in TEXTS]
        return ComparableParts(tuple(digested), tuple(part for part in parts if part.place == "payload"))

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        return counted(self._read(parts, seconds))

    def read(
        self, parts: Sequence[MessagePart], buckets: Sequence[int] | None, seconds: float
    ) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        yield from chosen(self._read(parts, seconds), buckets)

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        if not ids:
            return {}
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.setinputsizes(wanted=driver().DB_TYPE_CLOB)  # a text may be no longer than 32 thousand bytes
            cursor.execute(
                statement(self.outbox, ROWS + AMONG, [_whole(part) for part in parts]),
                {"wanted": json.dumps(list(ids))},
            )
            rows = (Row.of(row) for row in cursor.fetchall())
            return {row.event_id: replace(row, values=tuple(map(_loaded, row.values))) for row in rows}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return _number(self._fetched_rows(statement(self.outbox, OLDEST), {}, seconds))

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        return _number(self._fetched_rows(statement(self.outbox, LOWEST), {"since": since}, seconds))

    def _read(self, parts: Sequence[MessagePart], seconds: float) -> Iterator[Sequence[Row]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(statement(self.outbox, ROWS, [_text(part) for part in parts]), {})
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield list(map(Row.of, rows))

    def _fetched_rows(self, query: str, values: dict[str, Any], seconds: float) -> list[tuple[Any, ...]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(query, values)
            return list(cursor.fetchall())


def _text(part: MessagePart) -> str:
    """A column as the text that its message has."""
    column = ORACLE.quote_ident(part.column)
    return (
        f"case {column} when 1 then 'true' when 0 then 'false' end" if part.kind == "boolean" else f"to_char({column})"
    )


def _whole(part: MessagePart) -> str:
    return ORACLE.quote_ident(part.column) if part.place == "payload" else _text(part)


def _loaded(value: Any) -> Any:
    """A value, of a LOB what is in it."""
    return value.read() if hasattr(value, "read") else value


def _number(rows: Sequence[Sequence[Any]]) -> int | None:
    ((number,),) = rows
    return None if number is None else int(number)


@contextmanager
def _asking(dsn: str, outbox: Outbox, seconds: float) -> Iterator[Session]:
    """A session with a time limit for each query."""
    with session(dsn, outbox, seconds=seconds) as cursor:
        try:
            yield cursor
        except driver().Error as cause:
            if code(cause) != TIME_IS_UP:
                raise
            raise unread_in_time(address(dsn), locks=False) from cause


def statement(outbox: Outbox, query: str, values: Sequence[str] = ()) -> str:
    """A query with the outbox's own names in it, quoted. values: expressions that are selected too."""
    quoted = quoted_names(outbox)
    quoted["at"] = AT.format_map(quoted) if outbox.table.columns.created_at else "null"
    quoted["canonical"] = f"{'lower' if outbox.table.ids in digest.FOLDED else 'to_char'}({quoted['id']})"
    quoted["values"] = "".join(f", {value}" for value in values)
    return query.format_map(quoted)
