"""The outbox table as the ledger of what must arrive."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from outbox_kit.dialects.oracle import ORACLE
from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Row, RowsAlone, Snapshot, summed
from outbox_kit.source.oracle.session import TIME_IS_UP, Session, address, code, driver, session

FINGERPRINT = "to_number(substr('000000000000' || {id}, -12), 'xxxxxxxxxxxx')"
SINCE_1970 = "({created_at} - timestamp '1970-01-01 00:00:00')"
AT = " + ".join(
    f"floor(extract({unit} from {SINCE_1970}) * {milliseconds})"
    for unit, milliseconds in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000))
)
SUMMED = (
    "select mod(fingerprint, 4096), count(*), sum(fingerprint), min(at) from (select {fingerprint} fingerprint, "
    "{at} at from {table} where {event}) group by mod(fingerprint, 4096)"
)
ROWS = (
    "select to_char({id}), {aggregate_type}, {type}, to_char({key}), to_char({sequence}), to_char({route}), {at}, null "
    "from {table} where {event} and {wanted} in "
    "(select item from json_table(:wanted, '$[*]' columns (item varchar2(36) path '$')))"
)


class Table(RowsAlone):
    """The outbox table of a database as a `Ledger`."""

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        return summed(self._asked(statement(self.outbox, SUMMED), {}, seconds))

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("mod({fingerprint}, 4096)", buckets, seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{id}", ids, seconds)

    def _rows(self, wanted: str, values: Sequence[Any], seconds: float) -> dict[str, Row]:
        if not values:
            return {}
        query = statement(self.outbox, ROWS.replace("{wanted}", wanted))
        found = self._asked(query, {"wanted": json.dumps(list(values))}, seconds)
        return {row[0]: Row(*row) for row in found}

    def _asked(self, query: str, values: dict[str, Any], seconds: float) -> list[tuple[Any, ...]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            if values:
                cursor.setinputsizes(wanted=driver().DB_TYPE_CLOB)  # a text may be no longer than 32 thousand bytes
            cursor.execute(query, values)
            return list(cursor.fetchall())


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


def statement(outbox: Outbox, query: str) -> str:
    """A query with the outbox's own names in it, quoted."""
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
    quoted["fingerprint"] = FINGERPRINT.format_map(quoted)
    return query.format_map(quoted)
