"""A session with Oracle; the driver's errors become ours here and nowhere else."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import Any
from urllib.parse import SplitResult, unquote

from outbox_kit import deadline
from outbox_kit.databases.connecting import next_step
from outbox_kit.databases.driver import missing
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.scripts import Rows, retried
from outbox_kit.databases.url import Form
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox
from outbox_kit.secret import Secret
from outbox_kit.waiting import announced

CONNECT_TIMEOUT_SECONDS = 10.0
PATIENCE_SECONDS = 60.0
TIME_IS_UP = "DPY-4024"
CONFLICTS = {"ORA-00054", "ORA-00060", "ORA-08177", "ORA-30006"}
"""A lock that was not to be had, a deadlock, and a transaction that cannot be serialised."""
LOST = {"DPY-1001", "DPY-4011", "DPY-6005", "ORA-03113", "ORA-03114", "ORA-03135", TIME_IS_UP}
NEXT_STEPS = {
    ("ORA-00942",): "create the missing objects, or grant the missing privileges: outbox-kit gen-ddl --apply",
    (
        "ORA-00904",
    ): "if the schema file was changed: outbox-kit gen-ddl --diff git:main; otherwise see outbox-kit status",
    ("ORA-01031", "ORA-41900"): "grant the privilege to the user, or use another user in OUTBOX_KIT_DSN",
    ("ORA-00054",): "end the session that locks the table, then repeat",
}

CALLED = (
    "select sys_context('userenv', 'con_name'), sys_context('userenv', 'service_name'), "
    "sys_context('userenv', 'db_name') from dual"
)

KEPT = ("alter session set time_zone = '+00:00'", "alter session set nls_numeric_characters = '.,'")
MOST_OCTETS = 4000
"""Of a text that is not bound as a LOB."""
NO_MARK = lazy_pattern(r"\"[^\"]*\"|'[^']*'")
MARK = lazy_pattern(r":(\w+)")
Session = Any  # the driver's cursor
FORM = Form(("oracle",), ORACLE.access.port)
address, endpoint = FORM.address, FORM.endpoint


def driver() -> Any:
    """The driver, which the kit does without until an Oracle is to be reached. Raises UsageProblem."""
    try:
        import oracledb
    except ImportError as cause:
        raise missing(ORACLE, cause) from None
    return oracledb


@announced("Oracle", lambda dsn: address(dsn))
@contextmanager
def session(dsn: str, outbox: Outbox | None = None, *, seconds: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """A cursor for the length of a block, in UTC: one transaction, rolled back if the block raises.

    dsn: `oracle://user@host:port/service?protocol=tcps`; the password is in ORACLE_PASSWORD where it is left out.
    outbox: into whose database to go, where the address is that of its container's root.
    seconds: for each answer of the server; one that has not answered by then is hung up on.
    Raises UsageProblem (no such address), DatabaseUnreachable, DatabaseRefused.
    """
    place = address(dsn)
    connection = _opened(dsn)
    with closing(connection), _answering(place):
        connection.call_timeout = max(1, round(deadline.allowed(seconds, grace=True) * 1000))
        with connection.cursor() as cursor:
            cursor.execute(KEPT[0])
            if outbox and outbox.database.container and in_root(cursor):
                enter(cursor, outbox)
            yield cursor
        connection.commit()


class KeptSession:
    """See `ScriptSession`. A script is one query, or one block that commits; a LOB is read like any other value."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        """dsn, outbox: as for `session`. Raises UsageProblem, DatabaseUnreachable, DatabaseRefused."""
        self._place = address(dsn)
        self._connection = _opened(dsn)
        self._connection.call_timeout = round(PATIENCE_SECONDS * 1000)
        self._connection.outputtypehandler = _whole
        with _answering(self._place), self._connection.cursor() as cursor:
            for statement in KEPT:
                cursor.execute(statement)
            if outbox.database.container and in_root(cursor):
                enter(cursor, outbox)

    def run(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        """See `ScriptSession`."""
        return retried(lambda: self._ran(script, values), _is_conflict)

    def close(self) -> None:
        """End the connection. Raises nothing."""
        with suppress(driver().Error):
            self._connection.close()

    def _ran(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        marks = set(MARK.findall(NO_MARK.sub("", script)))
        bindable = {name: value for name, value in values.items() if name in marks}
        large = {
            name: driver().DB_TYPE_CLOB
            for name, value in bindable.items()
            if isinstance(value, str) and len(value.encode()) > MOST_OCTETS
        }
        with _answering(self._place), self._connection.cursor() as cursor:
            if large:
                cursor.setinputsizes(**large)
            try:
                cursor.execute(script, bindable)
            except driver().Error:
                with suppress(driver().Error):
                    self._connection.rollback()
                raise
            if cursor.description:
                return [cursor.fetchall()]
            return [results.fetchall() for results in cursor.getimplicitresults()]


def _whole(cursor: Session, metadata: Any) -> Any:
    """Have a LOB fetched like a value."""
    oracledb = driver()
    kinds = {
        oracledb.DB_TYPE_CLOB: oracledb.DB_TYPE_LONG,
        oracledb.DB_TYPE_NCLOB: oracledb.DB_TYPE_LONG_NVARCHAR,
        oracledb.DB_TYPE_BLOB: oracledb.DB_TYPE_LONG_RAW,
    }
    kind = kinds.get(metadata.type_code)
    return None if kind is None else cursor.var(kind, arraysize=cursor.arraysize)


def _opened(dsn: str) -> Any:
    """A new connection of the driver. Raises UsageProblem, DatabaseUnreachable."""
    oracledb, parts, place = driver(), FORM.parts(dsn), address(dsn)
    try:
        return _connected(oracledb, parts)
    except (oracledb.Error, OSError, ValueError) as cause:
        fix = next_step(ORACLE.access, words(cause))
        raise DatabaseUnreachable("no connection to the database", where=place, why=words(cause), fix=fix) from cause


def _is_conflict(error: Exception) -> bool:
    return code(error) in CONFLICTS


@contextmanager
def _answering(place: str) -> Iterator[None]:
    """Make the driver's errors ours. Raises DatabaseUnreachable, DatabaseRefused."""
    oracledb = driver()
    try:
        yield
    except oracledb.Error as cause:
        if code(cause) in LOST:
            raise DatabaseUnreachable("the database connection was lost", where=place, why=words(cause)) from cause
        fix = next((step for codes, step in NEXT_STEPS.items() if code(cause) in codes), "")
        raise DatabaseRefused("the database refused a statement", where=place, why=words(cause), fix=fix) from cause


