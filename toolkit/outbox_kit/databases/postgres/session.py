"""A session with PostgreSQL; the driver's errors become ours here and nowhere else."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Event
from typing import Any

import psycopg
from psycopg import conninfo, sql

from outbox_kit import deadline, secret
from outbox_kit.address import flaw
from outbox_kit.databases.connecting import refusal
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.handshake import certificate_refusal
from outbox_kit.databases.url import Endpoint, malformed
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox
from outbox_kit.waiting import announced

CONNECT_TIMEOUT_SECONDS = 10
SCHEMES = ("postgresql", "postgres")
FORM = "postgresql://user@host:5432/database"
NESTED = lazy_pattern("=|://")  # in a database's name, which libpq takes for an address then
PATIENCE_SECONDS = 60.0
SETTINGS: dict[str, Any] = {"application_name": "outbox-kit", "client_encoding": "UTF8"}
READ_COMMITTED = "set default_transaction_isolation = 'read committed'"
"""At a higher level, the server refuses a statement when another session has written at the same time."""
NEXT_STEPS = {
    (psycopg.errors.UndefinedTable,): "create the missing objects: outbox-kit gen-ddl --apply",
    (
        psycopg.errors.UndefinedColumn,
    ): "if the schema file was changed: outbox-kit gen-ddl --diff git:main; otherwise see outbox-kit status",
    (psycopg.errors.InsufficientPrivilege,): "grant the privilege to the user, or use another user in OUTBOX_KIT_DSN",
}

Session = psycopg.Connection[tuple[Any, ...]]


@announced("PostgreSQL", lambda dsn: address(dsn))
@contextmanager
def session(dsn: str, *, autocommit: bool = False, seconds: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """A connection for the length of a block: one transaction, rolled back if the block raises.

    dsn: a libpq connection string or URL; what it leaves out comes from PGHOST, PGPASSWORD and so on.
    seconds: for the whole block; a server that has not answered by then is hung up on.
    Raises UsageProblem (no connection string), DatabaseUnreachable, DatabaseRefused.
    """
    seconds = deadline.allowed(seconds, grace=True)
    connection = _connected(dsn, seconds, autocommit=autocommit)
    with _answering(connection, address(dsn), seconds), connection:
        yield connection


class KeptSession:
    """A connection that is kept: each statement is a transaction of its own, unless a block says otherwise."""

    def __init__(self, dsn: str) -> None:
        """dsn: as for `session`. Raises UsageProblem, DatabaseUnreachable."""
        self._place = address(dsn)
        self._connection = _connected(dsn, CONNECT_TIMEOUT_SECONDS, autocommit=True)
        self._connection.execute(READ_COMMITTED)
        self._connection.prepare_threshold = None  # a pooler may give each transaction another server process

    @contextmanager
    def use(self, *, transaction: bool = False, seconds: float = PATIENCE_SECONDS) -> Iterator[Session]:
        """The connection for the length of a block. Raises DatabaseUnreachable, DatabaseRefused.

        seconds: for the whole block; a server that has not answered by then is hung up on.
        """
        with _answering(self._connection, self._place, seconds):
            if transaction:
                with self._connection.transaction():
                    yield self._connection
            else:
                yield self._connection

    def notified(self, seconds: float) -> bool:
        """Whether a notification has come; waits at most so long. Raises DatabaseUnreachable."""
        with _answering(self._connection, self._place, None):
            return bool([*self._connection.notifies(timeout=seconds, stop_after=1)])

    def close(self) -> None:
        """End the connection. Raises nothing."""
        with suppress(psycopg.Error, OSError):
            self._connection.close()


def _connected(dsn: str, seconds: float, *, autocommit: bool) -> Session:
    """A new connection. Raises UsageProblem, DatabaseUnreachable."""
    place, patience = address(dsn), max(1, round(min(CONNECT_TIMEOUT_SECONDS, seconds)))
    secret.remember(os.environ.get(POSTGRES.access.variable, ""))
    try:
        return psycopg.connect(dsn, autocommit=autocommit, connect_timeout=patience, **SETTINGS)
    except psycopg.Error as cause:
        why, fix = refusal(POSTGRES.access, _words(cause), lambda: certificate_refusal(dsn))
        raise DatabaseUnreachable("no connection to the database", where=place, why=why, fix=fix) from cause


@contextmanager
def _answering(connection: Session, place: str, seconds: float | None) -> Iterator[None]:
    """Make the driver's errors ours; None waits as long as the block does. Raises as `session`."""
    late = Event()
    try:
        with nullcontext() if seconds is None else _hung_up(connection, seconds, late):
            yield
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
        with suppress(OSError):  # it has ended in the meantime
            line.shutdown(socket.SHUT_RDWR)

    try:
        with deadline.overrun(seconds, hang_up):
            yield
    finally:
        line.close()


def database_names(dsn: str, outbox: Outbox) -> tuple[str, ...]:  # noqa: ARG001 - as Oracle's
    """The database that an address leads to; the address itself may leave it out."""
    with session(dsn) as connection:
        row = connection.execute("select current_database()").fetchone()
    return tuple(row or ())


def endpoint(dsn: str) -> Endpoint:
    """Host, port and database of a connection string, without connecting."""
    if flaw(dsn, fragments=False, several=False):
        return Endpoint()
    try:
        parameters = conninfo.conninfo_to_dict(dsn)
    except psycopg.Error:
        return Endpoint()
    host, port, name = (str(parameters.get(word) or "") for word in ("host", "port", "dbname"))
    if NESTED.search(name):
        return Endpoint()
    return Endpoint(host or None, int(port) if port.isdigit() else None, name or None)


def address(dsn: str) -> str:
    """Host, port and database of a connection string, never its password. Raises UsageProblem."""
    secret.remember_address(dsn)
    if why := flaw(dsn, fragments=False, several=False) or _other_scheme(dsn):
        raise malformed(FORM, why)
    try:
        parts = conninfo.conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        raise malformed(FORM) from None
    ports = str(parts.get("port") or "").split(",")
    if not all(port.isdigit() or not port for port in ports):
        raise malformed(FORM, "its port is not a number")
    if NESTED.search(str(parts.get("dbname") or "")):
        raise malformed(FORM, "its dbname is an address itself")
    return f"{parts.get('host', 'localhost')}:{parts.get('port', 5432)}/{parts.get('dbname', '')}"


def _other_scheme(dsn: str) -> str:
    """Why an address is not PostgreSQL's; empty where it may be."""
    scheme, separator, _ = dsn.partition("://")
    if separator and scheme.isidentifier() and scheme not in SCHEMES:
        return f"it is an address of {scheme}, and the database is PostgreSQL"
    return ""


def bound(*names: str) -> str:
    """A quoted identifier in a statement with values: the driver takes a percent sign for the mark of one."""
    return POSTGRES.quote_ident(*names).replace("%", "%%")


def identifier(*names: str) -> sql.SQL:
    """The same as a part of a statement, which must be run with values, were it none: `()`."""
    return sql.SQL(bound(*names))


def has_password(dsn: str) -> bool:
    """Whether a connection string spells a password out."""
    try:
        parts = conninfo.conninfo_to_dict(dsn)
        return bool(parts.get("password")) or bool(NESTED.search(str(parts.get("dbname") or "")))
    except psycopg.ProgrammingError:
        return False


def _words(error: psycopg.Error) -> str:
    """What the server said, on one line, with its hint."""
    parts = [error.diag.message_primary or str(error), error.diag.message_detail, error.diag.message_hint]
    return "; ".join(" ".join(text.split()) for text in parts if text)
