"""An outbox table that relays read, in Oracle; see `databases.unpublished`. A query sees the rows of one moment."""

from collections.abc import Collection, Mapping, Sequence

from outbox_kit.databases.oracle.marks import MARKS
from outbox_kit.databases.oracle.scripts import LANES, SCRIPTING, hash_of, lane_of
from outbox_kit.databases.oracle.texts import FORMATS, base_type, column_form
from outbox_kit.databases.polling import OutboxTable
from outbox_kit.databases.row_marks import RowMarks
from outbox_kit.databases.unpublished import ColumnForm, RowScripts, TableColumn, TableIndex, UnpublishedRows
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox

CHARSET = "select value from nls_database_parameters where parameter = 'NLS_CHARACTERSET'"
UNICODE = "AL32UTF8"
COLUMNS = """
select column_name,
    case
        when data_type in ('VARCHAR2', 'CHAR') and char_used = 'C'
            then lower(data_type) || '(' || char_length || ' char)'
        when data_type in ('VARCHAR2', 'CHAR') then lower(data_type) || '(' || data_length || ' byte)'
        when data_type in ('NVARCHAR2', 'NCHAR') then lower(data_type) || '(' || char_length || ')'
        when data_type = 'NUMBER' and data_precision is not null and data_scale > 0
            then 'number(' || data_precision || ',' || data_scale || ')'
        when data_type = 'NUMBER' and data_precision is not null then 'number(' || data_precision || ')'
        when data_type = 'NUMBER' and data_scale = 0 then 'number(38)'
        when data_type = 'RAW' then 'raw(' || data_length || ')'
        else lower(data_type)
    end,
    decode(nullable, 'N', 0, 1), decode(identity_column, 'YES', 1, 0), decode(virtual_column, 'YES', 1, 0),
    case when default_length > 0 then 'of the table' end
from all_tab_cols where owner = :owner and table_name = :name and hidden_column = 'NO' order by column_id
"""
INDEXES = """
select c.index_name, c.column_name from all_ind_columns c
join all_indexes i on i.owner = c.index_owner and i.index_name = c.index_name
where c.table_owner = :owner and c.table_name = :name and i.index_type = 'NORMAL' and i.status <> 'UNUSABLE'
order by c.index_name, c.column_position
"""
UNORDERED = """
declare
    results sys_refcursor;
    nodes number := 1;
begin
    if dbms_utility.is_cluster_database then
        nodes := 2;
    end if;
    open results for select i.column_name from all_tab_identity_cols i
        where i.owner = :owner and i.table_name = :name and nodes > 1 and i.identity_options like '%ORDER_FLAG: N%';
    dbms_sql.return_result(results);
end;
"""
"""The column that the server numbers, if several nodes do so out of order."""
ROWS = RowScripts(
    read="""
select {columns}, {written} from {table} t where {unpublished} and {chosen} order by {order}
fetch first :most rows only
""",
    store="""
declare
    results sys_refcursor;
    ours number := 0;
begin
{fence}
    if ours = {count} then
        null;
{published}
    end if;
    commit;
    open results for select ours from dual;
    {returned};
end;
""",
    delete="        delete from {table} t where {key_column} in (select published.id from {published});\n",
    newest="select {newest} from {table} t where {unpublished}",
    left="""
select case when exists (select 1 from {table} t where {unpublished} and {order_column} <= {mark}) then 1 else 0 end
from dual
""",
    oldest="select {oldest} from {table} t where {unpublished}",
)


class OracleTable(UnpublishedRows):
    """See `polling.OutboxTable`."""

    scripting, lane_scripts, row_scripts, mark_forms = SCRIPTING, LANES, ROWS, MARKS

    def _examine(self) -> None:
        """See `LaneTable`. Raises UsageProblem if numbers are not in order, or texts are not UTF-8."""
        ((charset,),) = self._rows(CHARSET)
        where = SCRIPTING.address(self._dsn)
        if charset != UNICODE:
            raise UsageProblem(
                f"the character set of the database is {charset}: relays need {UNICODE}",
                where=where,
                why="they share events by hashes of texts in UTF-8",
                fix="use delivery: {by: connector}",
            )
        for (column,) in self._rows(UNORDERED, self._place):
            raise UsageProblem(
                f"several nodes number the column '{column}' out of order: each hands out numbers of its own",
                where=where,
                fix=f"alter table {self._title} modify ({self._outbox.dialect.quote_ident(column)} generated always as "
                "identity (order)), with the clause that the column has now",
            )
        super()._examine()

    @property
    def _place(self) -> Mapping[str, str]:
        return {"owner": self._outbox.names.schema, "name": self._outbox.table.name}

    def _catalogue(self) -> tuple[Sequence[TableColumn], Collection[TableIndex]]:
        """See `UnpublishedRows`."""
        columns = [
            TableColumn(name, kind, bool(optional), bool(numbered), computed=bool(computed), default=default)
            for name, kind, optional, numbered, computed, default in self._rows(COLUMNS, self._place)
        ]
        by_index: dict[str, list[str]] = {}
        for index, column in self._rows(INDEXES, self._place):
            by_index.setdefault(index, []).append(column)
        return columns, [TableIndex(name, names) for name, names in by_index.items()]

    def _form(self, column: TableColumn) -> ColumnForm:
        """See `UnpublishedRows`."""
        return column_form(column)

    def _moment_text(self, column: TableColumn, quoted: str) -> str:
        """See `UnpublishedRows`."""
        kind = base_type(column.type)
        if kind not in FORMATS:
            return "null"
        moment = f"sys_extract_utc({quoted})" if "zone" in kind else quoted
        return f"round((trunc({moment}, 'MI') - date '1970-01-01') * 86400) + to_number(to_char({moment}, 'SS'))"

    def _lane(self, key: str, event_id: str) -> str:
        """See `UnpublishedRows`."""
        return lane_of(self._outbox, hash_of(key, event_id))


def outbox_table(dsn: str, outbox: Outbox) -> OutboxTable:
    """See `polling.OutboxTables`."""
    return OracleTable(dsn, outbox)


def row_marks(dsn: str, outbox: Outbox) -> RowMarks | None:
    """See `UnpublishedRows.marks`."""
    return OracleTable(dsn, outbox).marks()
