"""A candidate as a schema file: its own names, and the events that its rows show. Pure."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit import dialects
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.obstacles.rows import is_topic
from outbox_kit.adopt.obstacles.table import MANY_ROWS
from outbox_kit.adopt.roles import HEADERS, chosen, family, of_publisher, plain
from outbox_kit.schema.words import CANARY_AGGREGATE

COLUMNS = ("id", "aggregate_type", "aggregate_id", "type", "payload", "created_at")
STORED = {"json": "json", "binary": "bytes"}
KINDS = {"text": "text", "json": "text", "uuid": "uuid"}
URN = re.compile(r"urn:message:[^;]+(;.*)?")
MOST_EVENTS = 50
# a member of the array's element as text
MEMBER: Mapping[str, Callable[[str], str]] = {
    "postgres": lambda name: f"item ->> {dialects.named('postgres').literal(name)}",
    "mysql": lambda name: f"item ->> {dialects.named('mysql').literal(f'$.{json.dumps(name)}')}",
    "mariadb": lambda name: f"json_value(item, {dialects.named('mariadb').literal(f'$.{json.dumps(name)}')})",
}


@dataclass(frozen=True)
class Address:
    """Where the database is, as Kafka Connect reaches it; None is what the address leaves out."""

    service: str
    database: str
    host: str | None = None
    port: int | None = None


def document(one: Candidate, address: Address) -> dict[str, Any]:
    """The schema file that adopts a table, as plain values."""
    return {
        "service": address.service,
        "database": _database(one, address),
        "table": _fed(one) if one.is_fed else _existing(one),
        **({} if one.is_fed else _routing(one) | _ordering(one)),
        "events": list(_events(one)) or [{"type": "Example", "aggregate": "Example"}],
        **({"connect": {"snapshot": "no_data"}} if _sent_before(one) else {}),
    }


def remarks(one: Candidate) -> list[str]:
    """What a person should know about the proposed file, a line each."""
    found = [f"Proposed by outbox-kit adopt for {one.table.title}; see what is in the way, then: outbox-kit check"]
    events = list(_events(one))
    if not events:
        return [*found, "No row shows an event: put yours in place of the example."]
    found.append(f"The events are those of {one.evidence.count} rows; add what these did not show.")
    if "aggregate_type" not in one.roles:
        found.append("The aggregates are guessed from the types: no column names them.")
    return found


def _database(one: Candidate, address: Address) -> dict[str, Any]:
    dialect = dialects.named(one.dialect)
    schema = one.table.schema if dialect.schema and one.table.schema != dialect.schema else None
    said = {
        "dialect": one.dialect,
        "name": address.database,
        "schema": schema,
        "host": address.host,
        "port": address.port,
        "version": ".".join(one.version.split(".")[:2]),
    }
    return {name: value for name, value in said.items() if value is not None}


def _existing(one: Candidate) -> dict[str, Any]:
    """The table as it is."""
    payload = one.roles.get("payload", "")
    is_json = payload and one.evidence.count and one.evidence.documents(payload) == one.evidence.count
    return {
        **({"preset": one.known.name} if one.known else {}),
        "existing": True,
        "name": one.table.name,
        **({"ids": "bigint"} if one.family("id") == "number" else {}),
        "columns": {role: one.roles.get(role) for role in COLUMNS},
        "payload": STORED.get(one.family("payload"), "json" if is_json else "text"),
        **({"extra": extra} if (extra := list(_extra(one))) else {}),
    }


def _extra(one: Candidate) -> Iterator[dict[str, Any]]:
    """The owner's columns that are headers by their names, and the one that names the topic."""
    taken = {one.roles.get(role) for role in COLUMNS}
    destination = _destination(one)
    for column in one.table.columns:
        kind = KINDS.get(family(one.dialect, column.type))
        if kind is None or column.name in taken or set(column.name) & set(",:"):
            continue
        if column.name == destination:
            yield {"name": column.name, "kind": "text", "to": None}
        elif plain(column.name) in HEADERS:
            yield {"name": column.name, "kind": kind, "required": not column.nullable}


def _destination(one: Candidate) -> str | None:
    """The column that names each row's topic, where it does in every row that was seen."""
    column = one.column("destination")
    if column is None or column.nullable or "aggregate_type" in one.roles:
        return None
    names = [name for (name,) in one.evidence.names(column.name)]
    return column.name if names and all(map(is_topic, names)) else None


def _routing(one: Candidate) -> dict[str, Any]:
    """The topic and the key, where they are not the default."""
    key = {} if "aggregate_id" in one.roles else {"key": "id"}
    topic = _topic(one)
    return {"routing": {**topic, **key}} if topic or key else {}


def _topic(one: Candidate) -> dict[str, str]:
    def names(role: str) -> list[str]:
        return [name for (name,) in one.evidence.names(one.roles[role])] if role in one.roles else []

    if "aggregate_type" in one.roles and all(map(is_topic, names("aggregate_type"))):
        return {}
    if destination := _destination(one):
        return {"topic": f"{{{destination}}}"}
    types = names("type")
    if types and all(map(URN.fullmatch, types)):
        return {"topic": "outbox.event.{2}", "pattern": "urn:message:([^:;]+):([A-Za-z0-9._-]+).*"}
    if types and all(map(is_topic, types)) and "aggregate_id" not in one.roles:
        return {"topic": "outbox.event.{type}"}
    return {"topic": "outbox.event.{service}"}  # one for all: with a key, an aggregate's events stay in order


def _ordering(one: Candidate) -> dict[str, Any]:
    """What proves the order: a version that is unique in its aggregate, or a number that the database gives."""
    own = {one.roles.get("aggregate_id"), one.roles.get("version")}
    unique = any(index.unique and set(index.columns) == own and not index.predicate for index in one.table.indexes)
    if "version" in one.roles and unique:
        return {"ordering": {"sequence": one.roles["version"], "assigned_by": "application"}}
    return {"ordering": {"sequence": one.roles.get("sequence")}}


def _fed(one: Candidate) -> dict[str, Any]:
    """A table of this kit's that a trigger fills from the owner's, a row for each event."""
    preset = {"preset": one.known.name} if one.known else {}
    member = MEMBER.get(one.dialect)
    if preset or member is None:
        return {**preset, "fed_by": {"table": one.table.name, "each": one.many}}
    roles = chosen(one.evidence.element_members(one.many))
    dialect = dialects.named(one.dialect)
    example, row = dialect.literal("Example"), f"new.{dialect.ident(one.roles['id'])}" if "id" in one.roles else ""
    columns = {role: member(roles[role]) for role in ("aggregate_type", "aggregate_id", "type") if role in roles}
    whole = {"payload": "item"} if "payload" not in roles else {"payload": member(roles["payload"])}
    kind = {"type": example, "aggregate_type": example, "aggregate_id": row or example}
    return {
        "name": f"{one.table.name}_events",
        "fed_by": {"table": one.table.name, "each": one.many, "columns": kind | columns | whole},
    }


def _events(one: Candidate) -> Iterator[dict[str, str]]:
    """What the rows show, each type of each aggregate once."""
    if one.is_fed or "type" not in one.roles:
        return
    columns = [one.roles[role] for role in ("type", "aggregate_type") if role in one.roles]
    for kind, *aggregate in one.evidence.names(*columns)[:MOST_EVENTS]:
        if aggregate != [CANARY_AGGREGATE]:
            yield {"type": kind, "aggregate": aggregate[0] if aggregate else guessed(kind)}


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
    return one.table.rows > MANY_ROWS or any(of_publisher(one.table)) or bool(one.known and one.known.remark)
