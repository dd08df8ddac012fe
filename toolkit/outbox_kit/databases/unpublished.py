"""An outbox table whose unpublished rows are all looked at each time, by scripts; see `databases.polling`.

The servers say neither which transactions a snapshot contains nor whether a number that is missing was rolled back or
is about to be committed. So all rows that are not published are read each time, and what commits late comes later. The
read sees the rows of one moment and locks nothing: a read that skipped locked rows would pass over a row and publish a
later one of its key.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple
from zlib import crc32

from outbox_kit.databases.changes import TableColumns
from outbox_kit.databases.lane_table import LaneTable
from outbox_kit.databases.polling import Lane, PolledRows, Position
from outbox_kit.databases.row_marks import MarkForms, RowIds, RowMarks, unsuitable
from outbox_kit.databases.scripts import Rows, listed
from outbox_kit.errors import UsageProblem
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

AT_ONCE = 500
"""Ids in one statement: servers look up many more values in other ways, or lock the table for them."""


def utf8(value: Any) -> bytes:
    """A text as the driver gives it, in UTF-8."""
    return value if isinstance(value, bytes) else str(value).encode()


@dataclass(frozen=True)
class ColumnForm:
    """How the values of a column are read and written as texts."""

    text: str
    """The expression of the text, with `{}` for the column."""
    typed: str = "{}"
    """The expression of a value of the column's type, with `{}` for the mark of what is bound."""
    bound: Callable[[str], Any] = str
    """What is bound for a text."""
    selected: str = ""
    """The expression that is read, with `{}` for the column; empty for `text`."""
    read: Callable[[Any], bytes] = utf8
    """Makes the text in UTF-8 of what the driver gives for it."""
    as_key: bool = True
    """Whether the database can hash the text, by which lanes are chosen."""


class TableColumn(NamedTuple):
    """A column as the catalogue has it."""

    name: str
    type: str
    optional: bool
    numbered: bool
    """Whether the server numbers its rows."""
    collation: str | None = None
    computed: bool = False
    """Whether the server computes its values."""
    default: str | None = None
    """As the catalogue has it; None if it has none."""


class TableIndex(NamedTuple):
    """An index of whole columns as the catalogue has it."""

    name: str
    columns: Sequence[str]
    unique: bool = False


@dataclass(frozen=True)
class RowScripts:
    """The scripts about the rows of a table, which they call `t`; each is sent as a whole."""

    read: str
    """The rows of some lanes in their order. The last value is when a row was written, in seconds since 1970."""
    store: str
    """Runs `{published}` in a transaction, if all lanes are this relay's: how many are."""
    delete: str
    """The statement that deletes the rows of `{published}`, in such a script."""
    newest: str
    """The text of the greatest value of the order; null if there is no row."""
    left: str
    """Whether rows are left whose order is not greater than one."""
    oldest: str
    """The text of the smallest value of the order."""


