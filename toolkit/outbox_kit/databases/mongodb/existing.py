"""An existing collection: whether its newest documents have the fields, with types that the event router can read."""

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
            f"collection '{derived.database}.{table}' does not exist; nothing was changed",
            why="table.existing is true: outbox-kit does not create it",
            fix="create it first, or correct table.name and database.name in the schema file",
        )
    command = {"find": table, "sort": {"$natural": -1}, "limit": SAMPLE, "batchSize": SAMPLE, "singleBatch": True}
    documents = client[derived.database].command(command)["cursor"]["firstBatch"]
    if details := list(_amiss(outbox, documents)):
        raise TableDiffers(
            f"the collection '{derived.database}.{table}' differs from the schema file; nothing was changed",
            why="the event router reads every document; one without a configured field stops the connector",
            fix="correct table.columns, table.extra, table.ids and table.payload in the schema file",
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
        expected = _accepted_types(outbox, column)
        if odd := [kind for kind in types if kind not in expected]:
            yield f"  '{column.name}' is {' and '.join(odd)}; expected {' or '.join(sorted(expected - {'null'}))}"


def type_of(value: Any) -> str:
    """The type of a value that the driver has read, in the words of a validator."""
    if isinstance(value, datetime):
        return "date"
    return TYPES.get(type(value).__name__, "object" if isinstance(value, Mapping) else type(value).__name__)


def _accepted_types(outbox: Outbox, column: Column) -> set[str]:
    column_type = outbox.dialect.types[column.kind]
    return ALIKE.get(column.kind, {column_type}) | ({"null"} if not column.required else set())
