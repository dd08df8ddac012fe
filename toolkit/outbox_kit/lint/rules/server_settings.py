"""Rules about the settings of the database's server that the file shows beside the connector."""

import re
from collections.abc import Iterator, Mapping

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import containers, database_settings
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import LITERAL
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import parts
from outbox_kit.router.javatext import trim, whole_number
from outbox_kit.versions import Version

OFF = ("off", "0", "false", "no")
NEEDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    MYSQL.name: {"binlog_format": ("row",), "binlog_row_image": ("full",)},
    MARIADB.name: {"binlog_format": ("row",), "binlog_row_image": ("full",)},
    POSTGRES.name: {"wal_level": ("logical",)},
}
"""Settings with the words that they must have."""
LEVEL = lazy_pattern(r"wal_?level", re.IGNORECASE)
SLOTS = ("max_replication_slots", "max_wal_senders")


@rule(
    "server-setting-unfit",
    Consequence.stop,
    of_names=True,
    evidence="I01",
    fix="change the setting of the server, and restart it",
)
def server_setting_unfit(subject: Subject) -> Iterator[Violation]:
    """The server that the file shows writes the log that the connector reads.

    The connector refuses to start, or is refused by the server.
    """
    text, key = subject.text, "connector.class"
    for name, words in NEEDED.get(subject.connector or "", {}).items():
        value = database_settings.only(text, name)
        if value and value.lower() not in words and value[0] not in "$<{":
            yield Violation(key, f"{name} of the server in the file is {value}: expected {words[0]}")
    for name in SLOTS if subject.connector == POSTGRES.name else ():
        if database_settings.only(text, name) == "0":
            yield Violation(key, f"{name} of the server in the file is 0")
    if subject.connector in (MYSQL.name, MARIADB.name):
        disabled = {"skip_log_bin", "disable_log_bin"} & database_settings.settings(text).keys()
        if disabled or (database_settings.only(text, "log_bin") or "").lower() == "off":
            yield Violation(key, "the server in the file writes no binary log")


@rule(
    "binlog-not-enabled",
    Consequence.stop,
    of_names=True,
    evidence="J01",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="start the server with --log-bin --binlog-format=ROW",
)
def binlog_not_enabled(subject: Subject) -> Iterator[Violation]:
    """The server in the file has a binary log if that is off by default, as in MariaDB and MySQL 5.

    The connector refuses to start without one.
    """
    shown, set_names = database_settings.image(subject.text), database_settings.settings(subject.text).keys()
    elsewhere = database_settings.CONFIGURED.search(subject.text) or "debezium/example" in subject.text
    if shown is None or elsewhere or {"log_bin", "log_basename"} & set_names:
        return
    name, tag = shown
    if name == MARIADB.name or (name == MYSQL.name and tag.startswith("5")):
        yield Violation("connector.class", "the server in the file has no binary log, which is off by default")


@rule(
    "wal-level-left-at-default",
    Consequence.stop,
    of_names=True,
    evidence="I01",
    connectors=POSTGRES.name,
    fix="start the server with -c wal_level=logical",
)
def wal_level_left_at_default(subject: Subject) -> Iterator[Violation]:
    """The server in the file writes the log that logical decoding needs.

    The published image of PostgreSQL starts with wal_level=replica: the connector is refused.
    """
    text, host = subject.text, trim(subject.config.get("database.hostname", ""))
    elsewhere = database_settings.CONFIGURED.search(text) or LEVEL.search(text)
    shown = database_settings.image(text)
    block = text if host in containers.LOCAL and shown and shown[0] == POSTGRES.name else containers.at_host(text, host)
    if database_settings.IS_PUBLISHED.search(block) and not elsewhere and "build:" not in block:
        yield Violation("connector.class", "the server in the file has wal_level=replica, its default")


