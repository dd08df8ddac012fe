"""The rows that a connector has published of the transaction within which it was stopped. Pure.

The log has the transactions in the order of their commits, and the position of a row is where it was written: a
transaction that was committed later may have rows with lower positions. So a transaction is recognized by its id, and
positions are compared only within it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

ROWS = ("INSERT", "MESSAGE")
"""What Debezium calls a row, and a message of `pg_logical_emit_message`, as the last thing that it has published."""
Row = TypeVar("Row")


class PublishedRows(Generic[Row]):
    """The rows of one transaction up to the last one that was published."""

    def __init__(self, transaction: int, last: int) -> None:
        """transaction: its id, in 32 bits. last: the position of the row."""
        self.transaction = transaction
        """Its id."""
        self._last, self._inside = last, False
        self._at_last: list[Row] = []

    def begin(self, transaction: int) -> None:
        """The rows of another transaction follow."""
        self._inside = transaction == self.transaction

    def unpublished(self, position: int, row: Row) -> Sequence[Row]:
        """What is to be published now that a row has come: not that row, that row, or earlier ones with it.

        COPY may give several rows one position. How many of them were published is not known: all are published again.
        """
        if not self._inside or position > self._last:
            return [row]
        if position < self._last:
            return []
        self._at_last.append(row)
        if len(self._at_last) == 1:
            return []
        return self._at_last if len(self._at_last) == 2 else [row]


def published_rows(offset: Mapping[str, Any] | None, confirmed: int) -> PublishedRows[Any] | None:
    """The rows that the relay is to leave out; None if there are none, or it is not certain that they were published.

    offset: of the connector, as Kafka Connect has it. confirmed: the position that the slot has confirmed. If it is the
    end of the last transaction that the connector has completed, the slot was not read since the connector was stopped.
    """
    if offset is None or not belongs(offset, confirmed) or offset.get("messageType") not in ROWS:
        return None
    transaction, last = offset.get("txId"), offset.get("lsn")
    return PublishedRows(transaction, last) if isinstance(transaction, int) and isinstance(last, int) else None


def belongs(offset: Mapping[str, Any], confirmed: int) -> bool:
    """Whether a slot stands where the connector with this offset has left it."""
    return offset.get("lsn_commit") == confirmed
