"""Rows of an outbox table in MySQL or MariaDB that are to be published again; see `databases.resent`."""

from collections.abc import Sequence
from typing import Any

from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.mysql.session import session
from outbox_kit.databases.resent import ChosenRows, ResendableRows, RowGroup, RowSelection
from outbox_kit.errors import DatabaseRefused, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

COLUMNS = """
select column_name from information_schema.columns
where table_schema = %s and table_name = %s and coalesce(generation_expression, '') = '' order by ordinal_position
"""
CHOSEN = """
with chosen as (select {id} as id, {route} as route, {type} as type, {key} as message_key, {order} as place
    from {table} where {condition})
"""
IDS = "{chosen} select id from chosen order by place limit %(most)s"
GROUPS = "{chosen} select route, type, count(*) from chosen group by route, type order by 3 desc, 1, 2"
NEWER = """{chosen}, firsts as (select message_key, min(place) as place from chosen group by message_key)
select (select count(*) from firsts), (select count(*) from {table} as other join firsts on
    other.{key} = firsts.message_key where other.{order} > firsts.place and other.{id} not in (select id from chosen))
"""
LOCK = "select count(*) from {table} where {id} in %(ids)s for update"
# a REPLACE may be written to the log as an update, which the event router skips
REINSERT = (
    "drop temporary table if exists {resent}",
    "create temporary table {resent} as select {columns} from {table} where {id} in %(ids)s",
    "delete from {table} where {id} in %(ids)s",
    "insert into {table} ({columns}) select {columns} from {resent} order by {order}",
    "drop temporary table {resent}",
)
UNMARK = "update {table} set {assignments} where {id} in %(ids)s"


class MySqlResendableRows(ResendableRows):
    """See `ResendableRows`."""

    def choose(self, dsn: str, outbox: Outbox, selection: RowSelection, most: int) -> ChosenRows:
        """See `ResendableRows`."""
        condition, values = _condition(outbox, selection)
        parts = _parts(outbox)
        parts["chosen"] = CHOSEN.format(**parts, condition=condition)
        with session(dsn) as cursor:

            def rows(statement: str) -> list[tuple[Any, ...]]:
                cursor.execute(statement.format(**parts), {**values, "most": most})
                return list(cursor.fetchall())

            ids = [_text(row[0]) for row in rows(IDS)]
            groups = [RowGroup(_text(route), _text(kind), int(count)) for route, kind, count in rows(GROUPS)]
            ((keys, newer),) = rows(NEWER)
        return ChosenRows(ids, groups, int(keys), int(newer))

    def reinsert(self, dsn: str, outbox: Outbox, ids: Sequence[str]) -> int:
        """See `ResendableRows`."""
        parts, values = _parts(outbox), {"ids": tuple(ids)}
        place, by_relay = (outbox.names.schema, outbox.table.name), {outbox.names.transaction_column}
        with session(dsn) as cursor:
            cursor.execute(COLUMNS, place)
            names = [str(row[0]) for row in cursor.fetchall() if row[0] not in by_relay]
            parts["columns"] = ", ".join(map(_quoted, names))
            cursor.execute(LOCK.format(**parts), values)
            (locked,) = cursor.fetchone() or (0,)
            counts = []
            for statement in REINSERT:
                # pymysql reads marks of values only in a statement that has values
                cursor.execute(statement.format(**parts), values)
                counts.append(cursor.rowcount)
            if not counts[2] == counts[3] == locked:
                raise DatabaseRefused(
                    f"of {locked} rows {counts[2]} were deleted and {counts[3]} inserted; rolled back"
                )
        return int(locked)

    def unmark(self, dsn: str, outbox: Outbox, ids: Sequence[str], assignments: str) -> int:
        """See `ResendableRows`."""
        parts = {**_parts(outbox), "assignments": assignments.replace("%", "%%")}
        with session(dsn) as cursor:
            cursor.execute(UNMARK.format(**parts), {"ids": tuple(ids)})
            return int(cursor.rowcount)


def _quoted(*names: str) -> str:
    return MYSQL.quote_ident(*names).replace("%", "%%")


def _parts(outbox: Outbox) -> dict[str, str]:
    """The table and its columns in the statements."""
    read, schema = router_columns(outbox), outbox.names.schema
    return {
        "table": _quoted(schema, outbox.table.name),
        "resent": _quoted(schema, f"resent_{outbox.names.slot}"[:60]),
        "id": _quoted(read.id),
        "route": _quoted(read.route),
        "type": _quoted(outbox.table.columns.type),
        "key": _quoted(read.key),
        "order": _quoted(outbox.order_column),
    }


def _condition(outbox: Outbox, selection: RowSelection) -> tuple[str, dict[str, Any]]:
    """The condition of a selection, and its values by name."""
    parts = _parts(outbox)
    created = _quoted(outbox.table.columns.created_at or outbox.order_column)
    place = "(select {order} from {table} where {id} = %({name})s)"
    texts = {
        "ids": "{id} in %(ids)s" if selection.ids else "",
        "key": "{key} = %(key)s" if selection.key is not None else "",
        "since": f"{created} >= %(since)s" if selection.since is not None else "",
        "until": f"{created} < %(until)s" if selection.until is not None else "",
        "first": "{order} >= " + place if selection.first is not None else "",
        "last": "{order} <= " + place if selection.last is not None else "",
    }
    condition = " and ".join(text.format(**parts, name=name) for name, text in texts.items() if text)
    values: dict[str, Any] = {name: getattr(selection, name) for name, text in texts.items() if text}
    for name in ("since", "until"):
        if name in values:  # the session is in UTC
            values[name] = values[name].replace(tzinfo=None)
    return condition or "true", values | ({"ids": tuple(selection.ids)} if selection.ids else {})


def _text(value: Any) -> str:
    """A value as text. Raises UsageProblem for bytes that are none."""
    try:
        return value.decode() if isinstance(value, bytes) else str(value)
    except UnicodeDecodeError:
        raise UsageProblem("the event ids of this table are binary, and cannot be written in a command") from None
