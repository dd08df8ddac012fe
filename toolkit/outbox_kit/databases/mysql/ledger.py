"""The outbox table as the ledger of what must arrive."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace

import pymysql
from pymysql.constants import ER

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import (
    LONGEST_SECONDS,
    ROWS_AT_ONCE,
    ComparableParts,
    Outcome,
    Row,
    Snapshot,
    SnapshotOnlyLedger,
    mark_time,
    quoted_names,
    require_created_at,
    summed,
    unread_in_time,
)
from outbox_kit.databases.mysql.session import Session, address, session
from outbox_kit.databases.mysql.variant import variant_of
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.parts import MessagePart

OUTCOMES, OUTCOMES_SECONDS = 10_000, 30.0  # ids in one question, and what it may take
GRACE_SECONDS = 5.0  # for the server to report the timeout itself
# a text in bytes of UTF-8, whatever its column's character set
OCTETS = "cast(convert({} using utf8mb4) as binary)"
# a row that is longer than the server's packets has no hash; it is compared separately
NUMBER = "ifnull(cast(conv(left(sha2({}, 256), {}), 16, 10) as unsigned), 0)"
SHORT = "left(sha2({}, 256), 16)"
SEPARATOR, ABSENT = "char(31)", "char(30)"
# whose text is what the connector sends; a document of type json is written in a form of its own
TEXTS = {"char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum"}
TEXTS |= {"tinyint", "smallint", "mediumint", "int", "bigint", "bit"}
BLOBS = {"tinyblob", "blob", "mediumblob", "longblob"}
TYPES = "select column_name, data_type from information_schema.columns where table_schema = %s and table_name = %s"
STATEMENT_MS = 2000  # from a statement's beginning, of which its rows have their time, to its transaction's being known
CLOCKS_MS = 60_000  # how far this clock and those that stamp messages may be apart
# a transaction that has taken no lock has written nothing; their times are in the server's own zone
OPEN = (
    "select cast(floor(unix_timestamp(current_timestamp(6)) * 1000) as signed), (select cast(min(unix_timestamp("
    "trx_started)) * 1000 as signed) from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id() "
    "and (trx_lock_structs > 0 or trx_rows_modified > 0))"
)
TOO_LATE = (ER.LOCK_WAIT_TIMEOUT, ER.QUERY_INTERRUPTED, ER.QUERY_TIMEOUT, 1969)  # the last is MariaDB's


@dataclass(frozen=True)
class TableLedger(SnapshotOnlyLedger):
    """The outbox table of a database as a `MarkedLedger`.

    Its rows do not say when they were committed: between two marks are those that were written after the first one's
    horizon and before the second's. All transactions that wrote before a horizon have ended.
    """

    between: tuple[str, str] | None = None
    """Two marks: only rows that were written between their horizons."""

    def mark(self, seconds: float, after: str = "") -> str:
        """See `MarkedLedger`: the horizon, and the present moment."""
        require_created_at(self.outbox)
        if self.outbox.table.existing:
            title = self.outbox.dialect.title
            raise UsageProblem(
                f"verify follow cannot compare with an existing table in {title}",
                why="the progress of the connector is not known without a canary row, which is not inserted there",
                fix="use --no-table, or run outbox-kit verify instead",
            )
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute("set session time_zone = 'SYSTEM'")
            cursor.execute(OPEN)
            ((now, oldest),) = cursor.fetchall()
        horizon = max(min(now, now if oldest is None else oldest) - STATEMENT_MS, now - LONGEST_SECONDS * 1000)
        return f"{max(horizon, _horizon(after) if after else 0)}@{now}"

    @staticmethod
    def is_same_database(before: str, now: str) -> bool:
        """See `MarkedLedger`: the time of its clock only grows."""
        return mark_time(before) <= mark_time(now)

    @staticmethod
    def start_time(mark: str) -> int:
        """See `MarkedLedger`: rows between the horizon and the mark may have come before it."""
        return _horizon(mark) - CLOCKS_MS

    def limited(self, begin: str, end: str) -> "TableLedger":
        """See `MarkedLedger`."""
        return replace(self, between=(begin, end))

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:
        """See `Ledger`: of an existing table, only columns that the connector sends in the text form of the server."""
        if not self.outbox.table.existing:
            return ComparableParts(tuple(parts))
        with _asking(self.dsn, self.outbox, seconds) as cursor:
            cursor.execute(TYPES, (self.outbox.names.schema, self.outbox.table.name))
            types = {str(name): str(kind).lower() for name, kind in cursor.fetchall()}
        return ComparableParts(
            tuple(p for p in parts if types.get(p.column) in (BLOBS if p.binary else TEXTS)),
            tuple(p for p in parts if p.place == "payload" and types.get(p.column) == "json"),
        )

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        query = (
            "select number & 4095, count(*), sum(number), min(at) from (select {number} number, {at} at "
            "from {table} where {event} and {between}) summed group by 1"
        )
        with self._asking(seconds) as cursor:
            cursor.execute(self._filled(query, parts), ())
            return summed(cursor.fetchall())

    def read(
        self, parts: Sequence[MessagePart], buckets: Sequence[int] | None, seconds: float
    ) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        inside = "true" if buckets is None else "{number} & 4095 in %s"
        query = self._query([self._compared(part) for part in parts], inside + " and {between}")
        with self._asking(seconds, streamed=True) as cursor:
            cursor.execute(self._filled(query, parts), () if buckets is None else (tuple(buckets),))
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield list(map(Row.of, rows))

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        if not ids:
            return {}
        # ids of an existing table may be in another case; the index of a generated table is used
        among = "{canonical} in %s" if self.outbox.table.existing else "{id} in %s"
        query = self._query([self._whole(part) for part in parts], among)
        with self._asking(seconds) as cursor:
            cursor.execute(self._filled(query), (tuple(ids),))
            return {row[0]: Row.of(row) for row in cursor.fetchall()}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return self._scalar("select min({at}) from {table} where {event}", seconds)

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        return self._scalar("select min({sequence}) from {table} where {event} and {at} >= %s", seconds, since)

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """See `Ledger`: what was rolled back leaves no row; what was written at other times does."""
        parameters, outcomes = list(ids) if self.between else [], dict[str, Outcome]()
        for n in range(0, len(parameters), OUTCOMES):
            outcomes |= dict.fromkeys(self.rows_of(parameters[n : n + OUTCOMES], OUTCOMES_SECONDS), Outcome.committed)
        return outcomes

    def _written_condition(self) -> str:
        """The condition that a row was written between the horizons."""
        if self.between is None:
            return "true"
        begin, end = (f"from_unixtime({_horizon(point)} / 1000)" for point in self.between)
        column = "{created_at}".format_map(_names(self.outbox))
        return f"{column} >= {begin} and {column} < {end}"

    def _text(self, part: MessagePart) -> str:
        """A column as the text that its message has; a bit is sent as a boolean."""
        column = self._ident(part.column)
        return f"if({column}, 'true', 'false')" if part.kind == "boolean" else f"concat({column})"

    def _compared(self, part: MessagePart) -> str:
        """A value as rows are compared by it; a payload is a few digits."""
        return (
            SHORT.format(self._octets(part)) if part.place == "payload" else self._nullable_text(part, self._text(part))
        )

    def _octets(self, part: MessagePart) -> str:
        column = self._ident(part.column)
        return column if part.binary else self._nullable_text(part, OCTETS.format(self._text(part)))

    def _nullable_text(self, part: MessagePart, text: str) -> str:
        """NULL where a column is, which a word for a boolean would hide."""
        return f"if({self._ident(part.column)} is null, null, {text})" if part.kind == "boolean" else text

    def _whole(self, part: MessagePart) -> str:
        return self._ident(part.column) if part.binary else self._nullable_text(part, self._text(part))

    def _ident(self, column: str) -> str:
        return self.outbox.dialect.quote_ident(column).replace("%", "%%")

    def _query(self, values: Sequence[str], condition: str) -> str:
        listed = "".join(f", {value.replace('{', '{{').replace('}', '}}')}" for value in values)
        return (
            "select {canonical}, {aggregate_type}, {type}, concat({key}), concat({sequence}), concat({route}), {at}, "  # noqa: S608 - generated names
            f"null{listed} from {{table}} where {{event}} and {condition}"
        )

    def _filled(self, query: str, parts: Sequence[MessagePart] = ()) -> str:
        """A query with the outbox's own names in it; see `_names`."""
        names = _names(self.outbox)
        present = (f"ifnull({self._octets(part)}, {ABSENT})" for part in parts)
        whole = f"concat({f', {SEPARATOR}, '.join([OCTETS.format(names['canonical']), *present])})"
        number = NUMBER.format(whole, digest.DIGITS)
        return query.format_map(names | {"between": self._written_condition(), "number": number})

    def _scalar(self, query: str, seconds: float, *values: int) -> int | None:
        with self._asking(seconds) as cursor:
            cursor.execute(self._filled(query), values)
            ((value,),) = cursor.fetchall()
        return None if value is None else int(value)

    def _asking(self, seconds: float, *, streamed: bool = False) -> AbstractContextManager[Session]:
        return _asking(self.dsn, self.outbox, seconds, streamed=streamed)