class UnpublishedRows(LaneTable):
    """See `polling.OutboxTable`. A database has its scripts, its forms of columns, and its catalogue."""

    row_scripts: RowScripts
    """The database's scripts."""
    mark_forms: MarkForms
    """How the database writes marks."""
    reads_ahead = False
    """See `polling.OutboxTable`."""
    reads_octets = False
    """Whether rows are read as the server writes them, in UTF-8."""
    most_stored = 5000
    """Ids in one transaction."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        super().__init__(dsn, outbox)
        self._columns: TableColumns | None = None
        self._forms: Mapping[str, ColumnForm] = {}
        self._by_name: Mapping[str, TableColumn] = {}
        self._order, self._key = outbox.order_column, router_columns(outbox).id
        self._parts: dict[str, str] = {}
        self._marks: RowMarks | None = None

    def marks(self) -> RowMarks | None:
        """The parts of statements that mark rows, by a connection of its own; None if the relay marks none.

        Raises UsageProblem if the table cannot be marked.
        """
        if self._outbox.mark is None:
            return None
        with closing(self.scripting.connect(self._dsn, self._outbox)) as self._kept:
            self._described()
        self._kept = None
        return self._marks

    def columns(self) -> TableColumns:
        """See `polling.OutboxTable`."""
        return self._described()

    def read(self, lanes: Collection[Lane], position: Position, most: int) -> PolledRows:
        """See `polling.OutboxTable`."""
        numbers = [lane.number for lane in lanes]
        are_all = len(numbers) == self._outbox.delivery.lanes
        chosen = self.scripting.always if are_all else f"{self._parts['lane']} in {listed(numbers)}"
        fetched = self._fetched({"most": most}, {**self._parts, "chosen": chosen})
        columns = self._columns
        assert columns is not None  # noqa: S101 - it is open
        texts = [list(row[:-1]) for row in fetched]
        for place, name in enumerate(columns.names):
            read = self._forms[name].read
            if read is not utf8 or not self.reads_octets:
                for row in texts:
                    row[place] = None if row[place] is None else read(row[place])
        at = columns.names.index(self._key)
        written = float(fetched[0][-1]) if fetched and fetched[0][-1] is not None else None
        return PolledRows(columns, texts, [(row[at] or b"").decode() for row in texts], position, None, written)

    def store(self, lanes: Collection[Lane], position: Position, ids: Sequence[str]) -> bool:  # noqa: ARG002
        """See `polling.OutboxTable`."""
        owned = self.scripting.owned(self._outbox, lanes)
        for start in range(0, max(1, len(ids)), self.most_stored):
            values: dict[str, Any] = {}
            published = "".join(self._published(ids[start : start + self.most_stored], values, owned))
            ((count,),) = self._rows(self.row_scripts.store, values, {**owned, "published": published})
            if int(count) != len(lanes):
                return False
        return True

    def mark(self) -> str:
        """See `polling.OutboxTable`."""
        ((newest,),) = self._rows(self.row_scripts.newest, {}, self._parts)
        return "" if newest is None else utf8(newest).decode()

    def passed(self, mark: str) -> bool:
        """See `polling.OutboxTable`."""
        if not mark:
            return True
        form = self._forms[self._order]
        values, typed = {"mark": form.bound(mark)}, form.typed.format(self.scripting.placeholder.format("mark"))
        ((left,),) = self._rows(self.row_scripts.left, values, {**self._parts, "mark": typed})
        return not left

    def position(self) -> int | None:
        """See `polling.OutboxTable`."""
        ((oldest,),) = self._rows(self.row_scripts.oldest, {}, self._parts)
        return crc32(b"" if oldest is None else utf8(oldest))

    def _fetched(self, values: Mapping[str, Any], parts: Mapping[str, str]) -> Rows:
        """The rows that are read."""
        return self._rows(self.row_scripts.read, values, parts)

    def _published(self, ids: Sequence[str], values: dict[str, Any], owned: Mapping[str, str]) -> Iterator[str]:
        """The statements that make rows published, whose values are added to the others."""
        form = self._forms[self._key]
        for start in range(0, len(ids), AT_ONCE):
            rows = []
            for place, text in enumerate(ids[start : start + AT_ONCE], start):
                values[f"id{place}"] = form.bound(text)
                rows.append((form.typed.format(self.scripting.placeholder.format(f"id{place}")),))
            published = self.scripting.rows_table("published", ("id",), rows)
            change = self.row_scripts.delete if self._marks is None else self.mark_forms.publish
            yield self._sql(change, {**self._parts, **owned, "published": published})

    def _examine(self) -> None:
        """See `LaneTable`."""
        self._columns = self._described()

    def _described(self) -> TableColumns:
        columns, indexes = self._catalogue()
        outbox, read = self._outbox, router_columns(self._outbox)
        by_name = self._by_name = {column.name: column for column in columns}
        self._expect(by_name)
        self._key = self._order if by_name[self._order].numbered else read.id
        self._forms = {column.name: self._form(column) for column in columns}
        self._expect_found(indexes)
        self._expect_keys([read.key, read.id])
        marked = () if outbox.mark is None else [name for name, _ in outbox.mark.places()]
        columns = [column for column in columns if column.name not in marked]
        quoted = {name: f"t.{self.scripting.name(outbox, name)}" for name in by_name}
        texts = {name: self._forms[name].text.format(column) for name, column in quoted.items()}
        created = by_name.get(outbox.table.columns.created_at or "")
        order = [self._order] if self._key == self._order else list(dict.fromkeys((self._order, read.id)))
        self._parts = {
            "columns": ", ".join(
                (self._forms[column.name].selected or self._forms[column.name].text).format(quoted[column.name])
                for column in columns
            ),
            "written": "null" if created is None else self._moment_text(created, quoted[created.name]),
            "order": ", ".join(quoted[name] for name in order),
            "order_column": quoted[self._order],
            "newest": self._forms[self._order].text.format(f"max({quoted[self._order]})"),
            "oldest": self._forms[self._order].text.format(f"min({quoted[self._order]})"),
            "key_column": quoted[self._key],
            "same": self._same(by_name[self._key], quoted[self._key]),
            "lane": self._lane(texts[read.key], texts[read.id]),
            "unpublished": self.scripting.always,
        }
        self._marks = self._marked(texts[read.id], quoted[read.id], indexes)
        if self._marks is not None:
            self._parts |= {
                "unpublished": self._marks.readable,
                "unsent": self._marks.unsent,
                "assignments": self._marks.published(1),
            }
        self._parts |= self._more_parts(order, indexes)
        return TableColumns(tuple(RowColumn(c.name, c.type, optional=c.optional, default=c.default) for c in columns))

    def _marked(self, text: str, quoted: str, indexes: Collection[TableIndex]) -> RowMarks | None:
        """What marks rows, if the relay does. text, quoted: the text and the column of an id."""
        outbox, by_name, mark = self._outbox, self._by_name, self._outbox.mark
        if mark is None:
            return None
        for problem in unsuitable(outbox, self.mark_forms, by_name):
            fix = "correct delivery.mark in the schema file"
            raise UsageProblem(
                f"the relay cannot mark rows of {self._title}: {problem}",
                where=self.scripting.address(self._dsn),
                fix=fix if outbox.table.existing else "create the missing objects: outbox-kit gen-ddl --apply",
            )
        column = by_name[router_columns(outbox).id]
        parts = {"same": self._same(column, quoted), "key_column": quoted, **self._finding(column, indexes)}
        form = self._forms[column.name]
        ids = RowIds(text, form.typed, form.bound, parts)
        return RowMarks(outbox, mark, self.scripting, self.mark_forms, by_name, ids)

    def _expect(self, columns: Collection[str]) -> None:
        read = router_columns(self._outbox)
        missing = [name for name in (read.id, read.key, self._order) if name not in columns]
        if missing:
            raise UsageProblem(
                f"the table {self._title} has no column '{missing[0]}'",
                where=self.scripting.address(self._dsn),
                fix="create the missing objects: outbox-kit gen-ddl --apply",
            )

    def _expect_found(self, indexes: Collection[TableIndex]) -> None:
        keys = [self._key, *([router_columns(self._outbox).id] if self._outbox.mark else [])]
        for key in keys:
            if not any(index.columns[0] == key for index in indexes):
                raise UsageProblem(
                    f"the table {self._title} has no index that begins with the column '{key}'",
                    where=self.scripting.address(self._dsn),
                    why="the relay would wait for open transactions whenever it stores which rows are published",
                    fix=f"create a unique index of this column on {self._title}",
                )
            if self._by_name[key].optional:
                raise UsageProblem(
                    f"the column '{key}' of {self._title} may be null: the relay finds rows by it",
                    where=self.scripting.address(self._dsn),
                    fix="make the column NOT NULL",
                )

    def _expect_keys(self, names: Sequence[str]) -> None:
        for name in names:
            if not self._forms[name].as_key:
                raise UsageProblem(
                    f"relays cannot share events by the column '{name}' of the table {self._title}",
                    where=self.scripting.address(self._dsn),
                    why="the database does not hash values of its type",
                    fix="use delivery: {by: connector}, or a column of another type as key and id",
                )

    @property
    def _title(self) -> str:
        return self._outbox.dialect.quote_ident(self._outbox.names.schema, self._outbox.table.name)

    def _catalogue(self) -> tuple[Sequence[TableColumn], Collection[TableIndex]]:
        """The columns of the table and its indexes, each with its columns in their order."""
        raise NotImplementedError

    def _form(self, column: TableColumn) -> ColumnForm:
        """The form of a column."""
        raise NotImplementedError

    def _moment_text(self, column: TableColumn, quoted: str) -> str:
        """The expression of a moment in seconds since 1970; `null` if the column has none."""
        raise NotImplementedError

    def _same(self, column: TableColumn, quoted: str) -> str:  # noqa: ARG002 - a database may need its type
        """The condition that `published.id` is the very value of a column, whatever the collation."""
        return f"{quoted} = published.id"

    def _lane(self, key: str, event_id: str) -> str:
        """The expression of the lane of a row. key, event_id: the expressions of their texts."""
        raise NotImplementedError

    def _finding(self, column: TableColumn, indexes: Collection[TableIndex]) -> Mapping[str, str]:  # noqa: ARG002
        """More parts of statements that find rows by a column."""
        return {}

    def _more_parts(self, order: Sequence[str], indexes: Collection[TableIndex]) -> Mapping[str, str]:  # noqa: ARG002
        """More parts of the scripts, or other ones. order: the columns by which rows are read."""
        return {}
