"""The outbox tables of well-known libraries, recognised by their columns. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from outbox_kit.adopt.roles import plain
from outbox_kit.source.catalogue import Table


@dataclass(frozen=True)
class Known:
    """A table that a library makes, or many teams do. Columns without case and punctuation.

    name: the preset's. marks: the columns that it has. without: a column that makes it another table.
    roles: the columns that its names would not tell, None where it has none.
    many: the column that holds an array of events.
    """

    name: str
    title: str
    marks: frozenset[str]
    without: frozenset[str] = frozenset()
    roles: Mapping[str, str | None] = field(default_factory=dict)
    many: str = ""
    remark: str = ""


def _known(name: str, title: str, marks: str, *, without: str = "", **more: object) -> Known:
    return Known(name, title, frozenset(marks.split()), frozenset(without.split()), **more)  # type: ignore[arg-type]


ALL = (
    _known("debezium", "the event router's own defaults", "id aggregatetype aggregateid type payload"),
    _known(
        "polling-postgres",
        "a table with a polling publisher",
        "id aggregatetype aggregateid eventtype payload availableat attempts status",
    ),
    _known("postgres-minimal", "the smallest outbox of .NET teams", "id type content occurredonutc processedonutc"),
    _known(
        "sqlserver-outbox",
        "an outbox with a destination in each row",
        "id occurredon messagetype payload destination processedon retrycount",
    ),
    _known(
        "nhibernate-outbox",
        "a table that a timer empties, oldest rows first",
        "id type jsonpayload",
        remark="its timer deletes what it has sent",
    ),
    _known(
        "masstransit",
        "MassTransit's OutboxMessage",
        "sequencenumber messageid messagetype body outboxid enqueuetime",
        roles={"id": "messageid", "aggregate_id": None, "created_at": "senttime"},
        remark="its delivery service deletes rows once they are delivered",
    ),
    _known(
        "nservicebus",
        "NServiceBus's outbox record",
        "messageid operations dispatched",
        roles={"id": "messageid", "type": None, "payload": None},
        many="operations",
    ),
    _known(
        "cap",
        "CAP's published messages",
        "id version name content retries added expiresat statusname",
        without="group",
        roles={"type": "name", "payload": "content", "created_at": None},  # the application's local time
    ),
    _known(
        "spring-modulith",
        "Spring Modulith's event publications",
        "id listenerid eventtype serializedevent publicationdate completiondate",
        remark="an event has a row for each listener: read those of one listener, or let consumers drop the copies",
    ),
    _known(
        "barrier",
        "a branch barrier of two-phase messages",
        "transtype gid branchid op barrierid reason",
        roles={"id": None, "type": None, "payload": None},
    ),
)


def recognise(table: Table) -> Known | None:
    """The one whose marks the table has, of several the one with the most; None if there is none."""
    names = {plain(column.name) for column in table.columns}
    fitting = [one for one in ALL if one.marks <= names and not one.without & names]
    return max(fitting, key=lambda one: len(one.marks), default=None)
