"""Apply DDL in one transaction and say, from the catalogue, what it changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.dialects.postgres import POSTGRES
from outbox_kit.errors import TableDiffers
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import existing
from outbox_kit.source.postgres.session import Session, session

FACTS = Path(__file__).with_name("facts.sql").read_text(encoding="utf-8")
COLUMNS = """
select attname, format_type(atttypid, atttypmod), attnotnull from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped
"""


@dataclass(frozen=True)
class Change:
    """One fact that is new (`+`) or gone (`-`), or something that is set and cannot be read back (`~`)."""

    sign: str
    fact: str


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[Change]:
    """Run the statements in one transaction and return what they changed, read from the catalogue.

    keep_table: whether an outbox table that is there already must have the schema file's columns.
    password: set as the role's password, hashed on this side, so that no log of the server ever holds it.
    Raises TableDiffers, DatabaseRefused, DatabaseUnreachable; nothing is changed then.
    """
    with session(dsn) as connection:
        if keep_table and outbox.table.storage == "table":
            _compare(connection, outbox)
        before = _facts(connection, outbox)
        connection.execute(statements.encode())
        after = _facts(connection, outbox)
        secret = [_set_password(connection, names(outbox).role, password)] if password else []
    gone = [Change("-", fact) for fact in before if fact not in after]
    new = [Change("+", fact) for fact in after if fact not in before]
    return [*gone, *new, *secret]


def _facts(connection: Session, outbox: Outbox) -> list[str]:
    derived = names(outbox)
    wanted = {
        "schema": names(outbox).schema,
        "tables": [outbox.table.name, derived.heartbeat_table],
        "role": derived.role,
        "writer": derived.writer,
        "publication": derived.publication,
        "feed": derived.feed,
    }
    return [row[0] for row in connection.execute(FACTS.encode(), wanted)]


def _set_password(connection: Session, role: str, password: str) -> Change:
    hashed = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    statement = connection.execute("select format('alter role %%I password %%L', %s::text, %s::text)", (role, hashed))
    row = statement.fetchone()
    assert row is not None  # noqa: S101 - a select without from has one row
    connection.execute(str(row[0]).encode())
    return Change("~", f"password of role {role}")


def _compare(connection: Session, outbox: Outbox) -> None:
    """Refuse a table that is there with other columns: the script leaves an existing table's alone."""
    table = POSTGRES.ident(names(outbox).schema, outbox.table.name)
    found = {name: (kind, required) for name, kind, required in connection.execute(COLUMNS, (table,))}
    if outbox.table.existing:
        existing.expect(outbox, {name: kind for name, (kind, _) in found.items()})
        return
    differences = list(_differences(found, columns(outbox))) if found else []
    if differences:
        raise TableDiffers(
            f"the table {table} exists with other columns; nothing was changed",
            fix="change the table by hand, or say in table.columns what its columns are called",
            details=differences,
        )


def _differences(found: Mapping[str, tuple[str, bool]], wanted: Sequence[Column]) -> Iterator[str]:
    for column in wanted:
        expected = POSTGRES.types[column.kind], column.required
        if column.name not in found:
            yield f"  '{column.name}' is missing; add it: {_spelled(expected)}"
        elif found[column.name] != expected:
            yield f"  '{column.name}' is {_spelled(found[column.name])}, not {_spelled(expected)}"
    known = {column.name for column in wanted}
    for name, (_, required) in sorted(found.items()):
        if required and name not in known:
            yield f"  '{name}' is not null, but the schema file does not know it; add it to table.extra"


def _spelled(column: tuple[str, bool]) -> str:
    kind, required = column
    return f"{kind} not null" if required else f"{kind}, nullable"
