"""A candidate as a schema file: with the preset of its library if that fits, or with its own names. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.feed import EXAMPLE, feed, table_of
from outbox_kit.adopt.roles import HEADERS, chosen, family, of_publisher, plain
from outbox_kit.adopt.rules.rows import is_topic
from outbox_kit.adopt.rules.table import MANY_ROWS
from outbox_kit.databases.catalogue import TABLE
from outbox_kit.schema import presets
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import complaints
from outbox_kit.schema.words import CANARY_AGGREGATE

COLUMNS = ("id", "aggregate_type", "aggregate_id", "type", "payload", "created_at")
STORED = {"json": "json", "binary": "bytes"}
KINDS = {"text": "text", "json": "text", "uuid": "uuid"}
# types that are no topic's name, and what of them is: those of MassTransit, then of .NET with their assembly
PATTERNS: tuple[dict[str, str], ...] = (
    {"topic": "outbox.event.{1}.{2}", "pattern": r"urn:message:([^:;]+):([^:;]+)(?:;.*)?"},
    {"topic": "outbox.event.{1}", "pattern": r"([A-Za-z0-9._-]+)(?:[^A-Za-z0-9._-].*)?"},
)

Document = dict[str, Any]


@dataclass(frozen=True)
class Address:
    """Where the database is, as Kafka Connect reaches it; None is what the address leaves out."""

    service: str
    database: str
    host: str | None = None
    port: int | None = None
    container: str | None = None
    replica_set: str | None = None


@dataclass(frozen=True)
class Proposal:
    """A schema file as plain values, or the problems that make it invalid; one of them is empty."""

    file: Document
    problems: tuple[str, ...] = ()


def proposal(candidate: Candidate, address: Address) -> Proposal:
    """The schema file that adopts a table."""
    if candidate.table.kind != TABLE:
        return Proposal({}, (f"the rows of a {candidate.table.kind} are not in the log of the database",))
    head = {"service": address.service, "database": _database(candidate, address)}
    tail = {"connect": {"snapshot": "no_data"}} if _sent_before(candidate) else {}
    title = databases.get(candidate.dialect).title
    problems = [f"outbox-kit generates no trigger for {title}: change the application instead"]
    for way in (*_by_preset(candidate), *_by_hand(candidate)):
        file = {**head, **way, "events": way.get("events") or _events(candidate), **tail}
        problems = complaints(file)
        if not problems and _fits(candidate, file):
            return Proposal(file)
    return Proposal({}, tuple(problems))


def remarks(candidate: Candidate) -> list[str]:
    """Comments for the proposed file, a line each."""
    lines = [f"Proposed by outbox-kit adopt for {candidate.table.title}. Read its findings, then run: outbox-kit check"]
    if candidate.is_fed:
        lines.append("Complete the events and the expressions of table.source: rows of other types are skipped.")
    elif not _types_in_rows(candidate):
        lines.append("The rows contain no event types: replace the example with your events.")
    else:
        rows = "row" if candidate.evidence.count == 1 else "rows"
        lines.append(f"The events were found in {candidate.evidence.count} {rows}; add those that are missing.")
        if "aggregate_type" not in candidate.roles:
            lines.append("The aggregates are derived from the event types: no column contains them.")
    return lines


def _database(candidate: Candidate, address: Address) -> Document:
    dialect = databases.get(candidate.dialect)
    settings = {
        "dialect": candidate.dialect,
        "name": address.database,
        "container": address.container,
        "schema": candidate.table.schema if dialect.naming.schema else None,
        "host": address.host,
        "port": address.port,
        "replica_set": address.replica_set,
        "version": ".".join(candidate.version.split(".")[:2]),
    }
    return {name: value for name, value in settings.items() if value is not None}


def _by_preset(candidate: Candidate) -> Iterator[Document]:
    """The settings in addition to the preset."""
    preset = presets.get(candidate.library.name) if candidate.library else None
    if preset is None or candidate.dialect not in preset.databases:
        return
    beneath = preset.fragment(candidate.dialect)
    if candidate.is_fed is not ("source" in beneath["table"]):
        return
    table: Document = {"preset": preset.name, "name": candidate.table.name}
    if "source" in beneath["table"]:
        schema = {"schema": candidate.table.schema} if databases.get(candidate.dialect).naming.schema else {}
        table |= {"name": table_of(candidate), "source": {"table": candidate.table.name, **schema}}
    yield {"table": table, **({"events": beneath["events"]} if "events" in beneath else {})}


def _fits(candidate: Candidate, file: Document) -> bool:
    """Whether the table has every column that the file, or the preset beneath it, counts on."""
    outbox = Outbox.model_validate(presets.spread(file))
    feed = outbox.table.source
    required = set(outbox.column_names) if feed is None else {feed.array_column} - {None}
    return required <= {column.name for column in candidate.table.columns}


def _by_hand(candidate: Candidate) -> Iterator[Document]:
    """The table as it is with each way to route it, or the one that it feeds; the best way first."""
    if candidate.is_fed:
        yield from ({"table": table} for table in [feed(candidate)] if table)
        return
    table = {
        "existing": True,
        "name": candidate.table.name,
        **_ids(candidate),
        "columns": {role: candidate.roles.get(role) for role in COLUMNS} | _unsure(candidate),
        "payload": _stored(candidate),
        **({"extra": extra} if (extra := list(_extra(candidate))) else {}),
    }
    yield from ({"table": table, "routing": routing, **_ordering(candidate)} for routing in _routings(candidate))


def _ids(candidate: Candidate) -> Document:
    column, types = candidate.column("id"), databases.get(candidate.dialect).types
    if column and column.type == types.get("objectid"):
        return {"ids": "objectid"}
    return {"ids": "bigint"} if candidate.family("id") == "number" else {}


def _unsure(candidate: Candidate) -> Document:
    """No created_at if documents may lack the field; a column of a table always exists."""
    column = candidate.column("created_at")
    may_be_missing = column and column.nullable and databases.get(candidate.dialect).documents
    return {"created_at": None} if may_be_missing else {}


def _stored(candidate: Candidate) -> str:
    """How the payload is stored. A router of documents reads no JSON out of a text, which it sends as it is."""
    payload = candidate.roles["payload"]
    is_json = candidate.evidence.count and candidate.evidence.documents(payload) == candidate.evidence.count
    a_text = "json" if is_json and not databases.get(candidate.dialect).documents else "text"
    return STORED.get(candidate.family("payload"), a_text)


def _routings(candidate: Candidate) -> Iterator[Document]:
    if "aggregate_type" in candidate.roles:
        yield {"topic": "outbox.event.{aggregate}"}
    if destination := _destination(candidate):
        yield {"topic": f"{{{destination}}}"}
    for_all = {"topic": "outbox.event.{service}"}
    if "aggregate_id" in candidate.roles:
        yield for_all  # with a key, an aggregate's events stay in order if they share a topic
    yield {"topic": "outbox.event.{type}"}
    yield from PATTERNS
    yield for_all


def _extra(candidate: Candidate) -> Iterator[Document]:
    """The owner's columns that are headers by their names, and the one that names the topic."""
    used = {candidate.roles.get(role) for role in COLUMNS}
    for column in candidate.table.columns:
        kind = KINDS.get(family(candidate.dialect, column.type))
        if kind is None or column.name in used or set(column.name) & set(",:"):
            continue
        if column.name == _destination(candidate):
            yield {"name": column.name, "to": None}
        elif plain(column.name) in HEADERS:
            yield {"name": column.name, "kind": kind, "required": not column.nullable}


