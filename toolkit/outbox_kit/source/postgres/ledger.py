"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from psycopg import errors, sql

from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import LONGEST_SECONDS, Outcome, Row, Snapshot, dated, moment
from outbox_kit.source.postgres import probe
from outbox_kit.source.postgres.session import Session, address, identifier, session

GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
FINGERPRINT = sql.SQL("('x' || lpad(right({id}::text, 12), 12, '0'))::bit(48)::bigint")

# a row's transaction with all its digits: xmin has the low 32 bits only. Of a transaction in a savepoint a snapshot
# cannot say whether it was open
COMMITTED = sql.SQL(
    "{created_at} >= to_timestamp({begin}) and not pg_visible_in_snapshot({xid}, {after}) "
    "and pg_visible_in_snapshot({xid}, {until})"
)
XID = sql.SQL(
    "(pg_snapshot_xmax({until})::text::bigint - "
    "mod(pg_snapshot_xmax({until})::text::bigint - xmin::text::bigint, 4294967296))::text::xid8"
)
ANY = sql.SQL("select 1 from {table} where {event} limit 1")
AMONG = sql.SQL(
    "{id} in (select one::uuid from unnest(%s::text[]) one "
    "where one ~ '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$')"
)
OF_ANY_TYPE = sql.SQL("{id}::text = any(%s)")  # what an owner's ids are, its index may not be made for
OUTCOMES, OUTCOMES_SECONDS = 50_000, 30.0  # ids in one question, and what it may take


@dataclass(frozen=True)
class Table:
    """The outbox table of a database as a `Ledger`. dsn: how to reach it.

    between: two marks, where only rows are meant that were committed after the one and before the other.
    passed: a fence behind the second, which the connector has passed.
    """

    dsn: str
    outbox: Outbox
    between: tuple[str, str] | None = None
    passed: int = 0

    def mark(self, seconds: float, after: str = "") -> str:  # noqa: ARG002 - as MySQL's
        """What tells later which rows were committed before now. Raises OutOfTime, UsageProblem."""
        dated(self.outbox)
        with _asking(self.dsn, seconds) as connection:
            query = "select pg_current_snapshot()::text, (extract(epoch from clock_timestamp()) * 1000)::bigint::text"
            return "@".join(connection.execute(query).fetchone() or ())

    @staticmethod
    def goes_on(before: str, now: str) -> bool:
        """Whether two marks can be of one database: its transactions have higher numbers than before."""
        return int(before.split(":")[1]) <= int(now.split(":")[1])

    @staticmethod
    def since(mark: str) -> None:
        """From when on messages may be of rows after a mark: those that come after it, and no others."""

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        own = _names(self.outbox)
        query = sql.SQL(
            "select fingerprint & 4095, count(*), sum(fingerprint), min(at) from "
            "(select {fingerprint} fingerprint, {at} at from {table} where {event} and {committed}) rows group by 1"
        ).format(fingerprint=FINGERPRINT.format(**own), committed=self._committed(), **own)
        with _asking(self.dsn, seconds) as connection:
            found = connection.execute(query, ()).fetchall()
            oldest = min((row[3] for row in found if row[3] is not None), default=None)
            if self.between and connection.execute(ANY.format(**own), ()).fetchone():
                oldest = moment(self.between[0])
        sums = {int(row[0]): (int(row[1]), int(row[2])) for row in found}
        return Snapshot(sum(row[1] for row in found), sums, oldest)

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        condition = sql.SQL("{fingerprint} & 4095 = any(%s) and {committed}").format(
            fingerprint=FINGERPRINT.format(**_names(self.outbox)), committed=self._committed()
        )
        return self._rows(condition, list(buckets), seconds)

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        among = OF_ANY_TYPE if self.outbox.table.existing else sql.SQL("{id} = any(%s::uuid[])")
        return self._rows(among.format(**_names(self.outbox)), list(ids), seconds)

    def together(self, transactions: Sequence[str], seconds: float) -> dict[str, int]:
        """See `Ledger`; a transaction with savepoints is several here."""
        query = sql.SQL("select xmin::text, count(*) from {table} where xmin::text = any(%s) group by 1")
        with _asking(self.dsn, seconds) as connection:
            return dict(connection.execute(query.format(**_names(self.outbox)), (list(transactions),)).fetchall())

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """See `Ledger`: what was rolled back leaves no row; what was committed at other times does."""
        asked, among = list(ids) if self.between else [], OF_ANY_TYPE if self.outbox.table.existing else AMONG
        condition = among.format(**_names(self.outbox))
        found: dict[str, Outcome] = {}
        for n in range(0, len(asked), OUTCOMES):
            rows = self._rows(condition, asked[n : n + OUTCOMES], OUTCOMES_SECONDS)
            found |= dict.fromkeys(rows, Outcome.committed)
        return found

    def fence(self) -> int:
        """See `Ledger`; in bytes of log since its beginning: all that can be seen in the table is before that."""
        if self.between:
            return self.passed
        with session(self.dsn) as connection:
            found = connection.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
        return int(found[0]) if found else 0

    def behind(self, fence: int) -> str:
        """See `Ledger`: what the slot has confirmed has been published."""
        name = names(self.outbox).slot
        slot = probe.slot(self.dsn, name)
        if slot is None:
            return f"there is no slot '{name}'"
        return "" if slot.confirmed >= fence else f"{fence - slot.confirmed} bytes of log are unread by slot '{name}'"

    def _committed(self) -> sql.Composable:
        """The condition that a row was committed between the marks."""
        if self.between is None:
            return sql.SQL("true")
        after, until = (sql.SQL("{}::pg_snapshot").format(sql.Literal(one.partition("@")[0])) for one in self.between)
        begin = sql.Literal(moment(self.between[0]) / 1000 - LONGEST_SECONDS)
        xid = XID.format(until=until)
        return COMMITTED.format(begin=begin, xid=xid, after=after, until=until, **_names(self.outbox))

    def _rows(self, condition: sql.Composable, wanted: list[Any], seconds: float) -> dict[str, Row]:
        query = sql.SQL(
            "select {id}::text, {aggregate_type}, {type}, {key}::text, {sequence}::text, {route}::text, "
            "{at}, xmin::text from {table} where {event} and {condition}"
        ).format(condition=condition, **_names(self.outbox))
        with _asking(self.dsn, seconds) as connection:
            return {row[0]: Row(*row) for row in connection.execute(query, (wanted,))}


