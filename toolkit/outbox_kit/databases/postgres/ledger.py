"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from psycopg import errors, sql

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import (
    LONGEST_SECONDS,
    ROWS_AT_ONCE,
    ComparableParts,
    Outcome,
    Row,
    Snapshot,
    require_created_at,
    summed,
    unread_in_time,
)
from outbox_kit.databases.postgres.session import Session, address, identifier, session
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.parts import MessagePart

GRACE_SECONDS = 5.0  # for the server to report the timeout itself
NUMBER = sql.SQL("('x' || left(encode(sha256({whole}), 'hex'), {digits}))::bit(60)::bigint")
SHORT = sql.SQL("left(encode(sha256({}), 'hex'), 16)")
SEPARATOR, ABSENT = sql.SQL("E'\\x1f'"), sql.SQL("E'\\x1e'")
# whose text is what the connector sends; of others, such as moments and numerics, it makes a text of its own
TEXTS = ("text", "varchar", "bpchar", "citext", "name", "uuid", "int2", "int4", "int8", "json", "jsonb", "bool")
TYPES = """
select attname, case when typtype = 'e' then 'text' else typname end from pg_attribute
join pg_type on pg_type.oid = atttypid where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped
"""

# a row's transaction with all its digits: xmin has the low 32 bits only. Of a transaction in a savepoint a snapshot
# cannot say whether it was open
COMMITTED = sql.SQL(
    "{created_at} >= to_timestamp({begin}) and not pg_visible_in_snapshot({xid}, {after}) "
    "and pg_visible_in_snapshot({xid}, {until})"
)
# rows may be updated, by an owner or a relay: one from before the mark, by a transaction that began after it
UNCHANGED = sql.SQL(" and ({created_at} >= to_timestamp({mark}) or {xid}::text::bigint < {begun})")
BEGUN = "select pg_current_xact_id()::text::bigint"  # before it all transactions began that have written by now
ENDED = "select pg_snapshot_xmin(pg_current_snapshot())::text::bigint"  # below it no transaction is open
MOST = 2**63 - 1
XID = sql.SQL(
    "(pg_snapshot_xmax({until})::text::bigint - "
    "mod(pg_snapshot_xmax({until})::text::bigint - xmin::text::bigint, 4294967296))::text::xid8"
)
AMONG = sql.SQL(
    "{id} in (select one::uuid from unnest(%s::text[]) one "
    "where one ~ '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$')"
)
AT = sql.SQL("(extract(epoch from case when isfinite({0}) then {0} end) * 1000)::bigint")
OF_ANY_TYPE = sql.SQL("{canonical} = any(%s)")  # what an owner's ids are, its index may not be made for
TOGETHER_SECONDS = 60  # between the first and the last row of a transaction
OUTCOMES, OUTCOMES_SECONDS = 50_000, 30.0  # ids in one question, and what it may take


