"""An outbox table that relays read, in MySQL and MariaDB; see `databases.unpublished`."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from outbox_kit.databases.ledger import LONGEST_SECONDS
from outbox_kit.databases.mysql.marks import MARKS
from outbox_kit.databases.mysql.scripts import LANES, SCRIPTING, hash_of, lane_of
from outbox_kit.databases.mysql.session import KeptSession
from outbox_kit.databases.mysql.texts import BINARY, TEXTS, base_type, column_texts, parameter
from outbox_kit.databases.polling import Lane, OutboxTable, Position
from outbox_kit.databases.row_marks import RowMarks
from outbox_kit.databases.scripts import Rows
from outbox_kit.databases.unpublished import ColumnForm, RowScripts, TableColumn, TableIndex, UnpublishedRows, utf8
from outbox_kit.schema.model import Outbox

READ_SECONDS = 60.0
COLUMNS = """
select column_name, if(data_type in ('enum', 'set'), data_type, column_type), is_nullable = 'YES',
    extra like '%%auto_increment%%', collation_name, character_set_name,
    extra like '%%virtual%%' or extra like '%%stored%%' or extra like '%%persistent%%',
    if(version() like '%%MariaDB%%', nullif(column_default, 'NULL'),
        if(extra like '%%DEFAULT_GENERATED%%', column_default, nullif(quote(column_default), 'NULL')))
from information_schema.columns where table_schema = %(schema)s and table_name = %(name)s order by ordinal_position
"""
INDEXES = """
select index_name, if(sub_part is null, coalesce(column_name, ''), ''), non_unique from information_schema.statistics
where table_schema = %(schema)s and table_name = %(name)s order by index_name, seq_in_index
"""
ROWS = RowScripts(
    read="""
select {columns}, {written} from {table} as t {hint} where {unpublished} and {chosen} order by {order} limit %(most)s
""",
    store="""
start transaction;
{fence}
{published}
select @mine;
commit
""",
    delete="""
