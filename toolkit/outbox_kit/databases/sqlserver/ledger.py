"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import (
    ROWS_AT_ONCE,
    ComparableParts,
    Row,
    Snapshot,
    SnapshotOnlyLedger,
    quoted_names,
    summed,
    unread_in_time,
)
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.session import Session, address, number, pymssql, session
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.parts import MessagePart

GRACE_SECONDS = 5.0  # for the server to report the timeout itself
TOO_LATE = (1222, 20003)  # a lock that was not to be had, an answer that did not come
# the first 15 digits of a hash of bytes, as a number
NUMBER = "cast(convert(varbinary(8), '0' + left(convert(char(64), hashbytes('SHA2_256', {}), 2), 15), 2) as bigint)"
SHORT = "lower(left(convert(char(64), hashbytes('SHA2_256', {}), 2), 16))"
SEPARATOR, ABSENT = 31, 30
# whose text is what the connector sends
TEXTS = {"char", "varchar", "nchar", "nvarchar", "uniqueidentifier", "tinyint", "smallint", "int", "bigint", "bit"}
TYPES = (
    "select column_name, data_type from information_schema.columns "
    "where table_schema = %(schema)s and table_name = %(table)s"
)
TEXT = "cast({} as nvarchar(max))"
AT = "datediff_big(millisecond, cast('1970-01-01T00:00:00Z' as datetimeoffset), {})"
SUMS = (
    "select number & 4095, count_big(*), sum(cast(number as decimal(38, 0))), min(written) "
    "from (select {number} number, {at} written from {table} where {event}) summed group by number & 4095"
)
ROWS = (
    "select {id_text}, {aggregate_type}, {type}, {key}, {sequence}, {route}, {at}, null{listed} "
    "from {table} where {event} and {condition}"
)


class TableLedger(SnapshotOnlyLedger):
    """The outbox table of a database as a `Ledger`."""

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:
        """See `Ledger`: of an existing table, only columns that the connector sends in the text form of the server."""
        if not self.outbox.table.existing:
            return ComparableParts(tuple(parts))
        place = {"schema": self.outbox.names.schema, "table": self.outbox.table.name}
        types = {name: str(kind).lower() for name, kind in self._fetched_rows(TYPES, place, seconds)}
        return ComparableParts(tuple(p for p in parts if types.get(p.column) in ({"varbinary"} if p.binary else TEXTS)))

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        return summed(self._fetched_rows(SUMS, {}, seconds, number=_number(self.outbox, parts)))

    def read(
        self, parts: Sequence[MessagePart], buckets: Sequence[int] | None, seconds: float
    ) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        condition = "1 = 1" if buckets is None else f"{_number(self.outbox, parts)} & 4095 in %(wanted)s"
        values = {} if buckets is None else {"wanted": tuple(buckets)}
        query = self._filled(ROWS, condition=condition, listed=_listed(map(_compared, parts)))
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(query, values)
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield list(map(Row.of, rows))

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        if not ids:
            return {}
        condition = f"{SQLSERVER.quote_ident(router_columns(self.outbox).id)} in %(wanted)s"
        listed = _listed(map(_whole, parts))
        rows = self._fetched_rows(ROWS, {"wanted": tuple(ids)}, seconds, condition=condition, listed=listed)
        return {row[0]: Row.of(row) for row in rows}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return self._scalar("select min({at}) from {table} where {event}", {}, seconds)

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        query = "select min({sequence_number}) from {table} where {event} and {at} >= %(since)s"
        return self._scalar(query, {"since": since}, seconds)

    def _scalar(self, query: str, values: dict[str, Any], seconds: float) -> int | None:
        ((value,),) = self._fetched_rows(query, values, seconds)
        return None if value is None else int(value)

    def _filled(self, query: str, **more: str) -> str:
        return query.format_map(_names(self.outbox) | more)

    def _fetched_rows(self, query: str, values: dict[str, Any], seconds: float, **more: str) -> list[tuple[Any, ...]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(self._filled(query, **more), values)
            return list(cursor.fetchall())


def _text(part: MessagePart) -> str:
    """A column as the text that its message has."""
    column = SQLSERVER.quote_ident(part.column)
    if part.kind == "boolean":
        return f"case {column} when 1 then N'true' when 0 then N'false' end"
    return TEXT.format(column)


def _octets(part: MessagePart) -> str:
    return SQLSERVER.quote_ident(part.column) if part.binary else f"cast({_utf8(_text(part))} as varbinary(max))"


def _utf8(text: str) -> str:
    return SQLSERVER.conditions.text.format(text)


def _compared(part: MessagePart) -> str:
    """A value as rows are compared by it; a payload is a few digits."""
    return SHORT.format(_octets(part)) if part.place == "payload" else _text(part)


def _whole(part: MessagePart) -> str:
    return SQLSERVER.quote_ident(part.column) if part.binary else _text(part)


def _listed(values: Iterable[str]) -> str:
    return "".join(f", {value}" for value in values)


def _number(outbox: Outbox, parts: Sequence[MessagePart]) -> str:
    """A row's number; see `digest`."""
    text = TEXT.format(SQLSERVER.quote_ident(router_columns(outbox).id))
    canonical = f"lower({text})" if outbox.table.ids in digest.FOLDED else text
    texts = [canonical, *(f"coalesce({_text(part)}, nchar({ABSENT}))" for part in parts if not part.binary)]
    joined = f" + nchar({SEPARATOR}) + ".join(texts)
    whole = f"cast({_utf8(joined)} as varbinary(max))"
    if digest.is_binary(parts):
        whole += f" + cast({SEPARATOR} as binary(1)) + coalesce({_octets(parts[-1])}, cast({ABSENT} as binary(1)))"
    return NUMBER.format(whole)


@contextmanager
def _asking(dsn: str, outbox: Outbox, seconds: float) -> Iterator[Session]:
    """A session with a time limit for each query, so that a locked table does not block the reader."""
    whole = max(1, round(seconds))
    with session(dsn, outbox.names.database, seconds=whole + GRACE_SECONDS) as cursor:
        cursor.execute(f"set lock_timeout {whole * 1000}")
        try:
            yield cursor
        except pymssql().Error as cause:
            if number(cause) not in TOO_LATE:
                raise
            raise unread_in_time(address(dsn)) from cause


def _names(outbox: Outbox) -> dict[str, str]:
    """What stands in a query for the words in braces."""
    quoted = quoted_names(outbox)
    text = {name: TEXT.format(quoted[name]) for name in ("id", "key", "route", "sequence")}
    # a uniqueidentifier as text is in upper case, here and in the message
    quoted["id_text"] = f"lower({text['id']})" if outbox.table.ids in digest.FOLDED else text["id"]
    quoted["sequence_number"] = quoted["sequence"]
    quoted |= {"key": text["key"], "route": text["route"]}
    quoted["sequence"] = text["sequence"] if outbox.ordering.sequence else "null"
    quoted["at"] = AT.format(quoted["created_at"]) if outbox.table.columns.created_at else "null"
    return quoted
