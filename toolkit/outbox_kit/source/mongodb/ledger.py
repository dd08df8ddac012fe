"""The outbox collection as the ledger of what must arrive."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.parts import Part
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source import digest
from outbox_kit.source.ledger import ROWS_AT_ONCE, Held, Row, RowsAlone, Snapshot, chosen, counted
from outbox_kit.source.mongodb.session import driver, expect_collection, session

GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
NOTHING = {"$literal": None}
FIX = "allow more --timeout, or leave the collection out: --no-ledger"


class Table(RowsAlone):
    """The outbox collection of a database as a `Ledger`."""

    def held(self, parts: Sequence[Part], seconds: float) -> Held:  # noqa: ARG002 - a Ledger's
        """See `Ledger`: payloads that are documents are written anew on their way, and cannot be compared."""
        digested = tuple(part for part in parts if part.place != "payload")
        if self.outbox.table.existing:  # nothing says of which types its fields are
            digested = tuple(part for part in digested if part.kind in ("text", "objectid"))
        return Held(digested, tuple(part for part in parts if part.place == "payload"))

    def snapshot(self, parts: Sequence[Part], seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        found = counted(self._read(parts, {}, seconds))
        if not found.rows:
            expect_collection(self.dsn, self.outbox)
        return found

    def read(self, parts: Sequence[Part], buckets: Sequence[int] | None, seconds: float) -> Iterator[Sequence[Row]]:
        """See `Ledger`."""
        yield from chosen(self._read(parts, {}, seconds), buckets)

    def rows_of(self, ids: Sequence[str], seconds: float, parts: Sequence[Part] = ()) -> dict[str, Row]:
        """See `Ledger`."""
        among = {self.outbox.table.columns.id: {"$in": [stored(self.outbox, event_id) for event_id in ids]}}
        found = self._read(parts, among, seconds) if ids else ()
        return {row.event_id: row for batch in found for row in batch}

    def oldest(self, seconds: float) -> int | None:
        """See `Ledger`."""
        return self._one({"$min": _written(self.outbox)}, {}, seconds)

    def lowest(self, since: int, seconds: float) -> int | None:
        """See `Ledger`."""
        sequence = self.outbox.ordering.sequence
        later = {"$expr": {"$gte": [_written(self.outbox), since]}}
        return self._one({"$min": f"${sequence}"}, later, seconds) if sequence else None

    def _one(self, asked: dict[str, Any], condition: dict[str, Any], seconds: float) -> int | None:
        pipeline = [_events(self.outbox), {"$match": condition}, {"$group": {"_id": None, "found": asked}}]
        found = [document["found"] for batch in self._asked(pipeline, seconds) for document in batch]
        return None if not found or found[0] is None else int(found[0])

    def _read(self, parts: Sequence[Part], condition: dict[str, Any], seconds: float) -> Iterator[Sequence[Row]]:
        for batch in self._asked(rows(self.outbox, condition, parts), seconds):
            yield [_row(self.outbox, document, parts) for document in batch]

    def _asked(self, pipeline: list[dict[str, Any]], seconds: float) -> Iterator[list[dict[str, Any]]]:
        milliseconds = max(1, round(seconds * 1000))
        try:
            with session(self.dsn, seconds=seconds + GRACE_SECONDS) as client:
                table = client[names(self.outbox).database][self.outbox.table.name]
                found = iter(table.aggregate(pipeline, maxTimeMS=milliseconds, allowDiskUse=True))
                while batch := list(itertools.islice(found, ROWS_AT_ONCE)):
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


def rows(outbox: Outbox, condition: dict[str, Any], parts: Sequence[Part] = ()) -> list[dict[str, Any]]:
    """The documents that meet a condition, under the names of a `Row`'s fields; values are numbered."""
    c, sequence = outbox.table.columns, outbox.ordering.sequence
    named = {"event_id": c.id, "aggregate": c.aggregate_type, "type": c.type, "key": outbox.key_column}
    fields: dict[str, Any] = {name: f"${column}" if column else NOTHING for name, column in named.items()}
    fields |= {"event_id": _text(outbox)}
    fields |= {"sequence": f"${sequence}" if sequence else NOTHING, "route": f"${outbox.route_column}"}
    fields |= {"milliseconds": _written(outbox), "_id": 0}
    fields |= {f"value{n}": f"${part.column}" for n, part in enumerate(parts)}
    return [_events(outbox), {"$match": condition}, {"$project": fields}]


def _row(outbox: Outbox, document: dict[str, Any], parts: Sequence[Part]) -> Row:
    """A row from its document; values are the texts that they are in a message."""
    fields = {name: value for name, value in document.items() if not name.startswith("value")}
    values = tuple(_value(document.get(f"value{n}"), part) for n, part in enumerate(parts))
    row = Row(transaction=None, values=values, **_plain(fields))
    return replace(row, event_id=digest.canonical(row.event_id.encode(), outbox.table.ids).decode())


def _value(found: Any, part: Part) -> Any:
    if found is None or part.binary:
        return found
    return str(found).lower() if isinstance(found, bool) else str(found)


def _events(outbox: Outbox) -> dict[str, Any]:
    """What is no canary; in a collection of somebody else's there are none."""
    return {"$match": {} if outbox.table.existing else {outbox.table.columns.aggregate_type: {"$ne": CANARY_AGGREGATE}}}


def _text(outbox: Outbox) -> Any:
    """An id as it is in a message."""
    event_id = f"${outbox.table.columns.id}"
    return event_id if outbox.table.ids == "uuid" else {"$toString": event_id}


def _written(outbox: Outbox) -> dict[str, Any]:
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
