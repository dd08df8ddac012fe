"""Which tables look like an outbox, best first: by names, types, and what else they have. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from outbox_kit import dialects
from outbox_kit.adopt.evidence import Evidence
from outbox_kit.adopt.known import Known, recognise
from outbox_kit.adopt.roles import family, of_publisher, plain, roles, weak
from outbox_kit.errors import DatabaseRefused, OutOfTime, UnknownName
from outbox_kit.schema.nearest import nearest
from outbox_kit.source.catalogue import TABLE, Catalogue, Column, Sample, Table

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
    """A table, what its columns are to an outbox, and how much speaks for it.

    roles: the column's name by its role. evidence: what rows tell, where they were looked at.
    """

    table: Table
    dialect: str
    version: str
    roles: Mapping[str, str]
    known: Known | None
    score: int
    evidence: Evidence = field(default_factory=lambda: Evidence(Sample()), compare=False)

    @property
    def likelihood(self) -> str:
        """How likely it is an outbox, in a word."""
        if self.table.kind != TABLE:
            return "possible" if self.known or self.score >= LIKELY else "unlikely"
        if self.known:
            return "certain"
        return "likely" if self.score >= LIKELY else "possible" if self.score >= POSSIBLE else "unlikely"

    def column(self, role: str) -> Column | None:
        """The column of a role."""
        return self.table.column(self.roles[role]) if role in self.roles else None

    def family(self, role: str) -> str:
        """What the type of a role's column is to the router; empty where there is none."""
        column = self.column(role)
        return family(self.dialect, column.type) if column else ""

    @property
    def many(self) -> str:
        """The column that holds an array of events in each row; empty where a row is one event."""
        named = self.known.many if self.known else ""
        if found := next((one.name for one in self.table.columns if named and plain(one.name) == named), ""):
            return found
        payload = self.roles.get("payload", "")
        return payload if payload and self.evidence.arrays(payload) > self.evidence.count / 2 else ""

    @property
    def is_fed(self) -> bool:
        """Whether its rows become events only in another table, which it feeds."""
        whole = {"id", "type", "payload"} <= self.roles.keys() and self.family("id") != "binary"
        return bool(self.many) or not whole


Look = Callable[[Table, str | None], Sample]


def candidates(catalogue: Catalogue, named: str | None = None) -> list[Candidate]:
    """What looks like an outbox, best first. named: the one table that is meant, whatever it looks like.

    Raises UnknownName.
    """
    if named:
        return [_judged(_named(catalogue, named), catalogue)]
    judged = (_judged(table, catalogue) for table in catalogue.tables)
    likely = [one for one in judged if one.likelihood != WORDS[-1]]
    return sorted(likely, key=lambda one: (WORDS.index(one.likelihood), -one.score, one.table.title))[:MOST]


def _named(catalogue: Catalogue, name: str) -> Table:
    titles = {table.title: table for table in catalogue.tables}
    meant = [titles[name]] if name in titles else [table for table in catalogue.tables if table.name == name]
    if not meant:
        what = f"no table '{name}' in the database '{catalogue.database}' that the user may know of"
        raise UnknownName(what + nearest(name, list(titles)), fix="name it as --table SCHEMA.NAME")
    if len(meant) > 1:
        what = f"{len(meant)} tables are called '{name}'"
        raise UnknownName(what, fix=f"choose one: --table {' | '.join(table.title for table in meant)}")
    return meant[0]


def _judged(table: Table, catalogue: Catalogue) -> Candidate:
    known = None if dialects.named(catalogue.dialect).documents else recognise(table)  # the presets are tables
    found = dict(roles(table, catalogue.dialect))
    if known:
        own = {plain(column.name): column.name for column in table.columns}
        found |= {role: own[word] for role, word in known.roles.items() if word in own}
        found = {role: column for role, column in found.items() if known.roles.get(role, "") is not None}
    return Candidate(table, catalogue.dialect, catalogue.version, found, known, _score(table, found))


def _score(table: Table, found: Mapping[str, str]) -> int:
    """Points for an outbox's columns, weak names counting half, and for the table's name."""
    if not {"id", "payload"} <= found.keys() or not {"type", "aggregate_type", "destination"} & found.keys():
        return 0
    names = {plain(column.name) for column in table.columns}
    weights = {"payload": 2, "type": 2, "aggregate_type": 2, "aggregate_id": 2, "sequence": 1, "version": 1}
    points = sum(weight // (2 if weak(role, found[role]) else 1) for role, weight in weights.items() if role in found)
    points += "created_at" in found
    points += 2 * (len(list(of_publisher(table))) > 1)
    points += next((worth for words, worth in NAMES if any(word in plain(table.name) for word in words)), 0)
    return points - 2 * bool(names & STRANGERS) - 3 * table.referenced


def looked_at(one: Candidate, look: Look) -> Candidate:
    """A candidate with what a few of its rows tell, where they may be read.

    look: gives a table's newest rows, by a column where one is named.
    """
    if one.table.kind != TABLE:
        sample = Sample(unread=f"rows of a {one.table.kind} are not looked at")
    else:
        leading = {index.columns[0] for index in one.table.indexes if not index.predicate}
        newest = next((one.roles[role] for role in ("sequence", "created_at") if one.roles.get(role) in leading), None)
        try:
            sample = look(one.table, newest)
        except (DatabaseRefused, OutOfTime) as refused:
            sample = Sample(unread=refused.why or refused.what)
    return replace(one, evidence=Evidence(sample))
