"""The outbox collection as the ledger of what must arrive."""

from collections.abc import Sequence
from typing import Any

from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import CANARY_AGGREGATE
from outbox_kit.source.ledger import Row, RowsAlone, Snapshot
from outbox_kit.source.mongodb.session import session

BUCKETS = 4096
GRACE_SECONDS = 5.0  # for the server to say by itself that the time is up
LAST_DIGITS = (24, 36)  # of a UUID's text
FIX = "allow more --timeout, or leave the collection out: --no-ledger"


class Table(RowsAlone):
    """The outbox collection of a database as a `Ledger`."""

    def snapshot(self, seconds: float) -> Snapshot:
        """See `Ledger`. Raises OutOfTime."""
        found = self._asked(sums(self.outbox), seconds)
        oldest = min((row["oldest"] for row in found if row["oldest"] is not None), default=None)
        buckets = {row["_id"]: (row["rows"], int(str(row["sum"]))) for row in found}
        return Snapshot(sum(rows for rows, _ in buckets.values()), buckets, oldest)

    def rows(self, buckets: Sequence[int], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        inside = {"$in": [{"$mod": [fingerprint(self.outbox), BUCKETS]}, list(buckets)]}
        return self._rows({"$expr": inside}, seconds) if buckets else {}

    def rows_of(self, ids: Sequence[str], seconds: float) -> dict[str, Row]:
        """See `Ledger`."""
        return self._rows({self.outbox.table.columns.id: {"$in": list(ids)}}, seconds) if ids else {}

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


def fingerprint(outbox: Outbox) -> dict[str, Any]:
    """The last twelve hexadecimal digits of an id as a number; the server has no word for it, so digit by digit."""
    digit = {"$substrCP": [f"${outbox.table.columns.id}", "$$this", 1]}
    value = {"$indexOfBytes": ["0123456789abcdef", {"$toLower": digit}]}
    grown = {"$add": [{"$multiply": ["$$value", 16]}, value]}
    return {"$reduce": {"input": {"$range": list(LAST_DIGITS)}, "initialValue": {"$toLong": 0}, "in": grown}}


def sums(outbox: Outbox) -> list[dict[str, Any]]:
    """Count and sum by bucket. The sum is decimal: a long would become a rounded double where it overflows."""
    number = fingerprint(outbox)
    return [
        _events(outbox),
        {"$project": {"number": number, "at": {"$toLong": f"${outbox.table.columns.created_at}"}}},
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
    fields: dict[str, Any] = {name: f"${column}" for name, column in named.items()}
    fields |= {"sequence": f"${sequence}" if sequence else {"$literal": None}, "route": f"${outbox.route_column}"}
    fields |= {"milliseconds": {"$toLong": f"${c.created_at}"}, "_id": 0}
    return [_events(outbox), {"$match": condition}, {"$project": fields}]


def _events(outbox: Outbox) -> dict[str, Any]:
    return {"$match": {outbox.table.columns.aggregate_type: {"$ne": CANARY_AGGREGATE}}}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Key, sequence and route as the text that they are in a message."""
    texts = {name: None if row.get(name) is None else str(row[name]) for name in ("key", "sequence", "route")}
    return {**row, **texts}
