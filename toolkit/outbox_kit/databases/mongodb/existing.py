"""A collection that is its owner's: whether its newest documents have the fields, of types that the router can take."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from outbox_kit.databases.mongodb.session import Session
from outbox_kit.errors import TableDiffers
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.nearest import nearest
from outbox_kit.wire.effective import router_columns

SAMPLE = 50  # documents
ALIKE = {"text": {"string", "objectId"}, "bigint": {"long", "int"}}  # what the router sends alike, by kind
TYPES = {"Int64": "long", "bool": "bool", "int": "int", "float": "double", "str": "string", "ObjectId": "objectId"}
TYPES |= {"bytes": "binData", "Binary": "binData", "UUID": "binData", "list": "array", "NoneType": "null"}


def expect(client: Session, outbox: Outbox, collection: Mapping[str, Any] | None) -> None:
    """Raises TableDiffers. collection: as the server lists it; None where there is none."""
    derived, table = outbox.names, outbox.table.name
    if collection is None:
        raise TableDiffers(
            f"there is no collection '{derived.database}.{table}'; nothing was changed",
            why="it is its owner's to make (table.existing)",
            fix="let its owner make it first, or say in table.name and database.name what it is called",
        )
    command = {"find": table, "sort": {"$natural": -1}, "limit": SAMPLE, "batchSize": SAMPLE, "singleBatch": True}
    documents = client[derived.database].command(command)["cursor"]["firstBatch"]
    if details := list(_amiss(outbox, documents)):
        raise TableDiffers(
            f"the collection '{derived.database}.{table}' is not what the schema file says; nothing was changed",
            why="the router reads every document, and stops at one that lacks a field it is told to read",
            fix="say in table.columns, table.extra, table.ids and table.payload what its documents really have",
            details=details,
        )


def _amiss(outbox: Outbox, documents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    seen = list(dict.fromkeys(name for document in documents for name in document))
    unread = {extra.name for extra in outbox.table.extra if not extra.required} - router_columns(outbox).all
    for column in columns(outbox) if documents else ():
        without = sum(column.name not in document for document in documents)
        if without and column.name not in unread:
            suggestion = nearest(column.name, seen) if without == len(documents) else ""
            yield f"  '{column.name}' is missing in {without} of the newest {len(documents)} documents{suggestion}"
        types = dict.fromkeys(type_of(document[column.name]) for document in documents if column.name in document)
        expected = _taken(outbox, column)
        if odd := [kind for kind in types if kind not in expected]:
            yield f"  '{column.name}' is {' and '.join(odd)}; {' or '.join(sorted(expected - {'null'}))} is needed"


def type_of(value: Any) -> str:
    """The type of a value that the driver has read, in the words of a validator."""
    if isinstance(value, datetime):
        return "date"
    return TYPES.get(type(value).__name__, "object" if isinstance(value, Mapping) else type(value).__name__)


def _taken(outbox: Outbox, column: Column) -> set[str]:
    column_type = outbox.dialect.types[column.kind]
    return ALIKE.get(column.kind, {column_type}) | ({"null"} if not column.required else set())
