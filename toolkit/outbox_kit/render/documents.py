"""The commands that make an outbox where rows are documents, and those that remove it: values, for script and driver.

Each can be repeated. What SQL's CHECKs say of a row, the collection's validator says of a document. Pure.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from outbox_kit.databases.facts import Dialect
from outbox_kit.render.described import described
from outbox_kit.schema.columns import Column, payload_kind
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.wire.effective import router_columns

Command = Mapping[str, Any]

HOUR_SECONDS = 3600
LONGEST_SECONDS = 2**31 - 1  # that an index waits
END = r"$(?!\n)"  # alone, $ would let a last newline pass
UUID = f"^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{END}"
TOPIC_SAFE = f"^[A-Za-z0-9._-]{{1,200}}{END}"
EXISTS, NO_INDEX, OTHER_OPTIONS, NO_COLLECTION, NO_ROLE, NO_USER, ROLE_EXISTS = 48, 27, 85, 26, 31, 11, 51002


@dataclass(frozen=True)
class CommandStep:
    """One command."""

    why: str
    database: str
    """Where it runs."""
    command: Command
    passes: tuple[int, ...] = ()
    """The server's error codes that are well: it is there, or gone."""


def up(outbox: Outbox, *readable: str) -> Iterator[CommandStep]:
    """Collection, validator, indexes and role; brings an older one up to date. Of an owner's collection the role alone.

    readable: as in `reader`.
    """
    if outbox.table.existing:
        yield from reader(outbox)
        return
    yield CommandStep(
        "The outbox. Append only: the connector publishes inserts and nothing else. No images of what was before are "
        "kept: an insert has none.",
        outbox.names.database,
        {"create": outbox.table.name},
        (EXISTS,),
    )
    yield ruled(outbox, validator(outbox))
    yield from _indexes(outbox)
    yield from reader(outbox, *readable)


def ruled(outbox: Outbox, rules: Command) -> CommandStep:
    """What the collection's documents must look like."""
    checked = {"validator": rules, "validationLevel": "strict", "validationAction": "error"}
    return CommandStep(
        "What an event must look like: anything else would stop the router.",
        outbox.names.database,
        {"collMod": outbox.table.name, **checked},
    )


def reader(outbox: Outbox, *readable: str) -> Iterator[CommandStep]:
    """The connector's role. readable: the collections that it may read; the outbox alone if none are given."""
    database, role = outbox.names.database, outbox.names.role
    resources = ({"db": database, "collection": table} for table in readable or (outbox.table.name,))
    reads = [{"resource": resource, "actions": ["find", "changeStream"]} for resource in resources]
    lists = {"resource": {"db": database, "collection": ""}, "actions": ["listCollections"]}
    rights = {"privileges": [*reads, lists], "roles": []}
    yield CommandStep(
        "The connector's rights: it may read this collection and watch it, and see what other ones are called; it may "
        "not write. The server lists it the databases that it has a right in.",
        "admin",
        {"createRole": role, **rights},
        (ROLE_EXISTS,),
    )
    yield CommandStep("The same for a role that was there.", "admin", {"updateRole": role, **rights})


def down(outbox: Outbox) -> Iterator[CommandStep]:
    """What removes all that `up` made, and the connector's user."""
    if not outbox.table.existing:
        yield dropped(outbox)
    yield from no_reader(outbox)


def dropped(outbox: Outbox) -> CommandStep:
    """What removes the collection."""
    dropped = {"drop": outbox.table.name}
    return CommandStep("All events still in it go with it.", outbox.names.database, dropped, (NO_COLLECTION,))


def no_reader(outbox: Outbox) -> Iterator[CommandStep]:
    """What removes the connector's user and role."""
    role = outbox.names.role
    yield CommandStep("The connector's user, and its role.", "admin", {"dropUser": role}, (NO_USER,))
    yield CommandStep("", "admin", {"dropRole": role}, (NO_ROLE,))


