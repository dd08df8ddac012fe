"""Messages without a row: those that should have one, and those for which that is unknown."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from outbox_kit.databases.ledger import LONGEST_SECONDS, Ledger, Outcome, Snapshot
from outbox_kit.findings.finding import WHOLE_RUN, Collector, RecordLocation
from outbox_kit.printable import counted
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import Check
from outbox_kit.verify.checks import loss as loss_checks
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.reading.read_pass import ReadPass
from outbox_kit.verify.request import Mode, Request
from outbox_kit.verify.result import Result, RowCoverage
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.table import values as loss
from outbox_kit.verify.table.comparison import Comparison, Unmatched

TOGETHER_MS = 60_000  # within which two rows may be numbered in another order than their times say


class Run(Protocol):
    """What of a verification the comparison needs."""

    request: Request
    contract: Contract
    part: ReadPass
    result: Result
    findings: Collector
    copies: Sequence[int]
    """See `Replay`."""
    disproved: set[Check]
    """Checks whose findings in messages the rows have contradicted."""
    sustained: Collector
    """The findings of such checks that the rows have confirmed."""
    deadline: float
    took: float
    """Seconds of the last look."""

    @property
    def say(self) -> Callable[[str], None]:
        """Tell the user what is going on."""

    def look(self) -> None:
        """Read and judge what has come since."""

    def left(self) -> float:
        """Seconds until the deadline."""


@dataclass
class Rowless:
    """Whether messages without a row are phantoms."""

    ledger: Ledger
    run: Run
    snapshot: Snapshot
    """The ledger before the topics were read."""
    compared: RowCoverage
    """Receives the number of messages that cannot be judged."""

    def judge(self, comparison: Comparison) -> int:
        """Report the messages that should have a row and have none, and count those for which that is unknown.

        Returns how many have no row.
        """
        total = comparison.unmatched()
        if not total:
            return 0
        if self.run.request.mode is Mode.file:
            examined = self._told_otherwise(comparison)
        else:
            examined = sum(map(self._phantoms, self._surely(comparison)))
        self.compared.rowless = 0 if self.run.request.prior_windows else total - examined
        if self.compared.rowless:
            actual = f"{counted(self.compared.rowless, 'message')} whose rows may have been deleted by the retention"
            self.run.findings.add(loss_checks.ROW_CLEANED_UP, WHOLE_RUN, "", actual, count=self.compared.rowless)
        return total

    def _told_otherwise(self, comparison: Comparison) -> int:
        """Report the messages that are missing in a published log, or were rolled back there. Returns their number.

        Events are never deleted from a published log, so it covers all messages since its first event.
        """
        oldest, examined = self.ledger.oldest(self.run.left()), 0
        for messages in comparison.batches():
            outcomes = self.ledger.outcomes(message.event_id for message in messages)
            for message in messages:
                outcome = outcomes.get(message.event_id)
                if outcome is Outcome.rolled_back:
                    expected = "no event of a transaction that was rolled back"
                    self.run.findings.add(loss_checks.ROLLED_BACK, message.place, expected, message.event_id)
                elif outcome is None and oldest is not None and message.at >= oldest:
                    self._phantom(message)
                elif outcome is None:
                    continue
                examined += 1
        return examined

    def _phantoms(self, messages: Sequence[Unmatched]) -> int:
        """Name those of some messages that have no row by now either; how many were judged."""
        prior = self.run.request.prior_windows
        if prior:  # of later messages the rows were not asked for
            messages = [
                message
                for message in messages
                if message.place.offset < prior.until.get(_partition_of(message.place), 0)
            ]
        rows = self.ledger.rows_of([message.event_id for message in messages], self.run.left()) if messages else {}
        for message in messages:
            if message.event_id not in rows:
                self._phantom(message)
        return len(messages)

    def _phantom(self, message: Unmatched) -> None:
        self.run.findings.add(
            loss_checks.WITHOUT_ROW, message.place, "a row of the outbox", f"no row with id {message.event_id}"
        )

    def _surely(self, comparison: Comparison) -> Iterable[list[Unmatched]]:
        """The messages without a row whose rows, had there been any, would still be there.

        A message does not say when its row was written, and may come days after it. Its sequence number says it, where
        the database numbers rows; or its place behind a message of a row that is there, for rows are published in the
        order of their commits. Near to where rows have been cleaned up neither is exact, so a margin is kept.
        """
        outbox, left = self.run.request.outbox, self.run.left
        oldest = self.ledger.oldest(left())
        covered = loss.covered_since(outbox, oldest, now_ms())
        if covered is None:
            return ()
        if covered == 0:
            return comparison.batches()
        cleaned_up = self.snapshot.oldest is not None and oldest is not None and self.snapshot.oldest < oldest
        incomplete = self.run.request.prior_windows is not None or any(r.start for r in self.run.part.ranges.values())
        lowest = self.ledger.lowest(0, left()) if numbered(outbox) else None
        cleaned = cleaned_up or (comparison.below(lowest) if lowest is not None else comparison.early())
        longest = LONGEST_SECONDS * 1000
        # an owner's default may be the transaction's begin; the kit's own is the moment of the insert
        margin = longest if outbox.table.existing else TOGETHER_MS
        sure = self.ledger.lowest(covered + margin * cleaned, left()) if numbered(outbox) else None
        return comparison.surely(covered + TOGETHER_MS * cleaned, sure, covered + longest * (cleaned or incomplete))


def numbered(outbox: Outbox) -> bool:
    """Whether the database numbers rows in the order of their writing."""
    return outbox.ordering.sequence is not None and outbox.ordering.assigned_by == "database"


def _partition_of(at: RecordLocation) -> PartitionId:
    return at.topic, at.partition


def now_ms() -> int:
    """Milliseconds since 1970, as messages are stamped."""
    return int(time.time() * 1000)
