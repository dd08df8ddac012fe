"""The commands that make an outbox where rows are documents, and those that remove it: values, for script and driver.

Each can be repeated. What SQL's CHECKs say of a row, the collection's validator says of a document. Pure.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from outbox_kit import dialects
from outbox_kit.dialects.base import Dialect
from outbox_kit.schema.columns import Column, columns, payload_kind
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE

Command = Mapping[str, Any]

HOUR_SECONDS = 3600
LONGEST_SECONDS = 2**31 - 1  # that an index waits
END = r"$(?!\n)"  # alone, $ would let a last newline pass
UUID = f"^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{END}"
TOPIC_SAFE = f"^[A-Za-z0-9._-]{{1,200}}{END}"
EXISTS, NO_INDEX, OTHER_OPTIONS, NO_COLLECTION, NO_ROLE, NO_USER, ROLE_EXISTS = 48, 27, 85, 26, 31, 11, 51002


@dataclass(frozen=True)
class Step:
    """One command. database: where it runs. passes: the server's error codes that are well: it is there, or gone."""

    why: str
    database: str
    command: Command
    passes: tuple[int, ...] = ()


def up(outbox: Outbox, *readable: str) -> Iterator[Step]:
    """Collection, validator, indexes and role; brings an older one up to date. Of an owner's collection the role alone.

    readable: as in `reader`.
    """
    if outbox.table.existing:
        yield from reader(outbox)
        return
    yield Step(
        "The outbox. Append only: the connector publishes inserts and nothing else. No images of what was before are "
        "kept: an insert has none.",
        names(outbox).database,
        {"create": outbox.table.name},
        (EXISTS,),
    )
    yield ruled(outbox, validator(outbox))
    yield from _indexes(outbox)
    yield from reader(outbox, *readable)


def ruled(outbox: Outbox, rules: Command) -> Step:
    """What the collection's documents must look like."""
    checked = {"validator": rules, "validationLevel": "strict", "validationAction": "error"}
    return Step(
        "What an event must look like: anything else would stop the router.",
        names(outbox).database,
        {"collMod": outbox.table.name, **checked},
    )


def reader(outbox: Outbox, *readable: str) -> Iterator[Step]:
    """The connector's role. readable: the collections that it may read; the outbox alone if none are given."""
    database, role = names(outbox).database, names(outbox).role
    every = ({"db": database, "collection": table} for table in readable or (outbox.table.name,))
    reads = [{"resource": resource, "actions": ["find", "changeStream"]} for resource in every]
    lists = {"resource": {"db": database, "collection": ""}, "actions": ["listCollections"]}
    rights = {"privileges": [*reads, lists], "roles": []}
    yield Step(
        "The connector's rights: it may read this collection and watch it, and see what other ones are called; it may "
        "not write. The server lists it the databases that it has a right in.",
        "admin",
        {"createRole": role, **rights},
        (ROLE_EXISTS,),
    )
    yield Step("The same for a role that was there.", "admin", {"updateRole": role, **rights})


def down(outbox: Outbox) -> Iterator[Step]:
    """What removes all that `up` made, and the connector's user."""
    if not outbox.table.existing:
        yield gone(outbox)
    yield from no_reader(outbox)


def gone(outbox: Outbox) -> Step:
    """What removes the collection."""
    dropped = {"drop": outbox.table.name}
    return Step("All events still in it go with it.", names(outbox).database, dropped, (NO_COLLECTION,))


def no_reader(outbox: Outbox) -> Iterator[Step]:
    """What removes the connector's user and role."""
    role = names(outbox).role
    yield Step("The connector's user, and its role.", "admin", {"dropUser": role}, (NO_USER,))
    yield Step("", "admin", {"dropRole": role}, (NO_ROLE,))


