"""The columns in which a relay records what it has published, as parts of PostgreSQL's statements.

In them `t` is the outbox table, and `r` the rows of failed events that a statement adds or changes.
"""

from collections.abc import Mapping
from functools import cached_property

from psycopg import sql

from outbox_kit.databases.existing import unsuitable_marks
from outbox_kit.databases.postgres.attributes import table_columns
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import Session, address, identifier, session
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.mark import MarkColumns
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

ZONELESS = "without time zone"
COMPUTED = """
select attname from pg_attribute where attrelid = to_regclass(%s) and attname = any(%s) and attgenerated <> ''
"""
STORED = "exists (select from {failures} as f where f.event_id = concat({id}))"
MARKED = """
update {table} as t set {assignments} from {rows} as r
where {id} = r.event_id::{id_type} and {unsettled} and {allowed}
"""


class Marks:
    """The parts of the statements about one table."""

    def __init__(self, outbox: Outbox, mark: MarkColumns, types: Mapping[str, str]) -> None:
        """types: of the table's columns, as the server writes them."""
        self._outbox, self._mark, self._types = outbox, mark, types
        self._id = router_columns(outbox).id

    @cached_property
    def pending(self) -> sql.Composable:
        """The condition on a row that is recorded neither as published nor as failed."""
        if self._mark.status is not None:
            return self._is(self._mark.status.column, self._mark.status.pending)
        assert self._mark.published_at is not None  # noqa: S101 - the schema file has one of the two
        return sql.SQL("{} is null").format(_of_row(self._mark.published_at))

    @cached_property
    def unsent(self) -> sql.Composable:
        """The condition on a row that is pending, and is not stored as failed."""
        if self._mark.tells_failures:
            return self.pending
        return sql.SQL("{} and not {}").format(self.pending, self._stored)

    @cached_property
    def readable(self) -> sql.Composable:
        """The condition on a row that is to be published now."""
        if self._mark.available_at is None:
            return self.unsent
        available = sql.SQL("coalesce({} <= {}, true)")
        column = self._mark.available_at
        return sql.SQL("{} and {}").format(self.unsent, available.format(_of_row(column), self._now(column)))

    def published(self, attempts: int) -> sql.Composable:
        """The assignments of a row that was published. attempts: by how many it was counted up."""
        mark, values = self._mark, dict[str, sql.Composable]()
        if mark.error is not None:
            values[mark.error] = sql.SQL("null")
        return self._assignments(values | self._counted(sql.Literal(attempts) if attempts else None) | self._final())

    def failed(self, attempts: sql.Composable) -> sql.Composable | None:
        """The assignments of a row whose event is stored with the cause `r.cause`; None if there are none."""
        mark, values = self._mark, dict[str, sql.Composable]()
        if mark.status is not None and mark.status.failed is not None:
            values[mark.status.column] = _literal(mark.status.failed)
        if mark.error is not None:
            values[mark.error] = sql.SQL("r.cause::{}").format(sql.SQL(self._types[mark.error]))
        values |= self._counted(attempts)
        return self._assignments(values) if values else None

    def tried(self) -> sql.Composable | None:
        """The assignments of a row whose event is sent again; None if there are none."""
        values = self._counted(sql.Literal(1))
        return self._assignments(values) if values else None

    def discarded(self) -> sql.Composable | None:
        """The assignments of a row whose event is given up: it is not read again; None if it says that already."""
        return None if self._mark.tells_failures else self._assignments(self._final())

    def update(self, assignments: sql.Composable, rows: str, allowed: sql.Composable) -> sql.Composed:
        """The update of the rows of failed events. rows: the relation of the events."""
        names = self._outbox.names
        return sql.SQL(MARKED).format(
            table=identifier(names.schema, self._outbox.table.name),
            assignments=assignments,
            rows=sql.SQL(rows),
            id=_of_row(self._id),
            id_type=sql.SQL(self._types[self._id]),
            unsettled=self._unsettled,
            allowed=allowed,
        )

    @property
    def _unsettled(self) -> sql.Composable:
        """The condition on a row that is not recorded as published."""
        status = self._mark.status
        if status is None:
            return self.pending
        return sql.SQL("{} is distinct from {}").format(_of_row(status.column), _literal(status.published))

    @property
    def _stored(self) -> sql.Composable:
        failures = identifier(self._outbox.names.schema, self._outbox.names.failure_table)
        return sql.SQL(STORED).format(failures=failures, id=_of_row(self._id))

    def _final(self) -> dict[str, sql.Composable]:
        """What says that nothing is to be done with a row any more."""
        mark, values = self._mark, dict[str, sql.Composable]()
        if mark.published_at is not None:
            values[mark.published_at] = self._now(mark.published_at)
        if mark.status is not None:
            values[mark.status.column] = _literal(mark.status.published)
        if mark.expires_at is not None:
            later = sql.SQL("{} + make_interval(hours => {})")
            column = mark.expires_at.column
            values[column] = later.format(self._now(column), sql.Literal(mark.expires_at.hours))
        return values

    def _counted(self, attempts: sql.Composable | None) -> dict[str, sql.Composable]:
        column = self._mark.attempts
        if column is None or attempts is None:
            return {}
        return {column: sql.SQL("coalesce({}, 0) + {}").format(_of_row(column), attempts)}

    def _now(self, column: str) -> sql.Composable:
        """The time of the database, in UTC if the column has no time zone."""
        return sql.SQL("(now() at time zone 'utc')" if ZONELESS in self._types[column] else "now()")

    def _is(self, column: str, value: str) -> sql.Composable:
        return sql.SQL("{} = {}").format(_of_row(column), _literal(value))

    def _assignments(self, values: Mapping[str, sql.Composable]) -> sql.Composable:
        each = sql.SQL("{} = {}")
        return sql.SQL(", ").join(each.format(identifier(column), value) for column, value in values.items())


def of(connection: Session, dsn: str, outbox: Outbox) -> Marks | None:
    """The parts for the table as it is; None if the relay marks nothing. Raises UsageProblem."""
    mark = outbox.mark
    if mark is None:
        return None
    types = {column.name: column.type for column in table_columns(connection, outbox).columns}
    place = POSTGRES.quote_ident(outbox.names.schema, outbox.table.name)
    computed = [name for (name,) in connection.execute(COMPUTED, (place, mark.written))]
    for problem in [*unsuitable_marks(outbox, types), *(f"'{name}' is a generated column" for name in computed)]:
        fix = "correct delivery.mark in the schema file"
        fix = fix if outbox.table.existing else "create the missing objects: outbox-kit gen-ddl --apply"
        raise UsageProblem(f"the relay cannot mark rows of {place}: {problem}", where=address(dsn), fix=fix)
    return Marks(outbox, mark, types)


def read(dsn: str, outbox: Outbox) -> Marks | None:
    """The same with a connection of its own. Raises UsageProblem, EnvironmentProblem."""
    if outbox.mark is None:
        return None
    with session(dsn) as connection:
        return of(connection, dsn, outbox)


def _of_row(column: str) -> sql.Composed:
    return sql.SQL("t.{}").format(identifier(column))


def _literal(text: str) -> sql.SQL:
    """A value of any type, which the server reads from a text; the driver takes a percent sign for the mark of one."""
    return sql.SQL(POSTGRES.quote_literal(text).replace("%", "%%"))
