"""An application's own record of what it published: a file of events, with what became of each transaction.

One event a line of JSON, or a row of Parquet: `id`, and what else is known of `key`, `type`, `aggregate`, `sequence`,
`transaction`, `at` (a time, or milliseconds since 1970) and `outcome` (committed unless told, rolled_back, unknown).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb

from outbox_kit.errors import BadLedger
from outbox_kit.source.ledger import Outcome, Row, Snapshot

FIX = 'write {"id": "...", "outcome": "committed"} a line, or the same columns as Parquet'
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
create view event as select *, coalesce(outcome, 'committed') as became,
  coalesce(try_cast("at" as bigint), epoch_ms(try_cast("at" as timestamptz))) as moment,
  try_cast('0x' || right(id, 12) as bigint) as fingerprint from raw;
create view row_ as select id, aggregate, type, key, sequence, null, moment, "transaction", fingerprint
  from event where became = 'committed';
"""
SUMS = "select fingerprint & 4095, count(*), sum(fingerprint), min(moment) from row_ group by 1"
ROWS = "select * exclude (fingerprint) from row_ where list_contains($wanted, fingerprint & 4095)"
ROWS_OF = "select * exclude (fingerprint) from row_ where list_contains($wanted, id)"
TOGETHER = 'select "transaction", count(*) from row_ where list_contains($wanted, "transaction") group by 1'
OUTCOMES = "select id, became from event where became <> 'committed' and list_contains($wanted, id)"
SAYS = """select bool_or(key is not null) as key, bool_or(type is not null) as type,
  bool_or("transaction" is not null) as "transaction" from event"""
BECAME = "select distinct became from event"


class Record:
    """The file as a `Ledger`. says: what its events say; see `Partial`."""

    def __init__(self, file: Path) -> None:
        """Raises BadLedger."""
        self._database = duckdb.connect()
        try:
            self._database.execute(RAW)
            self._database.execute(FILL[file.suffix == ".parquet"], {"file": str(file)})
            self._database.execute(EVENTS)
            without = self._asked("select count(*) from raw where id is null")[0][0]
            self.says = frozenset(
                name for name, said in zip(("key", "type", "transaction"), self._asked(SAYS)[0], strict=True) if said
            )
            odd = {became for (became,) in self._asked(BECAME)} - set(Outcome)
        except duckdb.Error as cause:
            why = str(cause).partition("\n")[0]
            raise BadLedger("the ledger cannot be read", where=str(file), why=why, fix=FIX) from None
        unread = _lines(file) - self._asked("select count(*) from raw")[0][0] if file.suffix != ".parquet" else 0
        if unread:  # an unfinished last line is passed over in silence
            raise BadLedger("the ledger cannot be read", where=str(file), why=f"{unread} lines are no JSON", fix=FIX)
        if without:
            raise BadLedger("the ledger has events without an id", where=str(file), why=f"{without} of them", fix=FIX)
        if odd:
            raise BadLedger(f"the ledger has an outcome '{min(odd)}'", where=str(file), fix=FIX)

    def snapshot(self, seconds: float) -> Snapshot:  # noqa: ARG002 - a Ledger's
        """See `Ledger`."""
        found = self._asked(SUMS)
        oldest = min((row[3] for row in found if row[3] is not None), default=None)
        return Snapshot(sum(row[1] for row in found), {row[0]: (row[1], int(row[2])) for row in found}, oldest)

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:  # noqa: ARG002
        """See `Ledger`."""
        return self._rows(ROWS, list(buckets))

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:  # noqa: ARG002
        """See `Ledger`."""
        return self._rows(ROWS_OF, list(ids))

    def together(self, transactions: Sequence[str], seconds: float) -> dict[str, int]:  # noqa: ARG002
        """See `Ledger`."""
        return dict(self._asked(TOGETHER, list(transactions)))

    def outcomes(self, ids: Iterable[str]) -> dict[str, Outcome]:
        """See `Ledger`."""
        return {event_id: Outcome(became) for event_id, became in self._asked(OUTCOMES, list(ids))}

    def fence(self) -> None:
        """See `Ledger`: a file has no log behind it."""

    def behind(self, fence: int) -> str:  # noqa: ARG002
        """See `Ledger`."""
        return "a file cannot say how far the connector is"

    def _rows(self, question: str, wanted: list[Any]) -> dict[str, Row]:
        return {row[0]: Row(*row) for row in self._asked(question, wanted)}

    def _asked(self, question: str, wanted: list[Any] | None = None) -> list[tuple[Any, ...]]:
        return self._database.execute(question, {} if wanted is None else {"wanted": wanted}).fetchall()


def _lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for line in lines if line.strip())
