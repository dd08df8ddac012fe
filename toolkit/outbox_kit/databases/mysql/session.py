"""A session with MySQL or MariaDB; the driver's errors become ours here and nowhere else."""

import os
import ssl
import struct
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote

import pymysql
from pymysql.constants import CLIENT, CR, ER
from pymysql.cursors import Cursor, SSCursor

from outbox_kit import deadline
from outbox_kit.databases.connecting import refusal
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.mysql.variant import VARIANTS
from outbox_kit.databases.scripts import Rows, retried
from outbox_kit.databases.url import Form
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, UsageProblem
from outbox_kit.handshake import context
from outbox_kit.secret import Secret
from outbox_kit.waiting import announced

CONNECT_TIMEOUT_SECONDS = 10
PATIENCE_SECONDS = 60.0
ANSWER_SECONDS = 20.0
"""For each answer to a script."""
FORM = Form(
    tuple(VARIANTS),
    MYSQL.access.port,
    frozenset({"mysql", "information_schema", "performance_schema", "sys"}),
)
endpoint, address, database_names = FORM.endpoint, FORM.address, FORM.database_names
TLS_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")
TLS_FILES = ("ssl-ca", "ssl-cert", "ssl-key")
TLS_NAMES = dict(zip(("authority", "certificate", "key"), TLS_FILES, strict=True)) | {"password": "a key without one"}
NEXT_STEPS = {
    (ER.NO_SUCH_TABLE,): "create the missing objects: outbox-kit gen-ddl --apply",
    (
        ER.BAD_FIELD_ERROR,
    ): "if the schema file was changed: outbox-kit gen-ddl --diff git:main; otherwise see outbox-kit status",
    (
        ER.TABLEACCESS_DENIED_ERROR,
        ER.COLUMNACCESS_DENIED_ERROR,
        ER.SPECIFIC_ACCESS_DENIED_ERROR,
        ER.DBACCESS_DENIED_ERROR,
    ): ("grant the privilege to the user, or use another user in OUTBOX_KIT_DSN"),
}

LOST = (
    CR.CR_SERVER_LOST,
    CR.CR_SERVER_GONE_ERROR,
    ER.SERVER_SHUTDOWN,
    1927,  # MariaDB: the connection was killed
    4031,  # MySQL: the client was silent for too long
)
CONFLICTS = (ER.LOCK_DEADLOCK, ER.LOCK_WAIT_TIMEOUT, ER.CHECKREAD)
"""Errors because of what others have locked or changed; the same statements may succeed the next time."""
LOCK_SECONDS, IDLE_SECONDS = 2, 30
KEPT = (
    "set session transaction isolation level read committed; set session innodb_lock_wait_timeout = %(lock)s, "
    "lock_wait_timeout = %(lock)s, wait_timeout = %(idle)s"
)
CLEAR_TEXT = "mysql_clear_password"
Session = Cursor


@announced("the database", lambda dsn: address(dsn))
@contextmanager
def session(dsn: str, *, seconds: float = PATIENCE_SECONDS, streamed: bool = False) -> Iterator[Session]:
    """A cursor for the length of a block, in UTC and in strict mode: one transaction, rolled back if the block raises.

    dsn: `mysql://user@host:port/database?ssl-mode=required`; the password is in MYSQL_PWD where it is left out.
    seconds: for each answer of the server; one that has not answered by then is hung up on. streamed: rows are not kept
    here, but fetched from the server as they are asked for.
    Raises UsageProblem (no such address), DatabaseUnreachable, DatabaseRefused.
    """
    place, seconds = address(dsn), deadline.allowed(seconds, grace=True)
    connection = _connected(dsn, seconds)
    with closing(connection), _answering(place):
        with connection.cursor(SSCursor if streamed else Cursor) as cursor:
            yield cursor
        connection.commit()


