"""Two-phase messages in MySQL and MariaDB: each call is one transaction, on a connection that is kept."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import pymysql
from pymysql.constants import ER

from outbox_kit.databases.message_rows import CREATE, added, message_row, present, refused, stored_events
from outbox_kit.databases.mysql.session import IDLE_SECONDS, KeptSession, Session, bound, words
from outbox_kit.databases.two_phase import (
    CheckBackProtocol,
    DueMessage,
    MessageCounts,
    MessageEvent,
    MessageState,
    NewMessage,
    StoredMessage,
)
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.two_phase import CHECK_DAYS

SECONDS = 10.0
"""For each answer; a server that has not answered by then is hung up on."""
REUSED_SECONDS = IDLE_SECONDS / 2
"""For which a connection may be idle: the server ends one that is idle for IDLE_SECONDS."""
REFUSALS = (
    ER.BAD_FIELD_ERROR,
    ER.NO_DEFAULT_FOR_FIELD,
    ER.WARN_DATA_OUT_OF_RANGE,
    ER.TRUNCATED_WRONG_VALUE_FOR_FIELD,
    1644,  # of a trigger
    3819,  # MySQL: a CHECK
    4025,  # MariaDB: a CHECK
)
"""Errors about the values of an event, beside those that the driver has a class for."""
UTC = "concat(left(date_format({}, '%%Y-%%m-%%dT%%H:%%i:%%s.%%f'), 23), 'Z')"
STORED = (
    f"message_id, state, digest, attempts, reason, {UTC.format('prepared_at')}, {UTC.format('finished_at')}, "
    f"if(state = 'prepared', {UTC.format('check_at')}, null)"
)
PREPARED_EVENTS = "select events from {table} where message_id = %s and state = 'prepared' for update"
FINISH = (
    "update {table} set state = %s, reason = if(%s = '', reason, %s), finished_at = now(6), events = '[]' "
    "where message_id = %s"
)
CHECK_NOW = (
    "update {table} set check_at = now(6) where message_id = %s and state = 'prepared' "
    "and prepared_at > now(6) - interval %s day"
)
DUE = (
    "select message_id, protocol, check_back, attempts, prepared_at < now(6) - interval %s day from {table} "
    "where state = 'prepared' and check_at <= now(6) order by check_at limit %s for update skip locked"
)
CLAIM = "update {table} set check_at = now(6) + interval %s microsecond, attempts = %s where message_id = %s"
POSTPONE = (
    "update {table} set reason = %s, check_at = now(6) + interval %s microsecond "
    "where message_id = %s and state = 'prepared' and attempts = %s"
)
COUNTS = (
    "select count(*), coalesce(timestampdiff(microsecond, min(prepared_at), now(6)), 0) / 1000000, "
    "coalesce(sum(check_at is null), 0) from {table} where state = 'prepared'"
)
ADD = (
    "insert into {table} (message_id, protocol, check_back, events, digest, state, check_at, finished_at) "
    "values (%s, %s, %s, %s, %s, %s, now(6) + interval %s microsecond, if(%s = 'prepared', null, now(6))) "
    "on duplicate key update attempts = attempts"
)
READ = "select {stored} from {table} where message_id = %s"
MOST_ATTEMPTS = 1_000_000


class MySqlMessages:
    """See `MessageStore`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        self._dsn, self._outbox = dsn, outbox
        self._table = bound(outbox.names.schema, outbox.names.two_phase_table)
        self._session: KeptSession | None = None
        self._used = 0.0

    def prepare(self, message: NewMessage) -> StoredMessage:
        """See `MessageStore`."""
        with self._transaction() as cursor:
            if self._is_added(cursor, message, MessageState.prepared):
                cursor.execute("savepoint events")
                with _refusal():
                    self._insert_events(cursor, message.events)
                cursor.execute("rollback to savepoint events")
            return present(self._stored(cursor, message.message_id), message.message_id)

    def submit_new(self, message: NewMessage) -> StoredMessage:
        """See `MessageStore`."""
        with self._transaction() as cursor:
            if self._is_added(cursor, message, MessageState.submitted):
                with _refusal():
                    self._insert_events(cursor, message.events)
            return present(self._stored(cursor, message.message_id), message.message_id)

    def finish(self, message_id: str, state: MessageState, reason: str = "") -> StoredMessage | None:
        """See `MessageStore`."""
        with self._transaction() as cursor:
            cursor.execute(self._sql(PREPARED_EVENTS), (message_id,))
            row = cursor.fetchone()
            if row is not None:
                cursor.execute(self._sql(FINISH), (state.value, reason, reason, message_id))
                if state is MessageState.submitted:
                    self._insert_events(cursor, stored_events(row[0]))
            return self._stored(cursor, message_id)

    def read(self, message_id: str) -> StoredMessage | None:
        """See `MessageStore`."""
        with self._transaction() as cursor:
            return self._stored(cursor, message_id)

    def check_now(self, message_id: str) -> StoredMessage | None:
        """See `MessageStore`."""
        with self._transaction() as cursor:
            cursor.execute(self._sql(CHECK_NOW), (message_id, CHECK_DAYS))
            return self._stored(cursor, message_id)

    def claim(self, most: int, lease_seconds: float) -> Sequence[DueMessage]:
        """See `MessageStore`."""
        due = []
        with self._transaction() as cursor:
            cursor.execute(self._sql(DUE), (CHECK_DAYS, most))
            for message_id, protocol, url, attempts, is_expired in cursor.fetchall():
                attempt = min(attempts, MOST_ATTEMPTS) + 1
                name = message_id.decode()
                due.append(DueMessage(name, CheckBackProtocol(protocol), url, attempt, bool(is_expired)))
            for message in due:
                cursor.execute(self._sql(CLAIM), (_microseconds(lease_seconds), message.attempt, message.message_id))
        return due

    def postpone(self, message: DueMessage, seconds: float | None, reason: str) -> None:
        """See `MessageStore`."""
        pause = None if seconds is None else _microseconds(seconds)
        with self._transaction() as cursor:
            cursor.execute(self._sql(POSTPONE), (reason, pause, message.message_id, message.attempt))

    def counts(self) -> MessageCounts:
        """See `MessageStore`."""
        try:
            with self._transaction() as cursor:
                cursor.execute(self._sql(COUNTS))
                row = cursor.fetchone()
        except DatabaseRefused as problem:
            cause = problem.__cause__
            if isinstance(cause, pymysql.Error) and cause.args[:1] == (ER.NO_SUCH_TABLE,):
                problem.fix = CREATE
            raise
        return MessageCounts(int(row[0]), float(row[1]), int(row[2])) if row else MessageCounts(0, 0.0, 0)

    def close(self) -> None:
        """See `MessageStore`."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        if time.monotonic() > self._used + REUSED_SECONDS:
            self.close()
        if self._session is None:
            self._session = KeptSession(self._dsn)
        try:
            with self._session.use(seconds=SECONDS) as cursor:
                cursor.execute("start transaction")
                try:
                    yield cursor
                except BaseException:
                    with suppress(pymysql.Error, OSError):  # of a connection that is lost
                        cursor.execute("rollback")
                    raise
                cursor.execute("commit")
            self._used = time.monotonic()
        except DatabaseUnreachable:
            self.close()
            raise

    def _sql(self, statement: str) -> str:
        return statement.replace("{table}", self._table).replace("{stored}", STORED)

    def _is_added(self, cursor: Session, message: NewMessage, state: MessageState) -> bool:
        values = (*added(message, state), _microseconds(message.check_after_seconds), state.value)
        count = cursor.execute(self._sql(ADD), values)
        return count == 1  # a row that stays as it was counts 0

    def _insert_events(self, cursor: Session, events: Sequence[MessageEvent]) -> None:
        for event in events:
            values = message_row(self._outbox, event)
            table, listed = bound(self._outbox.names.schema, self._outbox.table.name), ", ".join(map(bound, values))
            statement = f"insert into {table} ({listed}) values ({', '.join(['%s'] * len(values))})"  # noqa: S608
            cursor.execute(statement, tuple(values.values()))

    def _stored(self, cursor: Session, message_id: str) -> StoredMessage | None:
        cursor.execute(self._sql(READ), (message_id,))
        row = cursor.fetchone()
        return StoredMessage(row[0].decode(), MessageState(row[1]), *row[2:]) if row else None


def _microseconds(seconds: float) -> int:
    return round(seconds * 1_000_000)


@contextmanager
def _refusal() -> Iterator[None]:
    """Make an error about the values of the events a RefusedMessage."""
    try:
        yield
    except pymysql.Error as cause:
        about_values = isinstance(cause, pymysql.DataError | pymysql.IntegrityError) or cause.args[:1] in [
            (number,) for number in REFUSALS
        ]
        if not about_values:
            raise
        raise refused(words(cause)) from cause
