"""Apply DDL that cannot be rolled back: everything is looked at first, and what was changed is said in any case."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from outbox_kit import dialects
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source.ddl import Change, between, half_way, refuse_other_columns, refuse_unready, strangers
from outbox_kit.source.mysql import grants
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
SELECT_ACCOUNTS = ("SELECT", "`mysql`.*", False)  # without which nobody sees what has changed
ACCOUNTS = "select user, concat(user, '@', host) from mysql.user"


def _hashed(password: str) -> str:
    inner = hashlib.sha1(password.encode()).digest()  # noqa: S324 - the server's own way
    return "*" + hashlib.sha1(inner).hexdigest().upper()  # noqa: S324


# MySQL hides a password from its own logs; MariaDB does not, and so gets the hash
PASSWORDS: dict[str, tuple[str, Callable[[str], str]]] = {
    "mysql": ("identified by", str),
    "mariadb": ("identified by password", _hashed),
}


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[Change]:
    """Run the statements one by one and return what they changed, read from the catalogue.

    keep_table: whether an outbox table that is there already must have the schema file's columns.
    password: set as the user's password, which is let in then.
    Raises UsageProblem, TableDiffers; and DatabaseUnreachable and DatabaseRefused, which say what was changed before.
    """
    with session(dsn) as cursor:
        _expect(cursor, dsn, outbox, statements, make=keep_table)
        before = _facts(cursor, outbox)
    try:
        with session(dsn) as cursor:
            cursor.execute(statements)
            while cursor.nextset():
                pass
            secret = [_set_password(cursor, outbox.database.dialect, names(outbox).role, password)] if password else []
    except EnvironmentProblem as problem:
        problem.details = half_way(before, lambda: _after(dsn, outbox))
        problem.fix = problem.fix or "mend that, then repeat: what is as it should be is left alone"
        raise
    return [*between(before, _after(dsn, outbox)), *secret]


def _after(dsn: str, outbox: Outbox) -> list[str]:
    with session(dsn) as cursor:
        return _facts(cursor, outbox)


def _facts(cursor: Session, outbox: Outbox) -> list[str]:
    derived, reader = names(outbox), _grantees(names(outbox).role)
    wanted = {
        "schema": derived.schema,
        "tables": (outbox.table.name, derived.heartbeat_table),
        "role": derived.role,
        "feed": derived.feed,
        "reader": reader,
        "grantees": [*reader, *(one for writer in outbox.database.writers for one in _grantees(*writer.split("@", 1)))],
    }
    cursor.execute("set session group_concat_max_len = 1000000")
    cursor.execute(FACTS, wanted)
    return [str(row[0]) for row in cursor.fetchall()]


def _grantees(name: str, *hosts: str) -> list[str]:
    """A user or role as the catalogue calls it; a role of MariaDB has no host."""
    return [f"'{name}'@'{host}'" for host in hosts or ("%", "")]


def _expect(cursor: Session, dsn: str, outbox: Outbox, statements: str, *, make: bool) -> None:
    """Refuse a server of another kind, a table of other columns; and all that is missing on the server, at once."""
    dialect, schema = dialects.named(outbox.database.dialect), names(outbox).schema
    cursor.execute(SERVER, (schema,))
    title, number, user, there = cursor.fetchone() or ("", 0, "", 0)
    if title != dialect.title:
        raise UsageProblem(f"the server is {title}", where=address(dsn), fix=f"write dialect: {title.lower()}")
    cursor.execute("show global variables where variable_name in %s", (tuple(SETTINGS),))
    held = dict(cursor.fetchall())
    found = [] if there else [f"there is no database '{schema}' that the user can see"]
    cursor.execute("show grants")
    lacking = grants.lacking([row[0] for row in cursor.fetchall()], _needed(outbox, statements, make=make))
    # on a table that is not there yet, nobody can be given a right
    every = {(right, what if "*" in what else f"{dialect.ident(schema)}.*", option) for right, what, option in lacking}
    found += [f"'{user}' has no {right}" for right in grants.spelled(every)]
    if make:
        found += [] if number else ["server_id is 0"]
        found += [
            f"{name} is '{held[name]}', not '{wanted}'"
            for name, wanted in SETTINGS.items()
            if held.get(name, wanted).upper() != wanted
        ]
        if SELECT_ACCOUNTS not in lacking:
            cursor.execute(ACCOUNTS)
            found += strangers(outbox, {name for row in cursor.fetchall() for name in row})
    refuse_unready(found, address(dsn))
    if make:
        cursor.execute(COLUMNS, (schema, outbox.table.name))
        columns = {name: (WIDTH.sub(r"\1", kind), bool(must), bool(filled)) for name, kind, must, filled in cursor}
        refuse_other_columns(outbox, columns)


def _needed(outbox: Outbox, statements: str, *, make: bool) -> set[grants.Right]:
    """What running the statements takes."""
    derived, ident = names(outbox), dialects.named(outbox.database.dialect).ident
    made = () if outbox.table.existing else (outbox.table.name,)
    tables = [ident(derived.schema, table) for table in (*made, derived.heartbeat_table)]
    feed = outbox.table.fed_by
    fed = [ident(feed.db_schema or derived.schema, feed.table)] if feed else []
    own = ("CREATE", "ALTER", "INSERT", "DROP") if make else ("DROP",)
    passed_on = {(right.partition(" (")[0], what, True) for right, what, _ in grants.given(statements)}
    return {
        ("CREATE USER", "*.*", False),
        SELECT_ACCOUNTS,
        *((right, table, False) for right in own for table in tables if (right, table, True) not in passed_on),
        *(("TRIGGER", table, False) for table in fed),
        *passed_on,
    }


def _set_password(cursor: Session, dialect: str, role: str, password: str) -> Change:
    identified, spelled = PASSWORDS[dialect]
    cursor.execute(f"alter user %s@'%%' {identified} %s account unlock", (role, spelled(password)))
    return Change("~", f"password of user {role}")