class KeptSession:
    """A connection that is kept, in UTC and in strict mode: each statement is a transaction of its own.

    The isolation is READ COMMITTED, under which the gaps between rows are not locked. No transaction waits long for a
    lock, and none outlives a client that is frozen for long.
    """

    def __init__(self, dsn: str) -> None:
        """dsn: as for `session`. Raises UsageProblem, DatabaseUnreachable."""
        self._place = address(dsn)
        self._connection = _connected(dsn, CONNECT_TIMEOUT_SECONDS, autocommit=True)
        self._decoders = self._connection.decoders
        with self.use(seconds=CONNECT_TIMEOUT_SECONDS) as cursor:
            cursor.execute(KEPT, {"lock": LOCK_SECONDS, "idle": IDLE_SECONDS})
            while cursor.nextset():
                pass

    @contextmanager
    def use(self, *, seconds: float = PATIENCE_SECONDS, raw: bool = False) -> Iterator[Session]:
        """A cursor for the length of a block. Raises DatabaseUnreachable, DatabaseRefused.

        seconds: for each answer of the server; one that has not answered by then is hung up on. raw: values are bytes,
        as the server writes them.
        """
        connection = self._connection
        connection.limit(seconds)
        connection.use_unicode, connection.decoders = not raw, {} if raw else self._decoders
        with _answering(self._place), connection.cursor() as cursor:
            yield cursor

    def run(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        """See `ScriptSession`."""
        return retried(lambda: self._ran(script, values), _is_conflict)

    def close(self) -> None:
        """End the connection. Raises nothing."""
        with suppress(pymysql.Error, OSError):
            self._connection.close()

    def _ran(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        results: list[Rows] = []
        try:
            with self.use(seconds=ANSWER_SECONDS) as cursor:
                more: bool | None = cursor.execute(script, values) >= 0
                while more:
                    if cursor.description is not None:
                        results.append(cursor.fetchall())
                    more = cursor.nextset()
        except DatabaseRefused:
            with self.use(seconds=ANSWER_SECONDS) as cursor:  # the server does not undo a transaction for every error
                cursor.execute("rollback")
            raise
        return results


def _connected(dsn: str, seconds: float, *, autocommit: bool = False) -> "_Connection":
    """A new connection. Raises UsageProblem, DatabaseUnreachable."""
    parts = FORM.parts(dsn)
    password = Secret(unquote(parts.password) if parts.password else os.environ.get(MYSQL.access.variable, ""))
    try:
        return _Connection(
            host=parts.hostname or "localhost",
            port=parts.port or FORM.port,
            user=unquote(parts.username) if parts.username else None,
            password=password.reveal().encode(),  # the driver would write it in Latin-1
            database=unquote(parts.path.lstrip("/")) or None,
            charset="utf8mb4",
            init_command="set session time_zone = '+00:00'",
            sql_mode="TRADITIONAL",
            client_flag=CLIENT.MULTI_STATEMENTS,
            connect_timeout=min(CONNECT_TIMEOUT_SECONDS, seconds),
            read_timeout=max(1, seconds),
            write_timeout=max(1, seconds),
            auth_plugin_map={CLEAR_TEXT: _ClearText},
            autocommit=autocommit,
            **_tls(parts),
        )
    except (pymysql.Error, RuntimeError, OSError, ValueError, LookupError, struct.error) as cause:
        why, fix = refusal(MYSQL.access, words(cause))
        raise DatabaseUnreachable("no connection to the database", where=address(dsn), why=why, fix=fix) from cause


def _is_conflict(error: Exception) -> bool:
    return _number(error) in CONFLICTS


@contextmanager
def _answering(place: str) -> Iterator[None]:
    """Make the driver's errors ours. Raises DatabaseUnreachable, DatabaseRefused."""
    try:
        yield
    except pymysql.Error as cause:
        number = _number(cause)
        if number in LOST or isinstance(cause, pymysql.InterfaceError):
            raise DatabaseUnreachable("the database connection was lost", where=place, why=words(cause)) from cause
        fix = next((step for numbers, step in NEXT_STEPS.items() if number in numbers), "")
        raise DatabaseRefused("the database refused a statement", where=place, why=words(cause), fix=fix) from cause


class _Connection(pymysql.connections.Connection):
    """A connection that sends its password in clear text only where TLS hides it; the driver sends it to who asks.

    Where TLS is preferred the driver asks for a context of no options.
    """

    def limit(self, seconds: float) -> None:
        """From now on hang up when an answer takes longer."""
        self._read_timeout = self._write_timeout = max(1.0, seconds)

    def _get_server_information(self) -> None:
        super()._get_server_information()  # type: ignore[misc]
        if self._auth_plugin_name == CLEAR_TEXT:  # type: ignore[has-type]
            self._auth_plugin_name = ""  # the server has to ask for it, which `_ClearText` answers

    def _create_ssl_ctx(self, options: Any) -> ssl.SSLContext:
        return options or _unverified()


class _ClearText:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def authenticate(self, _: Any) -> Any:
        """Send the password. Raises OperationalError where it would be readable on the way."""
        connection = self._connection
        if not isinstance(connection._sock, ssl.SSLSocket):
            why = "the server requests the password in clear text, and the connection has no TLS"
            raise pymysql.OperationalError(CR.CR_AUTH_PLUGIN_CANNOT_LOAD, why)
        connection.write_packet(connection.password + b"\0")
        answer = connection._read_packet()
        answer.check_error()
        return answer


def bound(*names: str) -> str:
    """A quoted identifier in a statement with values: the driver takes a percent sign for the mark of one."""
    return MYSQL.quote_ident(*names).replace("%", "%%")


def words(error: Exception) -> str:
    """What the server or the driver said, on one line."""
    return " ".join(str(error.args[-1] if error.args else error).split())


def _number(error: Exception) -> int:
    return error.args[0] if error.args and isinstance(error.args[0], int) else 0


def _tls(parts: SplitResult) -> dict[str, Any]:
    """The driver's options for the address's ssl-mode, ssl-ca, ssl-cert and ssl-key. Raises UsageProblem."""
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    mode = options.get("ssl-mode", "preferred").lower().replace("_", "-")
    authority, certificate, key = (options.get(name) for name in TLS_FILES)
    if mode not in TLS_MODES:
        raise UsageProblem(f"invalid ssl-mode '{mode}': expected {', '.join(TLS_MODES)}")
    if mode == "disabled":
        return {"ssl_disabled": True}
    if mode.startswith("verify") or authority or certificate or key:
        tls_context = context(authority, certificate, key, names=TLS_NAMES)
        tls_context.check_hostname = mode == "verify-identity"  # the driver leaves it out if no file is named
        tls_context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # the certificates that MySQL makes do not pass it
        if not mode.startswith("verify") and not authority:
            tls_context.verify_mode = ssl.CERT_NONE
        return {"ssl": tls_context}
    return {"ssl": _unverified()} if mode == "required" else {}


@cache
def _unverified() -> ssl.SSLContext:
    """TLS with any server; the system's authorities, which take 30 ms to read, are left out."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
