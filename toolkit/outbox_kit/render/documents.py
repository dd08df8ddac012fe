"""The commands that create or remove an outbox where rows are documents, as values for script and driver.

Each command can be repeated. The collection's validator has the conditions of SQL's CHECKs. Pure.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from outbox_kit.databases.facts import Dialect
from outbox_kit.render.described import described
from outbox_kit.schema.columns import Column, payload_kind
from outbox_kit.schema.inbox_coherence import kept_days
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.wire.effective import router_columns

Command = Mapping[str, Any]

HOUR_SECONDS = 3600
LONGEST_SECONDS = 2**31 - 1  # the maximum of expireAfterSeconds
END = r"$(?!\n)"  # $ alone accepts a newline at the end
UUID = f"^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{END}"
TOPIC_SAFE = f"^[A-Za-z0-9._-]{{1,200}}{END}"
EXISTS, NO_INDEX, OTHER_OPTIONS, NO_COLLECTION, NO_ROLE, NO_USER, ROLE_EXISTS = 48, 27, 85, 26, 31, 11, 51002


@dataclass(frozen=True)
class CommandStep:
    """One command."""

    why: str
    database: str
    """The database in which it runs."""
    command: Command
    passes: tuple[int, ...] = ()
    """The server's error codes that are ignored: the object exists already, or does not exist."""


def up(outbox: Outbox, *readable: str) -> Iterator[CommandStep]:
    """Collection, validator, indexes and role, created or updated; the role alone for an existing collection.

    readable: as in `reader`.
    """
    if outbox.table.existing:
        yield from reader(outbox)
        return
    yield CommandStep(
        "The outbox collection, append-only: the connector publishes inserts only. Pre-images are not stored, because "
        "inserts have none.",
        outbox.names.database,
        {"create": outbox.table.name},
        (EXISTS,),
    )
    yield ruled(outbox, validator(outbox))
    yield from _indexes(outbox)
    yield from reader(outbox, *readable)


def ruled(outbox: Outbox, rules: Command) -> CommandStep:
    """The command that sets the collection's validator."""
    checked = {"validator": rules, "validationLevel": "strict", "validationAction": "error"}
    return CommandStep(
        "The validator rejects documents that the event router cannot process.",
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
        "The connector's role: it may read and watch the collection, and list the names of all collections of the "
        "database. It cannot write.",
        "admin",
        {"createRole": role, **rights},
        (ROLE_EXISTS,),
    )
    yield CommandStep("Update of an existing role.", "admin", {"updateRole": role, **rights})


def down(outbox: Outbox) -> Iterator[CommandStep]:
    """The commands that remove the objects of `up`, and the connector's user."""
    if not outbox.table.existing:
        yield dropped(outbox)
    yield from no_reader(outbox)


def dropped(outbox: Outbox) -> CommandStep:
    """The command that drops the collection."""
    dropped = {"drop": outbox.table.name}
    return CommandStep("Drops the collection with all events in it.", outbox.names.database, dropped, (NO_COLLECTION,))


def no_reader(outbox: Outbox) -> Iterator[CommandStep]:
    """The commands that drop the connector's user and role."""
    role = outbox.names.role
    yield CommandStep("Drops the connector's user and role.", "admin", {"dropUser": role}, (NO_USER,))
    yield CommandStep("", "admin", {"dropRole": role}, (NO_ROLE,))


def inbox(outbox: Outbox) -> Iterator[CommandStep]:
    """A consumer's inbox collection, its indexes and role."""
    derived = outbox.names
    database, table, role = derived.database, derived.inbox[-1], derived.inbox_role
    yield CommandStep(
        "The inbox: one document for each message that a consumer has processed.",
        database,
        {"create": table},
        (EXISTS,),
    )
    fields = {"consumer": {"bsonType": "string"}, "message_id": {"bsonType": "string", "pattern": UUID}}
    schema = {"bsonType": "object", "properties": fields | {"received_at": {"bsonType": "date"}}}
    schema["required"] = list(schema["properties"])
    rules = {"validator": {"$jsonSchema": schema}, "validationLevel": "strict", "validationAction": "error"}
    yield CommandStep("The validator requires the fields of the unique index.", database, {"collMod": table, **rules})
    once = {"key": {"consumer": 1, "message_id": 1}, "name": f"{table}_handled", "unique": True}
    yield CommandStep(
        "The unique index rejects a second insert of the same message, and so its transaction.",
        database,
        {"createIndexes": table, "indexes": [once]},
    )
    days = kept_days(outbox)
    yield from aging(
        database,
        table,
        _aging(table, "received_at", days * 24),
        f"The server deletes documents automatically after {days} days. A duplicate of a message can arrive while its "
        "row is in the outbox, and after that while its topic retains it, which is 7 days by default.",
    )
    rights = [{"resource": {"db": database, "collection": table}, "actions": ["find", "insert", "remove"]}]
    yield CommandStep(
        "The consumer's role: it may insert and delete documents of the inbox. Grant it to the consumer's user.",
        "admin",
        {"createRole": role, "privileges": rights, "roles": []},
        (ROLE_EXISTS,),
    )
    yield CommandStep("Update of an existing role.", "admin", {"updateRole": role, "privileges": rights, "roles": []})


