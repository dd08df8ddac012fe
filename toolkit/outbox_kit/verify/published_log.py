"""A published log: a file in which the application recorded its events, with the outcome of each transaction.

One event a line of JSON, or a row of Parquet: `id`, and what else is known of `key`, `type`, `aggregate`, `sequence`,
`transaction`, `at` (a time, or milliseconds since 1970) and `outcome` (committed by default, rolled_back, unknown).
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import ROWS_AT_ONCE, ComparableParts, Outcome, Row, Snapshot, summed
from outbox_kit.errors import BadLedger
from outbox_kit.printable import counted
from outbox_kit.schema.model import Outbox
from outbox_kit.signals import deferred
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.parts import MessagePart

FIX = 'write an object such as {"id": "...", "outcome": "committed"} on each line, or the same columns as Parquet'
INVALID = "invalid published log: expected an event with an id on each line"
RAW = """
set TimeZone = 'UTC';
create table raw(id varchar, aggregate varchar, type varchar, key varchar, sequence varchar, "at" varchar,
  "transaction" varchar, outcome varchar);
"""
FILL = {  # of a file's columns those that are known here; another one says nothing
    True: """insert into raw by name select columns(lambda c: c in ('id', 'aggregate', 'type', 'key', 'sequence', 'at',
      'transaction', 'outcome')) from read_parquet($file)""",
    False: """insert into raw by name select * from read_json($file, format = 'nd', columns = {id: 'varchar',
      aggregate: 'varchar', type: 'varchar', key: 'varchar', sequence: 'varchar', 'at': 'varchar',
      'transaction': 'varchar', outcome: 'varchar'})""",
}
EVENTS = """
create view event as select * replace ({canonical} as id), coalesce(outcome, 'committed') as became,
  coalesce(try_cast("at" as bigint), epoch_ms(try_cast("at" as timestamptz))) as moment from raw;
create view row_ as select distinct on (id) id, aggregate, type, key, sequence, {route} as route, moment, "transaction"
  from event where became = 'committed';
