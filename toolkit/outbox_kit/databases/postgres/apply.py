"""Apply DDL in one transaction, or roll it back; the catalogue shows the changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from outbox_kit.databases.ddl import DatabaseChange, between, refuse_other_columns, refuse_unready
from outbox_kit.databases.postgres.defects import of_relay
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import Session, address, session
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox

FACTS, RIGHTS = (Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8") for name in ("facts", "rights"))
MAKES = "create table "  # a script that does is an outbox's or an inbox's; one that removes them makes nothing
COLUMNS = """
select attname, format_type(atttypid, atttypmod), attnotnull, atthasdef or attidentity <> '' from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped
"""


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[DatabaseChange]:
    """See `Apply`: in one transaction, so that a problem leaves nothing changed.

    password: hashed on this side, so that no log of the server ever holds it.
    """
    with _unchanged_if_refused(), session(dsn) as connection:
        changes = _run(connection, dsn, outbox, statements, keep_table=keep_table, secret=password is not None)
        return [*changes, *([_set_password(connection, outbox.names.role, password)] if password else [])]


def dry_run(dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True) -> list[DatabaseChange]:
    """See `DryRun`: the script runs in a transaction that is rolled back."""
    with _unchanged_if_refused(), session(dsn) as connection:
        changes = _run(connection, dsn, outbox, statements, keep_table=keep_table, secret=False)
        connection.rollback()
        return changes


@contextmanager
def _unchanged_if_refused() -> Iterator[None]:
    """A transaction, of which a refused statement leaves nothing."""
    try:
        yield
    except DatabaseRefused as refused:
        refused.details = refused.details or ("  nothing was changed",)
        raise


def _run(
    connection: Session, dsn: str, outbox: Outbox, statements: str, *, keep_table: bool, secret: bool
) -> list[DatabaseChange]:
    """Run a script and compare the catalogue before and after it. secret: whether a password will be set."""
    parameters = {
        "make": keep_table or MAKES in statements,
        "outbox": keep_table,
        "replicates": keep_table and not outbox.delivery.polls,
        "secret": secret,
    }
    _expect(connection, dsn, outbox, parameters)
    before = _facts(connection, outbox)
    connection.execute(statements.encode())
    return between(before, _facts(connection, outbox))


def _expect(connection: Session, dsn: str, outbox: Outbox, parameters: dict[str, bool]) -> None:
    """Refuse a user who could not do it all, with all that is missing, and a table of other columns."""
    lacking = connection.execute(RIGHTS.encode(), _expected_parts(outbox) | parameters)
    refuse_unready([row[0] for row in lacking], address(dsn))
    if parameters["outbox"] and outbox.table.storage == "table":
        table = POSTGRES.quote_ident(outbox.names.schema, outbox.table.name)
        columns = connection.execute(COLUMNS, (table,)).fetchall()
        refuse_other_columns(outbox, {name: (kind, required, filled) for name, kind, required, filled in columns})


def _facts(connection: Session, outbox: Outbox) -> list[str]:
    return [row[0] for row in connection.execute(FACTS.encode(), _expected_parts(outbox))]


def _expected_parts(outbox: Outbox) -> dict[str, Any]:
    derived, table = outbox.names, [outbox.table.name] if outbox.table.storage == "table" else []
    return {
        "schema": derived.schema,
        "tables": [*table, derived.heartbeat_table, *of_relay(outbox)],
        "role": derived.role,
        "log_roles": [*POSTGRES.ddl.log_roles],
        "writer": derived.write_procedure,
        "writers": list(outbox.database.writers),
        "publication": derived.publication,
        "feed": derived.trigger,
    }


def _set_password(connection: Session, role: str, password: str) -> DatabaseChange:
    hashed = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    statement = connection.execute("select format('alter role %%I password %%L', %s::text, %s::text)", (role, hashed))
    row = statement.fetchone()
    assert row is not None  # noqa: S101 - a select without from has one row
    connection.execute(str(row[0]).encode())
    return DatabaseChange("~", f"password of role {role}")
