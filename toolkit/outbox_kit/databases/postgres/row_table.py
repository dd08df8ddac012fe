"""What is read of every outbox table that relays poll, in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from psycopg import sql

from outbox_kit.databases.backlog import Backlog, LaneBacklog, RelayMember
from outbox_kit.databases.changes import TableColumns
from outbox_kit.databases.polling import Lane, PolledRows, Position
from outbox_kit.databases.postgres import attributes
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.lanes import ANSWER_SECONDS, APPLICATION, PostgresLanes, lane_of_row
from outbox_kit.databases.postgres.replication import TEXT_FORMS
from outbox_kit.databases.postgres.session import Session, address, identifier, session
from outbox_kit.databases.postgres.slot_rows import LoggedTransaction
from outbox_kit.databases.postgres.snapshots import TransactionSnapshot
from outbox_kit.errors import UnsafeChange, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

READ_SECONDS = 60.0
CACHED = """
select seqcache from pg_sequence where seqrelid = to_regclass(pg_get_serial_sequence(%s, %s)) and seqcache > 1
"""
MEMBERS = """
select m.member::text, m.place, extract(epoch from m.lease_until - clock_timestamp())::float8,
       exists (select from pg_stat_activity as a where a.application_name = {application} || m.member)
from {members} as m order by m.lease_until desc, m.place
"""
LANES = """
select l.lane, l.owner::text, extract(epoch from clock_timestamp())::float8 - min(u.written)::float8
from {lanes} as l left join (select l.lane, {written} as written {unpublished}) as u on u.lane = l.lane
group by l.lane, l.owner order by l.lane
"""
TAKE = """
update {lanes} as l set epoch = epoch + 1, owner = null{assignments}
where not exists (select from {members} as m where {live})
"""
COUNTED = """
select count(*), (extract(epoch from clock_timestamp()) - min(written))::float8
from (select {written} as written {unpublished} limit %(most)s) as u
"""
UNRECORDED = "select concat(t.{key}) {unrecorded}"


class RowTable(PostgresLanes):
    """What is read of every table."""

    unpublished: str
    """FROM and WHERE of the rows that are not published, as `t`, with their lanes as `l`."""
    unrecorded: str
    """The same of the rows that are not stored as published or failed, also if they are to be published later."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        super().__init__(dsn, outbox)
        self._columns: TableColumns | None = None
        self._id, self._order = router_columns(outbox).id, outbox.order_column
        self._key = self._id
        self._place = POSTGRES.quote_ident(outbox.names.schema, outbox.table.name)
        self._parts: dict[str, sql.Composable] = {}
        self._planning: Mapping[str, str] = {}
        """Parameters that the server needs before it plans how to read rows."""

    @property
    def _own_columns(self) -> Collection[str]:
        """The columns that are the relay's, and not the event's."""
        return ()

    def columns(self) -> TableColumns:
        """See `polling.OutboxTable`."""
        with self.kept.use(seconds=ANSWER_SECONDS) as connection:
            return self._described(connection)

    def backlog(self) -> Backlog:
        """See `backlog.BacklogReader`; it need not be open."""
        with session(self._dsn, seconds=READ_SECONDS) as connection:
            self._examine(connection)
            members = connection.execute(self.sql(MEMBERS, application=sql.Literal(APPLICATION)), ()).fetchall()
            lanes = connection.execute(self._query(LANES, unpublished=self._unpublished()), ()).fetchall()
            return Backlog([RelayMember(*row) for row in members], [LaneBacklog(*row) for row in lanes])

    def unpublished_rows(self, connection: Session, most: int) -> tuple[int, float | None]:
        """How many rows are not published, at most so many, and the age of the oldest one of these in seconds.

        connection: within a transaction; it need not be open.
        """
        if self._columns is None:
            self._examine(connection)
        if self._planning:
            connection.execute(sql.SQL("select {}").format(_settings(self._planning)))
        count, seconds = self._row(
            connection.execute(self._query(COUNTED, unpublished=self._unpublished()), {"most": most}).fetchone()
        )
        return int(count), seconds

    @property
    def keeps_rows(self) -> bool:
        """Whether rows stay as they are when they are published."""
        return False

    @property
    def key(self) -> str:
        """The column by which a row is found again; it is known when the table was examined."""
        return self._key

    def unrecorded_rows(self, connection: Session) -> set[str]:
        """The texts of the keys of all rows that are not stored as published or failed."""
        for setting, value in TEXT_FORMS.items():
            connection.execute("select set_config(%s, %s, true)", (setting, value))
        rows = self._query(self.unrecorded, first=self.first())
        return {key for (key,) in connection.execute(self._query(UNRECORDED, unrecorded=rows), ())}

    def record(
        self, connection: Session, snapshot: TransactionSnapshot, unpublished: Collection[LoggedTransaction]
    ) -> int | None:
        """Record that all rows are published that a transaction sees, but those of some transactions.

        connection: within the transaction. snapshot: its snapshot. Returns the number of changed rows; None if none is
        changed. Raises UnsafeChange if a relay runs.
        """
        raise NotImplementedError

    def _take_lanes(self, connection: Session, assignments: sql.Composable, values: Mapping[str, Any]) -> None:
        """Keep relays from the lanes until the transaction ends. Raises UnsafeChange if a relay runs."""
        statement = self.sql(TAKE, assignments=assignments)
        if connection.execute(statement, dict(values)).rowcount != self._outbox.delivery.lanes:
            raise UnsafeChange(
                "a relay runs, and publishes the rows that it finds",
                where=address(self._dsn),
                fix="stop the relay, then run outbox-kit hand-over again",
            )

    def _unpublished(self) -> sql.Composed:
        return self._query(self.unpublished, first=self.first())

    def _examine(self, connection: Session) -> None:
        """See `PostgresLanes`."""
        self._columns = self._described(connection)
        place = self._place
        if connection.execute(CACHED, (place, self._order)).fetchone():
            raise UsageProblem(
                f"the sequence of column '{self._order}' hands out several numbers at once: they are not in order",
                where=address(self._dsn),
                fix=f"alter table {place} alter column {POSTGRES.quote_ident(self._order)} set cache 1",
            )

    def _described(self, connection: Session) -> TableColumns:
        names, outbox = self._outbox.names, self._outbox
        table = attributes.table_columns(connection, outbox)
        columns = attributes.without(table, self._own_columns)
        missing = [name for name in (self._id, self._order) if name not in columns.names]
        if missing:
            raise UsageProblem(
                f"the table {self._place} has no column '{missing[0]}'",
                where=address(self._dsn),
                fix="create the missing objects: outbox-kit gen-ddl --apply",
            )
        types, created = {column.name: column.type for column in table.columns}, outbox.table.columns.created_at
        of_table = {name: sql.SQL("t.{}").format(identifier(name)) for name in columns.names}
        self._parts |= {
            "columns": sql.SQL(", ").join(of_table.values()),
            "written": sql.SQL("extract(epoch from {})").format(of_table[created])
            if created in types
            else sql.SQL("null"),
            "order": of_table[self._order],
            "id": of_table[self._id],
            "order_type": sql.SQL(types[self._order]),
            "id_type": sql.SQL(types[self._id]),
            "key": identifier(self._key),
            "key_type": sql.SQL(types[self._key]),
            "txid": identifier(names.transaction_column),
            "lane": lane_of_row(outbox),
            "forms": sql.SQL("concat({})").format(_settings(TEXT_FORMS)),
        }
        return columns

    def _query(self, statement: str, **parts: sql.Composable) -> sql.Composed:
        return self.sql(statement, **self._parts, **parts)

    def _chosen(self, lanes: Collection[Lane]) -> sql.Composable:
        """The condition on rows of lanes."""
        if len(lanes) == self._outbox.delivery.lanes:
            return sql.SQL("true")
        return sql.SQL("{} = any (%(numbers)s::int[])").format(self._parts["lane"])

    def _fetched(self, query: sql.Composed, values: dict[str, Any]) -> list[list[bytes | None]]:
        """The rows of a query, as the server writes them; the query itself sets the forms of the texts first."""
        with self.kept.use(transaction=bool(self._planning), seconds=READ_SECONDS) as connection:
            if self._planning:
                connection.execute(sql.SQL("select {}").format(_settings(self._planning)))
            result = connection.execute(query, values).pgresult
            assert result is not None  # noqa: S101 - a query has a result
            get, indexes = result.get_value, range(result.nfields)
            return [[get(row, column) for column in indexes] for row in range(result.ntuples)]

    def _rows(self, rows: Sequence[list[bytes | None]], end: Position, window: str | None) -> PolledRows:
        """rows: with the moment when they were written as their last value."""
        columns = self._columns
        assert columns is not None  # noqa: S101 - it is open
        at = columns.names.index(self._key)
        written = rows[0][-1] if rows else None
        ids = [(row[at] or b"").decode() for row in rows]
        for row in rows:
            row.pop()
        return PolledRows(columns, rows, ids, end, window, None if written is None else float(written))

    def _value(self, query: sql.Composed, values: dict[str, Any]) -> Any:
        with self.kept.use(seconds=READ_SECONDS) as connection:
            return self._row(connection.execute(query, values).fetchone())[0]


def _settings(parameters: Mapping[str, str]) -> sql.Composed:
    """The expressions that set parameters until the transaction ends."""
    return sql.SQL(", ").join(
        sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
        for name, value in parameters.items()
    )
