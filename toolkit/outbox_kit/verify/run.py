"""One verification from its first question to its verdict: plan, read, look again, compare with the table."""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from outbox_kit import deadline, source
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Findings, Place, Severity
from outbox_kit.kafka import read as kafka
from outbox_kit.preview.parts import parts
from outbox_kit.source import whereabouts
from outbox_kit.source.ledger import Ledger, Snapshot
from outbox_kit.verify import baseline, coverage, plan, preflight
from outbox_kit.verify.circumstances import Circumstances, empty
from outbox_kit.verify.comparison import Lost
from outbox_kit.verify.completeness import Completeness, caught_up
from outbox_kit.verify.contract import contract
from outbox_kit.verify.engine import Doubts
from outbox_kit.verify.fence import fence
from outbox_kit.verify.needs import Need
from outbox_kit.verify.part import Part, folder
from outbox_kit.verify.replay import Replay
from outbox_kit.verify.result import Report, Request
from outbox_kit.verify.rowless import now_ms
from outbox_kit.verify.tally import Here
from outbox_kit.verify.unmet import unmet
from outbox_kit.verify.verdict import verdict
from outbox_kit.verify.window import Bound

SETTLED_AT_ONCE = 100_000  # doubts


@dataclass
class Verification:
    """One run. What it reads first is examined; what it reads again only settles doubts.

    standing: what holds of the log as it stood at the last look; what was found in its records is the part's.
    settled: whether all doubts were. problem: what ended it half-way.
    """

    request: Request
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.deadline = min(time.monotonic() + self.request.timeout, deadline.end())
        self.contract = contract(self.request.outbox, self.request.registry)
        self.report = Report(self.request.outbox.service)
        self.standing = self.request.findings()
        self.copies: Sequence[int] = ()
        self.disproved: set[str] = set()
        self.oldest: int | None = None
        self.took = 0.0
        self.settled = False
        self.problem: EnvironmentProblem | None = None

    def run(self) -> Report:
        """See `within`, in a folder for as long as it takes."""
        with folder(self.request.spool) as own:
            return self.within(own)

    def within(self, own: Path) -> Report:
        """Everything, in order; interrupted or left alone half-way, it says what it has. Raises EnvironmentProblems.

        own: where a spool writes.
        """
        began, self.report.began_ms = time.monotonic(), now_ms()
        self.part = Part(self.request, self.contract, own, self.say)
        self.folder = own
        try:
            with deadline.within(self.left()):
                self._run()
            self.report.met.add(Need.finished)
        except KeyboardInterrupt as interruption:
            self.report.interruption = interruption
            self.standing.add("RUN-01", Place("*"), "every record", "interrupted")
        except EnvironmentProblem as problem:
            if not self.report.partitions:
                raise
            self.standing.add("RUN-01", Place("*"), "every answer", problem.what)
            self.report.notes.append(": ".join(filter(None, (problem.where, problem.what, problem.why))))
            self.problem = problem
        finally:
            self.part.engine.close()
        self._told()
        self.report.seconds = time.monotonic() - began
        self.report.verdict = verdict(self.report.findings, self.request.fail_on)
        return self.report

    def _run(self) -> None:
        ledger, snapshot = self._ledger(), None
        if ledger:
            held = ledger.held(parts(self.request.outbox), self.left())
            self.request = self.part.request = replace(self.request, held=held)
            # before the topics: whatever is in the ledger now must be on them later
            snapshot = ledger.snapshot(() if self.request.remembered else held.digested, self.left())
        self.report.rows = snapshot.rows if snapshot else None
        self.oldest = snapshot.oldest if snapshot and not self.request.remembered else None
        outbox = self.request.outbox
        if outbox.table.registry and self.request.registry is None:
            self.report.notes.append("payloads were not read: name their registry with --registry")
        file = self.request.record is not None and not self.request.remembered
        none = bool(ledger and snapshot and self._empty(ledger, snapshot))
        gone = none and not file and outbox.table.retention != "keep"
        self.look()
        if self.request.dsn and self._rowless():
            self._waited(self.request.dsn)
        events = sum(self.part.tally.recognised.values())
        if ledger and snapshot and not (gone and events):
            completeness = Completeness(ledger, self, snapshot, self.folder)
            completeness.compare()
            self._explained(completeness.lost)
            if all(one.check != "RUN-10" for one in self.standing):
                self.report.met |= {Need.table, Need.arrival}
            if not completeness.compared.unjudged:
                self.report.met.add(Need.young)
        elif not (ledger or self.request.uncompared):
            missed = self.request.unnamed and outbox.table.keeps_rows and self.request.window.end == Bound()
            self.standing.add("RUN-15" if missed else "RUN-11", Place("*"), "the outbox table", self._unledgered())
        if (gone or (none and file)) and events:
            empty(self.request, self.part.ranges, events, self.standing)
        if self.request.uncompared:
            self.standing.add("RUN-10", Place("*"), "all rows", self.request.uncompared)

    def _empty(self, ledger: Ledger, snapshot: Snapshot) -> bool:
        """Whether the ledger has no rows at all, and not only none of a window."""
        remembered = self.request.remembered is not None
        return not snapshot.rows and (not remembered or ledger.oldest(self.left()) is None)

    def _explained(self, lost: Sequence[Lost]) -> None:
        """Say what can be seen of why rows are lost."""
        if lost:
            part, checks = self.part, frozenset(one.check for one in self.standing)
            where = Circumstances(self.request, self.contract.routes, part.ranges, part.tally.first, checks)
            self.report.notes += where.seen(lost)

    def _rowless(self) -> bool:
        """Whether no row will say what is missing, while the source knows how far the connector is."""
        request = self.request
        told = request.record is not None or request.remembered is not None
        return not (told or request.outbox.table.keeps_rows) and request.window.end == Bound()

    def _waited(self, dsn: str) -> None:
        """Look again when the connector has passed all that is there by now."""
        with fence(self.request, self._table(dsn)) as behind:
            passed = caught_up(self, behind)
        self.look()
        self.report.met.add(Need.arrival)
        if not passed:
            self.standing.add("RUN-10", Place("*"), "all events", "some may be under way")

    def _unledgered(self) -> str:
        """Why there is no ledger."""
        if self.request.window.end != Bound():
            return "the reading ends before the table does"
        if self.request.dsn is None:
            return "no database was named"
        in_log = self.request.outbox.table.storage == "log"
        return "events are in the log alone" if in_log else "each row is deleted in its own transaction"

    def _told(self) -> None:
        """The report's figures, from what was counted."""
        report, tally = self.report, self.part.tally
        found = self.request.findings()
        found.merge(tally.findings)
        found.merge(self.standing)
        self._verified(found)
        kept = [finding for finding in found if finding.check not in self.disproved]
        report.findings = baseline.weighed(report.service, kept, self.request.known)
        report.topics = dict(sorted(tally.events.items()))
        report.recognised, report.verified = (
            dict(sorted(tally.recognised.items())),
            dict(sorted(tally.verified.items())),
        )
        report.copies = len(self.copies)
        report.moments, report.weight = tally.moments(), 1 << tally.thinned
        report.ends = {here: r.end for here, r in sorted(self.part.ranges.items())}
        partial = report.ends.keys() - self._whole()
        report.begun = frozenset({topic for topic, _ in report.ends} - {topic for topic, _ in partial})
        report.unmet = unmet(self.request, self.contract, report)

    def look(self) -> None:
        """Read everything that there is by now, and judge it; what an earlier look said of the log is forgotten."""
        request, report, began = self.request, self.report, time.monotonic()
        self.standing, self.settled = request.findings(), False
        partitions = plan.partitions(request, self.contract.routes, self.standing)
        report.partitions = plan.counts(partitions)
        pinned = plan.pinned(request, partitions, self.deadline, self.standing)
        kept = (
            self.left() / 2 if request.remembered else 0.0
        )  # for the doubts: unsettled, the next window has them again
        for one in self.part.extend(pinned, report.partitions, self.deadline - kept):
            here = Place(one.planned.topic, one.planned.partition)
            if not one.done:
                seen = f"offset {one.position}" + (f": {one.error}" if one.error else "")
                self.standing.add("RUN-01", here, f"offset {one.planned.end}", seen)
            if one.refused:
                self.standing.add("RUN-07", here, "its records", one.error)
        plan.still(request, self._counted(), self.part.judged(), self.standing)
        unseen = plan.settings(request, list(report.partitions), self.standing)
        report.unseen = frozenset(unseen)
        if unseen and not request.log.whole:
            self._noted(f"no right to DESCRIBE_CONFIGS of {', '.join(unseen)}")
        if request.connect:
            why = preflight.look(request.connect, request.outbox, self.standing)
            report.met = report.met - {Need.connector} if why else report.met | {Need.connector}
            self._noted(why or "")
        if not self.contract.ordered:
            self.standing.add("ORD-05", Place("*"))
        self._settle()
        plan.accounted(request, self.part.judged(), self.part.tally.read, self.standing)
        sample = [one for _, one in self.part.tally.sample]
        coverage.judge(self.contract, sample, self.standing)
        coverage.backwards(sample, self.standing)
        self.took = time.monotonic() - began

    def _verified(self, found: Findings) -> None:
        """That there were events to verify: at all, and on every topic that has records and no error."""
        tally = self.part.tally
        known = baseline.weighed(self.report.service, found, self.request.known)
        failed = {one.topic for one in known if one.severity is Severity.error}
        barren = [topic for topic, count in sorted(tally.events.items()) if count and not tally.verified.get(topic)]
        for topic in barren:
            if topic not in failed:
                said = f"{tally.events[topic]} records, none of them one"
                found.add("RUN-06", Place(topic), "a declared event with an id and a key", said)
        quiet = self.request.remembered and self.report.partitions  # nothing was sent in a follower's window
        if not (barren or any(tally.events.values()) or quiet):
            found.add("RUN-06", Place("*"), "events", "none")

    def _noted(self, why: str) -> None:
        """Say once why something could not be looked at."""
        self.report.notes = [*(note for note in self.report.notes if note != why), *filter(None, [why])]

    def _cut(self) -> Container[Here]:
        """The partitions of which there is something before what is read."""
        known = self.request.remembered
        return known.cut if known else {here for here, r in self.part.ranges.items() if r.start}

    def _counted(self) -> dict[str, int]:
        """How many partitions the topics had when the first of them was read."""
        earlier = {topic: count for shard in self.request.shards for topic, count in shard.counts.items()}
        return self.report.partitions | earlier | plan.counts(list(self.part.settled))

    def _whole(self) -> set[Here]:
        """The partitions that have each aggregate's first event, as far as that can be known."""
        by_row = any(event.topic is None for event in self.contract.events.values())
        if by_row or not plan.from_the_first(self.request):
            return set()
        compacted = {one.topic for one in self.standing if one.check == "CFG-04"} | self.report.unseen
        cut = self._cut()
        return {here for here in self.part.ranges if here not in cut and here[0] not in compacted}

    def _ledger(self) -> Ledger | None:
        """What must have arrived, where that is known: an application's record, or the table whose rows stay."""
        request, outbox = self.request, self.request.outbox
        if request.window.end != Bound():
            return None
        if request.record is not None:
            return request.record
        if request.dsn is None or not outbox.table.keeps_rows or request.remembered:
            return None
        return self._table(request.dsn)

    def _table(self, dsn: str) -> Ledger:
        whereabouts.expect(dsn, self.request.outbox)
        found: Ledger = source.named(self.request.outbox.database.dialect).ledger.Table(dsn, self.request.outbox)
        return found

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    def _settle(self) -> None:
        """Tell duplicates from disorder, with a second reading of the partitions that are in doubt."""
        known = self.request.remembered
        strewn = self.part.tally.misplaced or bool(known and known.strewn)
        cut = self._cut()
        chosen = self.request.window.chosen
        held, counts = self.request.held, self.report.partitions
        gaps, whole = self.contract.dense, self._whole()
        replay = Replay(
            self.contract, self.standing, cut, chosen, self.oldest, self.part.settled, held, counts, whole=whole
        )
        settled = True
        for several in _handfuls(self.part.engine.doubts(gaps=gaps, split=strewn, whole=whole)):
            self.say(f"{len(several)} partitions are in doubt: reading them once more")
            for doubts in several:
                replay.begin(doubts)
            again = kafka.Reading([self.part.ranges[doubts.topic, doubts.partition] for doubts in several])
            for topic, partition, records in self.request.log.read(again, self.deadline):
                replay.take(topic, partition, records)
            for one in again.progress.values():
                if not one.done:
                    here, settled = Place(one.planned.topic, one.planned.partition), False
                    self.standing.add("RUN-01", here, "a second reading", f"offset {one.position}")
        replay.finish()
        self.settled = settled
        self.copies, self.report.trails = replay.copies, replay.trails()
        self.report.keys = self.part.engine.keys() - replay.split_keys


def _handfuls(doubts: Iterable[Doubts]) -> Iterator[list[Doubts]]:
    """Doubts that are settled in one reading: as many partitions as are remembered without effort."""
    several: list[Doubts] = []
    for one in doubts:
        several.append(one)
        if sum(map(len, several)) > SETTLED_AT_ONCE:
            yield several
            several = []
    if several:
        yield several
