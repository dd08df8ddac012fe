"""Two-phase messages in PostgreSQL: each call is one transaction, on a connection that is kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from outbox_kit.databases.message_rows import CREATE, added, message_row, present, refused, stored_events
from outbox_kit.databases.postgres.session import KeptSession, Session, bound
from outbox_kit.databases.two_phase import (
    CheckBackProtocol,
    DueMessage,
    MessageCounts,
    MessageEvent,
    MessageState,
    NewMessage,
    RefusedMessage,
    StoredMessage,
)
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.two_phase import CHECK_DAYS

SECONDS = 10.0
"""For a call; a server that has not answered by then is hung up on."""
LOCK = "set lock_timeout = '5s'"
UTC = """to_char({} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"""
STORED = (
    "message_id, state, digest, attempts, reason, "
    f"{UTC.format('prepared_at')}, {UTC.format('finished_at')}, "
    f"case when state = 'prepared' and isfinite(check_at) then {UTC.format('check_at')} end"
)

FINISH = (
    "update {table} set state = %s, reason = case when %s = '' then reason else %s end, "
    "finished_at = clock_timestamp(), events = '[]' where message_id = %s and state = 'prepared' "
    "returning (select m.events from {table} as m where m.message_id = %s)"
)
CHECK_NOW = (
    "update {table} set check_at = clock_timestamp() where message_id = %s "
    "and state = 'prepared' and prepared_at > clock_timestamp() - make_interval(days => %s)"
)
CLAIM = (
    "update {table} set check_at = clock_timestamp() + make_interval(secs => %s), "
    "attempts = least(attempts, 1000000) + 1 where message_id = any (array("
    "select message_id from {table} where state = 'prepared' and check_at <= clock_timestamp() "
    "order by check_at limit %s for update skip locked)) returning message_id, protocol, check_back, attempts, "
    "prepared_at < clock_timestamp() - make_interval(days => %s)"
)
POSTPONE = (
    "update {table} set reason = %s, check_at = coalesce(clock_timestamp() + "
    "make_interval(secs => %s), 'infinity') where message_id = %s and state = 'prepared' and attempts = %s"
)
COUNTS = (
    "select count(*), coalesce(extract(epoch from clock_timestamp() - min(prepared_at)), 0)::float8, "
    "count(*) filter (where check_at = 'infinity') from {table} where state = 'prepared'"
)
ADD = (
    "insert into {table} (message_id, protocol, check_back, events, digest, state, check_at, finished_at) "
    "values (%s, %s, %s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s), "
    "case when %s = 'prepared' then null else clock_timestamp() end) on conflict do nothing returning true"
)
READ = "select {stored} from {table} where message_id = %s"


class PostgresMessages:
    """See `MessageStore`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        self._dsn, self._outbox = dsn, outbox
        self._table = bound(outbox.names.schema, outbox.names.two_phase_table)
        self._session: KeptSession | None = None

    def prepare(self, message: NewMessage) -> StoredMessage:
        """See `MessageStore`."""
        with self._transaction() as connection:
            if self._is_added(connection, message, MessageState.prepared):
                with _refusal(), connection.transaction(force_rollback=True):
                    self._insert_events(connection, message.events)
            return present(self._stored(connection, message.message_id), message.message_id)

    def submit_new(self, message: NewMessage) -> StoredMessage:
        """See `MessageStore`."""
        with self._transaction() as connection:
            if self._is_added(connection, message, MessageState.submitted):
                with _refusal():
                    self._insert_events(connection, message.events)
            return present(self._stored(connection, message.message_id), message.message_id)

    def finish(self, message_id: str, state: MessageState, reason: str = "") -> StoredMessage | None:
        """See `MessageStore`."""
        values = (state.value, reason, reason, message_id, message_id)
        with self._transaction() as connection:
            row = connection.execute(self._sql(FINISH), values).fetchone()
            if row is not None and state is MessageState.submitted:
                self._insert_events(connection, stored_events(row[0]))
            return self._stored(connection, message_id)

    def read(self, message_id: str) -> StoredMessage | None:
        """See `MessageStore`."""
        with self._transaction() as connection:
            return self._stored(connection, message_id)

    def check_now(self, message_id: str) -> StoredMessage | None:
        """See `MessageStore`."""
        with self._transaction() as connection:
            connection.execute(self._sql(CHECK_NOW), (message_id, CHECK_DAYS))
            return self._stored(connection, message_id)

    def claim(self, most: int, lease_seconds: float) -> Sequence[DueMessage]:
        """See `MessageStore`."""
        with self._transaction() as connection:
            rows = connection.execute(self._sql(CLAIM), (lease_seconds, most, CHECK_DAYS)).fetchall()
        return [DueMessage(row[0], CheckBackProtocol(row[1]), *row[2:]) for row in rows]

    def postpone(self, message: DueMessage, seconds: float | None, reason: str) -> None:
        """See `MessageStore`."""
        with self._transaction() as connection:
            connection.execute(self._sql(POSTPONE), (reason, seconds, message.message_id, message.attempt))

    def counts(self) -> MessageCounts:
        """See `MessageStore`."""
        try:
            with self._transaction() as connection:
                row = connection.execute(self._sql(COUNTS)).fetchone()
        except DatabaseRefused as refused:
            if isinstance(refused.__cause__, psycopg.errors.UndefinedTable):
                refused.fix = CREATE
            raise
        return MessageCounts(*row) if row else MessageCounts(0, 0.0, 0)

    def close(self) -> None:
        """See `MessageStore`."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        if self._session is None:
            self._session = KeptSession(self._dsn)
            with self._session.use(seconds=SECONDS) as connection:
                connection.execute(LOCK)
        try:
            with self._session.use(transaction=True, seconds=SECONDS) as connection:
                yield connection
        except DatabaseUnreachable:
            self.close()
            raise

    def _sql(self, statement: str) -> bytes:
        return statement.replace("{table}", self._table).replace("{stored}", STORED).encode()

    def _is_added(self, connection: Session, message: NewMessage, state: MessageState) -> bool:
        values = (*added(message, state), message.check_after_seconds, state.value)
        return connection.execute(self._sql(ADD), values).fetchone() is not None

    def _insert_events(self, connection: Session, events: Sequence[MessageEvent]) -> None:
        for event in events:
            values = message_row(self._outbox, event)
            if self._outbox.table.storage == "log":
                writer = bound(self._outbox.names.schema, self._outbox.names.write_procedure)
                statement = f"call {writer}({', '.join(f'{bound(column)} => %s' for column in values)})"
            else:
                table, listed = bound(self._outbox.names.schema, self._outbox.table.name), ", ".join(map(bound, values))
                statement = f"insert into {table} ({listed}) values ({', '.join(['%s'] * len(values))})"  # noqa: S608
            connection.execute(statement.encode(), tuple(values.values()))

    def _stored(self, connection: Session, message_id: str) -> StoredMessage | None:
        row = connection.execute(self._sql(READ), (message_id,)).fetchone()
        return StoredMessage(row[0], MessageState(row[1]), *row[2:]) if row else None


@contextmanager
def _refusal() -> Iterator[None]:
    """Make an error about the values of the events a RefusedMessage."""
    try:
        yield
    except (psycopg.errors.DataError, psycopg.errors.IntegrityError, psycopg.errors.UndefinedColumn) as cause:
        raise refused(" ".join((cause.diag.message_primary or str(cause)).split())) from cause
    except (TypeError, ValueError, psycopg.ProgrammingError) as cause:
        if isinstance(cause, psycopg.Error) and cause.sqlstate is not None:
            raise
        raise RefusedMessage("a value of an event is of a type that no column takes", why=str(cause)) from cause
