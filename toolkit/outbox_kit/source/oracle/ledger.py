"""The outbox table as the ledger of what must arrive."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from outbox_kit.dialects.oracle import ORACLE
from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.parts import Part
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source import digest
from outbox_kit.source.ledger import ROWS_AT_ONCE, Held, Row, RowsAlone, Snapshot, chosen, counted
from outbox_kit.source.oracle.session import TIME_IS_UP, Session, address, code, driver, session

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


class Table(RowsAlone):
    """The outbox table of a database as a `Ledger`. Hashes are made here: the server has none of a LOB."""

    def held(self, parts: Sequence[Part], seconds: float) -> Held:
        """See `Ledger`: payloads are sampled, for whoever reads them all reads LOBs one by one."""
        digested = [part for part in parts if part.place != "payload"]
        if self.outbox.table.existing:
            place = {"owner": names(self.outbox).schema, "name": self.outbox.table.name}
            types = dict(self._asked(TYPES, place, seconds))
            digested = [part for part in digested if types.get(part.column) in TEXTS]
        return Held(tuple(digested), tuple(part for part in parts if part.place == "payload"))

    def snapshot(self, parts: Sequence[Part], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        return counted(self._read(parts, seconds))

    def read(self, parts: Sequence[Part], buckets: Sequence[int] | None, seconds: float) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        yield from chosen(self._read(parts, seconds), buckets)

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[Part] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        if not ids:
            return {}
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.setinputsizes(wanted=driver().DB_TYPE_CLOB)  # a text may be no longer than 32 thousand bytes
            cursor.execute(
                statement(self.outbox, ROWS + AMONG, [_whole(part) for part in parts]),
                {"wanted": json.dumps(list(ids))},
            )
            found = (Row.of(row) for row in cursor.fetchall())
            return {row.event_id: replace(row, values=tuple(map(_loaded, row.values))) for row in found}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return _number(self._asked(statement(self.outbox, OLDEST), {}, seconds))

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        return _number(self._asked(statement(self.outbox, LOWEST), {"since": since}, seconds))

    def _read(self, parts: Sequence[Part], seconds: float) -> Iterator[Sequence[Row]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(statement(self.outbox, ROWS, [_text(part) for part in parts]), {})
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield list(map(Row.of, rows))

    def _asked(self, query: str, values: dict[str, Any], seconds: float) -> list[tuple[Any, ...]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(query, values)
            return list(cursor.fetchall())


def _text(part: Part) -> str:
    """A column as the text that its message has."""
    column = ORACLE.ident(part.column)
    return (
        f"case {column} when 1 then 'true' when 0 then 'false' end" if part.kind == "boolean" else f"to_char({column})"
    )


def _whole(part: Part) -> str:
    return ORACLE.ident(part.column) if part.place == "payload" else _text(part)


def _loaded(value: Any) -> Any:
    """A value, of a LOB what is in it."""
    return value.read() if hasattr(value, "read") else value


def _number(found: Sequence[Sequence[Any]]) -> int | None:
    ((number,),) = found
    return None if number is None else int(number)


@contextmanager
def _asking(dsn: str, outbox: Outbox, seconds: float) -> Iterator[Session]:
    """A session whose questions are answered in time or given up."""
    with session(dsn, outbox, seconds=seconds) as cursor:
        try:
            yield cursor
        except driver().Error as cause:
            if code(cause) != TIME_IS_UP:
                raise
            raise OutOfTime(
                "the outbox table could not be read in time",
                where=address(dsn),
                why="it is too large for the time that is left",
                fix="allow more --timeout, or leave the table out: --no-ledger",
            ) from cause


def statement(outbox: Outbox, query: str, values: Sequence[str] = ()) -> str:
    """A query with the outbox's own names in it, quoted. values: expressions that are selected too."""
    c = outbox.table.columns
    own = {
        "id": c.id,
        "aggregate_type": c.aggregate_type,
        "type": c.type,
        "key": outbox.key_column,
        "route": outbox.route_column,
        "created_at": c.created_at,
    }
    quoted = {name: ORACLE.ident(column) if column is not None else "null" for name, column in own.items()}
    real = f"{quoted['aggregate_type']} <> {ORACLE.literal(CANARY_AGGREGATE)}"
    quoted["event"] = "1 = 1" if outbox.table.existing else real  # no canary is in a table of somebody else's
    quoted["sequence"] = ORACLE.ident(outbox.ordering.sequence) if outbox.ordering.sequence else "null"
    quoted["table"] = ORACLE.ident(names(outbox).schema, outbox.table.name)
    quoted["at"] = AT.format_map(quoted) if c.created_at else "null"
    quoted["canonical"] = f"{'lower' if outbox.table.ids in digest.FOLDED else 'to_char'}({quoted['id']})"
    quoted["values"] = "".join(f", {value}" for value in values)
    return query.format_map(quoted)
