"""Rules about filters: which tables and columns are captured."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.router.javatext import split, trim
from outbox_kit.versions import Version

RENAMED = Version.of("2.0")
"""The first release that does not read the former names of filters."""


@rule("no-table-filter", Consequence.stop, evidence="C10 O", fix="name the outbox table in table.include.list")
def no_table_filter(subject: Subject) -> Iterator[Violation]:
    """The captured tables are listed.

    All tables are captured: rows of other tables are published to topics of their own, or stop the task in the event
    router.
    """
    filters = options.catalogue(subject.connector).facts.get("filters", ()) if subject.connector else ()
    former = [name.replace("include.list", "whitelist").replace("exclude.list", "blacklist") for name in filters]
    read = [*filters, *(former if subject.release < RENAMED else ())]
    if not subject.router or not filters:
        return
    set_filters = [name for name in read if name in subject.config]
    consequence = Consequence.risk if "predicate" in subject.router.options else None
    if not set_filters:
        message = f"none of {', '.join(filters)} is set: every table is captured"
        yield Violation("connector.class", message, unset=filters[0], consequence=consequence)
    elif all(name.startswith(("database.", "schema.")) for name in set_filters):
        message = f"every table is captured that {' and '.join(set_filters)} leaves"
        yield Violation("connector.class", message, unset=filters[0], consequence=consequence)
    elif not any(name.endswith((".include.list", ".whitelist")) for name in set_filters):
        message = f"every table is captured but those of {' and '.join(set_filters)}"
        yield Violation("connector.class", message, unset=filters[0], consequence=consequence or Consequence.risk)


LITERAL = re.compile(r"[\w$-]+(?:\\?\.[\w$-]+)*")
PARTS = dict.fromkeys((POSTGRES.name, MYSQL.name, MARIADB.name, ORACLE.name, SQLSERVER.name, MONGODB.name), 2)
"""How many names the filter compares: schema and table, or database and table."""
COLUMN_PARTS = 3
SCHEMAS = (POSTGRES.name, ORACLE.name, SQLSERVER.name)


@rule(
    "table-filter-never-matches",
    Consequence.loss,
    evidence="C10",
    fix="write the table with its schema, such as public.outbox; in MySQL and MariaDB with its database",
)
def table_filter_never_matches(subject: Subject) -> Iterator[Violation]:
    """Every entry of table.include.list, and of MongoDB's collection.include.list, can match a table.

    The filter compares the whole name, with the schema or the database. What does not match is not captured, without an
    error.
    """
    option = "collection.include.list" if subject.connector == MONGODB.name else "table.include.list"
    expected = PARTS.get(subject.connector or "")
    if expected is None or option not in subject.config:
        return
    for entry in subject.tables:
        if LITERAL.fullmatch(entry) and entry.endswith("_"):
            yield Violation(option, f"'{entry}' matches the table of that name only, not those that begin with it")
    wrong = [
        entry
        for entry in subject.tables
        if LITERAL.fullmatch(entry)
        and len(re.split(r"\\?\.", entry)) != expected
        and not _may_have_dots(subject, entry, expected)
    ]
    for entry in wrong:
        scope = "schema" if subject.connector in SCHEMAS else "database"
        kind = "collection" if subject.connector == MONGODB.name else "table"
        consequence = None if len(wrong) == len(subject.tables) else Consequence.wrong
        message = f"'{entry}' matches no {kind}: expected <{scope}>.<{kind}>"
        yield Violation(option, message, consequence=consequence)


@rule(
    "column-filter-never-matches",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="write the column with its table, such as public.orders.email; in MySQL and MariaDB with its database",
)
def column_filter_never_matches(subject: Subject) -> Iterator[Violation]:
    """Every entry of a list of columns can match a column.

    The filter compares the whole name. With an entry that is too short, columns that were to be left out are published.
    """
    for option in ("column.include.list", "column.exclude.list", "column.propagate.source.type"):
        listed = [trim(entry) for entry in subject.config.get(option, "").split(",")]
        short = [
            entry for entry in listed if LITERAL.fullmatch(entry) and len(re.split(r"\\?\.", entry)) < COLUMN_PARTS
        ]
        if short and subject.connector in PARTS and subject.connector != MONGODB.name and subject.says(option):
            scope = "schema" if subject.connector in SCHEMAS else "database"
            yield Violation(option, f"'{short[0]}' matches no column: expected <{scope}>.<table>.<column>")


@rule(
    "oracle-system-schema",
    Consequence.loss,
    evidence="C10",
    connectors=ORACLE.name,
    fix="create the tables in a schema of their own",
)
def oracle_system_schema(subject: Subject) -> Iterator[Violation]:
    """No captured table is one of Oracle's own schemas.

    The connector leaves the schemas of the system out, whatever table.include.list says.
    """
    for table in subject.tables:
        if table.split(".")[0].strip("\\").upper() in ("SYS", "SYSTEM"):
            yield Violation("table.include.list", f"'{table}' is in a schema that the connector leaves out")


def _may_have_dots(subject: Subject, entry: str, expected: int) -> bool:
    """Whether an entry has too many names rather than too few: names may have dots, and a collection's often do."""
    parts = re.split(r"\\?\.", entry)
    databases = [trim(name) for name in split(subject.config.get("database.names", ""), ",")]
    dotted = subject.connector == MONGODB.name or ("\\" in entry and parts[0] not in databases)
    return len(parts) > expected and dotted
