"""Rows of an outbox table in PostgreSQL that are to be published again; see `databases.resent`."""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import sql

from outbox_kit.databases.postgres.session import Session, identifier, session
from outbox_kit.databases.resent import ChosenRows, ResendableRows, RowGroup, RowSelection
from outbox_kit.errors import DatabaseRefused, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

CORRECT = "correct the value of --id, --key, --from-id or --to-id"
COLUMNS = """
select attname from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
"""
TYPE = "select format_type(atttypid, atttypmod) from pg_attribute where attrelid = to_regclass(%s) and attname = %s"
CHOSEN = """
with chosen as (select {id}::text as id, {route}::text as route, {type}::text as type, {key}::text as key,
    {order} as position from {table} where {condition})
"""
IDS = "{chosen} select id from chosen order by position limit %(most)s"
GROUPS = "{chosen} select route, type, count(*) from chosen group by route, type order by 3 desc, 1, 2"
NEWER = """{chosen}, firsts as (select key, min(position) as position from chosen group by key)
select (select count(*) from firsts), (select count(*) from {table} join firsts on {key}::text = firsts.key
    where {order} > firsts.position and {id}::text not in (select id from chosen))
"""
REINSERT = """
with again as (delete from {table} where {id} = any(%(ids)s::text[]::{kind}[]) returning {columns}),
    inserted as (insert into {table} ({columns}) overriding system value
        select {columns} from again order by {order} returning 1)
select count(*) from inserted
"""
UNMARK = "update {table} set {assignments} where {id} = any(%(ids)s::text[]::{kind}[])"


class PostgresResendableRows(ResendableRows):
    """See `ResendableRows`."""

    def choose(self, dsn: str, outbox: Outbox, selection: RowSelection, most: int) -> ChosenRows:
        """See `ResendableRows`."""
        try:
            with session(dsn) as connection:
                connection.execute("set transaction isolation level repeatable read read only")
                parts = _parts(connection, outbox)
                conditions, values = _conditions(outbox, selection, parts)
                parts["chosen"] = sql.SQL(CHOSEN).format(
                    **parts, condition=sql.SQL(" and ").join(conditions or [sql.SQL("true")])
                )

                def rows(statement: str) -> list[tuple[Any, ...]]:
                    return connection.execute(sql.SQL(statement).format(**parts), values | {"most": most}).fetchall()

                ids = [str(row[0]) for row in rows(IDS)]
                groups = [RowGroup(str(route), str(kind), count) for route, kind, count in rows(GROUPS)]
                ((keys, newer),) = rows(NEWER)
        except DatabaseRefused as refused:
            if isinstance(refused.__cause__, psycopg.DataError):
                raise UsageProblem("a value has another type than its column", why=refused.why, fix=CORRECT) from None
            raise
        return ChosenRows(ids, groups, keys, newer)

    def reinsert(self, dsn: str, outbox: Outbox, ids: Sequence[str]) -> int:
        """See `ResendableRows`."""
        with session(dsn) as connection:
            parts = _parts(connection, outbox)
            place = (sql.Identifier(outbox.names.schema, outbox.table.name).as_string(connection),)
            by_relay = {outbox.names.transaction_column}  # its default is the transaction that publishes the row again
            names = [name for (name,) in connection.execute(COLUMNS, place) if name not in by_relay]
            columns = sql.SQL(", ").join(map(identifier, names))
            row = connection.execute(sql.SQL(REINSERT).format(**parts, columns=columns), {"ids": list(ids)}).fetchone()
        return int(row[0]) if row else 0

    def unmark(self, dsn: str, outbox: Outbox, ids: Sequence[str], assignments: str) -> int:
        """See `ResendableRows`."""
        with session(dsn) as connection:
            assigned = sql.SQL(assignments.replace("%", "%%"))
            statement = sql.SQL(UNMARK).format(**_parts(connection, outbox), assignments=assigned)
            return connection.execute(statement, {"ids": list(ids)}).rowcount


def _parts(connection: Session, outbox: Outbox) -> dict[str, sql.Composable]:
    """The table and its columns in the statements. Raises DatabaseRefused."""
    read = router_columns(outbox)
    place = sql.Identifier(outbox.names.schema, outbox.table.name).as_string(connection)
    kind = connection.execute(TYPE, (place, read.id)).fetchone()
    if kind is None:
        what = f"table '{outbox.names.schema}.{outbox.table.name}' with column '{read.id}' does not exist"
        raise DatabaseRefused(what, fix="outbox-kit gen-ddl --apply")
    return {
        "table": identifier(outbox.names.schema, outbox.table.name),
        "kind": sql.SQL(kind[0]),
        "id": identifier(read.id),
        "route": identifier(read.route),
        "type": identifier(outbox.table.columns.type),
        "key": identifier(read.key),
        "order": identifier(outbox.order_column),
    }


def _conditions(
    outbox: Outbox, selection: RowSelection, parts: dict[str, sql.Composable]
) -> tuple[list[sql.Composable], dict[str, Any]]:
    """The conditions of a selection, and their values by name."""
    created = outbox.table.columns.created_at
    texts = {
        "ids": "{id} = any(%(ids)s::text[]::{kind}[])" if selection.ids else None,
        "key": "{key}::text = %(key)s" if selection.key is not None else None,
        "since": "{created} >= %(since)s" if selection.since is not None else None,
        "until": "{created} < %(until)s" if selection.until is not None else None,
        "first": "{order} >= (select {order} from {table} where {id} = %(first)s::text::{kind})"
        if selection.first is not None
        else None,
        "last": "{order} <= (select {order} from {table} where {id} = %(last)s::text::{kind})"
        if selection.last is not None
        else None,
    }
    composed = {**parts, "created": identifier(created or outbox.order_column)}
    conditions: list[sql.Composable] = [sql.SQL(text).format(**composed) for text in texts.values() if text]
    values = {name: getattr(selection, name) for name, text in texts.items() if text}
    return conditions, values | ({"ids": list(selection.ids)} if selection.ids else {})
