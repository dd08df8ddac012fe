"""What of an outbox is missing in a running PostgreSQL: tables, constraints, privileges."""

from collections.abc import Mapping, Sequence

from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import Session, session
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox

ROLE = "select 1 from pg_roles where rolname = %s"
COLUMNS = "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
ADDED = ("connector_offset",)
"""The columns of the table of a relay's starts that it did not always have."""
CONSTRAINTS = "select conname from pg_constraint where conrelid = %s::regclass and convalidated"

INDEX = "select 1 from pg_index where indexrelid = to_regclass(%s) and indisvalid"


def defects(dsn: str, outbox: Outbox, constraints: Mapping[str, str]) -> list[str]:
    """What `gen-ddl --apply` would create or grant again, a sentence each.

    constraints: the digests of the outbox table's CHECKs by name. Raises UsageProblem, EnvironmentProblem.
    """
    names = outbox.names
    tables = [outbox.table.name] if outbox.table.storage == "table" else []
    relay_tables = of_relay(outbox)
    with session(dsn) as connection:
        heartbeats = () if outbox.delivery.polls else (names.heartbeat_table,)
        expected = (*tables, *heartbeats, *relay_tables)
        missing = [table for table in expected if not exists(connection, names.schema, table)]
        findings = [f"table {names.schema}.{table} does not exist" for table in missing]
        for table in tables:
            if table not in missing:
                findings += _of_table(connection, outbox, POSTGRES.quote_ident(names.schema, table), constraints)
        if heartbeats and names.heartbeat_table not in missing:
            heartbeat = POSTGRES.quote_ident(names.schema, names.heartbeat_table)
            findings += _of_role(connection, names.role, heartbeat, ("SELECT", "INSERT"))
        if relay_tables and names.run_table not in missing:
            findings += missing_columns(connection, outbox)
        for table, needed in relay_tables.items():
            if table not in missing:
                findings += _of_role(connection, names.role, POSTGRES.quote_ident(names.schema, table), needed)
    return findings


def of_relay(outbox: Outbox) -> Mapping[str, Sequence[str]]:
    """The tables of an outbox's relay, each with the privileges that its role needs; none if a connector publishes."""
    names, delivery = outbox.names, outbox.delivery
    if delivery.by != "relay":
        return {}
    started = ("SELECT", "INSERT", "UPDATE")
    tables = {names.failure_table: (*started, "DELETE"), names.run_table: started}
    shared = {names.lane_table: ("SELECT", "UPDATE"), names.member_table: (*started, "DELETE")}
    return tables | (shared if delivery.source == "table" else {})


def missing_columns(connection: Session, outbox: Outbox) -> list[str]:
    """The columns that the table of a relay's starts lacks, if an older release has created it."""
    names = outbox.names
    present = {row[0] for row in connection.execute(COLUMNS, (POSTGRES.quote_ident(names.schema, names.run_table),))}
    title = f"{names.schema}.{names.run_table}"
    return [f"column {name} of {title} does not exist" for name in ADDED if name not in present]


def exists(connection: Session, schema: str, table: str) -> bool:
    """Whether there is a table of that name."""
    row = connection.execute("select to_regclass(%s)", (POSTGRES.quote_ident(schema, table),)).fetchone()
    return row is not None and row[0] is not None


def _of_table(connection: Session, outbox: Outbox, table: str, constraints: Mapping[str, str]) -> list[str]:
    present = {row[0] for row in connection.execute(CONSTRAINTS, (table,))}
    title = f"{outbox.names.schema}.{outbox.table.name}"
    existing = {row[0] for row in connection.execute(COLUMNS, (table,))}
    declared = [] if outbox.table.existing else [column.name for column in columns(outbox)]
    mark, delivery = outbox.mark, outbox.delivery
    marked = [] if mark is None else mark.written
    declared += [] if mark is None else [name for name, _ in mark.places()]
    findings = [f"column {name} of {title} does not exist" for name in declared if name not in existing]
    findings += [f"CHECK {name} of {title} does not exist" for name in constraints if name not in present]
    index = POSTGRES.quote_ident(outbox.names.schema, f"{outbox.table.name}_unpublished")
    if marked and not outbox.table.existing and connection.execute(INDEX, (index,)).fetchone() is None:
        findings.append(
            f"the index of unpublished rows of {title} does not exist: each query of the relay scans the table"
        )
    findings += _of_role(connection, outbox.names.role, table, ("SELECT",))
    if marked:
        findings += _of_columns(connection, outbox.names.role, title, table, [n for n in marked if n in existing])
    elif (delivery.by, delivery.source, delivery.record) == ("relay", "table", "delete"):
        findings += _of_role(connection, outbox.names.role, table, ("DELETE",))
    for writer in outbox.database.writers:
        findings += _of_role(connection, writer, table, ("INSERT",))
    return findings


def _of_role(connection: Session, role: str, table: str, privileges: Sequence[str]) -> list[str]:
    """The privileges on a table that a role lacks."""
    if connection.execute(ROLE, (role,)).fetchone() is None:
        return [f"role {role} does not exist"]
    query = "select has_table_privilege(%s, %s, %s)"
    granted = {p: connection.execute(query, (role, table, p)).fetchone() == (True,) for p in privileges}
    title = table.replace('"', "")
    return [f"role {role} has no {privilege} privilege on {title}" for privilege, has in granted.items() if not has]


def _of_columns(connection: Session, role: str, title: str, table: str, columns: Sequence[str]) -> list[str]:
    """The columns that a role may not update."""
    if connection.execute(ROLE, (role,)).fetchone() is None:
        return []
    query = "select has_column_privilege(%s, %s, %s, 'UPDATE')"
    lacking = [name for name in columns if connection.execute(query, (role, table, name)).fetchone() != (True,)]
    return [f"role {role} has no UPDATE privilege on column {name} of {title}" for name in lacking]