delete t from {published} straight_join {table} as t force index ({index}) on {same} where @mine = {count};
""",
    newest="select {newest} from {table} as t where {unpublished}",
    left="select exists (select 1 from {table} as t where {unpublished} and {order_column} <= {mark})",
    oldest="select {oldest} from {table} as t where {unpublished}",
)
COUNTED = """
select count(*), unix_timestamp(current_timestamp(6)) - min(written)
from (select {written} as written from {table} as t where {unpublished} limit %(most)s) as u
"""
KEYS = "select {key_text} from {table} as t where {unpublished}"
DELETE = """
start transaction;
set @mine = 0;
{published}
commit
"""
"""Rows are deleted by a join, the order of whose tables is certain: a scan would wait for rows that are inserted."""


class MySqlTable(UnpublishedRows):
    """See `polling.OutboxTable`."""

    scripting, lane_scripts, row_scripts, mark_forms = SCRIPTING, LANES, ROWS, MARKS
    reads_octets = True
    """See `UnpublishedRows`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        super().__init__(dsn, outbox)
        self._held_lanes: set[int] = set()
        self._charsets: dict[str, str | None] = {}

    def open(self, lease_seconds: float) -> None:
        """See `polling.OutboxTable`."""
        self._held_lanes = set()
        super().open(lease_seconds)

    def claim(self, most: int) -> Sequence[tuple[Lane, Position]]:
        """See `polling.OutboxTable`. The server does not say which lanes it has changed, but which are this relay's."""
        claimed = [(lane, position) for lane, position in super().claim(most) if lane.number not in self._held_lanes]
        self._held_lanes |= {lane.number for lane, _ in claimed}
        return claimed

    def release(self, lanes: Collection[Lane]) -> None:
        """See `polling.OutboxTable`."""
        self._held_lanes -= {lane.number for lane in lanes}
        super().release(lanes)

    def keys(self) -> Sequence[str]:
        """The texts by which the committed rows are found; it is open or examined."""
        kept = self._kept
        assert isinstance(kept, KeptSession)  # noqa: S101 - it is open
        with kept.use(seconds=LONGEST_SECONDS, raw=True) as cursor:
            cursor.execute(self._sql(KEYS, self._parts), ())
            read = self._forms[self._key].read
            return [read(key).decode() for (key,) in cursor.fetchall()]

    def unpublished_rows(self, most: int) -> tuple[int, float | None]:
        """How many rows are not published, at most so many, and the age of the oldest one of these in seconds."""
        ((count, seconds),) = self._rows(COUNTED, {"most": most}, self._parts)
        return int(count), None if seconds is None else float(seconds)

    def delete(self, keys: Sequence[str]) -> None:
        """Delete rows by these texts."""
        for start in range(0, len(keys), self.most_stored):
            values: dict[str, Any] = {}
            published = "".join(self._published(keys[start : start + self.most_stored], values, {"count": "0"}))
            self._run(DELETE, values, {"published": published})

    def _fetched(self, values: Mapping[str, Any], parts: Mapping[str, str]) -> Rows:
        """See `UnpublishedRows`: the rows as the server writes them."""
        kept = self._kept
        assert isinstance(kept, KeptSession)  # noqa: S101 - it is open
        with kept.use(seconds=READ_SECONDS, raw=True) as cursor:
            cursor.execute(self._sql(self.row_scripts.read, parts), values)
            return cursor.fetchall()

    def _catalogue(self) -> tuple[Sequence[TableColumn], Collection[TableIndex]]:
        """See `UnpublishedRows`."""
        place = {"schema": self._outbox.names.schema, "name": self._outbox.table.name}
        rows, listed = self._rows(COLUMNS, place), self._rows(INDEXES, place)
        self._charsets = {row[0]: row[5] for row in rows}
        indexes = {
            name: TableIndex(name, [column for index, column, _ in listed if index == name], not non_unique)
            for name, _, non_unique in listed
        }
        columns = [
            TableColumn(row[0], row[1], bool(row[2]), bool(row[3]), row[4], bool(row[6]), row[7]) for row in rows
        ]
        return columns, [*indexes.values()]

    def _form(self, column: TableColumn) -> ColumnForm:
        """See `UnpublishedRows`."""
        form = column_texts(column.type)
        # its text is that of the signed number of its 64 bits
        typed = "cast({} as unsigned)" if base_type(column.type) == "bigint unsigned" else "{}"
        return ColumnForm(
            form.text, typed, lambda text: parameter(column.type, text), form.expression, form.read or utf8
        )

    def _moment_text(self, column: TableColumn, quoted: str) -> str:
        """See `UnpublishedRows`."""
        return f"unix_timestamp({quoted})" if base_type(column.type) in ("timestamp", "datetime") else "null"

    def _same(self, column: TableColumn, quoted: str) -> str:
        """See `UnpublishedRows`."""
        if base_type(column.type) not in TEXTS:
            return super()._same(column, quoted)
        same = f"{quoted} = convert(published.id using {self._charsets[column.name]}) collate {column.collation}"
        return f"{same} and cast(convert({quoted} using utf8mb4) as binary) = cast(published.id as binary)"

    def _lane(self, key: str, event_id: str) -> str:
        """See `UnpublishedRows`."""
        return lane_of(self._outbox, hash_of(key, event_id))

    def _finding(self, column: TableColumn, indexes: Collection[TableIndex]) -> Mapping[str, str]:
        """See `UnpublishedRows`: the index, by which nothing is locked but what is meant."""
        return {"index": SCRIPTING.name(self._outbox, _finds(column.name, indexes))}

    def _more_parts(self, order: Sequence[str], indexes: Collection[TableIndex]) -> Mapping[str, str]:
        """See `UnpublishedRows`: the indexes by which rows are read and found."""
        column = f"t.{SCRIPTING.name(self._outbox, self._order)}"
        is_binary = base_type(self._by_name[self._order].type) in BINARY
        form = self._forms[self._key]
        key_text = (form.selected or form.text).format(f"t.{SCRIPTING.name(self._outbox, self._key)}")
        limits = {} if is_binary else {"newest": f"max({column})", "oldest": f"min({column})"}
        return {
            "hint": self._hint(order, indexes),
            "key_text": key_text,
            **self._finding(self._by_name[self._key], indexes),
            **limits,
        }

    def _hint(self, order: Sequence[str], indexes: Collection[TableIndex]) -> str:
        """Which index the server has to read rows by, however old its statistics are; empty if there is none."""
        if self._marks is not None:
            by_state = _begins(self._marks.state_column, order, indexes)
            return f"force index ({SCRIPTING.name(self._outbox, by_state)})" if by_state else ""
        by_order = _serves(order, indexes)
        return f"force index for order by ({SCRIPTING.name(self._outbox, by_order)})" if by_order else ""


def _finds(column: str, indexes: Collection[TableIndex]) -> str:
    """The index by which a value of a column is found, a unique one if there is one."""
    fitting = [index for index in indexes if index.columns[0] == column]
    fitting.sort(key=lambda index: (not (index.unique and len(index.columns) == 1), len(index.columns), index.name))
    return fitting[0].name


def _serves(order: Sequence[str], indexes: Collection[TableIndex]) -> str | None:
    """The index that gives an order; each one ends with the columns of the primary key. None if there is none."""
    primary = next((index.columns for index in indexes if index.name == "PRIMARY"), ())
    fitting = [index for index in indexes if [*index.columns, *primary][: len(order)] == list(order)]
    return min(fitting, key=lambda index: index.name != "PRIMARY").name if fitting else None


def _begins(state: str, order: Sequence[str], indexes: Collection[TableIndex]) -> str | None:
    """The index that begins with a column, and gives an order within its values if there is such one; None if none."""
    primary = next((index.columns for index in indexes if index.name == "PRIMARY"), ())
    by_state = {index.name: [*index.columns[1:], *primary] for index in indexes if index.columns[0] == state}
    return next(
        (name for name, rest in by_state.items() if rest[: len(order)] == list(order)), next(iter(by_state), None)
    )


def outbox_table(dsn: str, outbox: Outbox) -> OutboxTable:
    """See `polling.OutboxTables`."""
    return MySqlTable(dsn, outbox)


def row_marks(dsn: str, outbox: Outbox) -> RowMarks | None:
    """See `UnpublishedRows.marks`."""
    return MySqlTable(dsn, outbox).marks()
