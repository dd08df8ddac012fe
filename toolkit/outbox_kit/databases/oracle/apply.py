"""Apply DDL that cannot be rolled back: privileges are examined first; an error lists the changes made before it."""

import re
from collections.abc import Iterator
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
from outbox_kit.databases.oracle.session import Session, address, enter, in_root, session
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox

FACTS = Path(__file__).with_name("facts.sql").read_text(encoding="utf-8")
COLUMNS = """
select column_name,
    case
        when data_type = 'VARCHAR2' and char_used = 'C' then 'varchar2(' || char_length || ' char)'
        when data_type = 'VARCHAR2' then 'varchar2(' || data_length || ' byte)'
        when data_type = 'NUMBER' and data_precision is not null then 'number(' || data_precision || ')'
        else lower(data_type)
    end,
    case when nullable = 'N' then 1 else 0 end,
    case when identity_column = 'YES' or default_length is not null then 1 else 0 end
from all_tab_cols where owner = :own and table_name = :box and hidden_column = 'NO'
"""
LOG = "select log_mode from v$database"
PLUGGABLE = "select open_mode from v$pdbs where name = :name"
OWNER = "select count(*) from all_users where username = :own"
GRANTEES = "select username from all_users union all select role from dba_roles"
HELD = "select privilege from session_privs"
RIGHTS = {
    True: (
        *(
            "ALTER DATABASE",
            "CREATE USER",
            "ALTER USER",
            "GRANT ANY PRIVILEGE",
            "GRANT ANY ROLE",
            "CREATE ANY SEQUENCE",
        ),
        *("CREATE ANY TABLE", "ALTER ANY TABLE", "COMMENT ANY TABLE", "CREATE ANY INDEX", "GRANT ANY OBJECT PRIVILEGE"),
    ),
    False: ("DROP ANY TABLE", "DROP USER"),
}
OF_LOG = ("ALTER DATABASE", "GRANT ANY ROLE")  # of those, what only a connector's script needs
OF_A_FEED = {True: ("CREATE ANY TRIGGER", "DROP ANY TRIGGER"), False: ("DROP ANY TRIGGER",)}
END = lazy_pattern(r"^/\n", re.MULTILINE)
NO_STATEMENT = lazy_pattern(r"\s*(--[^\n]*\s*)*")


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[DatabaseChange]:
    """See `Apply`: one statement after the other. Problems say what was changed before. password: unlocks the user."""
    with session(dsn) as cursor:
        _expect(cursor, dsn, outbox, make=keep_table)
    before = _facts(dsn, outbox, compare=keep_table)
    with irreversible(before, lambda: _facts(dsn, outbox), fix=REPEAT):
        with session(dsn) as cursor:
            for statement in separate(statements):
                cursor.execute(statement)
        secret = [_set_password(dsn, outbox, password)] if password else []
    return [*between(before, _facts(dsn, outbox)), *secret]


def separate(script: str) -> Iterator[str]:
    """The statements of a script in which each ends with a line that holds a slash and nothing else."""
    for part in END.split(script):
        statement = part[match.end() :] if (match := NO_STATEMENT.match(part)) else part
        if statement:
            yield statement.rstrip("\n")


def _expect(cursor: Session, dsn: str, outbox: Outbox, *, make: bool) -> None:
    """Refuse a session in the wrong place, a log that is not kept, and a user who could not do it all: all at once."""
    derived, rooted = outbox.names, in_root(cursor)
    cursor.execute(HELD)
    rights = {str(row[0]) for row in cursor.fetchall()}
    needed = (*RIGHTS[make], *(OF_A_FEED[make] if outbox.table.source else ()))
    if outbox.delivery.polls:
        needed = tuple(right for right in needed if right not in OF_LOG)
    obstacles = [f"the user has no {right}" for right in needed if right not in rights]
    if make and not outbox.delivery.polls:
        cursor.execute(LOG)
        if cursor.fetchone() != ("ARCHIVELOG",):
            obstacles.append("the log is not archived: alter database archivelog")
    if rooted and not outbox.database.container:
        obstacles.append(
            "this is a container's root: name it in database.container, and the database in it in database.name"
        )
    elif outbox.database.container and not rooted:
        root = outbox.database.container
        obstacles.append(f"this is not the root of the container: the address must end in /{root}")
    elif rooted:
        cursor.execute(PLUGGABLE, {"name": derived.database})
        if cursor.fetchone() == ("READ WRITE",):
            enter(cursor, outbox)
        else:
            obstacles.append(f"pluggable database '{derived.database}' does not exist or is not open")
    cursor.execute(OWNER, {"own": derived.schema})  # in the right database only: elsewhere are other users
    if not obstacles and cursor.fetchone() != (1,):
        obstacles.append(f"user '{derived.schema}', the owner of the tables, does not exist")
    if make and not obstacles and outbox.database.writers:
        cursor.execute(GRANTEES)
        obstacles += strangers(outbox, {str(row[0]) for row in cursor.fetchall()})
    refuse_unready(obstacles, address(dsn))


def _facts(dsn: str, outbox: Outbox, *, compare: bool = False) -> list[str]:
    derived = outbox.names
    schema_parameter, box = {"own": derived.schema}, {"box": outbox.table.name}
    with session(dsn, outbox) as cursor:
        if compare:
            cursor.execute(COLUMNS, schema_parameter | box)
            rows = cursor.fetchall()
            refuse_other_columns(outbox, {name: (kind, bool(need), bool(filled)) for name, kind, need, filled in rows})
        around = {"who": derived.role, "feed": derived.trigger, **beside(outbox)}
        cursor.execute(FACTS, schema_parameter | box | around)
        return [str(row[0]) for row in cursor.fetchall()]


def beside(outbox: Outbox) -> dict[str, str | None]:
    """The tables that belong to an outbox beside its own: the connector's heartbeat, or those of the relays."""
    names = outbox.names
    if not outbox.delivery.polls:
        return {"beat": names.heartbeat_table, "lanes": None, "members": None, "starts": None}
    relays = {"lanes": names.lane_table, "members": names.member_table, "starts": names.run_table}
    return {"beat": names.failure_table, **relays}


def _set_password(dsn: str, outbox: Outbox, password: str) -> DatabaseChange:
    """Set the user's password, the same in every container. The server takes it only as part of the statement."""
    role = outbox.names.role
    everywhere = " container=all" if outbox.database.container else ""
    with session(dsn) as cursor:
        cursor.execute(
            "select dbms_assert.enquote_name(:word, false), dbms_assert.enquote_name(:who, false) from dual",
            {"word": password, "who": role},
        )
        word, who = cursor.fetchone() or ("", "")
        cursor.execute(f"alter user {who} identified by {word} account unlock{everywhere}")
    return DatabaseChange("~", f"password of user {role}")
