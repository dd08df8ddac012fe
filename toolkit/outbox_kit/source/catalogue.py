"""What a server's own catalogue says of its tables, in words that all databases share; and a few of a table's rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

CUT = 16_384  # characters or bytes of one value that a sample holds
EITHER = " or "  # between the types of a field that documents have as several
TABLE = "table"  # the kind of relation whose changes are in the log; any other kind is the server's own word for it


@dataclass(frozen=True)
class Column:
    """A column. type: as the server writes it, without a length that changes nothing.

    generated: `stored`, `virtual`, or empty.
    """

    name: str
    type: str
    nullable: bool = True
    generated: str = ""


@dataclass(frozen=True)
class Index:
    """An index of plain columns. predicate: of a partial one, as the server writes it."""

    columns: tuple[str, ...]
    unique: bool
    primary: bool = False
    predicate: str = ""


@dataclass(frozen=True)
class Activity:
    """Rows written since the server began to count."""

    inserts: int
    updates: int
    deletes: int


@dataclass(frozen=True)
class Table:
    """A relation, and what of it matters to an outbox.

    rows: the server's estimate. activity: None where the server does not count, or does not tell.
    whole_rows: whether updates and deletes log the row as it was (REPLICA IDENTITY FULL).
    publications: those that hold it. referenced: whether other tables' foreign keys point to it.
    """

    schema: str
    name: str
    columns: tuple[Column, ...]
    kind: str = TABLE
    indexes: tuple[Index, ...] = ()
    triggers: tuple[str, ...] = ()
    rows: int = 0
    activity: Activity | None = None
    owner: str = ""
    whole_rows: bool = False
    partitioned: bool = False
    publications: tuple[str, ...] = ()
    referenced: bool = False

    @property
    def title(self) -> str:
        """Its qualified name, as a person writes it."""
        return f"{self.schema}.{self.name}"

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


Rows = Iterable[Sequence[Any]]


def grouped(rows: Rows, width: int = 1) -> defaultdict[Any, list[tuple[Any, ...]]]:
    """What rows say of each table: the rest of a row by its first column, or by its first `width` ones."""
    found = defaultdict(list)
    for row in rows:
        found[row[0] if width == 1 else tuple(row[:width])].append(tuple(row[width:]))
    return found


def indexed(rows: Rows) -> Iterator[Index]:
    """A table's indexes: a row is an index' name, a column, whether it is unique and the primary key, and a predicate.

    One that has an expression for a column, which is None here, finds no column's values, and is left out.
    """
    columns: defaultdict[tuple[Any, ...], list[str | None]] = defaultdict(list)
    for index, column, *facts in rows:
        columns[index, *facts].append(column)
    for (_, unique, primary, *predicate), parts in columns.items():
        if None not in parts:
            yield Index(tuple(one for one in parts if one), bool(unique), bool(primary), *predicate)


@dataclass(frozen=True)
class Catalogue:
    """All tables and views of one database that the user may know of. dialect: ours for the server that answered.

    container: the one that the database is in, if in any. replica_set: the one that has answered, if it is one.
    """

    dialect: str
    version: str
    database: str
    tables: tuple[Table, ...]
    container: str | None = None
    replica_set: str | None = None


@dataclass(frozen=True)
class Sample:
    """Some rows, by column: text, bytes where the column is binary, each cut to `CUT`. Not to be shown to anybody.

    unread: why there are none, where they could not be looked at.
    """

    rows: tuple[Mapping[str, str | bytes | None], ...] = field(default=(), repr=False)
    unread: str = ""


class Reader(Protocol):
    """What each server's package can tell; the module `catalogue` of a package is one."""

    def read(self, dsn: str) -> Catalogue:
        """The whole catalogue. Raises EnvironmentProblem, and UsageProblem where the address names no database."""

    def sample(self, dsn: str, table: Table, newest: str | None, *, rows: int, seconds: float) -> Sample:
        """At most so many rows, in so many seconds; the last by a column that an index leads with, where one is named.

        Raises DatabaseRefused, DatabaseUnreachable, OutOfTime.
        """
