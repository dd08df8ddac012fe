"""A candidate as a schema file: by its library's preset where that fits, else by its own names. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit import dialects
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.feed import EXAMPLE, feed, table_of
from outbox_kit.adopt.obstacles.rows import is_topic
from outbox_kit.adopt.obstacles.table import MANY_ROWS
from outbox_kit.adopt.roles import HEADERS, chosen, family, of_publisher, plain
from outbox_kit.schema import presets
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import complaints
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.catalogue import TABLE

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
    """A schema file as plain values, and why it is none that could be read back; one of them is empty."""

    file: Document
    problems: tuple[str, ...] = ()


def proposal(one: Candidate, address: Address) -> Proposal:
    """The schema file that adopts a table."""
    if one.table.kind != TABLE:
        return Proposal({}, (f"a {one.table.kind} is not in the log",))
    head = {"service": address.service, "database": _database(one, address)}
    tail = {"connect": {"snapshot": "no_data"}} if _sent_before(one) else {}
    title = dialects.named(one.dialect).title
    problems = [f"{title} has no trigger that could make up for what is in the way: your code has to"]
    for way in (*_by_preset(one), *_by_hand(one)):
        file = {**head, **way, "events": way.get("events") or _events(one), **tail}
        problems = complaints(file)
        if not problems and _fits(one, file):
            return Proposal(file)
    return Proposal({}, tuple(problems))


def remarks(one: Candidate) -> list[str]:
    """What a person should know about the proposed file, a line each."""
    found = [f"Proposed by outbox-kit adopt for {one.table.title}; see what is in the way, then: outbox-kit check"]
    if one.is_fed:
        found.append("Complete the events, and the expressions that make them: what is no event here is passed over.")
    elif not _seen(one):
        found.append("No row shows an event: put yours in place of the example.")
    else:
        found.append(f"The events are those of {one.evidence.count} rows; add what these did not show.")
        if "aggregate_type" not in one.roles:
            found.append("The aggregates are guessed from the types: no column names them.")
    return found


def _database(one: Candidate, address: Address) -> Document:
    dialect = dialects.named(one.dialect)
    said = {
        "dialect": one.dialect,
        "name": address.database,
        "container": address.container,
        "schema": one.table.schema if dialect.schema else None,
        "host": address.host,
        "port": address.port,
        "replica_set": address.replica_set,
        "version": ".".join(one.version.split(".")[:2]),
    }
    return {name: value for name, value in said.items() if value is not None}


def _by_preset(one: Candidate) -> Iterator[Document]:
    """What has to be said beside the preset."""
    preset = presets.named(one.known.name) if one.known else None
    if preset is None or one.dialect not in preset.databases:
        return
    beneath = preset.fragment(one.dialect)
    if one.is_fed is not ("fed_by" in beneath["table"]):
        return
    table: Document = {"preset": preset.name, "name": one.table.name}
    if "fed_by" in beneath["table"]:
        schema = {"schema": one.table.schema} if dialects.named(one.dialect).schema else {}
        table |= {"name": table_of(one), "fed_by": {"table": one.table.name, **schema}}
    yield {"table": table, **({"events": beneath["events"]} if "events" in beneath else {})}


def _fits(one: Candidate, file: Document) -> bool:
    """Whether the table has every column that the file, or the preset beneath it, counts on."""
    meant = Outbox.model_validate(presets.spread(file))
    feed = meant.table.fed_by
    named = set(meant.column_names) if feed is None else {feed.each} - {None}
    return named <= {column.name for column in one.table.columns}


def _by_hand(one: Candidate) -> Iterator[Document]:
    """The table as it is with each way to route it, or the one that it feeds; the best way first."""
    if one.is_fed:
        yield from ({"table": fed} for fed in [feed(one)] if fed)
        return
    table = {
        "existing": True,
        "name": one.table.name,
        **_ids(one),
        "columns": {role: one.roles.get(role) for role in COLUMNS} | _unsure(one),
        "payload": _stored(one),
        **({"extra": extra} if (extra := list(_extra(one))) else {}),
    }
    yield from ({"table": table, "routing": routing, **_ordering(one)} for routing in _routings(one))


def _ids(one: Candidate) -> Document:
    column, own = one.column("id"), dialects.named(one.dialect).types
    if column and column.type == own.get("objectid"):
        return {"ids": "objectid"}
    return {"ids": "bigint"} if one.family("id") == "number" else {}


def _unsure(one: Candidate) -> Document:
    """A field that documents may lack is none that can be counted on; where there are columns, one is always there."""
    column = one.column("created_at")
    may_be_missing = column and column.nullable and dialects.named(one.dialect).documents
    return {"created_at": None} if may_be_missing else {}


def _stored(one: Candidate) -> str:
    """How the payload is stored. A router of documents reads no JSON out of a text, which it sends as it is."""
    payload = one.roles["payload"]
    is_json = one.evidence.count and one.evidence.documents(payload) == one.evidence.count
    a_text = "json" if is_json and not dialects.named(one.dialect).documents else "text"
    return STORED.get(one.family("payload"), a_text)


def _routings(one: Candidate) -> Iterator[Document]:
    if "aggregate_type" in one.roles:
        yield {"topic": "outbox.event.{aggregate}"}
    if destination := _destination(one):
        yield {"topic": f"{{{destination}}}"}
    for_all = {"topic": "outbox.event.{service}"}
    if "aggregate_id" in one.roles:
        yield for_all  # with a key, an aggregate's events stay in order where they share a topic
    yield {"topic": "outbox.event.{type}"}
    yield from PATTERNS
    yield for_all


def _extra(one: Candidate) -> Iterator[Document]:
    """The owner's columns that are headers by their names, and the one that names the topic."""
    taken = {one.roles.get(role) for role in COLUMNS}
    for column in one.table.columns:
        kind = KINDS.get(family(one.dialect, column.type))
        if kind is None or column.name in taken or set(column.name) & set(",:"):
            continue
        if column.name == _destination(one):
            yield {"name": column.name, "to": None}
        elif plain(column.name) in HEADERS:
            yield {"name": column.name, "kind": kind, "required": not column.nullable}


