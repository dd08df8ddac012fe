"""Rules about the database that a compose file runs beside a connector: its name, its accounts, its replica set."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import containers, database_settings
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.mongodb import STRING, first_host
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim

CLASS, HOST, USER, PASSWORD = "connector.class", "database.hostname", "database.user", "database.password"
VARIABLE = lazy_pattern(r"(?P<name>[A-Z][A-Z0-9_]+)[\"']?[ \t]*[:=][ \t]*[\"']?(?P<value>[^\s\"',}#]+)")
ELSEWHERE = lazy_pattern(
    r"<<:|env_file|\bextends:|_FILE\b|AUTH_METHOD|init[-_]file|\bbuild:|(?<!target: )/docker-entrypoint-initdb"
)
"""What gives a container variables, or a database accounts, that the file does not show."""
OPEN = lazy_pattern(r"[$<{]")
PLAIN = lazy_pattern(r"[A-Za-z0-9_-]+")
PREFIXES = {MYSQL.name: ("MYSQL_",), MARIADB.name: ("MARIADB_", "MYSQL_")}
ROOT = "root"
ALTERED = lazy_pattern(r"\balter\s+(?:user|role)\b|\bidentified\s+by\b", re.IGNORECASE)
GRANT = lazy_pattern(r"\bgrant\b", re.IGNORECASE)
SET = lazy_pattern(r"repl_?set|REPLICA_?SET|replication:|mongodb-atlas-local", re.IGNORECASE)
OF_STRING = lazy_pattern(r"replicaSet=\w*", re.IGNORECASE)
MONGO_IMAGE = lazy_pattern(r"(?:docker\.io/)?(?:library/)?mongo(?:[:@].*)?")


def _variables(subject: Subject) -> dict[str, str] | None:
    """The variables of the container with the connector's database; None if the file does not show all of them."""
    block = containers.at_host(subject.text, trim(subject.config.get(HOST, "")))
    shown = database_settings.image(block)
    if shown is None or shown[0] != subject.connector or ELSEWHERE.search(block):
        return None
    return {match["name"]: match["value"] for match in VARIABLE.finditer(block)}


def _first(variables: dict[str, str], *names: str, default: str = "") -> str:
    """The value of the first of some variables that is set; empty if it is a placeholder."""
    value = next((variables[name] for name in names if name in variables), default)
    return "" if OPEN.search(value) else value


def _of_server(subject: Subject, option: str) -> list[str]:
    """The names of a variable of MySQL's or MariaDB's image."""
    return [f"{prefix}{option}" for prefix in PREFIXES[subject.connector or MYSQL.name]]


@rule(
    "database-not-created",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="N12",
    connectors=POSTGRES.name,
    fix="use the name in POSTGRES_DB",
)
def database_not_created(subject: Subject) -> Iterator[Violation]:
    """The database of the connector is one that the container in the file has.

    The server refuses the connection, unless something else creates the database.
    """
    key = "database.dbname"
    name, variables = trim(subject.config.get(key, "")), _variables(subject)
    if variables is None or not name or not subject.says(key) or not PLAIN.fullmatch(name):
        return
    created = _first(variables, "POSTGRES_DB")
    if created and name not in (created, POSTGRES.name) and not _stands_elsewhere(subject, name, "dbname"):
        yield Violation(key, f"the server in the file has the database '{created}', not '{name}'")


@rule(
    "account-password-differs",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    connectors=f"{POSTGRES.name} {MYSQL.name} {MARIADB.name}",
    fix="use the password of the container",
)
def account_password_differs(subject: Subject) -> Iterator[Violation]:
    """The password of an account that the container in the file has is the one that it has there.

    The server refuses the login.
    """
    variables, user = _variables(subject), trim(subject.config.get(USER, ""))
    password = subject.config.get(PASSWORD, "")
    if variables is None or not user or not password or OPEN.search(password) or not subject.says(USER, PASSWORD):
        return
    if subject.connector == POSTGRES.name:
        accounts = {_first(variables, "POSTGRES_USER", default=POSTGRES.name): _first(variables, "POSTGRES_PASSWORD")}
    else:
        accounts = {
            _first(variables, *_of_server(subject, "USER")): _first(variables, *_of_server(subject, "PASSWORD")),
            ROOT: _first(variables, *_of_server(subject, "ROOT_PASSWORD")),
        }
    if accounts.get(user) and password != accounts[user] and not ALTERED.search(subject.text):
        yield Violation(PASSWORD, f"the server in the file has another password for '{user}'")


@rule(
    "account-without-replication",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="J01",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="grant the user SELECT, RELOAD, SHOW DATABASES, REPLICATION SLAVE and REPLICATION CLIENT on *.*",
)
def account_without_replication(subject: Subject) -> Iterator[Violation]:
    """The user that the container creates may read the binary log.

    MYSQL_USER has rights to one database: the connector fails when it asks for the position of the log, unless rights
    are granted elsewhere.
    """
    variables, user = _variables(subject), trim(subject.config.get(USER, ""))
    owner = _first(variables or {}, *_of_server(subject, "USER"))
    if owner and user == owner != ROOT and subject.says(USER) and not GRANT.search(subject.text):
        yield Violation(USER, f"'{user}' is the user of one database, and nothing in the file grants REPLICATION SLAVE")


@rule(
    "replica-set-missing",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    connectors=MONGODB.name,
    fix="start the server with --replSet, and call rs.initiate()",
)
def replica_set_missing(subject: Subject) -> Iterator[Violation]:
    """The MongoDB in the file is a replica set.

    Another server has no change streams: the connector is refused.
    """
    image = containers.image(containers.at_host(subject.text, first_host(subject.config.get(STRING, ""))))
    if MONGO_IMAGE.fullmatch(image) and not SET.search(OF_STRING.sub("", subject.text)):
        yield Violation(CLASS, "the server in the file is started without --replSet")


def _stands_elsewhere(subject: Subject, word: str, option: str) -> bool:
    """Whether a word stands in a line that is not the one of an option: something may create what has the name."""
    name = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    return any(name.search(line) for line in subject.text.splitlines() if option not in line.lower())
