"""The login, the user and the privileges of a connector, and who reads the captured rows; see `databases.observed`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.databases.observed import LackingPrivilege, ObservedObjects, ServerRisk
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.session import Session, session
from outbox_kit.schema.model import Outbox

SIGHT = """
select has_perms_by_name(db_name(), N'DATABASE', N'VIEW DEFINITION'),
    has_perms_by_name(null, null, N'VIEW ANY DEFINITION')
"""
LOGIN = "select is_disabled from sys.server_principals where name = %s"
# the user itself, and all roles that it is in, also through others
HELD = """
with held as (
    select principal_id from sys.database_principals where name = %s
    union all
    select m.role_principal_id from sys.database_role_members m join held h on h.principal_id = m.member_principal_id
)
select distinct p.name from held h join sys.database_principals p on p.principal_id = h.principal_id
"""
# of the database, of a schema, or of a whole table; a null stands for all schemas, or all tables
GRANTS = """
select lower(p.permission_name),
    case p.class when 1 then object_schema_name(p.major_id) when 3 then schema_name(p.major_id) end,
    case p.class when 1 then object_name(p.major_id) end
from sys.database_permissions p join sys.database_principals g on g.principal_id = p.grantee_principal_id
where g.name in %s and p.state in ('G', 'W') and p.class in (0, 1, 3) and p.minor_id = 0
"""
TABLES = "select name, is_tracked_by_cdc from sys.tables where schema_name(schema_id) = %s and name in %s"
READERS = """
select object_name(source_object_id), role_name from cdc.change_tables
where object_schema_name(source_object_id) = %s and object_name(source_object_id) in %s
"""
OWNER = "db_owner"
FIXED = {"db_datareader": "select", "db_datawriter": "update"}
"""Roles of every database, and what they may do with each table."""
Grant = tuple[str, str | None, str | None]
"""A privilege, with its schema and table; None for all."""


@dataclass(frozen=True)
class UserFacts:
    """What the server shows of the connector's user and of the tables."""

    login_disabled: bool | None
    """None if there is no login of that name, or the session may not see logins."""
    principals: Sequence[str]
    """The user and its roles; empty if the user does not exist."""
    grants: Sequence[Grant]
    """Of all of them."""
    tables: Sequence[str]
    """The tables of the outbox that exist."""
    readers: Mapping[str, Sequence[str | None]]
    """The role that may read the captured rows of a table, for each capture; None for everyone with SELECT."""


def examine(dsn: str, outbox: Outbox) -> ObservedObjects:
    """The objects that the connector uses. Raises UsageProblem, DatabaseUnreachable, DatabaseRefused."""
    with session(dsn, outbox.names.database) as cursor:
        database, logins = _rows(cursor, SIGHT)[0]
        if not database:
            return ObservedObjects(examined=False)
        return examined(outbox, _facts(cursor, outbox, logins=bool(logins)))


def examined(outbox: Outbox, facts: UserFacts) -> ObservedObjects:
    """What is missing of what the connector uses. Pure."""
    if not facts.principals:
        return ObservedObjects(user_exists=False)
    return ObservedObjects(flaws=list(_flaws(outbox, facts)), lacking=list(_lacking(outbox, facts)))


def _facts(cursor: Session, outbox: Outbox, *, logins: bool) -> UserFacts:
    names = outbox.names
    login = _rows(cursor, LOGIN, (names.role,)) if logins else []
    principals = [str(row[0]) for row in _rows(cursor, HELD, (names.role,))]
    expected = (outbox.table.name, names.heartbeat_table)
    tables = _rows(cursor, TABLES, (names.schema, expected))
    readers: dict[str, list[str | None]] = {}
    if any(captured for _, captured in tables):
        for table, role in _rows(cursor, READERS, (names.schema, expected)):
            readers.setdefault(table, []).append(role)
    grants = (
        [(verb, schema, table) for verb, schema, table in _rows(cursor, GRANTS, (tuple(principals),))]
        if principals
        else []
    )
    return UserFacts(bool(login[0][0]) if login else None, principals, grants, [row[0] for row in tables], readers)


def _rows(cursor: Session, statement: str, values: object = None) -> list[tuple[Any, ...]]:
    cursor.execute(statement, values)
    return list(cursor.fetchall())


def _flaws(outbox: Outbox, facts: UserFacts) -> Iterator[ServerRisk]:
    role = outbox.names.role
    if facts.login_disabled:
        fix = f"alter login {SQLSERVER.quote_ident(role)} with password = '...'; then alter login ... enable"
        yield ServerRisk(f"login {role} is disabled", fix)
    for table, readers in facts.readers.items():
        if not any(reader is None or reader in facts.principals or OWNER in facts.principals for reader in readers):
            gate = readers[0] or ""
            fix = f"alter role {SQLSERVER.quote_ident(gate)} add member {SQLSERVER.quote_ident(role)}"
            yield ServerRisk(f"the captured rows of {outbox.names.schema}.{table} may be read by role {gate} only", fix)


def _lacking(outbox: Outbox, facts: UserFacts) -> Iterator[LackingPrivilege]:
    names = outbox.names
    if OWNER in facts.principals:
        return
    fixed = {verb for role, verb in FIXED.items() if role in facts.principals}
    for table, verbs in ((outbox.table.name, ["select"]), (names.heartbeat_table, ["select", "update"])):
        for verb in verbs if table in facts.tables else ():
            covers = [
                granted in (verb, "control") and schema in (None, names.schema) and of in (None, table)
                for granted, schema, of in facts.grants
            ]
            if verb not in fixed and not any(covers):
                place = SQLSERVER.quote_ident(names.schema, table)
                sql = f"grant {verb} on {place} to {SQLSERVER.quote_ident(names.role)};"
                yield LackingPrivilege(names.role, f"{verb} on {names.schema}.{table}", sql)
