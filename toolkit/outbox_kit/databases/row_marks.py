"""The columns in which relays record what they have published, as parts of scripts; see `databases.scripts`.

In them `t` is the outbox table, `published` the rows that a statement is about, and `r` their stored failed events.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from outbox_kit.databases.existing import unsuitable_marks
from outbox_kit.databases.facts import Dialect
from outbox_kit.databases.scripts import Scripting
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.mark import MarkColumns
from outbox_kit.schema.model import Outbox

INTEGER = lazy_pattern(r"-?[0-9]{1,18}")
STORED = "exists (select 1 from {failures} f where f.row_digest = {digest})"


class MarkedColumn(Protocol):
    """A column as the catalogue has it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def type(self) -> str:
        """Its type, as the server writes it."""

    @property
    def computed(self) -> bool:
        """Whether the server computes its values."""


@dataclass(frozen=True)
class MarkForms:
    """How a database writes marks."""

    publish: str
    """The statement that marks the rows of `{published}`, in a script that stores what is published."""
    update: str
    """The statement that marks the rows of the stored failed events of `{published}`, in a script that changes them."""
    stored_ids: str
    """The numbers and event ids of the stored failed events of `{numbers}`."""
    number: str
    """The column of the number of a stored event."""
    now: str
    """The time of the database, in UTC."""
    later: str
    """A time that is `{hours}` hours after `{now}`."""
    digest: str
    """The SHA-256 of a text, with `{}` for its expression."""
    id_digest: Callable[[str], bytes]
    """The same of an event id."""
    state: Callable[[str, str], str | None]
    """The value of a status, from a column's type and the value's text; None if the column cannot have it."""
    cause: Callable[[Any], str]
    """The expression of the cause `r.cause` for a column, which may be too short for it."""
    assigned: str = "{}"
    """A column that gets a value, with `{}` for its quoted name."""
    attempts: str = "published.attempts"
    """By how many attempts a row is counted up that becomes a failed event."""


class FailedRow(NamedTuple):
    """A row whose event is, or becomes, a stored failed event."""

    event_id: str
    stored: str
    """The expression by which the stored event is found: its number, or its digest."""
    attempts: int = 0
    """By how many its attempts are counted up, if it becomes a failed event."""


@dataclass(frozen=True)
class RowIds:
    """How rows are found by the texts of their ids."""

    text: str
    """The expression of the text."""
    typed: str
    """The expression of a value of the column's type, with `{}` for the mark of what is bound."""
    bound: Callable[[str], Any]
    """What is bound for a text."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Parts of statements that find rows: `{same}`, and what else the database needs."""


