"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from outbox_kit.dialects.sqlserver import SQLSERVER
from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Row, RowsAlone, Snapshot, summed
from outbox_kit.source.sqlserver.session import Session, address, number, pymssql, session

GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
TOO_LATE = (1222, 20003)  # a lock that was not to be had, an answer that did not come
FINGERPRINT = "cast(convert(binary(6), right(concat('000000000000', {id}), 12), 2) as bigint)"
TEXT = "cast({} as nvarchar(max))"
AT = "datediff_big(millisecond, cast('1970-01-01T00:00:00Z' as datetimeoffset), {})"
SUMS = (
    "select fingerprint & 4095, count_big(*), sum(cast(fingerprint as decimal(38, 0))), min(written) "
    "from (select {fingerprint} fingerprint, {at} written from {table} where {event}) summed "
    "group by fingerprint & 4095"
)
ROWS = (
    "select {id_text}, {aggregate_type}, {type}, {key}, {sequence}, {route}, {at}, null from {table} where {event} and "
)


class Table(RowsAlone):
    """The outbox table of a database as a `Ledger`."""

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        return summed(self._asked(SUMS, {}, seconds))

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{fingerprint} & 4095 in %(wanted)s", buckets, seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{id} in %(wanted)s", ids, seconds)

    def _rows(self, condition: str, wanted: Sequence[Any], seconds: float) -> dict[str, Row]:
        if not wanted:
            return {}
        found = self._asked(ROWS + condition, {"wanted": tuple(wanted)}, seconds)
        return {row[0]: Row(*row) for row in found}

    def _asked(self, query: str, values: dict[str, Any], seconds: float) -> list[tuple[Any, ...]]:
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(query.format_map(_names(self.outbox)), values)
            return list(cursor.fetchall())


@contextmanager
def _asking(dsn: str, outbox: Outbox, seconds: float) -> Iterator[Session]:
    """A session whose questions are answered in time or given up: a locked table must not hold the reader."""
    whole = max(1, round(seconds))
    with session(dsn, names(outbox).database, seconds=whole + GRACE_SECONDS) as cursor:
        cursor.execute(f"set lock_timeout {whole * 1000}")
        try:
            yield cursor
        except pymssql().Error as cause:
            if number(cause) not in TOO_LATE:
                raise
            raise OutOfTime(
                "the outbox table could not be read in time",
                where=address(dsn),
                why="it is locked, or too large for the time that is left",
                fix="end what locks it, allow more --timeout, or leave the table out: --no-ledger",
            ) from cause


def _names(outbox: Outbox) -> dict[str, str]:
    """What stands in a query for the words in braces."""
    c, ident = outbox.table.columns, SQLSERVER.ident
    quoted = {name: ident(column) for name, column in (("id", c.id), ("type", c.type))}
    quoted["table"] = ident(names(outbox).schema, outbox.table.name)
    quoted["aggregate_type"] = ident(c.aggregate_type) if c.aggregate_type else "null"
    # a uniqueidentifier as text is in upper case, here and in the message
    texts = {"id_text": c.id, "key": outbox.key_column, "route": outbox.route_column}
    texts |= {"sequence": outbox.ordering.sequence} if outbox.ordering.sequence else {}
    quoted |= {"sequence": "null"} | {name: TEXT.format(ident(column)) for name, column in texts.items()}
    quoted["at"] = AT.format(ident(c.created_at)) if c.created_at else "null"
    real = f"{quoted['aggregate_type']} <> {SQLSERVER.literal(CANARY_AGGREGATE)}"
    quoted["event"] = "1 = 1" if outbox.table.existing else real  # no canary is in a table of somebody else's
    quoted["fingerprint"] = FINGERPRINT.format_map(quoted)
    return quoted