def no_inbox(outbox: Outbox) -> Iterator[CommandStep]:
    """The commands that remove the objects of `inbox`."""
    derived = outbox.names
    yield CommandStep(
        "Drops the inbox: a duplicate of a message will be processed again.",
        derived.database,
        {"drop": derived.inbox[-1]},
        (NO_COLLECTION,),
    )
    yield CommandStep("", "admin", {"dropRole": derived.inbox_role}, (NO_ROLE,))


def lines(steps: Iterator[CommandStep]) -> str:
    """The steps in the format that the driver reads: one JSON document per line."""
    return "".join(json.dumps(asdict(step), ensure_ascii=False) + "\n" for step in steps)


def indexes(outbox: Outbox) -> dict[str, Command]:
    """The collection's indexes by name, without the one that the server creates."""
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
            "Unique index on the aggregate's version: of two writers with the same version only one can commit. "
            f"Shard a sharded collection by the first fields of this index, {c.aggregate_type} and {c.aggregate_id}.",
            database,
            {"createIndexes": table, "indexes": unique},
        )
    aged = f"{table}_{c.created_at}"
    if aged in definitions:
        age = outbox.table.kept_title
        why = f"The server deletes events automatically after {age}. The connector ignores these deletes."
        yield from aging(database, table, definitions[aged], why)
    else:
        why = f"Events do not expire by age: retention is {outbox.table.retention}."
        yield CommandStep(why, database, {"dropIndexes": table, "index": aged}, (NO_INDEX,))


def _aging(table: str, field: str, hours: int) -> dict[str, Any]:
    """An index with the time after which the server deletes documents."""
    return {
        "key": {field: 1},
        "name": f"{table}_{field}",
        "expireAfterSeconds": min(hours * HOUR_SECONDS, LONGEST_SECONDS),
    }


def aging(database: str, table: str, index: Command, why: str) -> Iterator[CommandStep]:
    """The commands that create an index after whose time documents expire, and change the time of an existing one."""
    yield CommandStep(why, database, {"createIndexes": table, "indexes": [index]}, (OTHER_OPTIONS,))
    changed = {name: index[name] for name in ("name", "expireAfterSeconds")}
    yield CommandStep("Update of an existing index.", database, {"collMod": table, "index": changed})


def validator(outbox: Outbox) -> Command:
    """The collection's validator: a JSON Schema in MongoDB's dialect, and the payload's size."""
    dialect, c = outbox.dialect, outbox.table.columns
    fields = {column.name: _field(outbox, dialect, column) for column in described(outbox)}
    unread = {extra.name for extra in outbox.table.extra if not extra.required} - router_columns(outbox).all
    schema = {
        "bsonType": "object",
        "description": "no other fields: the event router fails at a document with a field that it cannot read",
        # nullable fields too: the router accepts a null, and fails at a missing field
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
        kinds.append("int")  # drivers store a small number as int
    if column.kind == "uuid":
        rules["pattern"] = UUID
    if column.name == read.route and column.name not in (c.aggregate_type, c.type):
        rules["pattern"] = TOPIC_SAFE  # the task fails at an invalid topic name
    if column.name == read.key and column.kind == "text":
        rules["minLength"] = 1  # all events with an empty key would go to one partition
    if column.name == read.partition:
        rules |= {"minimum": 0, "maximum": outbox.connect.topics.partitions - 1}
    if not column.required:
        kinds.append("null")
    return {"bsonType": kinds if len(kinds) > 1 else kinds[0], **rules, "description": column.why}


def _across(outbox: Outbox) -> Iterator[Command]:
    """The conditions across several fields."""
    c = outbox.table.columns
    types: dict[str, list[str]] = {CANARY_AGGREGATE: [CANARY_TYPE]}
    for event in outbox.events:
        types.setdefault(event.aggregate, []).append(event.type)
    declared = [
        {"properties": {c.aggregate_type: {"enum": [aggregate]}, c.type: {"enum": sorted(of_aggregate)}}}
        for aggregate, of_aggregate in sorted(types.items())
    ]
    yield {
        "description": "the event must be declared: a misspelt event would be published to a topic without consumers",
        "anyOf": declared,
    }
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        tombstone_types, null = {"enum": tombstones}, {"bsonType": "null"}
        yield {
            "description": "an event without a payload must be declared as a tombstone, and a tombstone has none",
            "oneOf": [
                {"properties": {c.type: tombstone_types, c.payload: null}},
                {"properties": {c.type: {"not": tombstone_types}, c.payload: {"not": null}}},
            ],
        }


def _fits(outbox: Outbox) -> Command:
    """The payload's size: a message that the broker rejects as too large stops the connector.

    A payload of another type is accepted here: its size cannot be computed, which would be an error.
    """
    payload, limit = f"${outbox.table.columns.payload}", outbox.table.max_payload_bytes
    kind = outbox.dialect.types[payload_kind(outbox)]
    size = {"$bsonSize" if outbox.table.payload == "json" else "$binarySize": payload}
    within = {"$and": [{"$gte": [size, 1]}, {"$lte": [size, limit]}]}
    return {"$cond": [{"$eq": [{"$type": payload}, kind]}, within, True]}
