"""The outbox collection as the ledger of what must arrive."""

from collections.abc import Sequence
from typing import Any

from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Row, RowsAlone, Snapshot
from outbox_kit.source.mongodb.session import driver, expect_collection, session

BUCKETS = 4096
GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
DIGITS = 12
LENGTHS = {"uuid": 36, "objectid": 24}  # of an id's text
NOTHING = {"$literal": None}
FIX = "allow more --timeout, or leave the collection out: --no-ledger"


class Table(RowsAlone):
    """The outbox collection of a database as a `Ledger`."""

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        found = self._asked(sums(self.outbox), seconds)
        if not found:
            expect_collection(self.dsn, self.outbox)
        oldest = min((row["oldest"] for row in found if row["oldest"] is not None), default=None)
        buckets = {row["_id"]: (row["rows"], int(str(row["sum"]))) for row in found}
        return Snapshot(sum(rows for rows, _ in buckets.values()), buckets, oldest)

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        inside = {"$in": [{"$mod": [fingerprint(self.outbox), BUCKETS]}, list(buckets)]}
        return self._rows({"$expr": inside}, seconds) if buckets else {}

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        among = {"$in": [stored(self.outbox, event_id) for event_id in ids]}
        return self._rows({self.outbox.table.columns.id: among}, seconds) if ids else {}

    def _rows(self, condition: dict[str, Any], seconds: float) -> dict[str, Row]:
        found = self._asked(rows(self.outbox, condition), seconds)
        return {row["event_id"]: Row(transaction=None, **_plain(row)) for row in found}

    def _asked(self, pipeline: list[dict[str, Any]], seconds: float) -> list[dict[str, Any]]:
        milliseconds = max(1, round(seconds * 1000))
        try:
            with session(self.dsn, seconds=seconds + GRACE_SECONDS) as client:
                table = client[names(self.outbox).database][self.outbox.table.name]
                return list(table.aggregate(pipeline, maxTimeMS=milliseconds, allowDiskUse=True))
        except OutOfTime as late:
            raise OutOfTime("the outbox could not be read in time", where=late.where, why=late.why, fix=FIX) from late


def stored(outbox: Outbox, event_id: str) -> Any:
    """An id as its document has it."""
    if outbox.table.ids == "objectid":
        driver()
        import bson

        return bson.ObjectId(event_id)
    return int(event_id) if outbox.table.ids == "bigint" else event_id


def fingerprint(outbox: Outbox) -> dict[str, Any]:
    """The last twelve hexadecimal digits of an id as a number; the server has no word for it, so digit by digit."""
    text = _text(outbox)
    end = LENGTHS.get(outbox.table.ids) or {"$strLenCP": text}
    start = end - DIGITS if isinstance(end, int) else {"$max": [0, {"$subtract": [end, DIGITS]}]}
    digit = {"$substrCP": [text, "$$this", 1]}
    value = {"$indexOfBytes": ["0123456789abcdef", {"$toLower": digit}]}
    grown = {"$add": [{"$multiply": ["$$value", 16]}, value]}
    return {"$reduce": {"input": {"$range": [start, end]}, "initialValue": {"$toLong": 0}, "in": grown}}


def sums(outbox: Outbox) -> list[dict[str, Any]]:
    """Count and sum by bucket. The sum is decimal: a long would become a rounded double where it overflows."""
    number = fingerprint(outbox)
    return [
        _events(outbox),
        {"$project": {"number": number, "at": _written(outbox)}},
        {
            "$group": {
                "_id": {"$mod": ["$number", BUCKETS]},
                "rows": {"$sum": 1},
                "sum": {"$sum": {"$toDecimal": "$number"}},
                "oldest": {"$min": "$at"},
            }
        },
    ]


def rows(outbox: Outbox, condition: dict[str, Any]) -> list[dict[str, Any]]:
    """The documents that meet a condition, under the names of a `Row`'s fields."""
    c, sequence = outbox.table.columns, outbox.ordering.sequence
    named = {"event_id": c.id, "aggregate": c.aggregate_type, "type": c.type, "key": outbox.key_column}
    fields: dict[str, Any] = {name: f"${column}" if column else NOTHING for name, column in named.items()}
    fields |= {"event_id": _text(outbox)}
    fields |= {"sequence": f"${sequence}" if sequence else NOTHING, "route": f"${outbox.route_column}"}
    fields |= {"milliseconds": _written(outbox), "_id": 0}
    return [_events(outbox), {"$match": condition}, {"$project": fields}]


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