def inbox(outbox: Outbox) -> Iterator[CommandStep]:
    """A consumer's collection of what it has handled, its indexes and role."""
    derived = outbox.names
    database, table, role = derived.database, derived.inbox[-1], derived.inbox_role
    yield CommandStep(
        "A message that is in it has been handled, once for each consumer.", database, {"create": table}, (EXISTS,)
    )
    fields = {"consumer": {"bsonType": "string"}, "message_id": {"bsonType": "string", "pattern": UUID}}
    schema = {"bsonType": "object", "properties": fields | {"received_at": {"bsonType": "date"}}}
    schema["required"] = list(schema["properties"])
    rules = {"validator": {"$jsonSchema": schema}, "validationLevel": "strict", "validationAction": "error"}
    yield CommandStep("A row that lacks one of these would not be found again.", database, {"collMod": table, **rules})
    once = {"key": {"consumer": 1, "message_id": 1}, "name": f"{table}_handled", "unique": True}
    yield CommandStep(
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
    yield CommandStep(
        "What a consumer may: remember a message, and forget it. Grant the role to the consumer's user.",
        "admin",
        {"createRole": role, "privileges": rights, "roles": []},
        (ROLE_EXISTS,),
    )
    yield CommandStep(
        "The same for a role that was there.", "admin", {"updateRole": role, "privileges": rights, "roles": []}
    )


def no_inbox(outbox: Outbox) -> Iterator[CommandStep]:
    """What removes all that `inbox` made."""
    derived = outbox.names
    yield CommandStep(
        "What comes again will be handled again.", derived.database, {"drop": derived.inbox[-1]}, (NO_COLLECTION,)
    )
    yield CommandStep("", "admin", {"dropRole": derived.inbox_role}, (NO_ROLE,))


def lines(steps: Iterator[CommandStep]) -> str:
    """The steps as a driver takes them: JSON, one a line."""
    return "".join(json.dumps(asdict(step), ensure_ascii=False) + "\n" for step in steps)


def indexes(outbox: Outbox) -> dict[str, Command]:
    """The collection's indexes beside the server's own, by name."""
    table, c = outbox.table.name, outbox.table.columns
    definitions: list[dict[str, Any]] = []
    if c.id != "_id":
        definitions.append({"key": {c.id: 1}, "name": f"{table}_id", "unique": True})
    if outbox.ordering.sequence:
        version = {c.aggregate_type: 1, c.aggregate_id: 1, outbox.ordering.sequence: 1}
        definitions.append({"key": version, "name": f"{table}_version", "unique": True})
    if outbox.table.retention == "delete":
        definitions.append(_aging(table, str(c.created_at), outbox.table.kept_hours))
    return {index["name"]: index for index in definitions}


def _indexes(outbox: Outbox) -> Iterator[CommandStep]:
    table, c, database = outbox.table.name, outbox.table.columns, outbox.names.database
    definitions = indexes(outbox)
    unique = [index for index in definitions.values() if "unique" in index]
    if unique:
        yield CommandStep(
            "One version of an aggregate is one event: two writers with the same version cannot both commit. A sharded "
            f"collection is sharded by this index's beginning, {c.aggregate_type} and {c.aggregate_id}.",
            database,
            {"createIndexes": table, "indexes": unique},
        )
    aged = f"{table}_{c.created_at}"
    if aged in definitions:
        age = outbox.table.kept_title
        why = f"The server takes events away by itself, {age} old; the connector passes over that."
        yield from aging(database, table, definitions[aged], why)
    else:
        why = f"Nothing goes by its age: retention is {outbox.table.retention}."
        yield CommandStep(why, database, {"dropIndexes": table, "index": aged}, (NO_INDEX,))


def _aging(table: str, field: str, hours: int) -> dict[str, Any]:
    """An index by whose field the server takes documents away."""
    return {
        "key": {field: 1},
        "name": f"{table}_{field}",
        "expireAfterSeconds": min(hours * HOUR_SECONDS, LONGEST_SECONDS),
    }


def aging(database: str, table: str, index: Command, why: str) -> Iterator[CommandStep]:
    """What makes an index by which documents go, or has one that is there take them away at another age."""
    yield CommandStep(why, database, {"createIndexes": table, "indexes": [index]}, (OTHER_OPTIONS,))
    changed = {name: index[name] for name in ("name", "expireAfterSeconds")}
    yield CommandStep("The same for an index that was there.", database, {"collMod": table, "index": changed})


def validator(outbox: Outbox) -> Command:
    """The collection's rules: JSON Schema in MongoDB's words, and the payload's size."""
    dialect, c = outbox.dialect, outbox.table.columns
    fields = {column.name: _field(outbox, dialect, column) for column in described(outbox)}
    unread = {extra.name for extra in outbox.table.extra if not extra.required} - router_columns(outbox).all
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
    c, read, rules = outbox.table.columns, router_columns(outbox), dict[str, Any]()
    kinds = [dialect.types[column.kind]]
    if column.kind == "bigint":
        kinds.append("int")  # drivers write a small number as one
    if column.kind == "uuid":
        rules["pattern"] = UUID
    if column.name == read.route and column.name not in (c.aggregate_type, c.type):
        rules["pattern"] = TOPIC_SAFE  # the task dies of a bad one
    if column.name == read.key and column.kind == "text":
        rules["minLength"] = 1  # all events with an empty key share one partition and one order
    if column.name == read.partition:
        rules |= {"minimum": 0, "maximum": outbox.connect.topics.partitions - 1}
    if not column.required:
        kinds.append("null")
    return {"bsonType": kinds if len(kinds) > 1 else kinds[0], **rules, "description": column.why}


def _across(outbox: Outbox) -> Iterator[Command]:
    """What holds across fields."""
    c = outbox.table.columns
    types: dict[str, list[str]] = {CANARY_AGGREGATE: [CANARY_TYPE]}
    for event in outbox.events:
        types.setdefault(event.aggregate, []).append(event.type)
    declared = [
        {"properties": {c.aggregate_type: {"enum": [aggregate]}, c.type: {"enum": sorted(of_aggregate)}}}
        for aggregate, of_aggregate in sorted(types.items())
    ]
    yield {"description": "a misspelt event would go to a topic that nobody reads", "anyOf": declared}
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        tombstone_types, null = {"enum": tombstones}, {"bsonType": "null"}
        yield {
            "description": "only the events declared as tombstones have no payload",
            "oneOf": [
                {"properties": {c.type: tombstone_types, c.payload: null}},
                {"properties": {c.type: {"not": tombstone_types}, c.payload: {"not": null}}},
            ],
        }


def _fits(outbox: Outbox) -> Command:
    """A message that the broker refuses as too large stops the connector; an empty one says nothing.

    Of another kind of payload nothing is asked: its size would be an error, also beside rules that let it pass.
    """
    payload, limit = f"${outbox.table.columns.payload}", outbox.table.max_payload_bytes
    kind = outbox.dialect.types[payload_kind(outbox)]
    size = {"$bsonSize" if outbox.table.payload == "json" else "$binarySize": payload}
    within = {"$and": [{"$gte": [size, 1]}, {"$lte": [size, limit]}]}
    return {"$cond": [{"$eq": [{"$type": payload}, kind]}, within, True]}
