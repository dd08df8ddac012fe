"""The catalogue of a server's tables, in the same terms for all databases; and a sample of a table's rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

CUT = 16_384  # characters or bytes of one value that a sample holds
EITHER = " or "  # between the types of a field that documents have as several
TABLE = "table"  # the kind of relation whose changes are in the log; any other kind is the server's own word for it


@dataclass(frozen=True)
class CatalogueColumn:
    """A column."""

    name: str
    type: str
    """As the server writes it, without a length that changes nothing."""
    nullable: bool = True
    generated: str = ""
    """`stored`, `virtual`, or empty."""


@dataclass(frozen=True)
class Index:
    """An index of plain columns."""

    columns: tuple[str, ...]
    unique: bool
    primary: bool = False
    predicate: str = ""
    """Of a partial one, as the server writes it."""


@dataclass(frozen=True)
class Activity:
    """Rows written since the server began to count."""

    inserts: int
    updates: int
    deletes: int


@dataclass(frozen=True)
class CatalogueTable:
    """A relation, and what of it matters to an outbox."""

    schema: str
    name: str
    columns: tuple[CatalogueColumn, ...]
    kind: str = TABLE
    indexes: tuple[Index, ...] = ()
    triggers: tuple[str, ...] = ()
    rows: int = 0
    """The server's estimate."""
    activity: Activity | None = None
    """None where the server does not count, or does not tell."""
    owner: str = ""
    whole_rows: bool = False
    """Whether updates and deletes log the row as it was (REPLICA IDENTITY FULL)."""
    partitioned: bool = False
    publications: tuple[str, ...] = ()
    """Those that hold it."""
    referenced: bool = False
    """Whether other tables' foreign keys point to it."""

    @property
    def title(self) -> str:
        """Its qualified name, as a person writes it."""
        return f"{self.schema}.{self.name}"

    def column(self, name: str) -> CatalogueColumn:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


Rows = Iterable[Sequence[Any]]


def grouped(rows: Rows, width: int = 1) -> defaultdict[Any, list[tuple[Any, ...]]]:
    """What rows say of each table: the rest of a row by its first column, or by its first `width` ones."""
    groups = defaultdict(list)
    for row in rows:
        groups[row[0] if width == 1 else tuple(row[:width])].append(tuple(row[width:]))
    return groups


def indexed(rows: Rows) -> Iterator[Index]:
    """A table's indexes: a row is an index' name, a column, whether it is unique and the primary key, and a predicate.

    One that has an expression for a column, which is None here, finds no column's values, and is left out.
    """
    columns: defaultdict[tuple[Any, ...], list[str | None]] = defaultdict(list)
    for index, column, *facts in rows:
        columns[index, *facts].append(column)
    for (_, unique, primary, *predicate), parts in columns.items():
        if None not in parts:
            yield Index(tuple(part for part in parts if part), bool(unique), bool(primary), *predicate)


@dataclass(frozen=True)
class Catalogue:
    """All tables and views of one database that the user may know of."""

    dialect: str
    """Ours for the server that answered."""
    version: str
    database: str
    tables: tuple[CatalogueTable, ...]
    container: str | None = None
    """The one that the database is in, if in any."""
    replica_set: str | None = None
    """The one that has answered, if it is one."""


@dataclass(frozen=True)
class RowSample:
    """Some rows, by column: text, or bytes for a binary column, each truncated to `CUT`. They must not be displayed."""

    rows: tuple[Mapping[str, str | bytes | None], ...] = field(default=(), repr=False)
    unread: str = ""
    """Why there are none, where they could not be looked at."""


class CatalogueReader(Protocol):
    """Reads the catalogue of a server; the module `catalogue` of each database's folder is one."""

    def read(self, dsn: str) -> Catalogue:
        """The whole catalogue. Raises EnvironmentProblem, and UsageProblem where the address names no database."""

    def sample(self, dsn: str, table: CatalogueTable, newest: str | None, *, rows: int, seconds: float) -> RowSample:
        """At most so many rows, in so many seconds; the last by a column that an index leads with, where one is named.

        Raises DatabaseRefused, DatabaseUnreachable, OutOfTime.
        """