@dataclass(frozen=True)
class TableLedger:
    """The outbox table of a database as a `MarkedLedger`."""

    dsn: str
    outbox: Outbox
    between: tuple[str, str] | None = None
    """Two marks: only rows that were committed after the first and before the second."""

    def mark(self, seconds: float, after: str = "") -> str:  # noqa: ARG002 - as MySQL's
        """See `MarkedLedger`: a snapshot of the transactions."""
        require_created_at(self.outbox)
        with _asking(self.dsn, seconds) as connection:
            begun = connection.execute(BEGUN if self.outbox.updates_rows else "select 0").fetchone()
            query = "select pg_current_snapshot(), (extract(epoch from clock_timestamp()) * 1000)::bigint"
            return "@".join(map(str, (*(connection.execute(query).fetchone() or ()), *(begun or ()))))

    @staticmethod
    def is_same_database(before: str, now: str) -> bool:
        """See `MarkedLedger`: the numbers of transactions only grow."""
        return int(before.split(":")[1]) <= int(now.split(":")[1])

    @staticmethod
    def start_time(mark: str) -> None:
        """See `MarkedLedger`."""

    def limited(self, begin: str, end: str) -> "TableLedger":
        """See `MarkedLedger`."""
        return replace(self, between=(begin, end))

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:
        """See `Ledger`: of an existing table, only columns that the connector sends in the text form of the server."""
        if not self.outbox.table.existing:
            return ComparableParts(tuple(parts))
        with _asking(self.dsn, seconds) as connection:
            table = sql.Identifier(self.outbox.names.schema, self.outbox.table.name).as_string(connection)
            types = dict(connection.execute(TYPES, (table,)).fetchall())
        return ComparableParts(tuple(p for p in parts if types.get(p.column) in (("bytea",) if p.binary else TEXTS)))

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        names = _names(self.outbox)
        query = sql.SQL(
            "select number & 4095, count(*), sum(number), min(at) from "
            "(select {number} number, {at} at from {table} where {event} and {committed}) rows group by 1"
        ).format(number=_number(self.outbox, parts), committed=self._committed(), **names)
        with _asking(self.dsn, seconds) as connection:
            (ended,) = connection.execute(ENDED).fetchone() or (0,)
            return replace(summed(connection.execute(query, ()).fetchall()), ended=int(ended))

    def read(
        self, parts: Sequence[MessagePart], buckets: Sequence[int] | None, seconds: float
    ) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        inside = (
            sql.SQL("true") if buckets is None else sql.SQL("{} & 4095 = any(%s)").format(_number(self.outbox, parts))
        )
        query = self._query(sql.SQL("{} and {}").format(inside, self._committed()), [_compared(part) for part in parts])
        with _asking(self.dsn, seconds) as connection, connection.cursor(name="outbox_kit_rows") as cursor:
            cursor.execute(query, () if buckets is None else (list(buckets),))
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield list(map(Row.of, rows))

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        among = OF_ANY_TYPE if self.outbox.table.existing else AMONG
        query = self._query(among.format(**_names(self.outbox)), [_whole(part) for part in parts])
        with _asking(self.dsn, seconds) as connection:
            return {row[0]: Row.of(row) for row in connection.execute(query, (list(ids),))}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return self._scalar(sql.SQL("select min({at}) from {table} where {event}"), seconds)

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        condition = sql.SQL("{at} >= {since}").format(since=sql.Literal(since), **_names(self.outbox))
        return self._scalar(
            sql.SQL("select min({sequence}) from {table} where {event} and {condition}"), seconds, condition=condition
        )

    def rows_per_transaction(
        self, transactions: Sequence[str], seconds: float, ended: int | None = None
    ) -> dict[str, int]:
        """See `Ledger`; a transaction with savepoints is several here.

        Left out are rows that a later transaction wrote again: an owner's updates, and rows of a dump, by their times.
        """
        if self.outbox.updates_rows:
            return {}
        query = sql.SQL(
            "select xmin::text, count(*) from {table} where xmin::text = any(%s) group by 1 "
            "having coalesce(max({at}) - min({at}), 0) <= {seconds} * 1000 and max({xid}::text::bigint) < {ended}"
        )
        limits = {"seconds": sql.Literal(TOGETHER_SECONDS), "ended": sql.Literal(MOST if ended is None else ended)}
        xid = XID.format(until=sql.SQL("pg_current_snapshot()"))
        with _asking(self.dsn, seconds) as connection:
            statement = query.format(xid=xid, **limits, **_names(self.outbox))
            return dict(connection.execute(statement, (list(transactions),)).fetchall())

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """See `Ledger`: what was rolled back leaves no row; what was committed at other times does."""
        parameters = list(ids) if self.between else []
        outcomes: dict[str, Outcome] = {}
        for n in range(0, len(parameters), OUTCOMES):
            rows = self.rows_of(parameters[n : n + OUTCOMES], OUTCOMES_SECONDS)
            outcomes |= dict.fromkeys(rows, Outcome.committed)
        return outcomes

    def _committed(self) -> sql.Composable:
        """The condition that a row was committed between the marks."""
        if self.between is None:
            return sql.SQL("true")
        (after, at, begun), (until, *_) = (point.split("@") for point in self.between)
        snapshot, mark = sql.SQL("{}::pg_snapshot"), int(at) / 1000
        before, now = (snapshot.format(sql.Literal(point)) for point in (after, until))
        values = {"begin": mark - LONGEST_SECONDS, "mark": mark, "begun": int(begun)}
        literals = {name: sql.Literal(value) for name, value in values.items()}
        parameters = {"after": before, "until": now, "xid": XID.format(until=now), **literals, **_names(self.outbox)}
        condition = COMMITTED.format(**parameters)
        return condition + UNCHANGED.format(**parameters) if self.outbox.updates_rows else condition

    def _scalar(self, query: sql.SQL, seconds: float, **more: sql.Composable) -> int | None:
        with _asking(self.dsn, seconds) as connection:
            row = connection.execute(query.format(**_names(self.outbox), **more), ()).fetchone()
        return None if row is None or row[0] is None else int(row[0])

    def _query(self, condition: sql.Composable, values: Sequence[sql.Composable]) -> sql.Composed:
        listed = sql.SQL("").join(sql.SQL(", {}").format(value) for value in values)
        return sql.SQL(
            "select {canonical}, {aggregate_type}, {type}, {key}::text, {sequence}::text, {route}::text, "
            "{at}, xmin::text{values} from {table} where {event} and {condition}"
        ).format(condition=condition, values=listed, **_names(self.outbox))


