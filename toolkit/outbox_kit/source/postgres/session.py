"""A session with PostgreSQL; the driver's errors become ours here and nowhere else."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Timer
from typing import Any

import psycopg
from psycopg import conninfo, sql

from outbox_kit.dialects.postgres import POSTGRES
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, UsageProblem

CONNECT_TIMEOUT_SECONDS = 10
PATIENCE_SECONDS = 60.0
NEXT_STEPS = {
    (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn): "make what is missing: outbox-kit gen-ddl --apply",
    (psycopg.errors.InsufficientPrivilege,): "grant that right to the user, or name another one in OUTBOX_KIT_DSN",
}

Session = psycopg.Connection[tuple[Any, ...]]


@contextmanager
def session(dsn: str, *, autocommit: bool = False, seconds: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """A connection for the length of a block: one transaction, rolled back if the block raises.

    dsn: a libpq connection string or URL; what it leaves out comes from PGHOST, PGPASSWORD and so on.
    seconds: for the whole block; a server that has not answered by then is hung up on.
    Raises UsageProblem (no connection string), DatabaseUnreachable, DatabaseRefused.
    """
    place = address(dsn)
    try:
        connection = psycopg.connect(
            dsn, autocommit=autocommit, connect_timeout=CONNECT_TIMEOUT_SECONDS, application_name="outbox-kit"
        )
    except psycopg.Error as cause:
        raise DatabaseUnreachable(
            "no connection to the database",
            where=place,
            why=_words(cause),
            fix="set OUTBOX_KIT_DSN to a connection string that psql accepts",
        ) from cause
    late = Event()
    try:
        with _hung_up(connection, seconds, late), connection:
            yield connection
    except (psycopg.OperationalError, psycopg.InterfaceError) as cause:
        why = f"it has not answered in {seconds:.0f} s" if late.is_set() else _words(cause)
        raise DatabaseUnreachable("the database connection was lost", where=place, why=why) from cause
    except psycopg.Error as cause:
        fix = next((step for kinds, step in NEXT_STEPS.items() if isinstance(cause, kinds)), "")
        raise DatabaseRefused("the database refused a statement", where=place, why=_words(cause), fix=fix) from cause


@contextmanager
def _hung_up(connection: Session, seconds: float, late: Event) -> Iterator[None]:
    """Hang up after so long: a frozen server keeps its end open, and a driver that waits for it hears of no timeout."""
    line = socket.socket(fileno=os.dup(connection.fileno()))

    def hang_up() -> None:
        late.set()
        with suppress(OSError):  # it has just ended by itself
            line.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        line.close()


def server(dsn: str) -> tuple[str | None, int | None, str | None]:
    """Host, port and database that a connection string names; None for what it leaves out, or where it is none."""
    try:
        named = conninfo.conninfo_to_dict(dsn)
    except psycopg.Error:
        return None, None, None
    host, port, name = (str(named.get(word) or "") for word in ("host", "port", "dbname"))
    return host or None, int(port) if port.isdigit() else None, name or None


def address(dsn: str) -> str:
    """Host, port and database of a connection string, never its password."""
    try:
        parts = conninfo.conninfo_to_dict(dsn)
    except psycopg.ProgrammingError as cause:
        raise UsageProblem(
            "the connection string is malformed", fix="write it as postgresql://user@host:5432/database"
        ) from cause
    return f"{parts.get('host', 'localhost')}:{parts.get('port', 5432)}/{parts.get('dbname', '')}"


def bound(*names: str) -> str:
    """A quoted identifier in a statement with values: the driver takes a percent sign for the mark of one."""
    return POSTGRES.ident(*names).replace("%", "%%")


def identifier(*names: str) -> sql.SQL:
    """The same as a part of a statement, which must be run with values, were it none: `()`."""
    return sql.SQL(bound(*names))


def has_password(dsn: str) -> bool:
    """Whether a connection string spells a password out."""
    try:
        return bool(conninfo.conninfo_to_dict(dsn).get("password"))
    except psycopg.ProgrammingError:
        return False


def _words(error: psycopg.Error) -> str:
    """What the server said, on one line, with its hint."""
    said = [error.diag.message_primary or str(error), error.diag.message_detail, error.diag.message_hint]
    return "; ".join(" ".join(text.split()) for text in said if text)
