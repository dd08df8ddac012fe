"""Apply DDL in one transaction and say, from the catalogue, what it changed."""

from pathlib import Path
from typing import Any

from outbox_kit.dialects.postgres import POSTGRES
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source.ddl import Change, between, refuse_other_columns, refuse_unready
from outbox_kit.source.postgres.session import Session, address, session

FACTS, RIGHTS = (Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8") for name in ("facts", "rights"))
MAKES = "create table "  # a script that does is an outbox's or an inbox's; one that removes them makes nothing
COLUMNS = """
select attname, format_type(atttypid, atttypmod), attnotnull, atthasdef or attidentity <> '' from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped
"""


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[Change]:
    """Run the statements in one transaction and return what they changed, read from the catalogue.

    keep_table: whether an outbox table that is there already must have the schema file's columns.
    password: set as the role's password, hashed on this side, so that no log of the server ever holds it.
    Raises TableDiffers, DatabaseRefused, DatabaseUnreachable; nothing is changed then.
    """
    try:
        with session(dsn) as connection:
            asked = {"make": keep_table or MAKES in statements, "outbox": keep_table, "secret": password is not None}
            _expect(connection, dsn, outbox, asked)
            before = _facts(connection, outbox)
            connection.execute(statements.encode())
            after = _facts(connection, outbox)
            secret = [_set_password(connection, names(outbox).role, password)] if password else []
    except DatabaseRefused as refused:
        refused.details = refused.details or ("  nothing was changed",)
        raise
    return [*between(before, after), *secret]


def _expect(connection: Session, dsn: str, outbox: Outbox, asked: dict[str, bool]) -> None:
    """Refuse a user who could not do it all, with all that is missing, and a table of other columns."""
    lacking = connection.execute(RIGHTS.encode(), _wanted(outbox) | asked)
    refuse_unready([row[0] for row in lacking], address(dsn))
    if asked["outbox"] and outbox.table.storage == "table":
        table = POSTGRES.ident(names(outbox).schema, outbox.table.name)
        found = connection.execute(COLUMNS, (table,)).fetchall()
        refuse_other_columns(outbox, {name: (kind, required, filled) for name, kind, required, filled in found})


def _facts(connection: Session, outbox: Outbox) -> list[str]:
    return [row[0] for row in connection.execute(FACTS.encode(), _wanted(outbox))]


def _wanted(outbox: Outbox) -> dict[str, Any]:
    derived, table = names(outbox), [outbox.table.name] if outbox.table.storage == "table" else []
    return {
        "schema": derived.schema,
        "tables": [*table, derived.heartbeat_table],
        "role": derived.role,
        "writer": derived.writer,
        "writers": list(outbox.database.writers),
        "publication": derived.publication,
        "feed": derived.feed,
    }


def _set_password(connection: Session, role: str, password: str) -> Change:
    hashed = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    statement = connection.execute("select format('alter role %%I password %%L', %s::text, %s::text)", (role, hashed))
    row = statement.fetchone()
    assert row is not None  # noqa: S101 - a select without from has one row
    connection.execute(str(row[0]).encode())
    return Change("~", f"password of role {role}")
