"""Apply DDL that cannot be rolled back: privileges are examined first; an error lists the changes made before it."""

from collections.abc import Mapping
from pathlib import Path

from outbox_kit.databases.ddl import (
    REPEAT,
    DatabaseChange,
    between,
    irreversible,
    refuse_other_columns,
    refuse_unready,
    strangers,
)
from outbox_kit.databases.mysql import grants
from outbox_kit.databases.mysql.defects import beside
from outbox_kit.databases.mysql.session import Session, address, session
from outbox_kit.databases.mysql.variant import variant_of
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox

FACTS = Path(__file__).with_name("facts.sql").read_text(encoding="utf-8")
COLUMNS = """
select column_name, column_type, is_nullable = 'NO', column_default is not null or extra like '%%auto_increment%%'
from information_schema.columns where table_schema = %s and table_name = %s
"""
WIDTH = lazy_pattern(r"\b((?:big)?int)\(\d+\)")  # how wide a client shows a number: MariaDB still tells of it
# what the log must be for the connector to read rows from it; a setting that the server does not have is well
SETTINGS = {
    "log_bin": "ON",
    "binlog_format": "ROW",
    "binlog_row_image": "FULL",
    "binlog_row_value_options": "",
    "log_bin_compress": "OFF",
}
RELAY_FORMATS = ("ROW", "MIXED")  # of the log, in which the server accepts changes at READ COMMITTED
SERVER = """
select if(version() like '%%MariaDB%%', 'MariaDB', 'MySQL'), @@server_id, current_user(), schema_name is not null
from (select 1) one left join information_schema.schemata on schema_name = %s
"""
SELECT_ACCOUNTS = ("SELECT", "`mysql`.*", False)  # required to report the changes
ACCOUNTS = "select user, concat(user, '@', host) from mysql.user"


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[DatabaseChange]:
    """See `Apply`: one statement after the other. Problems say what was changed before. password: unlocks the user."""
    with session(dsn) as cursor:
        _expect(cursor, dsn, outbox, statements, make=keep_table)
        before = _facts(cursor, outbox)
    with irreversible(before, lambda: _after(dsn, outbox), fix=REPEAT), session(dsn) as cursor:
        cursor.execute(statements)
        while cursor.nextset():
            pass
        secret = [_set_password(cursor, outbox, password)] if password else []
    return [*between(before, _after(dsn, outbox)), *secret]


def _after(dsn: str, outbox: Outbox) -> list[str]:
    with session(dsn) as cursor:
        return _facts(cursor, outbox)


def _facts(cursor: Session, outbox: Outbox) -> list[str]:
    derived, reader = outbox.names, _grantees(outbox.names.role)
    parameters = {
        "schema": derived.schema,
        "tables": (outbox.table.name, derived.heartbeat_table, *beside(outbox)),
        "role": derived.role,
        "feed": derived.trigger,
        "reader": reader,
        "grantees": [
            *reader,
            *(grantee for writer in outbox.database.writers for grantee in _grantees(*writer.split("@", 1))),
        ],
    }
    cursor.execute("set session group_concat_max_len = 1000000")
    cursor.execute(FACTS, parameters)
    return [str(row[0]) for row in cursor.fetchall()]


def _grantees(name: str, *hosts: str) -> list[str]:
    """A user or role as the catalogue calls it; a role of MariaDB has no host."""
    return [f"'{name}'@'{host}'" for host in hosts or ("%", "")]


def _expect(cursor: Session, dsn: str, outbox: Outbox, statements: str, *, make: bool) -> None:
    """Refuse a server of another kind, a table of other columns; and all that is missing on the server, at once."""
    dialect, schema = outbox.dialect, outbox.names.schema
    cursor.execute(SERVER, (schema,))
    title, number, user, schema_exists = cursor.fetchone() or ("", 0, "", 0)
    if title != dialect.title:
        raise UsageProblem(f"the server is {title}", where=address(dsn), fix=f"write dialect: {title.lower()}")
    cursor.execute("show global variables where variable_name in %s", (tuple(SETTINGS),))
    settings = dict(cursor.fetchall())
    obstacles = [] if schema_exists else [f"database '{schema}' does not exist, or the user has no privilege on it"]
    cursor.execute("show grants")
    lacking = grants.lacking([row[0] for row in cursor.fetchall()], _required_rights(outbox, statements, make=make))
    # a privilege cannot be granted on a table that does not exist yet
    missing_rights = {
        (right, object_name if "*" in object_name else f"{dialect.quote_ident(schema)}.*", option)
        for right, object_name, option in lacking
    }
    obstacles += [f"'{user}' has no {right}" for right in grants.spelled(missing_rights)]
    if make:
        obstacles += _of_log(outbox, number, settings)
        if SELECT_ACCOUNTS not in lacking:
            cursor.execute(ACCOUNTS)
            obstacles += strangers(outbox, {name for row in cursor.fetchall() for name in row})
    refuse_unready(obstacles, address(dsn))
    if make:
        cursor.execute(COLUMNS, (schema, outbox.table.name))
        columns = {name: (WIDTH.sub(r"\1", kind), bool(must), bool(filled)) for name, kind, must, filled in cursor}
        refuse_other_columns(outbox, columns)


def _of_log(outbox: Outbox, server_id: int, settings: Mapping[str, str]) -> list[str]:
    """What of the binary log keeps the connector, or the relays, from working. settings: those of `SETTINGS`."""
    if outbox.delivery.polls:
        written, form = settings.get("log_bin", "OFF").upper() == "ON", settings.get("binlog_format", "ROW").upper()
        return [f"binlog_format is '{form}', not 'ROW'"] if written and form not in RELAY_FORMATS else []
    return [
        *([] if server_id else ["server_id is 0"]),
        *(
            f"{name} is '{settings[name]}', not '{expected}'"
            for name, expected in SETTINGS.items()
            if settings.get(name, expected).upper() != expected
        ),
    ]


def _required_rights(outbox: Outbox, statements: str, *, make: bool) -> set[grants.Right]:
    """What running the statements takes."""
    derived, ident = outbox.names, outbox.dialect.quote_ident
    created = () if outbox.table.existing else (outbox.table.name,)
    tables = [ident(derived.schema, table) for table in (*created, *beside(outbox))]
    feed = outbox.table.source
    fed = [ident(feed.db_schema or derived.schema, feed.table)] if feed else []
    rights = ("CREATE", "ALTER", "INSERT", "DROP") if make else ("DROP",)
    passed_on = {(right.partition(" (")[0], object_name, True) for right, object_name, _ in grants.granted(statements)}
    return {
        ("CREATE USER", "*.*", False),
        SELECT_ACCOUNTS,
        *((right, table, False) for right in rights for table in tables if (right, table, True) not in passed_on),
        *(("TRIGGER", table, False) for table in fed),
        *passed_on,
    }


def _set_password(cursor: Session, outbox: Outbox, password: str) -> DatabaseChange:
    variant, role = variant_of(outbox), outbox.names.role
    cursor.execute(f"alter user %s@'%%' {variant.identified} %s account unlock", (role, variant.encoded(password)))
    return DatabaseChange("~", f"password of user {role}")
