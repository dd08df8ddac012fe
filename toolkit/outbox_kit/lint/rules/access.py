"""Rules about how the connector reaches the database, and what the file allows its user."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim

POOLER = lazy_pattern(r"pg-?bouncer|(?<![a-z])pooler(?![a-z])|(?<![a-z])pgpool", re.IGNORECASE)
PORT_OF_POOLER = "6432"
GATED = lazy_pattern(r"\bsp_cdc_enable_table\b[^;]{0,800}?@role_name\s*=\s*N?'(?P<role>[^']+)'", re.IGNORECASE)
MEMBER = lazy_pattern(
    r"\balter\s+role\s+\[?(?P<role>\w+)\]?\s+add\s+member\s+\[?(?P<user>\w+)\]?"
    r"|\bsp_addrolemember\b\s*(?:@rolename\s*=\s*)?N?'(?P<role2>\w+)'\s*,\s*(?:@membername\s*=\s*)?N?'(?P<user2>\w+)'",
    re.IGNORECASE,
)
OWNERS = ("db_owner", "sysadmin")
GRANT = lazy_pattern(
    r"\bgrant\s+(?P<privileges>[\w\s,()]{1,400}?)\s+on\s+(?:table\s+)?(?P<object>[`\w.*$-]+)\s+to\s+[`'\"]?(?P<user>[\w-]+)",
    re.IGNORECASE,
)
WRITTEN = lazy_pattern(
    r"^\s*(?P<verb>insert|replace|update|delete)\b(?:\s+(?:ignore|into|from))*\s+`?(?P<database>\w+)`?\.`?(?P<table>\w+)`?",
    re.IGNORECASE,
)


@rule(
    "pooler-as-host",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    connectors=POSTGRES.name,
    fix="name the server itself",
)
def pooler_as_host(subject: Subject) -> Iterator[Violation]:
    """The connector connects to PostgreSQL itself.

    A pool of connections such as PgBouncer before 1.23 does not pass on what replication needs: unsupported startup
    parameter.
    """
    host, port = subject.config.get("database.hostname", ""), trim(subject.config.get("database.port", ""))
    if POOLER.search(host) or port == PORT_OF_POOLER:
        consequence = None if POOLER.search(host) and port == PORT_OF_POOLER else Consequence.risk
        yield Violation("database.hostname", f"'{host}' appears to be a pool of connections", consequence=consequence)


@rule(
    "gating-role-without-user",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    connectors=SQLSERVER.name,
    fix="add the user to the role, or enable CDC with @role_name = NULL",
)
def gating_role_without_user(subject: Subject) -> Iterator[Violation]:
    """The user of the connector is in the role that may read the changes, if the file has that role.

    The connector is rejected: the user does not have access to the CDC schema.
    """
    roles = {match["role"].lower() for match in matches(subject.text, GATED)}
    user = trim(subject.config.get("database.user", "")).lower()
    members = {
        ((match["role"] or match["role2"]).lower(), (match["user"] or match["user2"]).lower())
        for match in matches(subject.text, MEMBER)
    }
    if not roles or not subject.says("database.user") or not any(user == member for _, member in members):
        return  # the file does not show what the user may do
    if any((role, user) in members for role in (*roles, *OWNERS)):
        return
    yield Violation("database.user", f"'{user}' is not in the role '{min(roles)}', which may read the changes")


@rule(
    "heartbeat-not-granted",
    Consequence.stop,
    of_names=True,
    evidence="H06",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="grant the user what the query does with the table",
)
def heartbeat_not_granted(subject: Subject) -> Iterator[Violation]:
    """The user of the connector may write to the table of heartbeats, if the file has the user's grants.

    The query fails with SQLSTATE 42000, which stops the task.
    """
    key = "heartbeat.action.query"
    written = WRITTEN.match(subject.config.get(key, ""))
    user = trim(subject.config.get("database.user", "")).lower()
    grants = [match for match in matches(subject.text, GRANT) if match["user"].lower() == user]
    if written is None or not grants or not subject.says(key, "database.user"):
        return
    verb = written["verb"].lower()
    needed = "insert" if verb == "replace" else verb
    names = ("*.*", f"{written['database']}.*".lower(), f"{written['database']}.{written['table']}".lower())
    for grant in grants:
        words = {word.strip().lower() for word in grant["privileges"].split(",")}
        of_table = grant["object"].replace("`", "").lower() in names
        if of_table and (needed in words or words & {"all", "all privileges"}):
            return
    yield Violation(key, f"the file does not grant {needed.upper()} on {names[-1]} to '{user}'")


CREATED_ROLE = lazy_pattern(
    r"\bcreate\s+(?:role|user)\s+(?:if\s+not\s+exists\s+)?[\"'`]?(?P<role>\w+)[\"'`]?(?P<attributes>[^;]{0,300}?)(?:;|$|\")",
    re.IGNORECASE | re.MULTILINE,
)
OF_ANSIBLE = lazy_pattern(
    r"\bpostgresql_user:[ \t]*\n(?:[ \t]+\S.*\n)*?[ \t]+role_attr_flags:[ \t]*[\"']?(?P<flags>[A-Z, ]+)", re.IGNORECASE
)
OF_CLOUD_NATIVE = lazy_pattern(r"^[ \t]+managed:[ \t]*\n[ \t]+roles:[ \t]*\n[ \t]+- ", re.MULTILINE)
"""Roles in a cluster of CloudNativePG."""
MAY_REPLICATE = lazy_pattern(
    r"(?<!\bno)(?:replication|superuser)\b(?![\"']?[ \t]*[:=][ \t]*[\"']?false)|\brds_replication\b", re.IGNORECASE
)
NAME = lazy_pattern(r"\w+(?:[.-]\w+)*")
PARTS = ("max_", "logical_", "_factor", "replication_", "replication.", "replication-", "pg_create_")
"""What is in the names of settings and options."""
MYSQL_GRANT = lazy_pattern(r"\bidentified\s+by\b", re.IGNORECASE)


@rule(
    "role-without-replication",
    Consequence.stop,
    of_names=True,
    evidence="I01",
    connectors=POSTGRES.name,
    fix="ALTER ROLE <user> REPLICATION; on RDS: GRANT rds_replication TO <user>",
)
def role_without_replication(subject: Subject) -> Iterator[Violation]:
    """The role that the file creates for the connector may replicate.

    The server refuses it a slot: must be superuser or replication role.
    """
    key, text = "database.user", subject.text
    user = trim(subject.config.get(key, "")).lower()
    roles = [match for match in matches(text, CREATED_ROLE) if match["role"].lower() == user]
    mentions = [line for line in text.splitlines() if MAY_REPLICATE.search(_without_options(line))]
    if roles and subject.says(key) and not mentions and not MYSQL_GRANT.search(text):
        yield Violation(key, f"the file creates the role '{user}' without REPLICATION")
    for match in matches(text, OF_ANSIBLE) if not mentions else ():
        yield Violation(key, f"the file creates a role with {match['flags'].strip()}, without REPLICATION")
    if matches(text, OF_CLOUD_NATIVE) and not mentions:
        yield Violation(key, "the managed role of the cluster in the file has no replication: true")


def _without_options(line: str) -> str:
    """A line without the settings of the server and the topics that have the same word in their names."""
    return NAME.sub(lambda name: "" if any(part in name[0].lower() for part in PARTS) else name[0], line)
