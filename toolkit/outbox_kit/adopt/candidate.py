"""The likely outbox tables of a database, best first: by names, types, keys and references. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from outbox_kit import databases
from outbox_kit.adopt.evidence import Evidence
from outbox_kit.adopt.known import LibraryTable, recognise
from outbox_kit.adopt.roles import family, of_publisher, plain, roles, weak
from outbox_kit.databases.catalogue import TABLE, Catalogue, CatalogueColumn, CatalogueTable, RowSample
from outbox_kit.errors import DatabaseRefused, OutOfTime, UnknownName
from outbox_kit.schema.nearest import nearest

LIKELY, POSSIBLE = 8, 5
WORDS = ("certain", "likely", "possible", "unlikely")
MOST = 20  # candidates that are named
# points for a table by what its name holds, the first that it does
NAMES = (
    (("audit", "log", "history", "inbox", "received", "archive", "dead", "dlq", "session", "cache", "migration", "job",
      "notification", "task", "mail", "comment"), -5),
    (("outbox", "eventpublication", "outgoing"), 4),
    (("domainevent", "integrationevent", "publishedevent", "publishedmessage", "pendingevent", "pendingmessage"), 3),
    (("event", "message", "published"), 1),
)  # fmt: skip
# columns that speak of a person, as a log or a chat has them
STRANGERS = {"userid", "username", "actor", "actorid", "author", "authorid", "createdby", "ipaddress", "senderid"}


@dataclass(frozen=True)
class Candidate:
    """A table, the roles of its columns in an outbox, and its score."""

    table: CatalogueTable
    dialect: str
    version: str
    roles: Mapping[str, str]
    """The column's name by its role."""
    library: LibraryTable | None
    score: int
    evidence: Evidence = field(default_factory=lambda: Evidence(RowSample()), compare=False)
    """Facts from sampled rows."""

    @property
    def likelihood(self) -> str:
        """How likely it is an outbox, as a word."""
        if self.table.kind != TABLE:
            return "possible" if self.library or self.score >= LIKELY else "unlikely"
        if self.library:
            return "certain"
        return "likely" if self.score >= LIKELY else "possible" if self.score >= POSSIBLE else "unlikely"

    def column(self, role: str) -> CatalogueColumn | None:
        """The column of a role."""
        return self.table.column(self.roles[role]) if role in self.roles else None

    def family(self, role: str) -> str:
        """The family of the type of a role's column; empty if there is no column."""
        column = self.column(role)
        return family(self.dialect, column.type) if column else ""

    @property
    def many(self) -> str:
        """The column that holds an array of events in each row; empty where a row is one event."""
        array_name = self.library.many if self.library else ""
        if match := next(
            (column.name for column in self.table.columns if array_name and plain(column.name) == array_name), ""
        ):
            return match
        payload = self.roles.get("payload", "")
        return payload if payload and self.evidence.arrays(payload) > self.evidence.count / 2 else ""

    @property
    def is_fed(self) -> bool:
        """Whether its rows become events only in another table, which a trigger fills."""
        is_complete = {"id", "type", "payload"} <= self.roles.keys() and self.family("id") != "binary"
        return bool(self.many) or not is_complete


Look = Callable[[CatalogueTable, str | None], RowSample]


def candidates(catalogue: Catalogue, table: str | None = None) -> list[Candidate]:
    """The likely outbox tables, best first. table: the only table to examine, whatever its score.

    Raises UnknownName.
    """
    if table:
        return [_judged(_table_named(catalogue, table), catalogue)]
    scored = (_judged(table, catalogue) for table in catalogue.tables)
    likely = [candidate for candidate in scored if candidate.likelihood != WORDS[-1]]
    return sorted(
        likely, key=lambda candidate: (WORDS.index(candidate.likelihood), -candidate.score, candidate.table.title)
    )[:MOST]


def _table_named(catalogue: Catalogue, name: str) -> CatalogueTable:
    titles = {table.title: table for table in catalogue.tables}
    tables = [titles[name]] if name in titles else [table for table in catalogue.tables if table.name == name]
    if not tables:
        problem = f"table '{name}' does not exist in database '{catalogue.database}', or the user may not read it"
        raise UnknownName(
            problem + nearest(name, list(titles)), fix="give its schema and name: outbox-kit adopt --table SCHEMA.NAME"
        )
    if len(tables) > 1:
        problem = f"the table name '{name}' is ambiguous: {len(tables)} tables have it"
        raise UnknownName(problem, fix=f"choose one: --table {' | '.join(table.title for table in tables)}")
    return tables[0]


def _judged(table: CatalogueTable, catalogue: Catalogue) -> Candidate:
    library = None if databases.get(catalogue.dialect).documents else recognise(table)  # the presets are tables
    assigned = dict(roles(table, catalogue.dialect))
    if library:
        names = {plain(column.name): column.name for column in table.columns}
        assigned |= {role: names[word] for role, word in library.roles.items() if word in names}
        assigned = {role: column for role, column in assigned.items() if library.roles.get(role, "") is not None}
    return Candidate(table, catalogue.dialect, catalogue.version, assigned, library, _score(table, assigned))


def _score(table: CatalogueTable, roles: Mapping[str, str]) -> int:
    """Points for an outbox's columns, weak names counting half, and for the table's name."""
    if not {"id", "payload"} <= roles.keys() or not {"type", "aggregate_type", "destination"} & roles.keys():
        return 0
    names = {plain(column.name) for column in table.columns}
    weights = {"payload": 2, "type": 2, "aggregate_type": 2, "aggregate_id": 2, "sequence": 1, "version": 1}
    points = sum(weight // (2 if weak(role, roles[role]) else 1) for role, weight in weights.items() if role in roles)
    points += "created_at" in roles
    points += 2 * (len(list(of_publisher(table))) > 1)
    points += next((worth for words, worth in NAMES if any(word in plain(table.name) for word in words)), 0)
    return points - 2 * bool(names & STRANGERS) - 3 * table.referenced


def with_evidence(candidate: Candidate, look: Look) -> Candidate:
    """A candidate with facts from a sample of its rows, if they may be read.

    look: returns the newest rows of a table, sorted by a column if one is given.
    """
    if candidate.table.kind != TABLE:
        sample = RowSample(unread=f"rows of a {candidate.table.kind} are not sampled")
    else:
        leading = {index.columns[0] for index in candidate.table.indexes if not index.predicate}
        newest = next(
            (candidate.roles[role] for role in ("sequence", "created_at") if candidate.roles.get(role) in leading), None
        )
        try:
            sample = look(candidate.table, newest)
        except (DatabaseRefused, OutOfTime) as cause:
            sample = RowSample(unread=cause.why or cause.what)
    return replace(candidate, evidence=Evidence(sample))
