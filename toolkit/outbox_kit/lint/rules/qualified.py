"""Rules about the names that an option compares: with which parts, and how they are written."""

from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import (
    COLUMN_FILTERS,
    LITERAL,
    PARTS,
    QUOTED,
    SCHEMAS,
    has_fewer_names,
    without_choices,
)
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import parts, scopes
from outbox_kit.router import javaregex
from outbox_kit.router.javatext import split

COLUMN_PARTS = 3
COLUMN_LISTS = lazy_pattern(
    r"column\.(?:include\.list|exclude\.list|propagate\.source\.type|(?P<hides>mask\.(?:with|hash)|truncate\.to)\..+)"
)


@rule(
    "column-filter-never-matches",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="write the column with its table, such as public.orders.email; in MySQL and MariaDB with its database",
)
def column_filter_never_matches(subject: Subject) -> Iterator[Violation]:
    """Every entry of a list of columns can match a column.

    The filter compares the whole name. With an entry that is too short or too long, columns that were to be left out or
    masked are published.
    """
    if subject.connector not in PARTS or subject.connector == MONGODB.name:
        return
    scope = "schema" if subject.connector in SCHEMAS else "database"
    for option in subject.config:
        match = COLUMN_LISTS.fullmatch(option)
        for entry in subject.entries(option) if match and subject.says(option) else ():
            if QUOTED.search(entry):
                yield Violation(option, f"'{entry}' matches no column: names are compared without quotes and brackets")
                break
            plain = without_choices(entry)
            names = parts(plain) if LITERAL.fullmatch(plain) else []
            # the lists of columns that are left out, or kept, compare schema, table and column; the others take both
            database = subject.connector == POSTGRES.name or (
                option in COLUMN_FILTERS and names[:1] and names[0] in subject.entries("database.names")
            )
            too_long = len(names) > COLUMN_PARTS and database and "\\" not in entry  # an escaped dot may be of a name
            if names and (len(names) < COLUMN_PARTS or too_long):
                consequence = Consequence.leak if match and match["hides"] else None
                message = f"'{entry}' matches no column: expected <{scope}>.<table>.<column>"
                yield Violation(option, message, consequence=consequence)
                break


@rule(
    "outer-filter-excludes-table",
    Consequence.loss,
    evidence="C10",
    fix="name the table's schema, or its database, in the filter too, or remove the filter",
)
def outer_filter_excludes_table(subject: Subject) -> Iterator[Violation]:
    """Every captured table is in a schema, or a database, that the other filter leaves.

    A table is captured only if all filters let it through.
    """
    option = "schema.include.list" if subject.connector in SCHEMAS else "database.include.list"
    outer = subject.entries(option)
    if not outer or not subject.says(option, "table.include.list", "collection.include.list"):
        return
    if not all(map(LITERAL.fullmatch, outer)):
        return
    outer_names = {entry.replace("\\", "").lower() for entry in outer}
    for table in subject.tables:
        names = scopes(table.lower())
        if LITERAL.fullmatch(table) and names and not names & outer_names:
            yield Violation(option, f"'{table}' is captured, but {option} has only {', '.join(sorted(outer_names))}")


OF_OTHERS = {
    POSTGRES.name: ("database.include.list", "database"),
    **dict.fromkeys((MYSQL.name, MARIADB.name), ("schema.include.list", "schema")),
}
"""A filter of something that the connector's tables do not have."""


@rule(
    "filter-of-another-database",
    Consequence.loss,
    of_names=True,
    evidence="C10",
    fix="remove the filter: the tables are named in table.include.list",
)
def filter_of_another_database(subject: Subject) -> Iterator[Violation]:
    """The captured tables have what the filter compares.

    A table of PostgreSQL has no database for the connector, and a table of MySQL and MariaDB has no schema: the filter
    lets none through, without an error (`Selectors.TableSelectionPredicateBuilder`).
    """
    key, what = OF_OTHERS.get(subject.connector or "", ("", ""))
    if not subject.config.get(key, "").strip():
        return
    # without a list of tables, the filter of schemas alone holds
    ignored = subject.connector == POSTGRES.name and "schema.include.list" in subject.config and not subject.tables
    if not ignored:
        yield Violation(key, f"no table has a {what} for this connector: the filter lets none through")


