"""Apply DDL and say, from the catalogue, what it changed: the tables in one transaction, their capture after it."""

from pathlib import Path

from outbox_kit.databases.ddl import DatabaseChange, between, irreversible, refuse_other_columns
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.session import Session, session
from outbox_kit.schema.model import Outbox

FACTS, COLUMNS = (Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8") for name in ("facts", "columns"))


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[DatabaseChange]:
    """See `Apply`: all statements as one batch. Problems say what was changed before. password: enables the login."""
    database = outbox.names.database
    with session(dsn, database) as cursor:
        if keep_table:
            _compare(cursor, outbox)
        before = _facts(cursor, outbox)
    with irreversible(before, lambda: _after(dsn, outbox)), session(dsn, database) as cursor:
        cursor.execute(statements)
        while cursor.nextset():
            pass
        secret = [_set_password(cursor, outbox.names.role, password)] if password else []
    return [*between(before, _after(dsn, outbox)), *secret]


def _after(dsn: str, outbox: Outbox) -> list[str]:
    with session(dsn, outbox.names.database) as cursor:
        return _facts(cursor, outbox)


def _facts(cursor: Session, outbox: Outbox) -> list[str]:
    derived = outbox.names
    parameters = {
        "schema": derived.schema,
        "tables": (outbox.table.name, *beside(outbox)),
        "role": derived.role,
        "gate": f"{derived.role}_gate",
        "feed": derived.trigger,
    }
    cursor.execute(FACTS, parameters)
    return [str(row[0]) for row in cursor.fetchall()]


def beside(outbox: Outbox) -> tuple[str, ...]:
    """The tables that belong to an outbox beside its own: the connector's heartbeat, or those of the relays."""
    names = outbox.names
    if not outbox.delivery.polls:
        return (names.heartbeat_table,)
    return names.failure_table, names.run_table, names.lane_table, names.member_table


def _compare(cursor: Session, outbox: Outbox) -> None:
    cursor.execute(COLUMNS, (SQLSERVER.quote_ident(outbox.names.schema, outbox.table.name),))
    columns = {name: (kind, bool(required), bool(filled)) for name, kind, required, filled in cursor.fetchall()}
    refuse_other_columns(outbox, columns)


def _set_password(cursor: Session, role: str, password: str) -> DatabaseChange:
    login = SQLSERVER.quote_ident(role)
    cursor.execute(f"alter login {login} with password = %(password)s", {"password": password})
    cursor.execute(f"alter login {login} enable")
    return DatabaseChange("~", f"password of login {role}")