class RowMarks:
    """The parts of the statements about one table."""

    def __init__(
        self,
        outbox: Outbox,
        mark: MarkColumns,
        scripting: Scripting,
        forms: MarkForms,
        columns: Mapping[str, MarkedColumn],
        ids: RowIds,
    ) -> None:
        """columns: of the table, by name; those of the marks are suitable, see `unsuitable`."""
        self._outbox, self._mark, self._scripting, self._forms = outbox, mark, scripting, forms
        self._columns, self._ids = columns, ids
        self.forms = forms
        """How the database writes marks."""

    @property
    def state_column(self) -> str:
        """The name of the column that says whether a row is published."""
        return self._mark.state_column

    @property
    def tells_failures(self) -> bool:
        """Whether a row itself tells a failed event from one that was not sent."""
        return self._mark.tells_failures

    @property
    def pending(self) -> str:
        """The condition on a row that is recorded neither as published nor as failed."""
        if self._mark.status is not None:
            return f"{self._of_row(self.state_column)} = {self._state(self._mark.status.pending)}"
        return f"{self._of_row(self.state_column)} is null"

    @property
    def unsent(self) -> str:
        """The condition on a row that is pending, and is not stored as failed."""
        if self.tells_failures:
            return self.pending
        names = self._scripting.names(self._outbox)
        stored = STORED.format(failures=names["failures"], digest=self._forms.digest.format(self._ids.text))
        return f"{self.pending} and not {stored}"

    @property
    def readable(self) -> str:
        """The condition on a row that is to be published now."""
        if self._mark.available_at is None:
            return self.unsent
        column = self._of_row(self._mark.available_at)
        return f"{self.unsent} and ({column} is null or {column} <= {self._forms.now})"

    def published(self, attempts: int) -> str:
        """The assignments of a row that was published. attempts: by how many it was counted up."""
        values = {} if self._mark.error is None else {self._mark.error: "null"}
        return self._assignments(values | self._counted(str(attempts) if attempts else "") | self._final())

    def failed(self, attempts: str = "") -> str:
        """The assignments of a row whose event is stored; empty if there are none.

        attempts: the expression by which they are counted up; empty for that of a new failed event.
        """
        mark, values = self._mark, dict[str, str]()
        if mark.status is not None and mark.status.failed is not None:
            values[mark.status.column] = self._state(mark.status.failed)
        if mark.error is not None:
            values[mark.error] = self._forms.cause(self._columns[mark.error])
        return self._assignments(values | self._counted(attempts or self._forms.attempts))

    def tried(self) -> str:
        """The assignments of a row whose event is sent again; empty if there are none."""
        return self._assignments(self._counted("1"))

    def discarded(self) -> str:
        """The assignments of a row whose event is given up: it is not read again; empty if it says that already."""
        return "" if self.tells_failures else self._assignments(self._final())

    def update(
        self, assignments: str, rows: Sequence[FailedRow], values: dict[str, Any], *, by: str, allowed: str
    ) -> str:
        """The update of the rows of failed events, whose values are added to the others; empty without assignments.

        by: the column by which the stored events are found. allowed: the condition on which something is changed.
        """
        if not assignments or not rows:
            return ""
        texts = []
        for place, row in enumerate(rows):
            values[f"row{place}"] = self._ids.bound(row.event_id)
            typed = self._ids.typed.format(self._scripting.placeholder.format(f"row{place}"))
            texts.append((typed, row.stored, str(row.attempts)))
        published = self._scripting.rows_table("published", ("id", "place", "attempts"), texts)
        return self._forms.update.format(
            **self._scripting.names(self._outbox),
            **self._ids.parts,
            published=published,
            by=by,
            assignments=assignments,
            unsettled=self._unsettled,
            allowed=allowed,
        )

    @property
    def _unsettled(self) -> str:
        """The condition on a row that is not recorded as published."""
        status = self._mark.status
        if status is None:
            return self.pending
        column = self._of_row(status.column)
        return f"({column} is null or {column} <> {self._state(status.published)})"

    def _final(self) -> dict[str, str]:
        """What says that nothing is to be done with a row any more."""
        mark, values = self._mark, dict[str, str]()
        if mark.published_at is not None:
            values[mark.published_at] = self._forms.now
        if mark.status is not None:
            values[mark.status.column] = self._state(mark.status.published)
        if mark.expires_at is not None:
            hours = str(mark.expires_at.hours)
            values[mark.expires_at.column] = self._forms.later.format(now=self._forms.now, hours=hours)
        return values

    def _counted(self, attempts: str) -> dict[str, str]:
        column = self._mark.attempts
        if column is None or not attempts:
            return {}
        return {column: f"coalesce({self._of_row(column)}, 0) + {attempts}"}

    def _state(self, value: str) -> str:
        written = self._forms.state(self._columns[self.state_column].type, value)
        return self._scripting.literal(written or "null")

    def _of_row(self, column: str) -> str:
        return f"t.{self._scripting.name(self._outbox, column)}"

    def _assignments(self, values: Mapping[str, str]) -> str:
        names = {column: self._scripting.name(self._outbox, column) for column in values}
        return ", ".join(f"{self._forms.assigned.format(names[column])} = {value}" for column, value in values.items())


def unsuitable(outbox: Outbox, forms: MarkForms, columns: Mapping[str, MarkedColumn]) -> Iterator[str]:
    """Why rows of a table cannot be marked. columns: of the table, by name."""
    mark = outbox.mark
    if mark is None:
        return
    yield from unsuitable_marks(outbox, {name: column.type for name, column in columns.items()})
    for name in mark.written:
        if name in columns and columns[name].computed:
            yield f"'{name}' is a generated column"
    if mark.status is not None and (column := columns.get(mark.status.column)) is not None:
        for value in (mark.status.pending, mark.status.published, mark.status.failed):
            if value is not None and forms.state(column.type, value) is None:
                yield f"'{column.name}' is {column.type}, which cannot have the value '{value}'"


def number_or_text(dialect: Dialect, value: str, *, is_number: bool) -> str | None:
    """The value of a status; None if the column holds numbers, and the value is neither a number nor a boolean."""
    if not is_number:
        return dialect.quote_literal(value)
    written = dialect.strings.booleans.get(value, value)
    return written if INTEGER.fullmatch(written) else None