@contextmanager
def _asking(dsn: str, seconds: float) -> Iterator[Session]:
    """A session whose questions are answered in time or given up: a locked table must not hold the reader."""
    with session(dsn, seconds=max(1.0, seconds) + GRACE_SECONDS) as connection:
        connection.execute("select set_config('statement_timeout', %s, true)", (str(max(1, int(seconds * 1000))),))
        try:
            yield connection
        except errors.QueryCanceled as cause:
            raise OutOfTime(
                "the outbox table could not be read in time",
                where=address(dsn),
                why="it is locked, or too large for the time that is left",
                fix="end what locks it, allow more --timeout, or leave the table out: --no-ledger",
            ) from cause


def _names(outbox: Outbox) -> dict[str, Any]:
    c = outbox.table.columns
    aggregate_type = identifier(c.aggregate_type) if c.aggregate_type else sql.NULL
    created_at = identifier(c.created_at) if c.created_at else sql.SQL("null::timestamptz")
    real = sql.SQL("{} <> {}").format(aggregate_type, sql.Literal(CANARY_AGGREGATE))
    return {
        "id": identifier(c.id),
        "created_at": created_at,
        "at": sql.SQL("(extract(epoch from {}) * 1000)::bigint").format(created_at),
        "event": sql.SQL("true") if outbox.table.existing else real,  # no canary is in a table of somebody else's
        "aggregate_type": aggregate_type,
        "type": identifier(c.type),
        "key": identifier(outbox.key_column),
        "route": identifier(outbox.route_column),
        "sequence": identifier(outbox.ordering.sequence) if outbox.ordering.sequence else sql.NULL,
        "table": identifier(names(outbox).schema, outbox.table.name),
    }