WHOLE = {
    **dict.fromkeys((SQLSERVER.name, ORACLE.name), "<database>.<schema>.<table>"),
    POSTGRES.name: "<schema>.<table>",
    **dict.fromkeys((MYSQL.name, MARIADB.name), "<database>.<table>"),
    MONGODB.name: "<database>.<collection>",
}
"""The whole name of a table."""
SIGNALS, SNAPSHOT = "signal.data.collection", "snapshot.include.collection.list"


@rule(
    "whole-name-expected",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="write the whole name of the table",
)
def whole_name_expected(subject: Subject) -> Iterator[Violation]:
    """Options that compare the whole name of a table have it.

    With a shorter name signals are not read, and the snapshot has no rows. In SQL Server and Oracle the database
    belongs to it; the connector of Oracle refuses a table of signals without it.
    """
    expected = WHOLE.get(subject.connector or "", "")
    is_read = not subject.on("read.only") or "source" in (subject.setting("signal.enabled.channels") or "source")
    for option in (*((SIGNALS,) if is_read else ()), SNAPSHOT) if expected else ():
        for entry in subject.entries(option) if subject.says(option) else ():
            if has_fewer_names(entry, len(expected.split("."))):
                refused = subject.connector == ORACLE.name and option == SIGNALS
                consequence = Consequence.stop if refused else Consequence.loss if option == SNAPSHOT else None
                message = f"'{entry}' is not the whole name of a table: expected {expected}"
                yield Violation(option, message, consequence=consequence)
                break


@rule(
    "key-columns-never-match",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="write the table with its schema, such as public.orders:customer_id; in MySQL and MariaDB with its database",
)
def key_columns_never_match(subject: Subject) -> Iterator[Violation]:
    """Every entry of message.key.columns can match a table.

    The key stays the primary key of a table that no entry matches, without an error.
    """
    key = "message.key.columns"
    expected = PARTS.get(subject.connector or "", 0) if subject.connector != MONGODB.name else 0
    scope = "schema" if subject.connector in SCHEMAS else "database"
    for entry in split(subject.config.get(key, ""), ";") if expected and subject.says(key) else ():
        table = entry.partition(":")[0].strip()
        if has_fewer_names(table, expected):
            yield Violation(key, f"'{table}' matches no table: expected <{scope}>.<table>:<column>")
            break


@rule("blank-in-database-names", Consequence.stop, evidence="C10", connectors=SQLSERVER.name, fix="remove the blanks")
def blank_in_database_names(subject: Subject) -> Iterator[Violation]:
    """No name in database.names has a blank before or behind it.

    The connector splits the list at commas alone and takes the blank for a part of the name
    (`SqlServerConnectorConfig`).
    """
    key = "database.names"
    names = subject.config.get(key, "").split(",") if subject.says(key) else []
    for name in names[1:]:
        if name != name.strip() and name.strip():
            yield Violation(key, f"'{name}' is looked up with its blank")
            break


@rule(
    "exclude-list-never-matches",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="write the table with its schema, such as public.audit; in MySQL and MariaDB with its database",
)
def exclude_list_never_matches(subject: Subject) -> Iterator[Violation]:
    """Every entry of a list of tables that are left out can match a table.

    The changes of a table that no entry matches are published.
    """
    scope = "schema" if subject.connector in SCHEMAS else "database"
    for option in ("table.exclude.list", "collection.exclude.list") if subject.connector in PARTS else ():
        for entry in subject.entries(option) if subject.says(option) else ():
            if QUOTED.search(entry) or has_fewer_names(entry, PARTS[str(subject.connector)]):
                yield Violation(option, f"'{entry}' matches no table: expected <{scope}>.<table>, without quotes")
                break


@rule(
    "signal-columns-left-out",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="add the columns id, type and data of the table to column.include.list",
)
def signal_columns_left_out(subject: Subject) -> Iterator[Violation]:
    """The list of columns has those of the table of signals.

    A signal without its three columns is ignored.
    """
    key, table = "column.include.list", parts(subject.config.get(SIGNALS, ""))
    if len(table) < PARTS.get(subject.connector or "", 9) or not subject.says(key, SIGNALS):
        return
    columns = [f"{'.'.join(table[-2:])}.{name}" for name in ("id", "type", "data")]
    patterns = [javaregex.compiled_or_none(f"(?i){entry}") for entry in subject.entries(key)]
    if patterns and all(patterns):
        missing = [name for name in columns if not any(pattern.fullmatch(name) for pattern in patterns if pattern)]
        if missing:
            yield Violation(key, f"'{missing[0]}' of the table of signals is left out")