def inbox(outbox: Outbox) -> Iterator[Step]:
    """A consumer's collection of what it has handled, its indexes and role."""
    derived = names(outbox)
    database, table, role = derived.database, derived.inbox[-1], derived.inbox_role
    yield Step(
        "A message that is in it has been handled, once for each consumer.", database, {"create": table}, (EXISTS,)
    )
    fields = {"consumer": {"bsonType": "string"}, "message_id": {"bsonType": "string", "pattern": UUID}}
    schema = {"bsonType": "object", "properties": fields | {"received_at": {"bsonType": "date"}}}
    schema["required"] = list(schema["properties"])
    rules = {"validator": {"$jsonSchema": schema}, "validationLevel": "strict", "validationAction": "error"}
    yield Step("A row that lacks one of these would not be found again.", database, {"collMod": table, **rules})
    once = {"key": {"consumer": 1, "message_id": 1}, "name": f"{table}_handled", "unique": True}
    yield Step(
        "The second of two inserts is refused, and its transaction with it: the message was handled.",
        database,
        {"createIndexes": table, "indexes": [once]},
    )
    days = outbox.table.kept_days + 7
    yield from aging(
        database,
        table,
        _aging(table, "received_at", days * 24),
        f"The server takes them away by itself, {days} days old. A message can come again for as long as its row is in "
        "the outbox, and then as long as its topic keeps it, a week unless told otherwise.",
    )
    rights = [{"resource": {"db": database, "collection": table}, "actions": ["find", "insert", "remove"]}]
    yield Step(
        "What a consumer may: remember a message, and forget it. Grant the role to the consumer's user.",
        "admin",
        {"createRole": role, "privileges": rights, "roles": []},
        (ROLE_EXISTS,),
    )
    yield Step("The same for a role that was there.", "admin", {"updateRole": role, "privileges": rights, "roles": []})


def no_inbox(outbox: Outbox) -> Iterator[Step]:
    """What removes all that `inbox` made."""
    derived = names(outbox)
    yield Step(
        "What comes again will be handled again.", derived.database, {"drop": derived.inbox[-1]}, (NO_COLLECTION,)
    )
    yield Step("", "admin", {"dropRole": derived.inbox_role}, (NO_ROLE,))


def lines(steps: Iterator[Step]) -> str:
    """The steps as a driver takes them: JSON, one a line."""
    return "".join(json.dumps(asdict(step), ensure_ascii=False) + "\n" for step in steps)


def indexes(outbox: Outbox) -> dict[str, Command]:
    """The collection's indexes beside the server's own, by name."""
    table, c = outbox.table.name, outbox.table.columns
    made: list[dict[str, Any]] = []
    if c.id != "_id":
        made.append({"key": {c.id: 1}, "name": f"{table}_id", "unique": True})
    if outbox.ordering.sequence:
        version = {c.aggregate_type: 1, c.aggregate_id: 1, outbox.ordering.sequence: 1}
        made.append({"key": version, "name": f"{table}_version", "unique": True})
    if outbox.table.retention == "delete":
        made.append(_aging(table, str(c.created_at), outbox.table.kept_hours))
    return {index["name"]: index for index in made}


def _indexes(outbox: Outbox) -> Iterator[Step]:
    table, c, database = outbox.table.name, outbox.table.columns, names(outbox).database
    every = indexes(outbox)
    made = [index for index in every.values() if "unique" in index]
    if made:
        yield Step(
            "One version of an aggregate is one event: two writers with the same version cannot both commit. A sharded "
            f"collection is sharded by this index's beginning, {c.aggregate_type} and {c.aggregate_id}.",
            database,
            {"createIndexes": table, "indexes": made},
        )
    aged = f"{table}_{c.created_at}"
    if aged in every:
        age = outbox.table.kept_title
        why = f"The server takes events away by itself, {age} old; the connector passes over that."
        yield from aging(database, table, every[aged], why)
    else:
        why = f"Nothing goes by its age: retention is {outbox.table.retention}."
        yield Step(why, database, {"dropIndexes": table, "index": aged}, (NO_INDEX,))


def _aging(table: str, field: str, hours: int) -> dict[str, Any]:
    """An index by whose field the server takes documents away."""
    return {
        "key": {field: 1},
        "name": f"{table}_{field}",
        "expireAfterSeconds": min(hours * HOUR_SECONDS, LONGEST_SECONDS),
    }


