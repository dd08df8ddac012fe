"""The outbox collection as the ledger of what must arrive."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import (
    ROWS_AT_ONCE,
    ComparableParts,
    Row,
    Snapshot,
    SnapshotOnlyLedger,
    chosen,
    counted,
)
from outbox_kit.databases.mongodb.session import driver, expect_collection, session
from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.parts import MessagePart

GRACE_SECONDS = 5.0  # for the server to report the timeout itself
NOTHING = {"$literal": None}
FIX = "increase --timeout, or verify without the collection: --no-table"


class TableLedger(SnapshotOnlyLedger):
    """The outbox collection of a database as a `Ledger`."""

    def comparable_parts(self, parts: Sequence[MessagePart], seconds: float) -> ComparableParts:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: payloads that are documents are serialized by the connector, and cannot be compared."""
        digested = tuple(part for part in parts if part.place != "payload")
        if self.outbox.table.existing:  # nothing says of which types its fields are
            digested = tuple(part for part in digested if part.kind in ("text", "objectid"))
        return ComparableParts(digested, tuple(part for part in parts if part.place == "payload"))

    def snapshot(self, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        rows = counted(self._read(parts, {}, seconds))
        if not rows.rows:
            expect_collection(self.dsn, self.outbox)
        return rows

    def read(
        self, parts: Sequence[MessagePart], buckets: Sequence[int] | None, seconds: float
    ) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        yield from chosen(self._read(parts, {}, seconds), buckets)

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[MessagePart] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        among = {router_columns(self.outbox).id: {"$in": [stored(self.outbox, event_id) for event_id in ids]}}
        documents = self._read(parts, among, seconds) if ids else ()
        return {row.event_id: row for batch in documents for row in batch}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return self._scalar({"$min": _written_at(self.outbox)}, {}, seconds)

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        sequence = self.outbox.ordering.sequence
        later = {"$expr": {"$gte": [_written_at(self.outbox), since]}}
        return self._scalar({"$min": f"${sequence}"}, later, seconds) if sequence else None

    def _scalar(self, accumulator: dict[str, Any], condition: dict[str, Any], seconds: float) -> int | None:
        pipeline = [_events(self.outbox), {"$match": condition}, {"$group": {"_id": None, "found": accumulator}}]
        values = [document["found"] for batch in self._aggregated(pipeline, seconds) for document in batch]
        return None if not values or values[0] is None else int(values[0])

    def _read(self, parts: Sequence[MessagePart], condition: dict[str, Any], seconds: float) -> Iterator[Sequence[Row]]:
        for batch in self._aggregated(rows(self.outbox, condition, parts), seconds):
            yield [_row(self.outbox, document, parts) for document in batch]

    def _aggregated(self, pipeline: list[dict[str, Any]], seconds: float) -> Iterator[list[dict[str, Any]]]:
        milliseconds = max(1, round(seconds * 1000))
        try:
            with session(self.dsn, seconds=seconds + GRACE_SECONDS) as client:
                table = client[self.outbox.names.database][self.outbox.table.name]
                documents = iter(table.aggregate(pipeline, maxTimeMS=milliseconds, allowDiskUse=True))
                while batch := list(itertools.islice(documents, ROWS_AT_ONCE)):
                    yield batch
        except OutOfTime as late:
            raise OutOfTime("the outbox could not be read in time", where=late.where, why=late.why, fix=FIX) from late


def stored(outbox: Outbox, event_id: str) -> Any:
    """An id as its document has it."""
    if outbox.table.ids == "objectid":
        driver()
        import bson

        return bson.ObjectId(event_id)
    return int(event_id) if outbox.table.ids == "bigint" else event_id


def rows(outbox: Outbox, condition: dict[str, Any], parts: Sequence[MessagePart] = ()) -> list[dict[str, Any]]:
    """The documents that meet a condition, under the names of a `Row`'s fields; values are numbered."""
    c, sequence, read = outbox.table.columns, outbox.ordering.sequence, router_columns(outbox)
    columns = {"event_id": read.id, "aggregate": c.aggregate_type, "type": c.type, "key": read.key}
    fields: dict[str, Any] = {name: f"${column}" if column else NOTHING for name, column in columns.items()}
    fields |= {"event_id": _text(outbox)}
    fields |= {"sequence": f"${sequence}" if sequence else NOTHING, "route": f"${read.route}"}
    fields |= {"milliseconds": _written_at(outbox), "_id": 0}
    fields |= {f"value{n}": f"${part.column}" for n, part in enumerate(parts)}
    return [_events(outbox), {"$match": condition}, {"$project": fields}]


def _row(outbox: Outbox, document: dict[str, Any], parts: Sequence[MessagePart]) -> Row:
    """A row from its document; values are the texts that they are in a message."""
    fields = {name: value for name, value in document.items() if not name.startswith("value")}
    values = tuple(_value(document.get(f"value{n}"), part) for n, part in enumerate(parts))
    row = Row(transaction=None, values=values, **_plain(fields))
    return replace(row, event_id=digest.canonical(row.event_id.encode(), outbox.table.ids).decode())


def _value(value: Any, part: MessagePart) -> Any:
    if value is None or part.binary:
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)


def _events(outbox: Outbox) -> dict[str, Any]:
    """The filter that leaves out the canary; an existing collection contains none."""
    return {"$match": {} if outbox.table.existing else {outbox.table.columns.aggregate_type: {"$ne": CANARY_AGGREGATE}}}


def _text(outbox: Outbox) -> Any:
    """An id as it is in a message."""
    event_id = f"${router_columns(outbox).id}"
    return event_id if outbox.table.ids == "uuid" else {"$toString": event_id}


def _written_at(outbox: Outbox) -> dict[str, Any]:
    """When a document was written, in milliseconds since 1970, as far as it says so."""
    if outbox.table.columns.created_at is None:
        return NOTHING
    at = f"${outbox.table.columns.created_at}"
    return (
        {"$cond": [{"$eq": [{"$type": at}, "date"]}, {"$toLong": at}, None]}
        if outbox.table.existing
        else {"$toLong": at}
    )


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Key, sequence and route as the text that they are in a message."""
    texts = {name: None if row.get(name) is None else str(row[name]) for name in ("key", "sequence", "route")}
    return {**row, **texts}
