"""The catalogue of MongoDB, and a look at a collection's documents: see `source.catalogue`.

A collection says little of its documents: which fields they have is learnt from the newest, and from a validator.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from outbox_kit.dialects.mongodb import MONGODB
from outbox_kit.errors import UsageProblem
from outbox_kit.source.catalogue import CUT, EITHER, TABLE, Catalogue, Column, Index, Sample, Table
from outbox_kit.source.mongodb.ledger import GRACE_SECONDS
from outbox_kit.source.mongodb.session import address, driver, server, session

DOCUMENTS = 50  # of each collection
UNAUTHORIZED = 13
KINDS = {"collection": TABLE}
# the server names a document's fields and their types; what they hold stays where it is
FIELDS = {
    "$map": {"input": {"$objectToArray": "$$ROOT"}, "in": {"name": "$$this.k", "type": {"$type": "$$this.v"}}},
}
ITS_OWN = {"key": {"_id": 1}}  # an index that every collection has
NEWEST = [("$natural", -1)]
WHOLE = {"int", "long"}  # a driver writes a small number as the one, and a large one as the other


def read(dsn: str) -> Catalogue:
    """See `Reader`."""
    name = _database(dsn)
    with session(dsn) as client:
        version = client["admin"].command({"buildInfo": 1})["version"]
        replica_set = client["admin"].command({"hello": 1}).get("setName")
        listed = sorted(client[name].list_collections(), key=lambda found: found["name"])
        own = [found for found in listed if not found["name"].startswith("system.")]
        tables = tuple(_table(client[name], found) for found in own)
    return Catalogue(MONGODB.name, version, name, tables, replica_set=replica_set)


def sample(dsn: str, table: Table, newest: str | None, *, rows: int, seconds: float) -> Sample:
    """See `Reader`."""
    if not rows:
        return Sample()  # to the server, a limit of 0 is none
    order = [(newest, -1)] if newest else NEWEST
    with session(dsn, seconds=seconds + GRACE_SECONDS) as client:
        asked = client[table.schema][table.name].find(sort=order, limit=rows, max_time_ms=max(1, round(seconds * 1000)))
        return Sample(tuple({name: _shown(value) for name, value in document.items()} for document in asked))


def _database(dsn: str) -> str:
    address(dsn)
    if (name := server(dsn)[2]) is None:
        raise UsageProblem("the address names no database", fix="write it as mongodb://user@host:27017/database")
    return name


def _table(database: Any, found: Mapping[str, Any]) -> Table:
    """A collection as the server lists it, and what of it the user may see."""
    name, options = found["name"], found.get("options", {})
    kind = "capped collection" if options.get("capped") else found.get("type", "collection")
    rows, documents, indexes = 0, list[dict[str, str]](), list[Mapping[str, Any]]([ITS_OWN])
    if kind in KINDS:
        try:
            rows = database[name].estimated_document_count()
            asked = database[name].find(projection={"_id": 0, "fields": FIELDS}, sort=NEWEST, limit=DOCUMENTS)
            documents = [{field["name"]: field["type"] for field in document["fields"]} for document in asked]
            indexes = list(database[name].list_indexes())
        except driver().errors.OperationFailure as cause:
            if cause.code != UNAUTHORIZED:
                raise
    rules = options.get("validator", {}).get("$jsonSchema", {})
    return Table(
        schema=database.name,
        name=name,
        columns=tuple(_columns(documents, rules)),
        kind=KINDS.get(kind, kind),
        indexes=tuple(_indexes(indexes)),
        rows=rows,
    )


def _columns(documents: Sequence[Mapping[str, str]], rules: Mapping[str, Any]) -> Iterator[Column]:
    """The fields that documents have, and those that a validator names. Each may be missing where it has been seen to
    be, or where the validator lets it."""
    ruled, required = rules.get("properties", {}), rules.get("required", ())
    for name in dict.fromkeys([*(name for document in documents for name in document), *ruled]):
        seen = {document.get(name, "null") for document in documents}
        allowed = _allowed(ruled.get(name, {}))
        types = seen - {"null"} or allowed - {"null"}
        spared = name in ruled and (name not in required or "null" in allowed)
        kind = "long" if types == WHOLE else EITHER.join(sorted(types)) or "null"
        yield Column(name, kind, nullable="null" in seen or spared)


def _allowed(rule: Mapping[str, Any]) -> set[str]:
    """The types that a validator lets a field have."""
    said = rule.get("bsonType", ())
    return {said} if isinstance(said, str) else set(said)


def _indexes(listed: Sequence[Mapping[str, Any]]) -> Iterator[Index]:
    for index in listed:
        fields = tuple(index["key"])
        if all(way in (1, -1) for way in index["key"].values()):
            partial = index.get("partialFilterExpression") or index.get("sparse") or ""
            primary = fields == ("_id",)
            yield Index(fields, primary or index.get("unique", False), primary, str(partial))


def _shown(value: Any) -> str | bytes | None:
    """A value as a sample has it: bytes, or text, which is JSON of a document and of an array."""
    import bson.json_util

    if value is None or isinstance(value, bytes):
        return None if value is None else bytes(value[:CUT])
    if isinstance(value, Mapping | list):
        return bson.json_util.dumps(value)[:CUT]
    return (value.isoformat() if isinstance(value, datetime) else str(value))[:CUT]