def _destination(candidate: Candidate) -> str | None:
    """The column with the topic of each row, if it has a valid topic in every sampled row."""
    column = candidate.column("destination")
    if column is None or column.nullable or "aggregate_type" in candidate.roles:
        return None
    names = [name for (name,) in candidate.evidence.names(column.name)]
    return column.name if names and all(map(is_topic, names)) else None


def _ordering(candidate: Candidate) -> Document:
    """What proves the order: a version that is unique in its aggregate, or a number that the database gives."""
    numbers = (
        "identity" in databases.get(candidate.dialect).ddl.default_clauses
    )  # if the database assigns none, any number is a version
    unique = [set(index.columns) for index in candidate.table.indexes if index.unique and not index.predicate]
    for role in ("version",) if numbers else ("version", "sequence"):
        if role in candidate.roles and {candidate.roles.get("aggregate_id"), candidate.roles[role]} in unique:
            return {"ordering": {"sequence": candidate.roles[role], "assigned_by": "application"}}
    return {"ordering": {"sequence": candidate.roles["sequence"]}} if numbers and "sequence" in candidate.roles else {}


def _events(candidate: Candidate) -> list[dict[str, str]]:
    return _types_in_rows(candidate) or [{"type": EXAMPLE, "aggregate": EXAMPLE}]


def _types_in_rows(candidate: Candidate) -> list[dict[str, str]]:
    """What the rows show, each type of each aggregate once."""
    roles = chosen(candidate.evidence.element_members(candidate.many)) if candidate.many else candidate.roles
    if "type" not in roles:
        return []
    columns = [roles[role] for role in ("type", "aggregate_type") if role in roles]
    combinations = (
        candidate.evidence.element_names(candidate.many, *columns)
        if candidate.many
        else candidate.evidence.names(*columns)
    )
    return [
        {"type": kind, "aggregate": aggregate[0] if aggregate else EXAMPLE if candidate.is_fed else guessed(kind)}
        for kind, *aggregate in combinations
        if aggregate != [CANARY_AGGREGATE]
    ]


def guessed(kind: str) -> str:
    """The aggregate that an event's type speaks of: `com.acme.OrderPlaced` and `order.placed` of the order."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", re.split("[;,]", kind)[0]) if word]
    if not words:
        return "Event"
    parts: Sequence[str] = re.findall(r"[A-Z][a-z0-9]*", words[-1])
    if parts:
        return "".join(parts[:-1] or parts)[:200]
    return words[-2 if len(words) > 1 else -1][:200]


def _sent_before(candidate: Candidate) -> bool:
    """Whether rows are there that have been sent already, or too many to be sent again unasked."""
    if candidate.is_fed:
        return False  # the table is new, and what is written before the connector starts must not be lost
    return candidate.table.rows > MANY_ROWS or any(of_publisher(candidate.table)) or candidate.library is not None