def aging(database: str, table: str, index: Command, why: str) -> Iterator[Step]:
    """What makes an index by which documents go, or has one that is there take them away at another age."""
    yield Step(why, database, {"createIndexes": table, "indexes": [index]}, (OTHER_OPTIONS,))
    changed = {name: index[name] for name in ("name", "expireAfterSeconds")}
    yield Step("The same for an index that was there.", database, {"collMod": table, "index": changed})


def validator(outbox: Outbox) -> Command:
    """The collection's rules: JSON Schema in MongoDB's words, and the payload's size."""
    dialect, c = dialects.named(outbox.database.dialect), outbox.table.columns
    fields = {column.name: _field(outbox, dialect, column) for column in columns(outbox)}
    unread = {extra.name for extra in outbox.table.extra if not (extra.required or extra.to)}
    schema = {
        "bsonType": "object",
        "description": "no other fields: the router reads all of a document, and one that it cannot read stops it",
        # also those that may be null: the router takes a null, and dies of a field that is not there
        "required": [name for name in fields if name not in unread],
        "additionalProperties": False,
        "properties": fields if c.id == "_id" else {"_id": {}, **fields},
        "allOf": list(_across(outbox)),
    }
    return {"$jsonSchema": schema, "$expr": _fits(outbox)}


def _field(outbox: Outbox, dialect: Dialect, column: Column) -> Command:
    c, own = outbox.table.columns, dict[str, Any]()
    kinds = [dialect.types[column.kind]]
    if column.kind == "bigint":
        kinds.append("int")  # drivers write a small number as one
    if column.kind == "uuid":
        own["pattern"] = UUID
    if column.name == outbox.route_column and column.name not in (c.aggregate_type, c.type):
        own["pattern"] = TOPIC_SAFE  # the task dies of a bad one
    if column.name == outbox.key_column and column.kind == "text":
        own["minLength"] = 1  # all events with an empty key share one partition and one order
    if any(extra.name == column.name and extra.to == "partition" for extra in outbox.table.extra):
        own |= {"minimum": 0, "maximum": outbox.connect.topics.partitions - 1}
    if not column.required:
        kinds.append("null")
    return {"bsonType": kinds if len(kinds) > 1 else kinds[0], **own, "description": column.why}


def _across(outbox: Outbox) -> Iterator[Command]:
    """What holds across fields."""
    c = outbox.table.columns
    types: dict[str, list[str]] = {CANARY_AGGREGATE: [CANARY_TYPE]}
    for event in outbox.events:
        types.setdefault(event.aggregate, []).append(event.type)
    declared = [
        {"properties": {c.aggregate_type: {"enum": [aggregate]}, c.type: {"enum": sorted(found)}}}
        for aggregate, found in sorted(types.items())
    ]
    yield {"description": "a misspelt event would go to a topic that nobody reads", "anyOf": declared}
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        gone, null = {"enum": tombstones}, {"bsonType": "null"}
        yield {
            "description": "only the events declared as tombstones have no payload",
            "oneOf": [
                {"properties": {c.type: gone, c.payload: null}},
                {"properties": {c.type: {"not": gone}, c.payload: {"not": null}}},
            ],
        }


def _fits(outbox: Outbox) -> Command:
    """A message that the broker refuses as too large stops the connector; an empty one says nothing.

    Of another kind of payload nothing is asked: its size would be an error, also beside rules that let it pass.
    """
    payload, most = f"${outbox.table.columns.payload}", outbox.table.max_payload_bytes
    kind = dialects.named(outbox.database.dialect).types[payload_kind(outbox)]
    size = {"$bsonSize" if outbox.table.payload == "json" else "$binarySize": payload}
    within = {"$and": [{"$gte": [size, 1]}, {"$lte": [size, most]}]}
    return {"$cond": [{"$eq": [{"$type": payload}, kind]}, within, True]}
