"""What of an outbox is missing in a running MySQL or MariaDB: tables and constraints."""

from collections.abc import Collection, Iterator, Mapping

from outbox_kit.databases.mysql.session import Session, session
from outbox_kit.schema.model import Outbox

TABLES = "select table_name from information_schema.tables where table_schema = database()"
CONSTRAINTS = (
    "select constraint_name from information_schema.table_constraints "
    "where table_schema = database() and table_name = %s and constraint_type = 'CHECK'"
)

COLUMNS = "select column_name from information_schema.columns where table_schema = database() and table_name = %s"
FIRST = (
    "select column_name from information_schema.statistics "
    "where table_schema = database() and table_name = %s and seq_in_index = 1"
)
"""The columns with which the indexes of a table begin."""


def defects(dsn: str, outbox: Outbox, constraints: Mapping[str, str]) -> list[str]:
    """What `gen-ddl --apply` would create again, a sentence each; privileges are not examined.

    constraints: the digests of the outbox table's CHECKs by name. Raises UsageProblem, EnvironmentProblem.
    """
    table, database = outbox.table.name, outbox.names.database
    with session(dsn) as cursor:
        cursor.execute(TABLES)
        present = {str(row[0]).casefold() for row in cursor}
        expected = [table, *beside(outbox)]
        findings = [f"table {database}.{name} does not exist" for name in expected if name.casefold() not in present]
        if table.casefold() in present:
            cursor.execute(CONSTRAINTS, (table,))
            checks = {str(row[0]).casefold() for row in cursor}
            missing = [name for name, digest in constraints.items() if f"{name}_{digest}".casefold() not in checks]
            findings += [f"CHECK {name} of {database}.{table} does not exist, or is an earlier one" for name in missing]
            findings += _of_marks(cursor, outbox)
    return findings


def missing_tables(dsn: str, names: Collection[str]) -> list[str]:
    """The tables of these names that the database lacks. Raises UsageProblem, EnvironmentProblem."""
    with session(dsn) as cursor:
        cursor.execute(TABLES)
        present = {str(row[0]).casefold() for row in cursor}
    return [name for name in names if name.casefold() not in present]


def _of_marks(cursor: Session, outbox: Outbox) -> Iterator[str]:
    """What the table lacks in which relays record what they have published. Its owner decides about an index."""
    mark, table = outbox.mark, outbox.table
    if mark is None:
        return
    title = f"{outbox.names.database}.{table.name}"
    cursor.execute(COLUMNS, (table.name,))
    present = {str(row[0]) for row in cursor}
    yield from (f"column {name} of {title} does not exist" for name, _ in mark.places() if name not in present)
    cursor.execute(FIRST, (table.name,))
    if not table.existing and mark.state_column not in {str(row[0]) for row in cursor}:
        yield f"the index of unpublished rows of {title} does not exist: each query of the relay scans the table"


def beside(outbox: Outbox) -> list[str]:
    """The tables that belong to an outbox beside its own: the connector's heartbeat, or those of the relays."""
    names = outbox.names
    if not outbox.delivery.polls:
        return [names.heartbeat_table]
    return [names.failure_table, names.run_table, names.lane_table, names.member_table]
