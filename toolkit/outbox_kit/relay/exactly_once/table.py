"""The table of failed events of a relay that publishes exactly once."""

from collections.abc import Collection, Sequence

from outbox_kit.databases.failures import FailedEvent, FailureCounts, FencedFailureTable
from outbox_kit.relay.exactly_once.log import ExactlyOnceLog


class ExactlyOnceFailures:
    """See `FailureTable`.

    A stored event is not sent again before the log was read to where it ended at the start: it may be one of its events
    behind the position, and it must be stored, not published, when it comes from there. So its lane waits until then,
    also if it is dead and its lane is passed otherwise.
    """

    def __init__(self, table: FencedFailureTable, log: ExactlyOnceLog) -> None:
        self._table, self._log = table, log

    def counts(self) -> FailureCounts:
        """See `FailureTable`."""
        return self._table.counts()

    def lanes(self) -> set[str]:
        """See `FailureTable`."""
        return self._table.lanes() if self._log.begun else self._table.every_lane()

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """See `FailureTable`."""
        self._table.add(failures, seconds)

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See `FailureTable`."""
        return self._table.due(most, closed) if self._log.begun else []

    def begin(self, numbers: Sequence[int]) -> None:
        """See `FailureTable`."""
        self._table.begin(numbers)

    def delivered(self, numbers: Sequence[int]) -> None:
        """See `FailureTable`."""
        self._table.delivered(numbers)

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """See `FailureTable`."""
        self._table.postpone(number, cause, seconds, dead=dead, counted=counted)

    def starts(self, position: int | None) -> int:
        """See `FailureTable`; also removes what Kafka has and the relay before could not remove."""
        starts = self._table.starts(position)
        if self._log.stored is not None and self._log.stored.published:
            self._table.published(self._log.stored.published)
        return starts

    def stopped(self) -> None:
        """See `FailureTable`."""
        self._table.stopped()
