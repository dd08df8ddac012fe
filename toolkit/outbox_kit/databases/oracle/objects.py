"""The tables, the user and the privileges of a connector, and supplemental logging; see `databases.observed`."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from outbox_kit.databases.observed import LackingPrivilege, ObservedObjects, ServerRisk
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.oracle.session import Session, session
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox

TABLES = "select table_name from all_tables where owner = :own and table_name in (:box, :beat)"
LOGGED = """
select table_name from all_log_groups
where owner = :own and table_name in (:box, :beat) and log_group_type = 'ALL COLUMN LOGGING'
"""
WHOLE_LOG = "select supplemental_log_data_all from v$database"
STATUS = "select account_status, authentication_type from dba_users where username = :who"
# the roles of the user, also through others
ROLES = (
    "select distinct granted_role from dba_role_privs start with grantee = :who connect by prior granted_role = grantee"
)
HOLDERS = f"(select :who from dual union all {ROLES})"  # noqa: S608 - a constant
SYSTEM = f"select distinct privilege from dba_sys_privs where grantee in {HOLDERS}"  # noqa: S608 - a constant
OBJECTS = f"""
select distinct table_name, privilege from dba_tab_privs
where owner = :own and table_name in (:box, :beat) and grantee in {HOLDERS}
"""  # noqa: S608 - a constant
UNSEEN = ("ORA-00942", "ORA-01031")  # the session may not read the catalogue of administrators
USABLE = ("OPEN", "EXPIRED(GRACE)")  # states of an account that may log in
NEEDED_SYSTEM = ("CREATE SESSION", "LOGMINING", "CREATE TABLE")
NEEDED_ROLES = ("SELECT_CATALOG_ROLE", "EXECUTE_CATALOG_ROLE")
EVERYTHING = "DBA"
APPLY = "outbox-kit gen-ddl --apply"


@dataclass(frozen=True)
class UserFacts:
    """What the server shows of the connector's user and of the tables."""

    status: str | None
    """Of the user's account; None if the user does not exist."""
    authenticated: bool
    """Whether the user can prove who it is, such as by a password."""
    roles: Collection[str]
    system: Collection[str]
    """Privileges that are about no object."""
    objects: Collection[tuple[str, str]]
    """Tables of the outbox with a privilege on each."""


@dataclass(frozen=True)
class TableFacts:
    """What the server shows of the tables."""

    tables: Collection[str]
    logged: Collection[str]
    """Those with supplemental logging of all columns."""


def examine(dsn: str, outbox: Outbox) -> ObservedObjects:
    """The objects that the connector uses. Raises UsageProblem, DatabaseUnreachable, DatabaseRefused."""
    with session(dsn, outbox) as cursor:
        tables = _tables(cursor, outbox)
    try:
        with session(dsn, outbox) as cursor:
            user = _user(cursor, outbox)
    except DatabaseRefused as refusal:
        if not any(code in refusal.why for code in UNSEEN):
            raise
        return ObservedObjects(flaws=list(_flaws(outbox, tables)), examined=False)
    return examined(outbox, tables, user)


def examined(outbox: Outbox, tables: TableFacts, user: UserFacts) -> ObservedObjects:
    """What is missing of what the connector uses. Pure."""
    flaws = list(_flaws(outbox, tables))
    if user.status is None:
        return ObservedObjects(flaws=flaws, user_exists=False)
    role = outbox.names.role
    everywhere = " container=all" if outbox.database.container else ""
    fix = f"alter user {ORACLE.quote_ident(role)} identified by ... account unlock{everywhere}"
    if user.status not in USABLE:
        flaws.append(ServerRisk(f"the account of user {role} is {user.status}", fix))
    elif not user.authenticated:
        flaws.append(ServerRisk(f"user {role} has no password", fix))
    return ObservedObjects(flaws=flaws, lacking=list(_lacking(outbox, tables, user)))


def _tables(cursor: Session, outbox: Outbox) -> TableFacts:
    names = _names(outbox)
    cursor.execute(TABLES, names)
    tables = {str(row[0]) for row in cursor.fetchall()}
    cursor.execute(LOGGED, names)
    logged = {str(row[0]) for row in cursor.fetchall()}
    cursor.execute(WHOLE_LOG)
    return TableFacts(tables, tables if cursor.fetchone() == ("YES",) else logged)


def _user(cursor: Session, outbox: Outbox) -> UserFacts:
    who = {"who": outbox.names.role}
    cursor.execute(STATUS, who)
    status = cursor.fetchone()
    cursor.execute(ROLES, who)
    roles = {str(row[0]) for row in cursor.fetchall()}
    cursor.execute(SYSTEM, who)
    system = {str(row[0]) for row in cursor.fetchall()}
    cursor.execute(OBJECTS, _names(outbox) | who)
    objects = {(row[0], row[1]) for row in cursor.fetchall()}
    if not status:
        return UserFacts(None, False, roles, system, objects)
    return UserFacts(str(status[0]), status[1] != "NONE", roles, system, objects)


def _names(outbox: Outbox) -> dict[str, str]:
    return {"own": outbox.names.schema, "box": outbox.table.name, "beat": outbox.names.heartbeat_table}


def _flaws(outbox: Outbox, facts: TableFacts) -> Iterator[ServerRisk]:
    for table in (outbox.table.name, outbox.names.heartbeat_table):
        place = f"{outbox.names.schema}.{table}"
        if table not in facts.tables:
            yield ServerRisk(f"table {place} does not exist, or the user may not see it", APPLY)
        elif table not in facts.logged:
            quoted = ORACLE.quote_ident(outbox.names.schema, table)
            fix = f"alter table {quoted} add supplemental log data (all) columns"
            yield ServerRisk(f"table {place} has no supplemental logging of all columns", fix)


def _lacking(outbox: Outbox, tables: TableFacts, user: UserFacts) -> Iterator[LackingPrivilege]:
    if EVERYTHING in user.roles:
        return
    names = outbox.names
    grantee = ORACLE.quote_ident(names.role)
    everywhere = " container=all" if outbox.database.container else ""
    whole = [right for right in NEEDED_SYSTEM if right not in user.system]
    whole += [role for role in NEEDED_ROLES if role not in user.roles]
    for right in whole:
        yield LackingPrivilege(names.role, right.lower(), f"grant {right.lower()} to {grantee}{everywhere};")
    needed = {
        outbox.table.name: ("SELECT", "FLASHBACK"),
        names.heartbeat_table: ("SELECT", "FLASHBACK", "INSERT", "UPDATE"),
    }
    for table, rights in needed.items():
        for right in rights if table in tables.tables else ():
            if (table, right) not in user.objects and f"{right} ANY TABLE" not in user.system:
                place = ORACLE.quote_ident(names.schema, table)
                text = f"{right.lower()} on {names.schema}.{table}"
                yield LackingPrivilege(names.role, text, f"grant {right.lower()} on {place} to {grantee};")
