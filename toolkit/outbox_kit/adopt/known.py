"""The tables that there are presets for, recognised by their columns. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from outbox_kit.adopt.roles import plain
from outbox_kit.databases.catalogue import CatalogueTable


@dataclass(frozen=True)
class LibraryTable:
    """How a preset's table is recognised. Columns without case and punctuation."""

    name: str
    """The preset's."""
    marks: frozenset[str]
    """The columns that it has."""
    without: frozenset[str] = frozenset()
    """A column that makes it another table."""
    roles: Mapping[str, str | None] = field(default_factory=dict)
    """The roles that its names do not determine; None if it has no column for one."""
    many: str = ""
    """The one with an array of events."""


def _library_table(
    name: str, marks: str, *, without: str = "", roles: Mapping[str, str | None] | None = None, many: str = ""
) -> LibraryTable:
    return LibraryTable(name, frozenset(marks.split()), frozenset(without.split()), roles or {}, many)


ALL = (
    _library_table("debezium", "id aggregatetype aggregateid type payload"),
    _library_table("polling-postgres", "id aggregatetype aggregateid eventtype payload availableat attempts status"),
    _library_table("postgres-minimal", "id type content occurredonutc processedonutc"),
    _library_table("sqlserver-outbox", "id occurredon messagetype payload destination processedon retrycount"),
    _library_table("nhibernate-outbox", "id type jsonpayload"),
    _library_table(
        "masstransit",
        "sequencenumber messageid messagetype body outboxid enqueuetime",
        roles={"id": "messageid", "aggregate_id": None, "created_at": "senttime"},
    ),
    _library_table(
        "nservicebus",
        "messageid operations dispatched",
        roles={"id": "messageid", "type": None, "payload": None},
        many="operations",
    ),
    _library_table(
        "cap",
        "id version name content retries added expiresat statusname",
        without="group",  # of what was received
        roles={"type": "name", "payload": "content", "created_at": None},  # added is the application's local time
    ),
    _library_table("spring-modulith", "id listenerid eventtype serializedevent publicationdate completiondate"),
    _library_table(
        "barrier",
        "transtype gid branchid op barrierid reason",
        roles={"id": None, "type": None, "payload": None},
    ),
)


def recognise(table: CatalogueTable) -> LibraryTable | None:
    """The library whose marks the table has, of several the one with the most marks; None if there is none."""
    names = {plain(column.name) for column in table.columns}
    fitting = [library for library in ALL if library.marks <= names and not library.without & names]
    return max(fitting, key=lambda library: len(library.marks), default=None)
