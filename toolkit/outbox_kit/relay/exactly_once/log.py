"""A log whose rows are read on behind the position that Kafka has, whatever the database has been told of it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from outbox_kit.databases.changes import IdentifiedLog, LogMessage, LogRow, LogTransaction, TableColumns
from outbox_kit.relay.exactly_once.places import Place
from outbox_kit.relay.exactly_once.positions import LogPosition, StoredPosition, resumed
from outbox_kit.relay.exactly_once.sink import TransactionalKafka

OTHER_LOG = "the log has another transaction at it"


class _OtherLog(Exception):
    """The log is not the one that the position is of."""


class ExactlyOnceLog:
    """See `ServerLog`. The receipts of its rows are places."""

    def __init__(self, log: IdentifiedLog, sink: TransactionalKafka, report: Callable[[str], None]) -> None:
        """report: takes a line about a change of its state."""
        self._log, self._sink, self._report = log, sink, report
        self.stored: StoredPosition | None = None
        """What Kafka had when it was opened."""
        self._begin: int | None = None
        """Where the log ended when it was opened; None once it was read to there, and all of that is final."""
        self._is_first_read = False
        self._until: LogPosition | None = None
        self._refuted: LogPosition | None = None
        self._skipped: list[LogTransaction] = []
        self._transaction: LogTransaction | None = None
        self._row = 0

    def position(self) -> int | None:
        """See `ServerLog`: a number that changes also if only Kafka's position does."""
        confirmed, position = self._log.position(), self._sink.places.position
        if confirmed is None or position is None:
            return confirmed
        return max(confirmed, position.commit + position.rows)

    def create(self) -> None:
        """See `ServerLog`."""
        self._log.create()

    def first_read(self) -> Iterator[Sequence[LogRow]]:
        """See `ServerLog`."""
        rows = self._log.first_read()  # first: the relay that reads the table already is not fenced
        self.stored, self._is_first_read = self._sink.open(), True
        self._sink.begin(None, None, self.stored)
        self._begin = None
        return rows

    def open(self) -> None:
        """See `ServerLog`."""
        self._log.open()
        if not self._is_first_read:
            self.stored = self._sink.open()
        self._is_first_read = False
        log, end = self._log.identity(), self._log.mark()
        position, reason = resumed(self.stored, log, end)
        if position is not None and position == self._refuted:
            position, reason = None, OTHER_LOG
        if reason:
            self._not_used(reason)
        self._sink.begin(position, log, self.stored)
        confirmed = self._log.position() or 0
        self._until = position if position is not None and position.commit >= confirmed else None
        self._skipped.clear()
        self._transaction, self._row = None, 0
        self._begin = end

    @property
    def begun(self) -> bool:
        """Whether everything was read and is final that was there when it was opened."""
        if self._begin is not None and self._log.passed(self._begin):
            self._begin = None
        return self._begin is None

    def read(self, seconds: float) -> Sequence[LogRow | LogMessage]:
        """See `ServerLog`."""
        rows: list[LogRow | LogMessage] = []
        places = self._sink.places
        try:
            for row in self._log.read(seconds):
                transaction = row.receipt
                if transaction is not self._transaction:
                    self._transaction, self._row = transaction, 0
                self._row += 1
                if self._until is not None and self._is_published(transaction, self._row, self._until):
                    continue
                place = Place(transaction, self._row)
                places.add(place)
                rows.append(row._replace(receipt=place))
            if self._until is not None and self._log.reached() > self._until.commit:
                self._end_skip(self._until)
        except _OtherLog:
            self._read_again()
            return []
        return rows

    def rest(self, _: float) -> Sequence[LogRow | LogMessage] | None:
        """See `ServerLog`: none, as a position within a transaction is stored."""
        return None

    def finish(self, receipt: Any) -> None:
        """See `ServerLog`."""
        if receipt is None:  # of the first read
            return
        self._sink.places.finish(receipt)
        self._log.finish(receipt.transaction)

    def confirm(self) -> None:
        """See `ServerLog`."""
        self._log.confirm()

    def close(self) -> None:
        """See `ServerLog`."""
        self._is_first_read = False
        self._log.close()

    def mark(self) -> int:
        """See `ServerLog`."""
        return self._log.mark()

    def passed(self, point: int) -> bool:
        """See `ServerLog`."""
        return self._log.passed(point)

    def oldest(self) -> float | None:
        """See `ServerLog`."""
        return self._log.oldest()

    def columns(self) -> TableColumns:
        """See `ServerLog`."""
        return self._log.columns()

    def _is_published(self, transaction: LogTransaction, row: int, until: LogPosition) -> bool:
        """Whether a row is before the position. Raises _OtherLog.

        What is skipped becomes final only when the transaction at the position has come, and is the one that it was.
        """
        if (transaction.commit, row) > (until.commit, until.rows):
            self._end_skip(until)
            return False
        if transaction.commit == until.commit and not until.is_in(transaction):
            raise _OtherLog
        self._skipped.append(transaction)
        if until.number is None or (transaction.commit, row) == (until.commit, until.rows):
            self._finish_skipped()
            self._until = self._until if until.number is None else None
        return True

    def _end_skip(self, until: LogPosition) -> None:
        """The log has come beyond the position. Raises _OtherLog if its transaction was not there."""
        if until.number is not None:
            raise _OtherLog
        self._finish_skipped()
        self._until = None

    def _finish_skipped(self) -> None:
        for transaction in self._skipped:
            self._log.finish(transaction)
        self._skipped.clear()

    def _read_again(self) -> None:
        """Read the log again without skipping anything."""
        self._refuted = self._until
        self._log.close()
        self._not_used(OTHER_LOG)
        self._until = None
        self._skipped.clear()
        self._sink.places.clear(None)
        self._log.open()
        self._transaction, self._row = None, 0

    def _not_used(self, reason: str) -> None:
        self._report(
            f"the position that Kafka has is not used: {reason}; the relay begins at the position of the replication "
            "slot, and what was published behind that is published again"
        )
