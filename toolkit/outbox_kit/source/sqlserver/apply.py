"""Apply DDL and say, from the catalogue, what it changed: the tables in one transaction, their capture after it."""

from pathlib import Path

from outbox_kit.dialects.sqlserver import SQLSERVER
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source.ddl import Change, between, half_way, refuse_other_columns
from outbox_kit.source.sqlserver.session import Session, session

FACTS, COLUMNS = (Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8") for name in ("facts", "columns"))


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[Change]:
    """Run the statements as one batch and return what they changed, read from the catalogue.

    keep_table: whether an outbox table that is there already must have the schema file's columns.
    password: set as the login's password, which is let in then.
    Raises TableDiffers, UsageProblem; and DatabaseUnreachable and DatabaseRefused, which say what was changed before.
    """
    database = names(outbox).database
    with session(dsn, database) as cursor:
        if keep_table:
            _compare(cursor, outbox)
        before = _facts(cursor, outbox)
    try:
        with session(dsn, database) as cursor:
            cursor.execute(statements)
            while cursor.nextset():
                pass
            secret = [_set_password(cursor, names(outbox).role, password)] if password else []
    except EnvironmentProblem as problem:
        problem.details = half_way(before, lambda: _after(dsn, outbox))
        raise
    return [*between(before, _after(dsn, outbox)), *secret]


def _after(dsn: str, outbox: Outbox) -> list[str]:
    with session(dsn, names(outbox).database) as cursor:
        return _facts(cursor, outbox)


def _facts(cursor: Session, outbox: Outbox) -> list[str]:
    derived = names(outbox)
    wanted = {
        "schema": derived.schema,
        "tables": (outbox.table.name, derived.heartbeat_table),
        "role": derived.role,
        "gate": f"{derived.role}_gate",
        "feed": derived.feed,
    }
    cursor.execute(FACTS, wanted)
    return [str(row[0]) for row in cursor.fetchall()]


def _compare(cursor: Session, outbox: Outbox) -> None:
    cursor.execute(COLUMNS, (SQLSERVER.ident(names(outbox).schema, outbox.table.name),))
    found = {name: (kind, bool(required), bool(filled)) for name, kind, required, filled in cursor.fetchall()}
    refuse_other_columns(outbox, found)


def _set_password(cursor: Session, role: str, password: str) -> Change:
    login = SQLSERVER.ident(role)
    cursor.execute(f"alter login {login} with password = %(password)s", {"password": password})
    cursor.execute(f"alter login {login} enable")
    return Change("~", f"password of login {role}")