def _horizon(mark: str) -> int:
    """In milliseconds since 1970."""
    return int(mark.partition("@")[0])


@contextmanager
def _asking(dsn: str, outbox: Outbox, seconds: float, *, streamed: bool = False) -> Iterator[Session]:
    """A session with a time limit for each query, so that a locked table does not block the reader."""
    variant = variant_of(outbox)
    whole = max(1, round(seconds))
    with session(dsn, seconds=whole + GRACE_SECONDS, streamed=streamed) as cursor:
        limit = f"{variant.time_limit} = {whole * variant.units_per_second}"
        cursor.execute(f"set session {limit}, session lock_wait_timeout = {whole}")
        try:
            yield cursor
        except pymysql.Error as cause:
            if cause.args[:1] and cause.args[0] not in TOO_LATE:
                raise
            raise unread_in_time(address(dsn)) from cause


def _names(outbox: Outbox) -> dict[str, str]:
    """Quoted names as they stand in a query with values: a percent sign is doubled for the driver."""
    quoted = quoted_names(outbox)
    quoted["at"] = f"cast(floor(unix_timestamp({quoted['created_at']}) * 1000) as signed)"
    quoted["canonical"] = f"{'lower' if outbox.table.ids in digest.FOLDED else 'concat'}({quoted['id']})"
    return {name: text.replace("%", "%%") for name, text in quoted.items()}