@rule(
    "binlog-format-mixed",
    Consequence.stop,
    of_names=True,
    evidence="J01",
    connectors=MARIADB.name,
    fix="start the server with --binlog-format=ROW",
)
def binlog_format_mixed(subject: Subject) -> Iterator[Violation]:
    """The server in the file writes rows to its log.

    MariaDB writes statements too by default, binlog_format=MIXED: the connector refuses to start.
    """
    shown, set_names = database_settings.image(subject.text), database_settings.settings(subject.text).keys()
    elsewhere = database_settings.CONFIGURED.search(subject.text) or "binlog_format" in subject.text.lower().replace(
        "-", "_"
    )
    if shown and shown[0] == MARIADB.name and not elsewhere and {"log_bin", "log_basename"} & set_names:
        yield Violation("connector.class", "the server in the file has binlog_format=MIXED, its default")


@rule(
    "too-few-slots",
    Consequence.stop,
    of_names=True,
    evidence="I06",
    connectors=POSTGRES.name,
    fix="raise max_replication_slots",
)
def too_few_slots(subject: Subject) -> Iterator[Violation]:
    """The server in the file has a slot for each of its connectors there.

    The next one is refused: all replication slots are in use.
    """
    most = whole_number(database_settings.only(subject.text, SLOTS[0]) or "")
    host = subject.config.get("database.hostname", "")
    peers = [peer for peer in subject.neighbours if peer.connector == subject.connector]
    slots = {each.setting("slot.name") for each in (subject, *peers) if each.config.get("database.hostname") == host}
    if most and most < len(slots) and subject.says("database.hostname", "slot.name"):
        yield Violation("slot.name", f"the file has {len(slots)} slots, and the server's {SLOTS[0]} is {most}")


@rule(
    "read-only-without-gtid",
    Consequence.stop,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="set gtid_mode=ON and enforce_gtid_consistency=ON on the server",
)
def read_only_without_gtid(subject: Subject) -> Iterator[Violation]:
    """A server whose signals are read without a table has GTIDs.

    The connector finds its place in a read-only snapshot by them.
    """
    mode = (database_settings.only(subject.text, "gtid_mode") or "").lower()
    if subject.on("read.only") and mode in OFF:
        yield Violation("read.only", f"gtid_mode of the server in the file is {mode}")


@rule(
    "database-not-logged",
    Consequence.loss,
    evidence="J01",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="add the database to binlog_do_db, or remove the setting",
)
def database_not_logged(subject: Subject) -> Iterator[Violation]:
    """The server in the file writes the captured databases to its log.

    What is not in the binary log is not captured, without an error.
    """
    logged = {value.lower() for value in database_settings.settings(subject.text).get("binlog_do_db", ())}
    ignored = {value.lower() for value in database_settings.settings(subject.text).get("binlog_ignore_db", ())}
    for table in subject.tables if subject.says("table.include.list") else ():
        database = parts(table)[0].lower()
        if LITERAL.fullmatch(table) and ((logged and database not in logged) or database in ignored):
            yield Violation("table.include.list", f"the server in the file does not log '{table}'")
            break


ALLOWED = lazy_pattern(r"allow_snapshot_isolation|read_committed_snapshot", re.IGNORECASE)
CREATED = lazy_pattern(r"\bcreate\s+database\b", re.IGNORECASE)


@rule(
    "snapshot-isolation-off",
    Consequence.stop,
    evidence="L01",
    connectors=SQLSERVER.name,
    fix="ALTER DATABASE <name> SET ALLOW_SNAPSHOT_ISOLATION ON",
)
def snapshot_isolation_off(subject: Subject) -> Iterator[Violation]:
    """The database that the file creates allows the isolation of the snapshot.

    The connector fails when its snapshot begins.
    """
    key = "snapshot.isolation.mode"
    is_snapshot = subject.config.get(key, "").strip().lower() == "snapshot"
    if is_snapshot and CREATED.search(subject.text) and not ALLOWED.search(subject.text):
        yield Violation(key, "the file creates the database without ALLOW_SNAPSHOT_ISOLATION")