def _destination(one: Candidate) -> str | None:
    """The column that names each row's topic, where it does in every row that was seen."""
    column = one.column("destination")
    if column is None or column.nullable or "aggregate_type" in one.roles:
        return None
    names = [name for (name,) in one.evidence.names(column.name)]
    return column.name if names and all(map(is_topic, names)) else None


def _ordering(one: Candidate) -> Document:
    """What proves the order: a version that is unique in its aggregate, or a number that the database gives."""
    numbers = "identity" in dialects.named(one.dialect).fills  # where it gives none, any number is a version
    unique = [set(index.columns) for index in one.table.indexes if index.unique and not index.predicate]
    for role in ("version",) if numbers else ("version", "sequence"):
        if role in one.roles and {one.roles.get("aggregate_id"), one.roles[role]} in unique:
            return {"ordering": {"sequence": one.roles[role], "assigned_by": "application"}}
    return {"ordering": {"sequence": one.roles["sequence"]}} if numbers and "sequence" in one.roles else {}


def _events(one: Candidate) -> list[dict[str, str]]:
    return _seen(one) or [{"type": EXAMPLE, "aggregate": EXAMPLE}]


def _seen(one: Candidate) -> list[dict[str, str]]:
    """What the rows show, each type of each aggregate once."""
    roles = chosen(one.evidence.element_members(one.many)) if one.many else one.roles
    if "type" not in roles:
        return []
    columns = [roles[role] for role in ("type", "aggregate_type") if role in roles]
    named = one.evidence.element_names(one.many, *columns) if one.many else one.evidence.names(*columns)
    return [
        {"type": kind, "aggregate": aggregate[0] if aggregate else EXAMPLE if one.is_fed else guessed(kind)}
        for kind, *aggregate in named
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


def _sent_before(one: Candidate) -> bool:
    """Whether rows are there that have been sent already, or too many to be sent again unasked."""
    if one.is_fed:
        return False  # the table is new, and what is written before the connector starts must not be lost
    return one.table.rows > MANY_ROWS or any(of_publisher(one.table)) or one.known is not None
