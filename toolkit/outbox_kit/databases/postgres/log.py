"""An outbox's rows from PostgreSQL's log, by a slot of its own; and the first read of the rows that were there before.

A transaction's rows come after its commit. A position is confirmed when every row before it is final; while nothing is
open, also what the server says of transactions without rows, so that a quiet outbox keeps no log on the server.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from outbox_kit import deadline
from outbox_kit.databases.changes import LogIdentity, LogMessage, LogRow, TableColumns
from outbox_kit.databases.ledger import LONGEST_SECONDS
from outbox_kit.databases.postgres import pgoutput
from outbox_kit.databases.postgres.attributes import table_columns
from outbox_kit.databases.postgres.hand_over import keep_offset, kept_offset
from outbox_kit.databases.postgres.probe import first_read_slot
from outbox_kit.databases.postgres.published import PublishedRows, belongs, published_rows
from outbox_kit.databases.postgres.replication import NO_IDLE_LIMIT, TEXT_FORMS, Replication
from outbox_kit.databases.postgres.session import Session, identifier, session
from outbox_kit.errors import EnvironmentProblem, SlotInUse
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.model import Outbox

MOST = 1000  # messages in one read: about 300 rows of a transaction each
CONFIRM_SECONDS = 0.5
TAKEN_SECONDS = 2.0
TYPES = """
select format_type(t, m), not coalesce(attnotnull, false), pg_get_expr(adbin, adrelid)
from unnest(%s::text[], %s::oid[], %s::int[]) with ordinality as described (name, t, m, n)
left join pg_attribute on attrelid = %s and attname = name
left join pg_attrdef on adrelid = attrelid and adnum = attnum
order by n
"""
MARK = "select pg_wal_lsn_diff(pg_logical_emit_message(true, 'outbox-kit', ''), '0/0')::bigint"
FETCH = b"fetch forward 1000 from outbox_kit_rows"
FINISH_SNAPSHOT = "select pg_copy_logical_replication_slot(%s, %s, temporary => false)"
DROP = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s and not temporary"
FIND = "select pg_wal_lsn_diff(confirmed_flush_lsn, '0/0')::bigint from pg_replication_slots where slot_name = %s"


@dataclass(slots=True)
class _Transaction:
    """A transaction whose rows are not all final; see `changes.LogTransaction`."""

    commit: int
    committed: float
    """When it was committed, in seconds since 1970."""
    number: int
    open: int = 0
    """Its rows that are not final."""
    end: int = 0
    """The position behind it; 0 before its end was read."""
    start: int = 0
    """The position up to which the log had been read before it."""


class SlotLog:
    """See `changes.ServerLog`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        """dsn: as for `session`; its role needs REPLICATION."""
        self._dsn, self._outbox = dsn, outbox
        self._stream: Replication | None = None
        self._reading: Replication | None = None
        self._tables: dict[int, TableColumns | None] = {}
        self._open: deque[_Transaction] = deque()
        self._current: _Transaction | None = None
        self._published: PublishedRows[Any] | None = None
        self._confirmed = self._final = self._reached = 0
        self._next_confirm = 0.0
        self._identity: LogIdentity | None = None

    def position(self) -> int | None:
        """See `changes.ServerLog`."""
        with session(self._dsn) as connection:
            row = connection.execute(FIND, (self._outbox.names.slot,)).fetchone()
        return None if row is None else int(row[0] or 0)

    def create(self) -> None:
        """See `changes.ServerLog`."""
        stream = Replication(self._dsn)
        try:
            stream.create_slot(self._outbox.names.slot)
        finally:
            stream.close()

    def first_read(self) -> Iterator[Sequence[LogRow]]:
        """See `changes.ServerLog`.

        A temporary slot keeps the log meanwhile, and is copied when all rows were final: an interrupted first read is
        repeated. Its name is that of one session only, so the copy is never one of another process's snapshot.
        """
        name = first_read_slot(self._outbox.names.slot)
        with session(self._dsn) as connection:
            connection.execute(DROP, (name,))  # that of an earlier release
        stream = Replication(self._dsn)
        try:
            created = stream.create_slot(name, temporary=True)
            if self.position() is not None:
                raise SlotInUse("another process has read the rows of before the first start")
        except BaseException:
            stream.close()
            raise
        self._reading = stream
        return self._first_rows(name, created.snapshot)

    def open(self) -> None:
        """See `changes.ServerLog`."""
        self._end_first_read()
        names = self._outbox.names
        stream = Replication(self._dsn)
        try:
            self._identity = stream.identity()
            stream.start(names.slot, names.publication, messages=self._outbox.table.storage == "log")
            self._published = self._left_out()
        except BaseException:
            stream.close()
            raise
        self._stream, self._current = stream, None
        self._tables.clear()
        self._open.clear()
        self._final = self._reached = self._confirmed = 0

    def read(self, seconds: float) -> Sequence[LogRow | LogMessage]:
        """See `changes.ServerLog`."""
        return self._received(seconds)

    def rest(self, seconds: float) -> Sequence[LogRow | LogMessage] | None:
        """See `changes.ServerLog`."""
        return None if self._current is None else self._received(seconds, one_transaction=True)

    def _received(self, seconds: float, *, one_transaction: bool = False) -> Sequence[LogRow | LogMessage]:
        """Rows that the server has sent. one_transaction: drop what follows the next commit."""
        rows: list[LogRow | LogMessage] = []
        stream = self._stream
        assert stream is not None  # noqa: S101 - it is open
        for start, data in stream.read(MOST, seconds):
            kind = data[0] if data else 0
            if kind == pgoutput.INSERT:
                table = self._tables[pgoutput.relation_of(data)]
                if table is not None and self._published is None:
                    rows.append(LogRow(table, pgoutput.inserted(data), start, self._receipt()))
                elif table is not None:
                    inserted = self._unpublished(start, (table, pgoutput.inserted(data)))
                    rows += [LogRow(columns, texts, start, self._receipt()) for columns, texts in inserted]
            elif kind == pgoutput.BEGIN:
                begun = pgoutput.begun(data)
                self._current = _Transaction(*begun, start=self._reached)
                if self._published is not None:
                    self._published.begin(begun.number)
            elif kind == pgoutput.COMMIT:
                self._ended(pgoutput.commit_end(data))
                if one_transaction:
                    break
            elif kind == pgoutput.RELATION:
                self._described(pgoutput.relation(data))
            elif kind == pgoutput.MESSAGE:
                rows += self._message(data, start)
            elif kind == 0 and self._current is None:
                self._reached = max(self._reached, start)
        self.confirm()
        return rows

    def finish(self, receipt: Any) -> None:
        """See `changes.ServerLog`."""
        receipt.open -= 1
        if receipt.open == 0 and receipt.end and self._open and self._open[0] is receipt:
            self._advance()

    def confirm(self) -> None:
        """See `changes.ServerLog`."""
        now = time.monotonic()
        if self._stream is None or now < self._next_confirm:
            return
        self._next_confirm = now + CONFIRM_SECONDS
        self._confirm()

    def close(self) -> None:
        """See `changes.ServerLog`."""
        self._end_first_read()
        stream, self._stream = self._stream, None
        if stream is not None:
            with suppress(EnvironmentProblem):
                self._stream = stream
                self._confirm(always=True)
                self._await_confirmed()
            self._stream = None
            stream.close()

    def mark(self) -> int:
        """See `changes.ServerLog`: the commit of a message without content, which is waited for to be on the disk."""
        with session(self._dsn) as connection:
            connection.execute("set local synchronous_commit = on")
            row = connection.execute(MARK).fetchone()
        return int(row[0]) if row else 0

    def passed(self, point: int) -> bool:
        """See `changes.ServerLog`."""
        if self._open:
            return self._open[0].start > point
        if self._reached <= point and self._stream is not None:
            self._stream.confirm(self._confirmed, wants_answer=True)
        return self._reached > point

    def oldest(self) -> float | None:
        """See `changes.ServerLog`."""
        return self._open[0].committed if self._open else None

    def identity(self) -> LogIdentity:
        """See `changes.IdentifiedLog`."""
        assert self._identity is not None  # noqa: S101 - it is open
        return self._identity

    def reached(self) -> int:
        """See `changes.IdentifiedLog`."""
        return self._reached

    def columns(self) -> TableColumns:
        """See `changes.ServerLog`."""
        with session(self._dsn) as connection:
            return table_columns(connection, self._outbox)

    def _confirm(self, *, always: bool = False) -> None:
        position = self._reached if not self._open and self._current is None else self._final
        if self._stream is not None and (position > self._confirmed or always) and position:
            self._stream.confirm(position)
            self._confirmed = position

    def _await_confirmed(self) -> None:
        """Wait until the server has taken the last confirmation.

        A connection that is closed while the server sends is reset, and the server does not read what was sent before.
        """
        until = time.monotonic() + TAKEN_SECONDS
        with deadline.within(TAKEN_SECONDS):
            while (self.position() or 0) < self._confirmed and time.monotonic() < until:
                time.sleep(0.02)

    def _receipt(self) -> _Transaction:
        transaction = self._current
        assert transaction is not None  # noqa: S101 - a row comes in one
        if transaction.open == 0 and (not self._open or self._open[-1] is not transaction):
            self._open.append(transaction)
        transaction.open += 1
        return transaction

    def _ended(self, end: int) -> None:
        transaction, self._current = self._current, None
        self._reached = max(self._reached, end)
        if transaction is not None:
            transaction.end = end
            if transaction.open == 0:
                self._advance()

    def _advance(self) -> None:
        """Go behind the first transactions of which every row is final."""
        transactions = self._open
        while transactions and transactions[0].open == 0 and transactions[0].end:
            self._final = transactions.popleft().end

    def _message(self, data: bytes, start: int) -> list[LogMessage]:
        message = pgoutput.logical_message(data)
        if message.prefix != self._outbox.names.logical_message_prefix or not message.transactional:
            return []
        contents = self._unpublished(start, message.content)
        return [LogMessage(content, start, self._receipt()) for content in contents]

    def _unpublished(self, position: int, row: Any) -> Sequence[Any]:
        """What is to be published now that a row has come."""
        return [row] if self._published is None else self._published.unpublished(position, row)

    def _left_out(self) -> PublishedRows[Any] | None:
        """The rows that a connector has published behind the confirmed position; None if there are none.

        An offset that is behind the slot is forgotten.
        """
        with session(self._dsn) as connection:
            offset = kept_offset(connection, self._outbox)
            row = connection.execute(FIND, (self._outbox.names.slot,)).fetchone() if offset is not None else None
        confirmed = int(row[0] or 0) if row else 0
        if offset is not None and not belongs(offset, confirmed):
            keep_offset(self._dsn, self._outbox, None)
        return published_rows(offset, confirmed)

    def _described(self, head: pgoutput.RelationHead) -> None:
        names = self._outbox.names
        if (head.schema, head.name) != (names.schema, self._outbox.table.name):
            self._tables[head.oid] = None
            return
        listed = [column.name for column in head.columns], [column.type_oid for column in head.columns]
        with session(self._dsn) as connection:
            modifiers = [column.type_modifier for column in head.columns]
            types = connection.execute(TYPES, (*listed, modifiers, head.oid)).fetchall()
        columns = [
            RowColumn(name, kind, optional=optional, default=default)
            for name, (kind, optional, default) in zip(listed[0], types, strict=True)
        ]
        self._tables[head.oid] = TableColumns(tuple(columns))

    def _first_rows(self, reading: str, snapshot: str) -> Iterator[Sequence[LogRow]]:
        """The rows of a snapshot; then the slot `reading`, which begins there, is the one of the outbox."""
        yield from self._rows(snapshot)
        with session(self._dsn) as connection:
            connection.execute(FINISH_SNAPSHOT, (reading, self._outbox.names.slot))

    def _end_first_read(self) -> None:
        """Drop the slot of the first read, if there is one."""
        stream, self._reading = self._reading, None
        if stream is not None:
            stream.close()

    def _rows(self, snapshot: str) -> Iterator[Sequence[LogRow]]:
        """The rows of a snapshot, in the order of the events."""
        names, outbox = self._outbox.names, self._outbox
        table, order = identifier(names.schema, outbox.table.name), identifier(outbox.order_column)
        with session(self._dsn, seconds=LONGEST_SECONDS) as connection:
            connection.execute("set transaction isolation level repeatable read, read only")
            connection.execute(sql.SQL("set transaction snapshot {}").format(sql.Literal(snapshot)))
            for setting, value in {**TEXT_FORMS, NO_IDLE_LIMIT: "0"}.items():
                connection.execute("select set_config(%s, %s, true)", (setting, value))
            columns = table_columns(connection, outbox)
            selected = sql.SQL(", ").join(identifier(name) for name in columns.names)
            query = sql.SQL("declare outbox_kit_rows cursor for select {} from {} order by {}")
            connection.execute(query.format(selected, table, order), ())
            while texts := _fetched(connection):
                yield [LogRow(columns, row, 0, None) for row in texts]


def _fetched(connection: Session) -> list[list[bytes | None]]:
    """The next rows of the cursor, as the server writes them."""
    result = connection.execute(FETCH).pgresult
    assert result is not None  # noqa: S101 - a FETCH has a result
    return [[result.get_value(row, column) for column in range(result.nfields)] for row in range(result.ntuples)]
