"""An outbox table that relays read, in SQL Server; see `databases.unpublished`.

A read that locks rows, whether it waits for writers or skips what they have locked, can miss a row that is inserted
behind it and see a later one of the same key. So rows are read in a snapshot: SNAPSHOT isolation where the database
allows it, else READ COMMITTED where that reads versions of rows.
"""

from collections.abc import Collection, Mapping, Sequence

from outbox_kit.databases.polling import OutboxTable
from outbox_kit.databases.row_marks import RowMarks
from outbox_kit.databases.sqlserver.marks import MARKS
from outbox_kit.databases.sqlserver.scripts import LANES, SCRIPTING, hash_of, lane_of
from outbox_kit.databases.sqlserver.texts import CHARACTERS, ZONED, base_type, column_form
from outbox_kit.databases.unpublished import ColumnForm, RowScripts, TableColumn, TableIndex, UnpublishedRows
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox

VERSIONS = """
select snapshot_isolation_state, is_read_committed_snapshot_on from sys.databases where database_id = db_id()
"""
COLUMNS = """
select c.name, concat(type_name(c.system_type_id), case
        when type_name(c.system_type_id) in ('char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary')
            and c.max_length = -1 then '(max)'
        when type_name(c.system_type_id) in ('char', 'varchar', 'binary', 'varbinary')
            then concat('(', c.max_length, ')')
        when type_name(c.system_type_id) in ('nchar', 'nvarchar') then concat('(', c.max_length / 2, ')')
        when type_name(c.system_type_id) in ('datetime2', 'datetimeoffset', 'time') then concat('(', c.scale, ')')
        when type_name(c.system_type_id) in ('decimal', 'numeric') then concat('(', c.[precision], ', ', c.scale, ')')
    end), c.is_nullable, c.is_identity, c.collation_name, c.is_computed,
    object_definition(c.default_object_id)
from sys.columns as c where c.object_id = object_id(%(place)s, N'U') order by c.column_id
"""
INDEXES = """
select i.index_id, c.name from sys.indexes as i
join sys.index_columns as x on x.object_id = i.object_id and x.index_id = i.index_id and x.key_ordinal > 0
join sys.columns as c on c.object_id = x.object_id and c.column_id = x.column_id
where i.object_id = object_id(%(place)s, N'U') and i.type in (1, 2) and i.has_filter = 0 and i.is_disabled = 0
order by i.index_id, x.key_ordinal
"""
SNAPSHOT = "set transaction isolation level snapshot;\n"
ROWS = RowScripts(
    read="{isolation}select top (%(most)s) {columns}, {written} from {table} as t "
    "where {unpublished} and {chosen} order by {order}",
    store="""
begin transaction;
declare @mine int;
{fence}
{published}
commit transaction;
select @mine
""",
    delete="""
delete t from {published} inner loop join {table} as t with (rowlock) on {same} where @mine = {count};
""",
    newest="{isolation}select {newest} from {table} as t where {unpublished}",
    left="{isolation}select iif(exists ("
    "select 1 from {table} as t where {unpublished} and {order_column} <= {mark}), 1, 0)",
    oldest="{isolation}select {oldest} from {table} as t where {unpublished}",
)
"""Rows are deleted by a join, the order of whose tables is certain: a scan would wait for rows that are inserted."""


class SqlServerTable(UnpublishedRows):
    """See `polling.OutboxTable`."""

    scripting, lane_scripts, row_scripts, mark_forms = SCRIPTING, LANES, ROWS, MARKS
    most_stored = 2000
    """See `UnpublishedRows`: 5,000 locks would become a lock of the table."""
    _isolation = ""

    def _examine(self) -> None:
        """See `LaneTable`. Raises UsageProblem if no row can be read without its lock."""
        ((state, is_versioned),) = self._rows(VERSIONS)
        if state != 1 and not is_versioned:
            raise UsageProblem(
                f"the database '{self._outbox.names.database}' does not keep versions of rows",
                where=SCRIPTING.address(self._dsn),
                why="a read that waits for locks can miss a row and see a later one of its key",
                fix="alter database current set allow_snapshot_isolation on",
            )
        self._isolation = SNAPSHOT if state == 1 else ""
        super()._examine()

    def _catalogue(self) -> tuple[Sequence[TableColumn], Collection[TableIndex]]:
        """See `UnpublishedRows`."""
        columns = [
            TableColumn(name, kind, bool(optional), bool(numbered), collation, bool(computed), default)
            for name, kind, optional, numbered, collation, computed, default in self._rows(
                COLUMNS, {"place": self._title}
            )
        ]
        by_index: dict[int, list[str]] = {}
        for index, column in self._rows(INDEXES, {"place": self._title}):
            by_index.setdefault(index, []).append(column)
        return columns, [TableIndex(str(index), names) for index, names in by_index.items()]

    def _form(self, column: TableColumn) -> ColumnForm:
        """See `UnpublishedRows`."""
        return column_form(column)

    def _moment_text(self, column: TableColumn, quoted: str) -> str:
        """See `UnpublishedRows`."""
        if base_type(column.type) not in ZONED:
            return "null"
        return f"datediff_big(millisecond, cast('1970-01-01T00:00:00Z' as datetimeoffset), {quoted}) / 1000.0"

    def _same(self, column: TableColumn, quoted: str) -> str:
        """See `UnpublishedRows`."""
        equal = super()._same(column, quoted)
        if base_type(column.type) not in CHARACTERS:
            return equal
        return f"{equal} and cast({quoted} as varbinary(max)) = cast(published.id as varbinary(max))"

    def _lane(self, key: str, event_id: str) -> str:
        """See `UnpublishedRows`."""
        return lane_of(self._outbox, hash_of(key, event_id))

    def _more_parts(self, order: Sequence[str], indexes: Collection[TableIndex]) -> Mapping[str, str]:  # noqa: ARG002
        """See `UnpublishedRows`."""
        return {"isolation": self._isolation}


def outbox_table(dsn: str, outbox: Outbox) -> OutboxTable:
    """See `polling.OutboxTables`."""
    return SqlServerTable(dsn, outbox)


def row_marks(dsn: str, outbox: Outbox) -> RowMarks | None:
    """See `UnpublishedRows.marks`."""
    return SqlServerTable(dsn, outbox).marks()
