"""An outbox table that relays read, in MySQL and MariaDB; see `databases.polling`.

These servers say neither which transactions a snapshot contains nor whether a number that is missing was rolled back or
is about to be committed. So all rows that are not published are looked at each time, and what commits late comes later.
The read locks nothing: a read that skipped locked rows would pass over a row and publish a later one of its key.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from outbox_kit.databases.changes import TableColumns
from outbox_kit.databases.mysql.lanes import ANSWER_SECONDS, FENCE, MySqlLanes, hash_of, lane_of, mine
from outbox_kit.databases.mysql.session import address, bound, session
from outbox_kit.databases.mysql.texts import TEXTS, ColumnTexts, base_type, column_texts, parameter
from outbox_kit.databases.polling import Lane, OutboxTable, OutboxTables, PolledRows, Position
from outbox_kit.errors import UsageProblem
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

READ_SECONDS = 60.0
AT_ONCE = 500
"""Ids in one statement. MariaDB looks up many more values in other ways, which lock rows that are not meant."""
COLUMNS = """
select column_name, if(data_type in ('enum', 'set'), data_type, column_type), is_nullable = 'YES',
    extra like '%%auto_increment%%', character_set_name, collation_name
from information_schema.columns where table_schema = %s and table_name = %s order by ordinal_position
"""
INDEXES = """
select index_name, if(sub_part is null, coalesce(column_name, ''), ''), non_unique from information_schema.statistics
where table_schema = %s and table_name = %s order by index_name, seq_in_index
"""
READ = """
select {columns}, {written} from {table} as t {hint} where {unpublished} and {chosen} order by {order} limit %(most)s
"""
STORE = """
start transaction;
{fence};
{published}
select @mine;
commit
"""
DELETE = """
delete t from ({ids}) as published straight_join {table} as t force index ({index}) on {same} where @mine = %(count)s;
"""
"""By a join, because the order of its tables is certain: a scan would wait for rows that are being inserted."""
NEWEST = "select max({order_column}) from {table} as t where {unpublished}"
LEFT = "select exists (select 1 from {table} as t where {unpublished} and {order_column} <= %(mark)s)"
OLDEST = "select crc32(coalesce(min({order_column}), '')) from {table} as t where {unpublished}"


class _Column(NamedTuple):
    """A column as the catalogue has it."""

    name: str
    type: str
    optional: int
    counted: int
    """Whether the server numbers its rows."""
    charset: str | None
    collation: str | None


class _Index(NamedTuple):
    """An index as the catalogue has it."""

    name: str
    columns: Sequence[str]
    unique: bool


class UnpublishedTable(MySqlLanes):
    """A table of which all rows that are not published are read each time; see `polling.OutboxTable`."""

    reads_ahead = False
    """See `polling.OutboxTable`."""
    unpublished = "true"
    """The condition on rows that are not published."""
    publish = DELETE
    """The statement that makes rows published, if `@mine` is the number of the lanes."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        super().__init__(dsn, outbox)
        self._columns: TableColumns | None = None
        self._forms: Sequence[ColumnTexts] = ()
        self._order, self._key = outbox.order_column, router_columns(outbox).id
        self._types: dict[str, str] = {}
        self._parts: dict[str, str] = {}

    def columns(self) -> TableColumns:
        """See `polling.OutboxTable`."""
        return self._described()

    def read(self, lanes: Collection[Lane], position: Position, most: int) -> PolledRows:
        """See `polling.OutboxTable`."""
        chosen = "true" if len(lanes) == self._outbox.delivery.lanes else f"{self._parts['lane']} in %(numbers)s"
        query = self.sql(READ, **self._parts, chosen=chosen)
        values = {"numbers": [lane.number for lane in lanes], "most": most}
        with self.kept.use(seconds=READ_SECONDS, raw=True) as cursor:
            cursor.execute(query, values)
            fetched = cursor.fetchall()
        columns = self._columns
        assert columns is not None  # noqa: S101 - it is open
        written = float(fetched[0][-1]) if fetched and fetched[0][-1] is not None else None
        texts = [[form.of(value) for form, value in zip(self._forms, row, strict=False)] for row in fetched]
        at = columns.names.index(self._key)
        return PolledRows(columns, texts, [(row[at] or b"").decode() for row in texts], position, None, written)

    def store(self, lanes: Collection[Lane], position: Position, ids: Sequence[str]) -> bool:  # noqa: ARG002
        """See `polling.OutboxTable`."""
        values = mine(lanes)
        published = "".join(self._published(ids, values))
        ((count,),) = self._run(STORE, values, fence=self.sql(FENCE), published=published)[-1]
        return int(count) == len(lanes)

    def mark(self) -> str:
        """See `polling.OutboxTable`."""
        ((newest,),) = self._rows(NEWEST, **self._parts)
        if newest is None:
            return ""
        form = column_texts(self._types[self._order])
        return form.of(newest).decode() if isinstance(newest, bytes) else str(newest)  # type: ignore[union-attr]

    def passed(self, mark: str) -> bool:
        """See `polling.OutboxTable`."""
        if not mark:
            return True
        ((left,),) = self._rows(LEFT, {"mark": parameter(self._types[self._order], mark)}, **self._parts)
        return not left

    def position(self) -> int | None:
        """See `polling.OutboxTable`."""
        ((oldest,),) = self._rows(OLDEST, **self._parts)
        return int(oldest)

    def _published(self, ids: Sequence[str], values: dict[str, Any]) -> Iterator[str]:
        """The statements for ids, whose values are added to the others."""
        for start in range(0, len(ids), AT_ONCE):
            names = []
            for place, text in enumerate(ids[start : start + AT_ONCE], start):
                values[f"id{place}"] = parameter(self._types[self._key], text)
                names.append(f"select %(id{place})s as id" if place == start else f"select %(id{place})s")
            yield self.sql(self.publish, **self._parts, ids=" union all ".join(names))

    def _examine(self) -> None:
        """See `MySqlLanes`."""
        self._columns = self._described()

    def _described(self) -> TableColumns:
        outbox, place = self._outbox, (self._outbox.names.schema, self._outbox.table.name)
        with session(self._dsn, seconds=ANSWER_SECONDS) as cursor:
            cursor.execute(COLUMNS, place)
            columns = {row[0]: _Column(*row) for row in cursor.fetchall()}
            cursor.execute(INDEXES, place)
            rows = cursor.fetchall()
        indexes = {
            name: _Index(name, [column for index, column, _ in rows if index == name], not non_unique)
            for name, _, non_unique in rows
        }
        read, title = router_columns(outbox), outbox.dialect.quote_ident(*place)
        missing = [name for name in (read.id, self._order) if name not in columns]
        if missing:
            raise UsageProblem(
                f"the table {title} has no column '{missing[0]}'",
                where=address(self._dsn),
                fix="create the missing objects: outbox-kit gen-ddl --apply",
            )
        is_counted = bool(columns[self._order].counted)
        self._key = self._order if is_counted else read.id
        by_key = _finds(self._key, indexes)
        if by_key is None:
            raise UsageProblem(
                f"the table {title} has no index that begins with the column '{self._key}'",
                where=address(self._dsn),
                why="the relay would wait for open transactions whenever it stores which rows are published",
                fix=f"create a unique index of this column on {title}",
            )
        order = [self._order] if is_counted else list(dict.fromkeys((self._order, read.id)))
        self._parts = self._parts_of(columns, by_key, order, _serves(order, indexes))
        self._types = {column.name: column.type for column in columns.values()}
        self._forms = [column_texts(column.type) for column in columns.values()]
        return TableColumns(tuple(RowColumn(c.name, c.type, optional=bool(c.optional)) for c in columns.values()))

    def _parts_of(
        self, columns: Mapping[str, _Column], by_key: str, order: Sequence[str], by_order: str | None
    ) -> dict[str, str]:
        """The parts of the statements that depend on the table's columns and indexes."""
        read, created = router_columns(self._outbox), columns.get(self._outbox.table.columns.created_at or "")
        of_table = {name: f"t.{bound(name)}" for name in columns}
        forms = {name: column_texts(column.type) for name, column in columns.items()}
        is_timed = created is not None and base_type(created.type) in ("timestamp", "datetime")
        key, event_id = (forms[name].text.format(of_table[name]) for name in (read.key, read.id))
        return {
            "columns": ", ".join(forms[name].expression.format(column) for name, column in of_table.items()),
            "written": f"unix_timestamp({of_table[created.name]})" if created is not None and is_timed else "null",
            "unpublished": self.unpublished,
            "order": ", ".join(of_table[name] for name in order),
            "order_column": of_table[self._order],
            "hint": f"force index for order by ({bound(by_order)})" if by_order else "",
            "index": bound(by_key),
            "same": _same(columns[self._key]),
            "lane": lane_of(self._outbox, hash_of(key, event_id)),
        }