ALTERED = lazy_pattern(r"\balter\s+system\s+set\s+wal_level\b", re.IGNORECASE)
RESTARTS = lazy_pattern(r"\b(?:restart\w*|pg_ctl|rollout|reboot)\b", re.IGNORECASE)


@rule(
    "setting-needs-restart",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    connectors=POSTGRES.name,
    fix="restart the server, or start it with -c wal_level=logical",
)
def setting_needs_restart(subject: Subject) -> Iterator[Violation]:
    """The server is restarted after wal_level has been changed, if the file reloads its configuration.

    wal_level takes effect when the server starts. Until then the connector is refused.
    """
    text = subject.text
    if ALTERED.search(text) and "pg_reload_conf" in text and not RESTARTS.search(text):
        yield Violation("connector.class", "the file reloads the configuration after it has set wal_level")


UNLOGGED = lazy_pattern(r"\bsql_log_bin\s*(?::?=|,)\s*(?:0|off|false)\b", re.IGNORECASE)


@rule(
    "session-without-binlog",
    Consequence.loss,
    of_names=True,
    evidence="N20",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="leave sql_log_bin on in sessions that write events",
)
def session_without_binlog(subject: Subject) -> Iterator[Violation]:
    """No session that writes to a captured table leaves the binary log out.

    The connector has no other source: what is not in the binary log is never published.
    """
    for table in subject.tables if UNLOGGED.search(subject.text) else ():
        name = re.escape(parts(table)[-1].strip("`"))
        if re.search(rf"\binsert\s+into\s+[`\w.]*\b{name}\b", subject.text, re.IGNORECASE):
            yield Violation("table.include.list", f"a session in the file writes to '{table}' with sql_log_bin=0")


AGENT = lazy_pattern(r"\bimage:\s*[\"']?[\w./-]*mssql/server\b")


@rule(
    "agent-not-running",
    Consequence.loss,
    of_names=True,
    evidence="N20",
    connectors=SQLSERVER.name,
    fix="set MSSQL_AGENT_ENABLED=true for the container",
)
def agent_not_running(subject: Subject) -> Iterator[Violation]:
    """The SQL Server Agent runs in the container that the file shows.

    Its jobs write the changes into the change tables: without it they stay empty, without an error.
    """
    if AGENT.search(subject.text) and not re.search(r"MSSQL_AGENT_ENABLED|sqlagent\.enabled", subject.text):
        yield Violation("connector.class", "the server in the file has no MSSQL_AGENT_ENABLED")


OF_CONTAINER = lazy_pattern(
    r"\bmcr\.microsoft\.com/(?:mssql/server|azure-sql-edge)\b|\bMsSqlBuilder\(|\bMSSQLServerContainer\b"
)
TRUST = ("encrypt", "trustServerCertificate", "trustStore", "ssl.truststore")
ENCRYPTS_SINCE = Version.of("2.0")
"""The first release whose driver encrypts unless it is told not to."""


@rule(
    "certificate-not-trusted",
    Consequence.stop,
    of_names=True,
    evidence="L01",
    connectors=SQLSERVER.name,
    fix="set driver.trustServerCertificate=true, or driver.encrypt=false, for a server with such a certificate",
)
def certificate_not_trusted(subject: Subject) -> Iterator[Violation]:
    """The connector trusts the certificate of the server in the file.

    The driver encrypts by default and verifies the certificate. The container of SQL Server makes one of its own: the
    connection fails.
    """
    options = [f"{prefix}.{name}" for prefix in ("database", "driver") for name in TRUST]
    shown = subject.release >= ENCRYPTS_SINCE and matches(subject.text, OF_CONTAINER)
    host, services = trim(subject.config.get("database.hostname", "")), containers.services(subject.text)
    is_another = bool(services) and host not in containers.LOCAL and not containers.at_host(subject.text, host)
    if (
        shown
        and not is_another
        and subject.says("database.hostname", *options)
        and not any(key.startswith(tuple(options)) for key in subject.config)
    ):
        yield Violation("connector.class", "nothing makes the driver trust the certificate of the server in the file")