"""
NUMBER = "cast('0x' || left(sha256(concat_ws(chr(31), {whole})), {digits}) as bigint)"
SUMS = (
    "select number & 4095, count(*), sum(number), min(moment) from (select *, {number} as number from row_) group by 1"
)
ROWS = "select *{values} from row_ where $wanted is null or list_contains($wanted, {number} & 4095)"
ROWS_OF = "select *{values} from row_ where list_contains($wanted, id)"
OLDEST = "select min(moment) from row_"
LOWEST = "select min(try_cast(sequence as bigint)) from row_ where moment >= $wanted"
SAID = "select count({}), count(*) from row_"
TOGETHER = 'select "transaction", count(*) from row_ where list_contains($wanted, "transaction") group by 1'
OUTCOMES = "select id, became from event where became <> 'committed' and list_contains($wanted, id)"
SAYS = """select bool_or(key is not null) as key, bool_or(type is not null) as type,
  bool_or("transaction" is not null) as "transaction" from event"""
BECAME = "select distinct became from event"


class PublishedLog:
    """The file as a `Ledger`. present_fields: see `Partial`."""

    def __init__(self, file: Path, outbox: Outbox) -> None:
        """outbox: whose events they are. Raises BadLedger."""
        self._file = file
        c, read = outbox.table.columns, router_columns(outbox)
        columns = {c.id: "id", outbox.ordering.sequence: "sequence", c.aggregate_type: "aggregate", c.type: "type"}
        self._columns = {name: column for name, column in columns.items() if name} | {read.key: "key"}
        canonical = "lower(id)" if outbox.table.ids in digest.FOLDED else "id"
        if file.exists() and not file.is_file():
            raise BadLedger(f"'{file}' is not a regular file", fix="write the published events into a file first")
        self._database = duckdb.connect()
        try:
            with deferred(self._database.interrupt):
                self._database.execute(RAW)
                self._database.execute(FILL[file.suffix == ".parquet"], {"file": str(file)})
                self._database.execute(EVENTS.format(canonical=canonical, route=self._columns.get(read.route, "null")))
            total, without = self._fetched_rows("select count(*), count(*) filter (id is null) from raw")[0]
            self.present_fields = frozenset(
                name
                for name, present in zip(("key", "type", "transaction"), self._fetched_rows(SAYS)[0], strict=True)
                if present
            )
            odd = {became for (became,) in self._fetched_rows(BECAME)} - set(Outcome)
        except duckdb.Error as cause:
            why = str(cause).partition("\n")[0]
            raise BadLedger("cannot read the published log", where=str(file), why=why, fix=FIX) from None
        unread = _lines(file) - total if file.suffix != ".parquet" else 0
        if unread:  # an unfinished last line is passed over in silence
            raise BadLedger(INVALID, where=str(file), why=f"not a JSON object: {counted(unread, 'line')}", fix=FIX)
        if without:
            why = f"'id' is missing in {without:,} of {counted(total, 'event')}"
            raise BadLedger(INVALID, where=str(file), why=why, fix=FIX)
        if odd:
            raise BadLedger(f"invalid outcome '{min(odd)}': expected {', '.join(Outcome)}", where=str(file), fix=FIX)

    def require_events(self) -> None:
        """Raise BadLedger for a file without an event: there is nothing to compare with."""
        if not self._fetched_rows("select count(*) from raw")[0][0]:
            raise BadLedger("the published log is empty", where=str(self._file), fix=FIX)

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: what every event says is digested; what only some say is sampled."""
        present_parts = [part for part in parts if part.column in self._columns]
        counts = {part: self._fetched_rows(SAID.format(self._columns[part.column]))[0] for part in present_parts}
        return ComparableParts(
            tuple(part for part, (present, rows) in counts.items() if present == rows),
            tuple(part for part, (present, rows) in counts.items() if 0 < present < rows),
        )

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:  # noqa: ARG002
        """See `Ledger`."""
        return summed(self._fetched_rows(SUMS.format(number=self._number(parts))))

    def read(
        self,
        parts: Sequence[MessagePart],
        buckets: Sequence[int] | None,
        seconds: float,  # noqa: ARG002
    ) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        query = ROWS.format(values=self._listed(parts), number=self._number(parts))
        cursor = self._database.cursor()
        with deferred(cursor.interrupt):
            cursor.execute(query, {"wanted": None if buckets is None else list(buckets)})
        while True:
            with deferred(cursor.interrupt):
                rows = cursor.fetchmany(ROWS_AT_ONCE)
            if not rows:
                return
            yield list(map(Row.of, rows))

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:  # noqa: ARG002
        """See `Ledger`."""
        rows = self._fetched_rows(ROWS_OF.format(values=self._listed(parts)), list(ids))
        return {row[0]: Row.of(row) for row in rows}

    def oldest(self, seconds: float) -> int | None:  # noqa: ARG002
        """See `Ledger`."""
        return self._scalar(OLDEST)

    def lowest(self, since: int, seconds: float) -> int | None:  # noqa: ARG002
        """See `Ledger`."""
        return self._scalar(LOWEST, since)

    def rows_per_transaction(
        self,
        transactions: Sequence[str],
        seconds: float,  # noqa: ARG002 - a Ledger's
        ended: int | None = None,  # noqa: ARG002
    ) -> dict[str, int]:
        """See `Ledger`; a file does not grow."""
        return dict(self._fetched_rows(TOGETHER, list(transactions)))

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """See `Ledger`."""
        return {event_id: Outcome(became) for event_id, became in self._fetched_rows(OUTCOMES, list(ids))}

    def _listed(self, parts: Sequence[MessagePart]) -> str:
        return "".join(f", {self._columns[part.column]}" for part in parts)

    def _number(self, parts: Sequence[MessagePart]) -> str:
        """A row's number; see `digest`. What is digested is never null."""
        expressions = ", ".join(["id", *(self._columns[part.column] for part in parts)])
        return NUMBER.format(whole=expressions, digits=digest.DIGITS)

    def _scalar(self, question: str, parameters: Any = None) -> int | None:
        ((value,),) = self._fetched_rows(question, parameters)
        return None if value is None else int(value)

    def _fetched_rows(self, question: str, parameters: Any = None) -> list[tuple[Any, ...]]:
        with deferred(self._database.interrupt):
            return self._database.execute(question, {} if parameters is None else {"wanted": parameters}).fetchall()


def _lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for line in lines if line.strip())