def _finds(column: str, indexes: Mapping[str, _Index]) -> str | None:
    """The index by which a value of a column is found, a unique one if there is one; None if there is none."""
    fitting = [index for index in indexes.values() if index.columns[0] == column]
    fitting.sort(key=lambda index: (not (index.unique and len(index.columns) == 1), len(index.columns), index.name))
    return fitting[0].name if fitting else None


def _serves(order: Sequence[str], indexes: Mapping[str, _Index]) -> str | None:
    """The index that gives an order; each one ends with the columns of the primary key. None if there is none."""
    primary = indexes["PRIMARY"].columns if "PRIMARY" in indexes else ()
    fitting = [index for index in indexes.values() if [*index.columns, *primary][: len(order)] == list(order)]
    return min(fitting, key=lambda index: index.name != "PRIMARY").name if fitting else None


def _same(column: _Column) -> str:
    """The condition that an id is that of a row; it holds for the very same text, whatever the collation."""
    name = f"t.{bound(column.name)}"
    if base_type(column.type) not in TEXTS:
        return f"{name} = published.id"
    converted = f"convert(published.id using {column.charset}) collate {column.collation}"
    octets = f"cast(convert({name} using utf8mb4) as binary) = cast(published.id as binary)"
    return f"{name} = {converted} and {octets}"


def outbox_table(dsn: str, outbox: Outbox) -> OutboxTable:
    """See `polling.OutboxTables`."""
    kinds: Mapping[str, OutboxTables] = {"delete": UnpublishedTable}
    return kinds[outbox.delivery.record](dsn, outbox)
