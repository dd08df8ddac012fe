"""The outbox table as the ledger of what must arrive."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from outbox_kit.dialects.oracle import ORACLE
from outbox_kit.errors import OutOfTime, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Outcome, Row, Snapshot
from outbox_kit.source.oracle.session import TIME_IS_UP, Session, address, code, driver, session

FINGERPRINT = "to_number(substr({id}, -12), 'xxxxxxxxxxxx')"
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
    "select {id}, {aggregate_type}, {type}, to_char({key}), to_char({sequence}), to_char({route}), {at}, null "
    "from {table} where {event} and {wanted} in "
    "(select item from json_table(:wanted, '$[*]' columns (item varchar2(36) path '$')))"
)


@dataclass(frozen=True)
class Table:
    """The outbox table of a database as a `Ledger`. dsn: how to reach it."""

    dsn: str
    outbox: Outbox

    def mark(self, seconds: float) -> str:  # noqa: ARG002 - as PostgreSQL's
        """Raises UsageProblem: a row here does not say when it was committed."""
        raise UsageProblem(
            f"--follow cannot compare with a table in {ORACLE.title} yet",
            why="its rows do not say when they were committed",
            fix="leave the table out (--no-ledger), or run verify without --follow",
        )

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        found = self._asked(statement(self.outbox, SUMMED), {}, seconds)
        sums = {int(row[0]): (int(row[1]), int(row[2])) for row in found}
        return Snapshot(sum(row[0] for row in sums.values()), sums, min((int(row[3]) for row in found), default=None))

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("mod({fingerprint}, 4096)", buckets, seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows("{id}", ids, seconds)

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
    quoted["at"], quoted["fingerprint"] = AT.format_map(quoted), FINGERPRINT.format_map(quoted)
    return query.format_map(quoted)