def _text(part: MessagePart) -> sql.Composable:
    """A column as the text that its message has; concat writes it as its type does, and a cast a boolean as a word."""
    form = "{0}::text" if part.kind == "boolean" else "case when {0} is not null then concat({0}) end"
    return sql.SQL(form).format(identifier(part.column))


def _whole(part: MessagePart) -> sql.Composable:
    return identifier(part.column) if part.binary else _text(part)


def _compared(part: MessagePart) -> sql.Composable:
    """A value as rows are compared by it; a payload is a few digits."""
    if part.place != "payload":
        return _text(part)
    whole = identifier(part.column) if part.binary else sql.SQL("convert_to({}, 'UTF8')").format(_text(part))
    return SHORT.format(whole)


def _number(outbox: Outbox, parts: Sequence[MessagePart]) -> sql.Composable:
    """A row's number; see `digest`."""
    texts = [_names(outbox)["canonical"], *(_present(_text(part), ABSENT) for part in parts if not part.binary)]
    joined: sql.Composable = sql.SQL("convert_to({}, 'UTF8')").format(sql.SQL(" || E'\\x1f' || ").join(texts))
    if digest.is_binary(parts):
        last = sql.SQL("{}::bytea").format
        payload = _present(identifier(parts[-1].column), last(ABSENT))
        joined = sql.SQL("{} || {} || {}").format(joined, last(SEPARATOR), payload)
    return NUMBER.format(whole=joined, digits=sql.Literal(digest.DIGITS))


def _present(value: sql.Composable, otherwise: sql.Composable) -> sql.Composable:
    return sql.SQL("coalesce({}, {})").format(value, otherwise)


@contextmanager
def _asking(dsn: str, seconds: float) -> Iterator[Session]:
    """A session with a time limit for each query, so that a locked table does not block the reader."""
    with session(dsn, seconds=max(1.0, seconds) + GRACE_SECONDS) as connection:
        connection.execute("select set_config('statement_timeout', %s, true)", (str(max(1, int(seconds * 1000))),))
        try:
            yield connection
        except errors.QueryCanceled as cause:
            raise unread_in_time(address(dsn)) from cause


def _names(outbox: Outbox) -> dict[str, Any]:
    c, read = outbox.table.columns, router_columns(outbox)
    aggregate_type = identifier(c.aggregate_type) if c.aggregate_type else sql.NULL
    created_at = identifier(c.created_at) if c.created_at else sql.SQL("null::timestamptz")
    real = sql.SQL("{} <> {}").format(aggregate_type, sql.Literal(CANARY_AGGREGATE))
    text = sql.SQL("{}::text").format(identifier(read.id))
    return {
        "id": identifier(read.id),
        "canonical": sql.SQL("lower({})").format(text) if outbox.table.ids in digest.FOLDED else text,
        "created_at": created_at,
        "at": AT.format(created_at),
        "event": sql.SQL("true") if outbox.table.existing else real,  # an existing table contains no canary
        "aggregate_type": aggregate_type,
        "type": identifier(c.type),
        "key": identifier(read.key),
        "route": identifier(read.route),
        "sequence": identifier(outbox.ordering.sequence) if outbox.ordering.sequence else sql.NULL,
        "table": identifier(outbox.names.schema, outbox.table.name),
    }
