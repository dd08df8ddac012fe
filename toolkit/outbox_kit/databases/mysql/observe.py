"""What `doctor` observes of a server of MySQL or MariaDB; see `databases.observed`."""

from collections.abc import Iterator, Mapping
from typing import Any

from pymysql.err import OperationalError

from outbox_kit.databases.ddl import refuse_other_columns
from outbox_kit.databases.mysql import grants
from outbox_kit.databases.mysql.apply import COLUMNS, SETTINGS, WIDTH
from outbox_kit.databases.mysql.session import Session, session
from outbox_kit.databases.mysql.variant import variant_of
from outbox_kit.databases.observed import (
    BinaryLog,
    CheckText,
    HorizonHolder,
    LackingPrivilege,
    ObservedDatabase,
    ObservedRole,
    ObservedTable,
    ServerSetting,
    UnreadSubject,
)
from outbox_kit.errors import TableDiffers
from outbox_kit.schema.model import Outbox

VARIABLES = (*SETTINGS, "server_id", "read_only", "super_read_only", "gtid_mode", "binlog_expire_logs_seconds")
HINTS = {
    "read_only": "set global read_only = off;",
    "log_bin": "log_bin = binlog in the server's configuration file, then restart the server",
    "server_id": "set global server_id = 1; and server_id = 1 in the server's configuration file",
    "binlog_format": "set global binlog_format = 'ROW'; open sessions keep the old value",
    "binlog_row_image": "set global binlog_row_image = 'FULL'; open sessions keep the old value",
    "binlog_row_value_options": "set global binlog_row_value_options = '';",
    "log_bin_compress": "set global log_bin_compress = 0;",
    "binlog_expire_logs_seconds": "set global binlog_expire_logs_seconds = 2592000;",
}
TABLES = "select table_name from information_schema.tables where table_schema = database()"
CHECKS = (
    "select constraint_name from information_schema.table_constraints "
    "where table_schema = database() and table_name = %s and constraint_type = 'CHECK'"
)
STATISTICS = "select table_rows from information_schema.tables where table_schema = database() and table_name = %s"
KEYS = (
    "select count(*) from information_schema.statistics "
    "where table_schema = database() and table_name = %s and index_name = 'PRIMARY'"
)
ACCOUNT = "select count(*) from mysql.user where user = %s and host = %s"
TRANSACTIONS = """
select trx_mysql_thread_id, timestampdiff(second, trx_started, now()) from information_schema.innodb_trx
where trx_mysql_thread_id <> connection_id() order by trx_started limit 5
"""


def observe(dsn: str, outbox: Outbox, checks: Mapping[str, CheckText]) -> ObservedDatabase:
    """See `Observe`."""
    names = outbox.names
    with session(dsn) as cursor:
        settings = {name.lower(): ServerSetting(value) for name, value in _rows(cursor, _variables())}
        present = {str(row[0]).casefold() for row in _rows(cursor, TABLES)}
        exists = outbox.table.name.casefold() in present
        role, lacking, examined = _accounts(cursor, outbox)
        holders = _holders(cursor)
        return ObservedDatabase(
            version=str(_rows(cursor, "select version()")[0][0]),
            read_only="read_only is ON" if settings["read_only"].value.upper() in ("ON", "1") else "",
            settings=settings,
            role=role,
            table=_table(cursor, outbox, checks) if exists else ObservedTable(exists=False),
            absent_tables=[
                f"{names.database}.{table}" for table in [names.heartbeat_table] if table.casefold() not in present
            ],
            absent_writers=[],
            lacking=lacking,
            role_examined=examined,
            heartbeat_seconds=_heartbeat(cursor, outbox) if names.heartbeat_table.casefold() in present else None,
            holders=holders or (),
            unread={UnreadSubject.rows} if holders is not None else {UnreadSubject.rows, UnreadSubject.sessions},
            binary_log=_binary_log(cursor, outbox, settings),
            hints=HINTS,
        )


