"""A session with SQL Server; the driver's errors become ours here and nowhere else.

The driver is pymssql: its wheels bring all they need, TLS too, where Microsoft's own needs libraries of the system and
a licence of its own.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import Any
from urllib.parse import unquote

from outbox_kit import deadline
from outbox_kit.databases.connecting import next_step
from outbox_kit.databases.driver import missing
from outbox_kit.databases.scripts import Rows, retried
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.url import Form
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.secret import Secret
from outbox_kit.waiting import announced

Session = Any  # the driver's cursor: the driver is imported where it is needed, and need not be there
FORM = Form((SQLSERVER.name, "mssql"), SQLSERVER.access.port, frozenset({"master", "model", "msdb", "tempdb"}))
endpoint, address, database_names = FORM.endpoint, FORM.address, FORM.database_names
LOGIN_SECONDS = 5  # each of the few times that the driver tries
PATIENCE_SECONDS = 60.0
ENCRYPTION = ("require", "request", "off")
NO_MORE = (20003, 20004, 20006, 20047)  # the driver's own: timeout, or connection lost
NEXT_STEPS = {
    (208,): "create the missing objects: outbox-kit gen-ddl --apply",
    (207,): "if the schema file was changed: outbox-kit gen-ddl --diff git:main; otherwise see outbox-kit status",
    (229, 230, 262, 297, 300, 15247): "grant the privilege to the user, or use another user in OUTBOX_KIT_DSN",
    (3952,): "alter database current set allow_snapshot_isolation on",
}
CONFLICTS = (1205, 1222, 3960, 3961)
"""A deadlock, a lock that was not to be had, and what a snapshot cannot show because others have changed it."""
KEPT = "set nocount on; set xact_abort on; set lock_timeout 2000; set deadlock_priority low"
AT_REST = "if @@trancount > 0 rollback transaction;\nset transaction isolation level read committed;\n"
"""Before each script: what the one before may have left."""
OF_THE_DRIVER = lazy_pattern(
    r"DB-Lib error message \d+, severity \d+:|General SQL Server error: Check messages from the SQL Server"
)


@announced("SQL Server", lambda dsn: address(dsn))
@contextmanager
def session(dsn: str, database: str, *, seconds: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """A cursor in a database for the length of a block; each statement is committed on its own.

    dsn: `sqlserver://user@host:port?encrypt=require`; the password is in SQLCMDPASSWORD where it is left out.
    seconds: for each answer of the server; one that has not answered by then is hung up on.
    Raises UsageProblem (no such address, no driver), DatabaseUnreachable, DatabaseRefused.
    """
    connection = _connected(dsn, database, deadline.allowed(seconds, grace=True))
    with closing(connection), _answering(address(dsn)), connection.cursor() as cursor:
        yield cursor


class KeptSession:
    """See `ScriptSession`: each statement that is in no transaction of a script is one of its own, at READ COMMITTED.

    No statement waits long for a lock, and of two sessions that wait for each other this one is given up.
    """

    def __init__(self, dsn: str, database: str) -> None:
        """dsn, database: as for `session`. Raises UsageProblem, DatabaseUnreachable."""
        self._place = address(dsn)
        self._connection = _connected(dsn, database, PATIENCE_SECONDS)
        self.run(KEPT, {})

    def run(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        """See `ScriptSession`."""
        return retried(lambda: self._ran(script, values), _is_conflict)

    def close(self) -> None:
        """End the connection. Raises nothing."""
        with suppress(pymssql().Error):
            self._connection.close()

    def _ran(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        results: list[Rows] = []
        bindable = dict(values)
        for name, value in values.items():
            if isinstance(value, str) and "\0" in value:  # where the driver would end the script
                bindable[name] = value.encode("utf-16-le")
                script = script.replace(f"%({name})s", f"cast(%({name})s as nvarchar(max))")
        with _answering(self._place), self._connection.cursor() as cursor:
            cursor.execute(AT_REST + script, bindable)
            more = True
            while more:
                if cursor.description:
                    results.append(cursor.fetchall())
                more = bool(cursor.nextset())
        return results


def _connected(dsn: str, database: str, seconds: float) -> Any:
    """A new connection of the driver. Raises UsageProblem, DatabaseUnreachable."""
    parts, place, driver = FORM.parts(dsn), address(dsn), pymssql()
    password = Secret(unquote(parts.password) if parts.password else os.environ.get(SQLSERVER.access.variable, ""))
    encryption = FORM.option(parts, "encrypt", ENCRYPTION[0]).lower()
    if encryption not in ENCRYPTION:
        raise UsageProblem(f"encrypt cannot be '{encryption}'", fix=f"choose {', '.join(ENCRYPTION)}")
    parameters: dict[str, Any] = {
        "server": parts.hostname or "localhost",
        "port": str(parts.port or FORM.port),
        "user": unquote(parts.username or ""),
        "password": password.reveal(),
        "database": database,
        "appname": "outbox-kit",
        "encryption": encryption,
        "login_timeout": max(1, round(min(LOGIN_SECONDS, seconds))),
        "timeout": max(1, round(seconds)),
        "autocommit": True,
    }
    try:  # the driver waits several times as long as login_timeout
        return deadline.answered(lambda: driver.connect(**parameters), min(2 * LOGIN_SECONDS, seconds))
    except (driver.Error, TimeoutError) as cause:
        fix = next_step(SQLSERVER.access, words(cause))
        raise DatabaseUnreachable("no connection to the database", where=place, why=words(cause), fix=fix) from cause


def _is_conflict(error: Exception) -> bool:
    return number(error) in CONFLICTS


@contextmanager
def _answering(place: str) -> Iterator[None]:
    """Make the driver's errors ours. Raises DatabaseUnreachable, DatabaseRefused."""
    driver = pymssql()
    try:
        yield
    except driver.Error as cause:
        if number(cause) in NO_MORE or isinstance(cause, driver.InterfaceError):
            raise DatabaseUnreachable("the database connection was lost", where=place, why=words(cause)) from cause
        fix = next((step for numbers, step in NEXT_STEPS.items() if number(cause) in numbers), "")
        raise DatabaseRefused("the database refused a statement", where=place, why=words(cause), fix=fix) from cause


def pymssql() -> Any:
    """The driver. Raises UsageProblem where it is not installed."""
    try:
        import pymssql as driver
    except ImportError as cause:
        raise missing(SQLSERVER, cause) from None
    return driver


def words(error: Exception) -> str:
    """What the server said, or the driver where the server said nothing: once, and on one line."""
    message = _number_and_text(error)[-1]
    text = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
    return "; ".join(dict.fromkeys(line.strip() for line in OF_THE_DRIVER.sub("\n", text).splitlines() if line.strip()))


def number(error: Exception) -> int:
    """The server's number of an error, or the driver's; 0 where it has none."""
    number = _number_and_text(error)[0]
    return number if isinstance(number, int) else 0


def _number_and_text(error: Exception) -> tuple[Any, ...]:
    """A number and a text, which the driver wraps once more while it connects."""
    arguments = error.args[0] if error.args and isinstance(error.args[0], tuple) else error.args
    return arguments or (error,)
