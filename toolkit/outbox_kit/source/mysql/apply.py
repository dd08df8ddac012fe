"""Apply DDL that cannot be rolled back: everything is looked at first, and what was changed is said in any case."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from outbox_kit import dialects
from outbox_kit.dialects.base import Dialect
from outbox_kit.errors import DatabaseRefused, TableDiffers, UsageProblem
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import existing
from outbox_kit.source.mysql.session import Session, address, session

FACTS = Path(__file__).with_name("facts.sql").read_text(encoding="utf-8")
COLUMNS = """
select column_name, column_type, is_nullable = 'NO', column_default is not null or extra like '%%auto_increment%%'
from information_schema.columns where table_schema = %s and table_name = %s
"""
WIDTH = re.compile(r"\b((?:big)?int)\(\d+\)")  # how wide a client shows a number: MariaDB still tells of it
# what the log must be for the connector to read rows from it; a setting that the server does not have is well
SETTINGS = {
    "log_bin": "ON",
    "binlog_format": "ROW",
    "binlog_row_image": "FULL",
    "binlog_row_value_options": "",
    "log_bin_compress": "OFF",
}
SERVER = """
select if(version() like '%%MariaDB%%', 'MariaDB', 'MySQL'), @@server_id, current_user(), schema_name is not null
from (select 1) one left join information_schema.schemata on schema_name = %s
"""
RIGHTS = """
select privilege_type, is_grantable = 'YES' from information_schema.user_privileges where grantee = %s
union select privilege_type, is_grantable = 'YES' from information_schema.schema_privileges
where grantee = %s and %s like table_schema
"""
OWN = {True: ("CREATE", "ALTER", "DROP", "CREATE USER"), False: ("DROP", "CREATE USER")}
PASSED_ON = re.compile(r"^grant (.+) on ", re.MULTILINE)
OF_COLUMNS = re.compile(r" *\([^)]*\)")


def _hashed(password: str) -> str:
    inner = hashlib.sha1(password.encode()).digest()  # noqa: S324 - the server's own way
    return "*" + hashlib.sha1(inner).hexdigest().upper()  # noqa: S324


# MySQL hides a password from its own logs; MariaDB does not, and so gets the hash
PASSWORDS: dict[str, tuple[str, Callable[[str], str]]] = {
    "mysql": ("identified by", str),
    "mariadb": ("identified by password", _hashed),
}


@dataclass(frozen=True)
class Change:
    """One fact that is new (`+`) or gone (`-`), or something that is set and cannot be read back (`~`)."""

    sign: str
    fact: str


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[Change]:
    """Run the statements one by one and return what they changed, read from the catalogue.

    keep_table: whether an outbox table that is there already must have the schema file's columns.
    password: set as the user's password, which is let in then.
    Raises UsageProblem, TableDiffers, DatabaseUnreachable; and DatabaseRefused, which says what was changed before.
    """
    with session(dsn) as cursor:
        _expect(cursor, dsn, outbox, statements, make=keep_table)
        if keep_table:
            _compare(cursor, outbox)
        before = _facts(cursor, outbox)
    try:
        with session(dsn) as cursor:
            cursor.execute(statements)
            while cursor.nextset():
                pass
            secret = [_set_password(cursor, outbox.database.dialect, names(outbox).role, password)] if password else []
    except DatabaseRefused as refused:
        done = [f"  {change.sign} {change.fact}" for change in _between(before, _after(dsn, outbox))]
        refused.details = ("what was changed before that:", *done) if done else ("nothing was changed",)
        raise
    return [*_between(before, _after(dsn, outbox)), *secret]


def _between(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    gone = [Change("-", fact) for fact in before if fact not in after]
    return [*gone, *(Change("+", fact) for fact in after if fact not in before)]


def _after(dsn: str, outbox: Outbox) -> list[str]:
    with session(dsn) as cursor:
        return _facts(cursor, outbox)


def _facts(cursor: Session, outbox: Outbox) -> list[str]:
    derived = names(outbox)
    wanted = {
        "schema": derived.schema,
        "tables": (outbox.table.name, derived.heartbeat_table),
        "role": derived.role,
        "grantees": (f"'{derived.role}'@'%'", f"'{derived.role}'@''"),  # a role of MariaDB has no host
        "feed": derived.feed,
    }
    cursor.execute("set session group_concat_max_len = 1000000")
    cursor.execute(FACTS, wanted)
    return [str(row[0]) for row in cursor.fetchall()]


def _expect(cursor: Session, dsn: str, outbox: Outbox, statements: str, *, make: bool) -> None:
    """Refuse a server of another kind, a log that cannot be read, and a user who could not do it all: all at once."""
    dialect, schema = dialects.named(outbox.database.dialect), names(outbox).schema
    cursor.execute(SERVER, (schema,))
    title, number, user, there = cursor.fetchone() or ("", 0, "", 0)
    if title != dialect.title:
        raise UsageProblem(f"the server is {title}", where=address(dsn), fix=f"write dialect: {title.lower()}")
    cursor.execute("show global variables where variable_name in %s", (tuple(SETTINGS),))
    held = dict(cursor.fetchall())
    found = [] if there else [f"  there is no database '{schema}'"]
    found += [f"  '{user}' has no {right}" for right in _missing(cursor, user, schema, statements, make=make)]
    if make:
        found += [] if number else ["  server_id is 0"]
        found += [
            f"  {name} is '{held[name]}', not '{wanted}'"
            for name, wanted in SETTINGS.items()
            if held.get(name, wanted).upper() != wanted
        ]
    if found:
        what, fix = "the server is not ready for this; nothing was changed", "mend all of these, then repeat"
        raise DatabaseRefused(what, where=address(dsn), fix=fix, details=found)


def _missing(cursor: Session, user: str, schema: str, statements: str, *, make: bool) -> Iterator[str]:
    """Rights that the user lacks. Those that come by a role are not in these tables: then the server has the word."""
    cursor.execute("select current_role()")
    if (cursor.fetchone() or (None,))[0] not in (None, "", "NONE"):
        return
    name, _, host = user.rpartition("@")
    grantee = f"'{name}'@'{host}'"
    cursor.execute(RIGHTS, (grantee, grantee, schema))
    held: dict[str, bool] = {}
    for right, grantable in cursor.fetchall():
        held[right] = held.get(right, False) or bool(grantable)
    yield from (right for right in OWN[make] if right not in held)
    listed = ",".join(OF_COLUMNS.sub("", rights) for rights in PASSED_ON.findall(statements))
    passed_on = {right.strip().upper() for right in listed.split(",") if right}
    yield from (f"{right} with grant option" for right in sorted(passed_on) if not held.get(right))


def _set_password(cursor: Session, dialect: str, role: str, password: str) -> Change:
    identified, spelled = PASSWORDS[dialect]
    cursor.execute(f"alter user %s@'%%' {identified} %s account unlock", (role, spelled(password)))
    return Change("~", f"password of user {role}")


def _compare(cursor: Session, outbox: Outbox) -> None:
    """Refuse a table that is there with other columns: the script leaves an existing table's alone."""
    dialect, schema, table = dialects.named(outbox.database.dialect), names(outbox).schema, outbox.table.name
    cursor.execute(COLUMNS, (schema, table))
    found = {name: (WIDTH.sub(r"\1", kind), bool(required), bool(filled)) for name, kind, required, filled in cursor}
    if outbox.table.existing:
        existing.expect(outbox, {name: kind for name, (kind, _, _) in found.items()})
        return
    differences = list(_differences(dialect, found, columns(outbox))) if found else []
    if differences:
        raise TableDiffers(
            f"the table {dialect.ident(schema, table)} exists with other columns; nothing was changed",
            fix="change the table by hand, or say in table.columns what its columns are called",
            details=differences,
        )


def _differences(
    dialect: Dialect, found: Mapping[str, tuple[str, bool, bool]], wanted: Sequence[Column]
) -> Iterator[str]:
    for column in wanted:
        expected = dialect.types[column.kind], column.required
        if column.name not in found:
            yield f"  '{column.name}' is missing; add it: {_spelled(*expected)}"
        elif (held := found[column.name][:2]) != expected:
            yield f"  '{column.name}' is {_spelled(*held)}, not {_spelled(*expected)}"
    known = {column.name for column in wanted}
    for name, (_, required, filled) in sorted(found.items()):
        if required and not filled and name not in known:
            yield f"  '{name}' is not null, but the schema file does not know it; add it to table.extra"


def _spelled(kind: str, required: bool) -> str:
    return f"{kind} not null" if required else f"{kind}, nullable"
