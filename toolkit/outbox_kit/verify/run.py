"""One verification from its first question to its verdict: plan, read, look again, compare with the table."""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from outbox_kit import deadline
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.ledger import ComparableParts, Ledger, Snapshot
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.findings.finding import WHOLE_RUN, Collector, Finding, RecordLocation
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import verdict
from outbox_kit.kafka import read as kafka
from outbox_kit.printable import counted
from outbox_kit.verify.checks import CHECKS, Check, configuration, order, payloads, run
from outbox_kit.verify.contract import contract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading import plan
from outbox_kit.verify.reading.previous_topics import TopicTimes
from outbox_kit.verify.reading.read_pass import ReadPass, folder
from outbox_kit.verify.reading.replay import Replay
from outbox_kit.verify.reading.window import Bound
from outbox_kit.verify.request import Mode, Request, promised
from outbox_kit.verify.result import MessageTimes, Result
from outbox_kit.verify.state.engine import Suspects
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.table.catch_up import fence
from outbox_kit.verify.table.circumstances import Circumstances, empty
from outbox_kit.verify.table.comparison import Lost
from outbox_kit.verify.table.completeness import Completeness, await_catch_up
from outbox_kit.verify.table.rowless import now_ms
from outbox_kit.verify.unmet import unmet
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.copies import message_copies

CONFIRMED_AT_ONCE = 100_000  # suspects


@dataclass(frozen=True)
class LedgerSnapshot:
    """What the topics are compared with."""

    ledger: Ledger
    snapshot: Snapshot
    empty: bool
    """Whether there are no rows at all."""


