"""The privileges that the roles of an outbox need in PostgreSQL, and those that are missing."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from outbox_kit.databases.observed import LackingPrivilege
from outbox_kit.databases.postgres.defects import of_relay
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import Session
from outbox_kit.schema.model import Outbox

LACKING = """
select role, kind, object, privilege
from unnest(%s::text[], %s::text[], %s::text[], %s::text[]) with ordinality
     as needed (role, kind, object, privilege, number)
where case
    when not exists (select from pg_roles where rolname = role) then false
    when kind = 'database' then not has_database_privilege(role, current_database(), privilege)
    when kind = 'schema' then to_regnamespace(object) is not null
        and not has_schema_privilege(role, to_regnamespace(object)::oid, privilege)
    else to_regclass(object) is not null and not has_table_privilege(role, to_regclass(object)::oid, privilege)
end
order by number
"""


class Privilege(NamedTuple):
    """A privilege that a role needs."""

    role: str
    kind: str
    """Of the object: database, schema or table."""
    object_name: str
    """Quoted."""
    privilege: str


def needed(outbox: Outbox) -> Iterator[Privilege]:
    """What `gen-ddl` grants; without the procedure that writes into the log."""
    names, delivery, ident = outbox.names, outbox.delivery, POSTGRES.quote_ident
    schema, table = ident(names.schema), ident(names.schema, outbox.table.name)
    has_table = outbox.table.storage == "table"
    tables: dict[str, Sequence[str]] = {}
    if has_table:
        deletes = delivery.polls and delivery.record == "delete"
        tables[table] = ("SELECT", "DELETE") if deletes else ("SELECT",)
    if not delivery.polls:
        tables[ident(names.schema, names.heartbeat_table)] = ("SELECT", "INSERT", "DELETE")
    tables |= {ident(names.schema, name): privileges for name, privileges in of_relay(outbox).items()}
    yield Privilege(names.role, "database", ident(names.database), "CONNECT")
    yield Privilege(names.role, "schema", schema, "USAGE")
    for name, privileges in tables.items():
        yield from (Privilege(names.role, "table", name, privilege) for privilege in privileges)
    for writer in outbox.database.writers:
        yield Privilege(writer, "schema", schema, "USAGE")
        if has_table:
            yield Privilege(writer, "table", table, "INSERT")
        if outbox.table.retention == "delete_on_insert" and has_table:
            yield Privilege(writer, "table", table, "DELETE")


def lacking(connection: Session, outbox: Outbox) -> list[LackingPrivilege]:
    """The needed privileges that existing roles do not have on existing objects."""
    columns = [list(values) for values in zip(*needed(outbox), strict=True)]
    rows = [Privilege(*row) for row in connection.execute(LACKING, columns)]
    return [*_grants(rows)]


def _grants(rows: Sequence[Privilege]) -> Iterator[LackingPrivilege]:
    for (role, kind, name), group in groupby(rows, key=lambda row: row[:3]):
        privileges = ", ".join(row.privilege for row in group)
        on = f"on {'' if kind == 'table' else f'{kind} '}{name}"
        statement = f"grant {privileges.lower()} {on} to {POSTGRES.quote_ident(role)};"
        yield LackingPrivilege(role, f"{privileges} {on}".replace('"', ""), statement)