def _variables() -> str:
    listed = ", ".join(f"'{name}'" for name in VARIABLES)
    return f"show global variables where variable_name in ({listed})"


def _rows(cursor: Session, statement: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    cursor.execute(statement, parameters or None)
    return list(cursor.fetchall())


def _accounts(cursor: Session, outbox: Outbox) -> tuple[ObservedRole | None, list[LackingPrivilege], bool]:
    """The connector's user, its missing privileges, and whether they could be seen."""
    user = outbox.names.role
    try:
        if not _rows(cursor, ACCOUNT, (user, "%"))[0][0]:
            return None, [], True
        listed = [str(row[0]) for row in _rows(cursor, "show grants for %s@%s", (user, "%"))]
    except OperationalError:  # no SELECT privilege on the system's tables
        return None, [], False
    return ObservedRole(login=True), [*_lacking(outbox, listed)], True


def _lacking(outbox: Outbox, listed: list[str]) -> Iterator[LackingPrivilege]:
    names, ident = outbox.names, outbox.dialect.quote_ident
    needed: set[grants.Right] = {
        *((right, "*.*", False) for right in variant_of(outbox).log_rights),
        ("SELECT", ident(names.schema, outbox.table.name), False),
        *((right, ident(names.schema, names.heartbeat_table), False) for right in ("SELECT", "INSERT", "UPDATE")),
    }
    account = f"{outbox.dialect.quote_literal(names.role)}@'%'"
    for text in grants.spelled(grants.lacking(listed, needed)):
        yield LackingPrivilege(names.role, text.replace("`", ""), f"grant {text} to {account};")


def _table(cursor: Session, outbox: Outbox, checks: Mapping[str, CheckText]) -> ObservedTable:
    table = outbox.table.name
    present = {str(row[0]).casefold() for row in _rows(cursor, CHECKS, (table,))}
    rows = _rows(cursor, COLUMNS, (outbox.names.schema, table))
    columns = {name: (WIDTH.sub(r"\1", kind), bool(must), bool(filled)) for name, kind, must, filled in rows}
    differences: list[str] = []
    try:
        refuse_other_columns(outbox, columns)
    except TableDiffers as differs:
        differences = [line.strip() for line in differs.details]
    return ObservedTable(
        exists=True,
        differences=differences,
        absent_checks=[name for name, check in checks.items() if f"{name}_{check.digest}".casefold() not in present],
        primary_key=bool(_rows(cursor, KEYS, (table,))[0][0]),
        rows=int(_rows(cursor, STATISTICS, (table,))[0][0] or 0),
    )


def _heartbeat(cursor: Session, outbox: Outbox) -> float | None:
    table = outbox.dialect.quote_ident(outbox.names.schema, outbox.names.heartbeat_table)
    age = "unix_timestamp(current_timestamp(6)) - unix_timestamp(max(beat_at))"
    value = _rows(cursor, f"select {age} from {table}")[0][0]  # noqa: S608 - quoted by the dialect
    return None if value is None else float(value)


def _holders(cursor: Session) -> list[HorizonHolder] | None:
    """The oldest transactions; None if the user may not see them."""
    try:
        rows = _rows(cursor, TRANSACTIONS)
    except OperationalError:  # no PROCESS privilege
        return None
    return [
        HorizonHolder(f"the transaction of connection {thread}", float(seconds), 0, f"kill {thread};")
        for thread, seconds in rows
    ]


def _binary_log(cursor: Session, outbox: Outbox, settings: Mapping[str, ServerSetting]) -> BinaryLog:
    if settings["log_bin"].value.upper() != "ON":
        return BinaryLog("", (), 0, None)
    files = _rows(cursor, "show binary logs")
    keep = settings.get("binlog_expire_logs_seconds")
    current = _rows(cursor, variant_of(outbox).log_status)
    return BinaryLog(
        file=str(current[0][0]) if current else "",
        files=[str(row[0]) for row in files],
        size=sum(int(row[1]) for row in files),
        keep_seconds=float(keep.value) or None if keep else None,
    )