def database_names(dsn: str, outbox: Outbox) -> tuple[str, ...]:
    """What the database is called that an address leads to; nothing in a container's root, from which each session goes
    into the outbox's own.
    """
    with session(dsn) as cursor:
        if outbox.database.container and in_root(cursor):
            return ()
        cursor.execute(CALLED)
        return tuple(name.partition(".")[0] for name in cursor.fetchone() or () if name)


def in_root(cursor: Session) -> bool:
    """Whether a session is in a container's root."""
    cursor.execute("select sys_context('userenv', 'con_name') from dual")
    return bool(cursor.fetchone() == ("CDB$ROOT",))


def enter(cursor: Session, outbox: Outbox) -> None:
    """Go from the root into the outbox's own database."""
    cursor.execute(f"alter session set container = {ORACLE.quote_ident(outbox.names.database)}")


def code(error: Exception) -> str:
    """The number of an error, of the server's (ORA-) or the driver's (DPY-); empty where it has none."""
    return str(getattr(error.args[0], "full_code", "")) if error.args else ""


def words(error: Exception) -> str:
    """What the server or the driver said, on one line."""
    message = (isinstance(error, OSError) and error.strerror) or (error.args[0] if error.args else error)
    return " ".join(str(message).partition("\nHelp:")[0].split())


def _connected(oracledb: Any, parts: SplitResult) -> Any:
    """A connection. In a thread of its own: the driver waits for ever for a server that listens and says nothing."""
    password = Secret(unquote(parts.password) if parts.password else os.environ.get(ORACLE.access.variable, ""))
    parameters = {
        "user": unquote(parts.username) if parts.username else None,
        "password": password.reveal(),
        "host": parts.hostname or "localhost",
        "port": parts.port or ORACLE.access.port,
        "service_name": unquote(parts.path.lstrip("/")),
        "protocol": FORM.option(parts, "protocol", "tcp"),
        "tcp_connect_timeout": CONNECT_TIMEOUT_SECONDS,
    }
    return deadline.answered(lambda: oracledb.connect(**parameters), deadline.allowed(2 * CONNECT_TIMEOUT_SECONDS))
