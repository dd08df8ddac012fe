"""The catalogue of MongoDB, and a look at a collection's documents: see `databases.catalogue`.

A collection says little of its documents: which fields they have is learnt from the newest, and from a validator.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from outbox_kit.databases.catalogue import (
    CUT,
    EITHER,
    TABLE,
    Catalogue,
    CatalogueColumn,
    CatalogueTable,
    Index,
    RowSample,
)
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mongodb.ledger import GRACE_SECONDS
from outbox_kit.databases.mongodb.session import address, driver, endpoint, session
from outbox_kit.errors import UsageProblem

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
    """See `CatalogueReader`."""
    name = _database(dsn)
    with session(dsn) as client:
        version = client["admin"].command({"buildInfo": 1})["version"]
        replica_set = client["admin"].command({"hello": 1}).get("setName")
        listed = sorted(client[name].list_collections(), key=lambda collection: collection["name"])
        collections = [collection for collection in listed if not collection["name"].startswith("system.")]
        tables = tuple(_table(client[name], collection) for collection in collections)
    return Catalogue(MONGODB.name, version, name, tables, replica_set=replica_set)


def sample(dsn: str, table: CatalogueTable, newest: str | None, *, rows: int, seconds: float) -> RowSample:
    """See `CatalogueReader`."""
    if not rows:
        return RowSample()  # to the server, a limit of 0 is none
    order = [(newest, -1)] if newest else NEWEST
    with session(dsn, seconds=seconds + GRACE_SECONDS) as client:
        documents = client[table.schema][table.name].find(
            sort=order, limit=rows, max_time_ms=max(1, round(seconds * 1000))
        )
        return RowSample(
            tuple({name: _sample_value(value) for name, value in document.items()} for document in documents)
        )


def _database(dsn: str) -> str:
    address(dsn)
    if (name := endpoint(dsn).database) is None:
        raise UsageProblem("the address names no database", fix="write it as mongodb://user@host:27017/database")
    return name


def _table(database: Any, collection: Mapping[str, Any]) -> CatalogueTable:
    """A collection as the server lists it, and what of it the user may see."""
    name, options = collection["name"], collection.get("options", {})
    kind = "capped collection" if options.get("capped") else collection.get("type", "collection")
    rows, documents, indexes = 0, list[dict[str, str]](), list[Mapping[str, Any]]([ITS_OWN])
    if kind in KINDS:
        try:
            rows = database[name].estimated_document_count()
            newest = database[name].find(projection={"_id": 0, "fields": FIELDS}, sort=NEWEST, limit=DOCUMENTS)
            documents = [{field["name"]: field["type"] for field in document["fields"]} for document in newest]
            indexes = list(database[name].list_indexes())
        except driver().errors.OperationFailure as cause:
            if cause.code != UNAUTHORIZED:
                raise
    rules = options.get("validator", {}).get("$jsonSchema", {})
    return CatalogueTable(
        schema=database.name,
        name=name,
        columns=tuple(_columns(documents, rules)),
        kind=KINDS.get(kind, kind),
        indexes=tuple(_indexes(indexes)),
        rows=rows,
    )


def _columns(documents: Sequence[Mapping[str, str]], rules: Mapping[str, Any]) -> Iterator[CatalogueColumn]:
    """The fields that documents have, and those that a validator names. Each may be missing where it has been seen to
    be, or where the validator lets it."""
    ruled, required = rules.get("properties", {}), rules.get("required", ())
    for name in dict.fromkeys([*(name for document in documents for name in document), *ruled]):
        seen = {document.get(name, "null") for document in documents}
        allowed = _allowed(ruled.get(name, {}))
        types = seen - {"null"} or allowed - {"null"}
        spared = name in ruled and (name not in required or "null" in allowed)
        kind = "long" if types == WHOLE else EITHER.join(sorted(types)) or "null"
        yield CatalogueColumn(name, kind, nullable="null" in seen or spared)


def _allowed(rule: Mapping[str, Any]) -> set[str]:
    """The types that a validator lets a field have."""
    types = rule.get("bsonType", ())
    return {types} if isinstance(types, str) else set(types)


def _indexes(listed: Sequence[Mapping[str, Any]]) -> Iterator[Index]:
    for index in listed:
        fields = tuple(index["key"])
        if all(way in (1, -1) for way in index["key"].values()):
            partial = index.get("partialFilterExpression") or index.get("sparse") or ""
            primary = fields == ("_id",)
            yield Index(fields, primary or index.get("unique", False), primary, str(partial))


def _sample_value(value: Any) -> str | bytes | None:
    """A value as a sample has it: bytes, or text, which is JSON of a document and of an array."""
    import bson.json_util

    if value is None or isinstance(value, bytes):
        return None if value is None else bytes(value[:CUT])
    if isinstance(value, Mapping | list):
        return bson.json_util.dumps(value)[:CUT]
    return (value.isoformat() if isinstance(value, datetime) else str(value))[:CUT]
