"""Messages without a row: which of them should have one, and of which that can no longer be said."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from outbox_kit.finding import Findings, Place
from outbox_kit.schema.model import Outbox
from outbox_kit.source.ledger import LONGEST_SECONDS, Ledger, Outcome, Snapshot
from outbox_kit.verify import loss
from outbox_kit.verify.comparison import Comparison, Unmatched
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.part import Part
from outbox_kit.verify.result import Compared, Report, Request
from outbox_kit.verify.tally import Here

TOGETHER_MS = 60_000  # within which two rows may be numbered in another order than their times say


class Run(Protocol):
    """What of a verification the comparison needs. took: seconds of the last look. copies: see `Replay`.

    disproved: checks whose findings in messages the rows have contradicted.
    """

    request: Request
    contract: Contract
    part: Part
    report: Report
    standing: Findings
    copies: Sequence[int]
    disproved: set[str]
    deadline: float
    took: float

    @property
    def say(self) -> Callable[[str], None]:
        """Tell the user what is going on."""

    def look(self) -> None:
        """Read and judge what has come since."""

    def left(self) -> float:
        """Seconds until the deadline."""


@dataclass
class Rowless:
    """Whether messages without a row are phantoms. compared: is told of those that cannot be judged.

    snapshot: the ledger before the topics were read.
    """

    ledger: Ledger
    run: Run
    snapshot: Snapshot
    compared: Compared

    def judge(self, comparison: Comparison) -> int:
        """Name the messages that should have a row and have none, and count those of which that cannot be said.

        Returns how many have no row.
        """
        total = comparison.unmatched()
        if not total:
            return 0
        if self.run.request.record is not None and not self.run.request.remembered:
            judged = self._told_otherwise(comparison)
        else:
            judged = sum(map(self._phantoms, self._surely(comparison)))
        self.compared.rowless = 0 if self.run.request.remembered else total - judged
        if self.compared.rowless:
            said = f"{self.compared.rowless:,} events of rows that may have been cleaned up"
            self.run.standing.add("LOS-07", Place("*"), "", said, count=self.compared.rowless)
        return total

    def _told_otherwise(self, comparison: Comparison) -> int:
        """Name the messages that an application's own record does not have, or says were rolled back; how many.

        It is never cleaned up: it covers what came since its first event.
        """
        oldest, judged = self.ledger.oldest(self.run.left()), 0
        for several in comparison.every():
            outcomes = self.ledger.outcomes(one.event_id for one in several)
            for one in several:
                outcome = outcomes.get(one.event_id)
                if outcome is Outcome.rolled_back:
                    expected = "nothing of a transaction that was rolled back"
                    self.run.standing.add("LOS-04", one.place, expected, one.event_id)
                elif outcome is None and oldest is not None and one.at >= oldest:
                    self._phantom(one)
                elif outcome is None:
                    continue
                judged += 1
        return judged

    def _phantoms(self, several: Sequence[Unmatched]) -> int:
        """Name those of some messages that have no row by now either; how many were judged."""
        known = self.run.request.remembered
        if known:  # of later messages the rows were not asked for
            several = [one for one in several if one.place.offset < known.until.get(_here(one.place), 0)]
        there = self.ledger.rows_of([one.event_id for one in several], self.run.left()) if several else {}
        for one in several:
            if one.event_id not in there:
                self._phantom(one)
        return len(several)

    def _phantom(self, one: Unmatched) -> None:
        self.run.standing.add("LOS-03", one.place, "a row of the outbox", f"no row with id {one.event_id}")

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
            return comparison.every()
        moved = self.snapshot.oldest is not None and oldest is not None and self.snapshot.oldest < oldest
        cut = self.run.request.remembered is not None or any(r.start for r in self.run.part.ranges.values())
        lowest = self.ledger.lowest(0, left()) if numbered(outbox) else None
        cleaned = moved or (comparison.below(lowest) if lowest is not None else comparison.early())
        longest = LONGEST_SECONDS * 1000
        # an owner's default may be the transaction's begin; the kit's own is the moment of the insert
        margin = longest if outbox.table.existing else TOGETHER_MS
        sure = self.ledger.lowest(covered + margin * cleaned, left()) if numbered(outbox) else None
        return comparison.surely(covered + TOGETHER_MS * cleaned, sure, covered + longest * (cleaned or cut))


def numbered(outbox: Outbox) -> bool:
    """Whether the database numbers rows in the order of their writing."""
    return outbox.ordering.sequence is not None and outbox.ordering.assigned_by == "database"


def _here(at: Place) -> Here:
    return at.topic, at.partition


def now_ms() -> int:
    """Milliseconds since 1970, as messages are stamped."""
    return int(time.time() * 1000)