@dataclass
class Verification:
    """One run. What it reads first is examined; what it reads again only confirms suspects."""

    request: Request
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.deadline = min(time.monotonic() + self.request.waits.timeout, deadline.end())
        self.contract = contract(self.request.outbox, self.request.registry)
        self.policy = self.request.criteria.policy.over(promised(self.request.outbox))
        self.result = Result(self.request.outbox.service)
        self.findings = self.request.findings()  # of the log as it stood at the last look, without its records'
        self.copies: Sequence[int] = ()
        self.disproved: set[Check] = set()
        self.sustained = self.request.findings()
        self.oldest: int | None = None
        self.took = 0.0
        self.settled = False  # whether all suspects were confirmed or not
        self.problem: EnvironmentProblem | None = None  # what ended it half-way

    def run(self) -> Result:
        """See `within`, in a temporary folder."""
        with folder(self.request.resources.spool) as working_folder:
            return self.within(working_folder)

    def within(self, working_folder: Path) -> Result:
        """Everything, in order; interrupted or left alone half-way, it says what it has. Raises EnvironmentProblems.

        working_folder: where a spool writes.
        """
        began, self.result.timing.began_ms = time.monotonic(), now_ms()
        self.part = ReadPass(self.request, self.contract, working_folder, self.say)
        self.folder = working_folder
        try:
            with deadline.within(self.left()):
                self._run()
            self.result.coverage.met.add(Need.finished)
        except KeyboardInterrupt as interruption:
            self.result.interruption = interruption
            self.findings.add(run.NOT_READ, WHOLE_RUN, "", "the run was interrupted")
        except EnvironmentProblem as problem:
            if not self.result.partitions:
                raise
            self.findings.add(run.NOT_READ, WHOLE_RUN, "", problem.what)
            self.result.notes.append(": ".join(filter(None, (problem.where, problem.what, problem.why))))
            self.problem = problem
        finally:
            self.part.engine.close()
        self._conclude()
        self.result.timing.seconds = time.monotonic() - began
        self.result.verdict = verdict(self.result.findings, self.request.criteria.fail_on)
        return self.result

    def _run(self) -> None:
        request, rows = self.request, self._rows()
        if request.outbox.table.registry and request.registry is None:
            self.result.notes.append("payloads were not decoded: name the Schema Registry with --registry")
        self.look()
        if request.dsn and request.mode is Mode.position:
            self._waited()
        if rows:
            self._compare(rows)
        elif not request.uncompared:
            self._not_compared()
        if request.uncompared:
            self.findings.add(run.ARRIVAL_UNKNOWN, WHOLE_RUN, "", request.uncompared)

    def _comparable(self, ledger: Ledger) -> ComparableParts:
        """What messages and rows are compared by; a partition that the key may choose, in a sample."""
        copied = message_copies(self.request.outbox)
        parts = ledger.comparable_parts(copied.of_every_row, self.left())
        if not copied.unless_null:
            return parts
        more = ledger.comparable_parts(copied.unless_null, self.left())
        return replace(parts, sampled=(*parts.sampled, *more.digested, *more.sampled))

    def _rows(self) -> LedgerSnapshot | None:
        """What must be on the topics, asked before they are read: what is in it now must be on them later."""
        ledger, window = self._ledger(), self.request.mode is Mode.window
        if ledger is None:
            return None
        comparable = self._comparable(ledger)
        self.request = self.part.request = replace(self.request, comparable_parts=comparable)
        with waiting_for("the sums of the outbox rows"):
            snapshot = ledger.snapshot(() if window else comparable.digested, self.left())
        self.result.rows = snapshot.rows
        self.oldest = None if window else snapshot.oldest
        # a window without rows says nothing of the table
        empty = not snapshot.rows and (not window or ledger.oldest(self.left()) is None)
        return LedgerSnapshot(ledger, snapshot, empty)

    def _compare(self, rows: LedgerSnapshot) -> None:
        """Compare the topics with the rows; an empty table may be the wrong one, or one that was cleaned up."""
        events = sum(self.part.tally.recognised.values())
        file = self.request.mode is Mode.file
        cleaned = rows.empty and not file and self.request.outbox.table.retention != "forever"
        if not (cleaned and events):
            completeness = Completeness(rows.ledger, self, rows.snapshot, self.folder)
            completeness.compare()
            self._explained(completeness.lost)
            if not self.findings.has(run.ARRIVAL_UNKNOWN):
                self.result.coverage.met |= {Need.table, Need.arrival}
            if not completeness.compared.unjudged:
                self.result.coverage.met.add(Need.young)
        if (cleaned or (rows.empty and file)) and events:
            empty(self.request, self.part.ranges, events, self.findings)

    def _not_compared(self) -> None:
        """Say why there are no rows to compare with."""
        request, table = self.request, self.request.outbox.table
        check = run.LOSS_NOT_CHECKED
        if request.window.end != Bound():
            reason = "--to ends the run before the newest messages"
        elif request.dsn is None:
            reason = "no database was named" if request.dsn_missing else "the run does not compare with the table"
            check = run.TABLE_NOT_NAMED if request.dsn_missing and table.keeps_rows else check
        else:
            in_log = table.storage == "log"
            reason = "the outbox has no table" if in_log else "each row is deleted in the transaction that inserts it"
        self.findings.add(check, WHOLE_RUN, "", reason)

    def _explained(self, lost: Sequence[Lost]) -> None:
        """Say what can be seen of why rows are lost."""
        if lost:
            part, checks = self.part, frozenset(finding.rule for finding in self.findings)
            where = Circumstances(self.request, self.contract.routes, part.ranges, part.tally.first, checks)
            self.result.notes += where.seen(lost)

    def _waited(self) -> None:
        """Look again when the connector has passed all that is there by now."""
        with fence(self.request) as lag_reason:
            passed = await_catch_up(self, lag_reason)
        self.look()
        self.result.coverage.met.add(Need.arrival)
        if not passed:
            self.findings.add(run.ARRIVAL_UNKNOWN, WHOLE_RUN, "", "events may be under way")

    def _conclude(self) -> None:
        """The report's figures, from what was counted."""
        report, tally = self.result, self.part.tally
        collector = self.request.findings()
        collector.merge(tally.findings)
        collector.merge(self.findings)
        self._verified(collector)
        report.findings = self.policy.apply(self._sustained(collector))
        report.coverage.off = frozenset(check.id for check in CHECKS if self.policy.off(check))
        report.topics = dict(sorted(tally.events.items()))
        report.recognised = dict(sorted(tally.recognised.items()))
        report.verified = dict(sorted(tally.verified.items()))
        report.copies = len(self.copies)
        report.message_times = MessageTimes(
            tally.moments(), 1 << tally.thinned, (*tally.first.values(), *tally.last.values())
        )
        report.ends = {topic_partition: r.end for topic_partition, r in sorted(self.part.ranges.items())}
        partial = report.ends.keys() - self._whole()
        complete = {topic for topic, _ in report.ends} - {topic for topic, _ in partial}
        report.previous = frozenset(self.contract.routes.previous_topics)
        self._note_previous_topics(collector)
        report.coverage.complete_topics = frozenset(complete)
        report.coverage.overlapping = self._overlapping()
        report.coverage.unmet = unmet(self.request, self.contract, report)

    def _note_previous_topics(self, collector: Collector) -> None:
        """State what is missing on topics that events were moved away from; a capture need not have them."""
        if self.request.log.all_topics:
            return
        routes, from_beginning = self.contract.routes, not self.request.window.start_overridden
        unreadable = collector.topics(run.PARTITION_REFUSED)
        for note in self._times().notes(routes, unreadable, from_beginning=from_beginning):
            self._noted(note)

    def _times(self) -> TopicTimes:
        """When the topics had messages."""
        return TopicTimes(list(self.part.ranges.values()), self.part.tally.first, self.part.tally.last)

    def _overlapping(self) -> frozenset[str]:
        """The topics on which it is unknown whether an aggregate had an event between two; a missing number tells."""
        if self.contract.outbox.ordering.dense and self.contract.ordered:
            return frozenset()
        if self.request.prior_windows:  # of what is behind, the times are not known any more
            return self.contract.moved
        moves = self.contract.moves
        return frozenset().union(*(self._times().overlapping(topics) for topics in moves))

    def look(self) -> None:
        """Read everything that there is by now, and judge it; what an earlier look said of the log is forgotten."""
        request, report, began = self.request, self.result, time.monotonic()
        self.findings, self.settled = request.findings(), False
        partitions = plan.partitions(request, self.contract.routes, self.findings)
        report.partitions = plan.counts(partitions)
        pinned = plan.pinned(request, self.contract.routes, partitions, self.deadline, self.findings)
        # suspects that are not confirmed are the next window's again
        for_suspects = self.left() / 2 if request.prior_windows else 0.0
        for partition_progress in self.part.extend(pinned, report.partitions, self.deadline - for_suspects):
            place = RecordLocation(partition_progress.planned.topic, partition_progress.planned.partition)
            if not partition_progress.done:
                seen = f"offset {partition_progress.position}" + (
                    f": {partition_progress.error}" if partition_progress.error else ""
                )
                self.findings.add(run.NOT_READ, place, f"offset {partition_progress.planned.end}", seen)
            if partition_progress.refused:
                self.findings.add(run.PARTITION_REFUSED, place, "", partition_progress.error)
        plan.still(request, self._counted(), self.part.judged(), self.findings)
        ended = frozenset(self.contract.routes.previous_topics)
        unseen = configuration.topic_findings(request, list(report.partitions), self.findings, ended)
        report.coverage.unseen = frozenset(unseen)
        if unseen and not request.log.all_topics:
            self._noted(f"topic settings were not read: DESCRIBE_CONFIGS is not granted on {', '.join(unseen)}")
        if request.connect:
            why = configuration.connector_findings(request.connect, request.outbox, request.delivered_by, self.findings)
            if why:
                report.coverage.met.discard(Need.connector)
            else:
                report.coverage.met.add(Need.connector)
            self._noted(why or "")
        if not self.contract.ordered:
            self.findings.add(order.NOT_CHECKED, WHOLE_RUN)
        with waiting_for("the confirmation of possible duplicates and disorder"):
            self._confirm()
        plan.accounted(request, self.part.judged(), self.part.tally.read, self.findings)
        sample = [arrival for _, arrival in self.part.tally.sample]
        payloads.coverage(self.contract, sample, self.findings)
        order.timestamps(sample, self.findings)
        self.took = time.monotonic() - began

    def _sustained(self, collector: Collector) -> list[Finding]:
        """The findings of which the rows say nothing else."""
        return [*(finding for finding in collector if finding.rule not in self.disproved), *self.sustained]

    def _verified(self, collector: Collector) -> None:
        """That there were events to verify: at all, and on every topic that has records and no error."""
        tally = self.part.tally
        weighed = self.policy.apply(self._sustained(collector))
        failed = {finding.subject for finding in weighed if finding.severity is Severity.error and not finding.accepted}
        barren = [topic for topic, count in sorted(tally.events.items()) if count and not tally.verified.get(topic)]
        for topic in barren:
            if topic not in failed:
                actual = f"{counted(tally.events[topic], 'message')}, none of which is one"
                collector.add(
                    run.NOTHING_TO_VERIFY, RecordLocation(topic), "declared events with an id and a key", actual
                )
        quiet = self.request.prior_windows and self.result.partitions  # nothing was sent in a follower's window
        if not (barren or any(tally.events.values()) or quiet):
            collector.add(run.NOTHING_TO_VERIFY, WHOLE_RUN, "events", "none")

    def _noted(self, why: str) -> None:
        """Say once why something could not be looked at."""
        self.result.notes = [*(note for note in self.result.notes if note != why), *filter(None, [why])]

    def _cut(self) -> Container[PartitionId]:
        """The partitions of which there is something before what is read."""
        prior = self.request.prior_windows
        return (
            prior.truncated
            if prior
            else {topic_partition for topic_partition, r in self.part.ranges.items() if r.start}
        )

    def _counted(self) -> dict[str, int]:
        """How many partitions the topics had when the first of them was read."""
        earlier = {topic: count for shard in self.request.shards for topic, count in shard.counts.items()}
        return self.result.partitions | earlier | plan.counts(list(self.part.settled))

    def _whole(self) -> set[PartitionId]:
        """The partitions that have each aggregate's first event, as far as that can be known."""
        by_row = any(event.topic is None for event in self.contract.events.values())
        if by_row or not plan.from_the_first(self.request):
            return set()
        compacted = self.findings.topics(configuration.COMPACTED_TOPIC) | self.result.coverage.unseen
        cut = self._cut()
        return {
            topic_partition
            for topic_partition in self.part.ranges
            if topic_partition not in cut and topic_partition[0] not in compacted | self.contract.moved
        }

    def _ledger(self) -> Ledger | None:
        """What must have arrived, where that is known."""
        match self.request.mode:
            case Mode.file | Mode.window:
                return self.request.record
            case Mode.table if self.request.dsn:
                return self._table(self.request.dsn)
        return None

    def _table(self, dsn: str) -> Ledger:
        whereabouts.expect(dsn, self.request.outbox)
        return servers.get(self.request.outbox.database.dialect).ledger(dsn, self.request.outbox)

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    def _confirm(self) -> None:
        """Tell duplicates from disorder, with a second reading of the partitions that are in doubt."""
        prior = self.request.prior_windows
        keys_misplaced = self.part.tally.misplaced or bool(prior and prior.keys_misplaced)
        cut = self._cut()
        chosen = self.request.window.start_overridden
        comparable, counts = self.request.comparable_parts, self.result.partitions
        gaps, complete = self.contract.dense, self._whole()
        replay = Replay(
            self.contract,
            self.findings,
            cut,
            chosen,
            self.oldest,
            self.part.settled,
            comparable,
            counts,
            complete=complete,
            overlapping=self._overlapping(),
        )
        settled = True
        for several in _batches(self.part.engine.suspects(gaps=gaps, split=keys_misplaced, complete=complete)):
            self.say(f"re-reading {counted(len(several), 'partition')} to confirm possible duplicates and disorder")
            for suspects in several:
                replay.begin(suspects)
            again = kafka.Reading([self.part.ranges[suspects.topic, suspects.partition] for suspects in several])
            for topic, partition, records in self.request.log.read(again, self.deadline):
                replay.take(topic, partition, records)
            for partition_progress in again.progress.values():
                if not partition_progress.done:
                    place, settled = (
                        RecordLocation(partition_progress.planned.topic, partition_progress.planned.partition),
                        False,
                    )
                    self.findings.add(
                        run.NOT_READ, place, "the end of the second reading", f"offset {partition_progress.position}"
                    )
        replay.finish()
        self.settled = settled
        self.copies, self.result.traces = replay.copies, replay.traces()
        self.result.keys = self.part.engine.keys() - replay.split_keys


def _batches(suspects: Iterable[Suspects]) -> Iterator[list[Suspects]]:
    """Suspects that are confirmed in one reading: as many partitions as are remembered without effort."""
    several: list[Suspects] = []
    for suspect in suspects:
        several.append(suspect)
        if sum(map(len, several)) > CONFIRMED_AT_ONCE:
            yield several
            several = []
    if several:
        yield several
