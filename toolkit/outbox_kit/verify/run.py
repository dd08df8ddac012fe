"""One verification from its first question to its verdict: plan, read, look again, compare with the table."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit import source
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Place
from outbox_kit.kafka import read as kafka
from outbox_kit.source.ledger import Ledger, Row, Snapshot
from outbox_kit.verify import baseline, coverage, loss, plan, preflight
from outbox_kit.verify.contract import contract, unchecked
from outbox_kit.verify.engine import Doubts
from outbox_kit.verify.explain import UUID, place
from outbox_kit.verify.part import Part, folder
from outbox_kit.verify.replay import Replay
from outbox_kit.verify.result import Report, Request
from outbox_kit.verify.verdict import verdict
from outbox_kit.verify.window import Bound

FENCE_POLL_SECONDS = 0.25
QUIET_SECONDS = 5.0
TRANSACTIONS = 100  # of lost rows, that are looked at whole
CONNECTOR_S = frozenset({"CFG-01", "CFG-02", "CFG-03"})
SETTLED_AT_ONCE = 100_000  # doubts
CLOCKS_MS = 60_000  # how far the database's clock and the worker's may be apart


@dataclass
class Verification:
    """One run. What it reads first is examined; what it reads again only settles doubts.

    standing: what holds of the log as it stood at the last look; what was found in its records is the part's.
    """

    request: Request
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.request.timeout
        self.contract = contract(self.request.outbox)
        self.report = Report(self.request.outbox.service)
        self.standing = self.request.findings()
        self.copies: Sequence[int] = ()
        self.took = 0.0

    def run(self) -> Report:
        """Everything, in order; interrupted or left alone half-way, it says what it has. Raises EnvironmentProblems."""
        began, self.report.began_ms = time.monotonic(), _now()
        with folder(self.request.spool) as own:
            self.part = Part(self.request, self.contract, own, self.say)
            try:
                self._run()
            except KeyboardInterrupt as interruption:
                self.report.interruption = interruption
                self.standing.add("RUN-01", Place("*"), "every record", "interrupted")
            except EnvironmentProblem as problem:
                if not self.report.partitions:
                    raise
                self.standing.add("RUN-01", Place("*"), "every answer", problem.what)
                self.report.notes.append(": ".join(filter(None, (problem.where, problem.what, problem.why))))
            finally:
                self.part.engine.close()
        self._told()
        self.report.seconds = time.monotonic() - began
        self.report.verdict = verdict(self.report.findings, self.request.fail_on)
        return self.report

    def _run(self) -> None:
        ledger = self._ledger()
        # before the topics: whatever is in the ledger now must be on them later
        snapshot = ledger.snapshot(self._left()) if ledger else None
        self.report.rows = snapshot.rows if snapshot else None
        self.report.unchecked = unchecked(self.request.outbox, ledger=ledger is not None)
        if self.request.connect is None:
            self.report.unchecked |= CONNECTOR_S
        self._look()
        if ledger and snapshot:
            self._alike(ledger, self._loss(ledger, snapshot))
        else:
            self.standing.add("RUN-11", Place("*"), "the outbox table", self._unledgered())

    def _unledgered(self) -> str:
        """Why there is no ledger."""
        if self.request.window.end != Bound():
            return "the reading ends before the table does"
        return "no database was named" if self.request.dsn is None else "each row is deleted in its own transaction"

    def _told(self) -> None:
        """The report's figures, from what was counted."""
        report, tally = self.report, self.part.tally
        found = self.request.findings()
        found.merge(tally.findings)
        found.merge(self.standing)
        report.findings = baseline.weighed(report.service, found, self.request.known)
        report.topics = dict(sorted(tally.events.items()))
        report.copies = len(self.copies)
        report.moments, report.weight = tally.moments(), 1 << tally.thinned
        report.ends = {here: r.end for here, r in sorted(self.part.ranges.items())}

    def _look(self) -> None:
        """Read everything that there is by now, and judge it; what an earlier look said of the log is forgotten."""
        request, report, began = self.request, self.report, time.monotonic()
        self.standing = request.findings()
        partitions = plan.partitions(request, self.standing)
        report.partitions = {topic: sum(t == topic for t, _ in partitions) for topic, _ in partitions}
        pinned = plan.pinned(request, partitions, self.deadline, self.standing)
        for one in self.part.extend(pinned, report.partitions, self.deadline):
            here = Place(one.planned.topic, one.planned.partition)
            if not one.done:
                seen = f"offset {one.position}" + (f": {one.error}" if one.error else "")
                self.standing.add("RUN-01", here, f"offset {one.planned.end}", seen)
            if one.refused:
                self.standing.add("RUN-07", here, "its records", one.error)
        plan.still(request, self._counted(), self.part.ranges, self.standing)
        plan.settings(request, list(report.partitions), self.standing)
        if request.connect and (unasked := preflight.look(request.connect, request.outbox, self.standing)):
            report.unchecked |= CONNECTOR_S
            report.notes = [*(note for note in report.notes if note != unasked), unasked]
        if not self.contract.sequence:
            self.standing.add("ORD-05", Place("*"))
        self._settle()
        plan.accounted(request, self.part.ranges, self.part.tally.read, self.standing)
        coverage.judge(self.contract, [one for _, one in self.part.tally.sample], self.standing)
        self.took = time.monotonic() - began
        if not any(self.part.tally.events.values()):
            self.standing.add("RUN-06", Place("*"), "events", "none")

    def _counted(self) -> dict[str, int]:
        """How many partitions the topics had when the first of them was read."""
        earlier = {topic: count for shard in self.request.shards for topic, count in shard.counts.items()}
        return self.report.partitions | earlier

    def _ledger(self) -> Ledger | None:
        """What must have arrived, where that is known: an application's record, or the table whose rows stay."""
        request, outbox = self.request, self.request.outbox
        if request.window.end != Bound():
            return None
        if request.record is not None:
            return request.record
        if request.dsn is None or outbox.table.retention == "immediate":
            return None
        found: Ledger = source.named(outbox.database.dialect).ledger.Table(request.dsn, outbox)
        return found

    def _left(self) -> float:
        return self.deadline - time.monotonic()

    def _settle(self) -> None:
        """Tell duplicates from disorder, with a second reading of the partitions that are in doubt."""
        numbered = self.contract.sequence and self.request.outbox.ordering.assigned_by == "application"
        strewn = any(finding.check == "KEY-04" for finding in self.part.tally.findings)
        cut = {here for here, r in self.part.ranges.items() if r.start}
        replay = Replay(self.contract, self.standing, cut, self.request.window.chosen)
        for several in _handfuls(self.part.engine.doubts(gaps=numbered, split=strewn)):
            self.say(f"{len(several)} partitions are in doubt: reading them once more")
            for doubts in several:
                replay.begin(doubts)
            again = kafka.Reading([self.part.ranges[doubts.topic, doubts.partition] for doubts in several])
            for topic, partition, records in self.request.log.read(again, self.deadline):
                replay.take(topic, partition, records)
            for one in again.progress.values():
                if not one.done:
                    here = Place(one.planned.topic, one.planned.partition)
                    self.standing.add("RUN-01", here, "a second reading", f"offset {one.position}")
        replay.finish()
        self.copies, self.report.trails = replay.copies, replay.trails()
        self.report.keys = self.part.engine.keys() - replay.split_keys

    def _loss(self, ledger: Ledger, snapshot: Snapshot) -> list[int]:
        """Compare with the ledger; where rows are absent, wait until the connector is past them, and look again.

        The fence is taken behind the rows that were read, not behind the snapshot: rows are written all the while.
        Returns the buckets that were looked at.
        """
        tally = self.part.tally
        buckets = loss.unequal(tally.counts.tolist(), tally.sums.tolist(), snapshot.buckets, self.copies)
        if not buckets:
            return []
        self.say(f"the topics and the table differ in {len(buckets):,} of {loss.BUCKETS:,} parts: looking closer")
        before = ledger.rows(buckets, self._left())
        fence = ledger.fence()
        arrivals, whole = self._arrivals(set(buckets))
        absent = before.keys() - {one.event_id for one in arrivals}
        if absent and whole:
            passed = self._quiet() if fence is None else self._passed(ledger, fence)
            self._look()
            arrivals, whole = self._arrivals(set(buckets))
            absent -= {one.event_id for one in arrivals}
            whole = whole and (passed or not absent)
        if not (whole and self.part.complete):
            self.standing.add("RUN-10", Place("*"), "all rows", f"{len(absent)} rows were not seen yet")
            return []
        self._judged(ledger, snapshot, before, ledger.rows(buckets, self._left()), arrivals)
        return buckets

    def _judged(
        self,
        ledger: Ledger,
        snapshot: Snapshot,
        before: Mapping[str, Row],
        now: Mapping[str, Row],
        arrivals: Sequence[loss.Arrival],
    ) -> None:
        """Name what is missing, and what should not be there. before, now: the rows, at the fence and by now."""
        outbox = self.request.outbox
        covered = loss.covered_since(outbox, snapshot.oldest, _now())
        if self.request.record is not None:  # it is never cleaned up: it covers what it has
            covered = _now() if snapshot.oldest is None else snapshot.oldest
        outcomes = ledger.outcomes(one.event_id for one in arrivals if one.event_id not in now)
        missing = loss.compare(self.contract, arrivals, now, self.standing, covered, outcomes)
        fresh = [event_id for event_id in missing if event_id not in before]
        if fresh:
            self.standing.add("LOS-05", Place("*"), "", f"{len(fresh)} rows", count=len(fresh))
        settled = [event_id for event_id in missing if event_id in before]
        due = loss.due(outbox, now, settled, self._published_since())
        if len(due) < len(settled):
            self.report.notes.append(f"{len(settled) - len(due)} rows are older than what is on the topics: not judged")
        loss.lost(outbox, now, due, self.standing)
        transactions = sorted({transaction for one in due if (transaction := now[one].transaction)})[:TRANSACTIONS]
        if transactions:
            loss.torn((now[one] for one in missing), ledger.together(transactions, self._left()), self.standing)

    def _alike(self, ledger: Ledger, compared: Sequence[int]) -> None:
        """Hold a sample of the messages against their rows; those of the buckets that were compared have been."""
        sampled = [one for _, one in self.part.tally.sample if loss.bucket(one) not in set(compared)]
        ids = [one.event_id for one in sampled if UUID.fullmatch(one.event_id.encode())]
        rows = ledger.rows_of(ids, self._left()) if ids else {}
        loss.alike(self.request.outbox, sampled, rows, self.standing)
        self.report.latency = took = loss.latency(sampled, rows, self.standing)
        if took and self.request.latency is not None and took.p99 > self.request.latency:
            told = f"p50 {took.p50}, p95 {took.p95}, p99 {took.p99}, at most {took.most} ms"
            self.standing.add("LAT-01", Place("*"), f"p99 within {self.request.latency} ms", told)

    def _published_since(self) -> dict[str, int]:
        """From when on a row must be on its topic: what is older may be gone from there again by the topic's retention,
        or came before the connector's first start and was, with `snapshot: no_data`, never meant to be published.
        """
        now = _now()
        first = {partition: at + CLOCKS_MS for partition, at in self.part.tally.first.items()}
        begin = min(first.values(), default=now) if self.request.outbox.connect.snapshot == "no_data" else 0
        since: defaultdict[str, int] = defaultdict(lambda: begin)
        for r in self.part.ranges.values():
            if r.start:
                since[r.topic] = max(since[r.topic], first.get((r.topic, r.partition), now))
        return since

    def _arrivals(self, buckets: set[int]) -> tuple[list[loss.Arrival], bool]:
        """The messages of some buckets, and whether all that was planned could be read."""
        reading = kafka.Reading(list(self.part.ranges.values()))
        found = [
            arrival
            for topic, partition, records in self.request.log.read(reading, self.deadline)
            for record in records
            if (arrival := loss.arrival(place(topic, partition, record), record)) and loss.bucket(arrival) in buckets
        ]
        return found, reading.complete

    def _passed(self, ledger: Ledger, fence: int) -> bool:
        """Wait until the connector has published everything before a fence; False if it has not in time.

        It leaves time for the second look, which reads the topics twice: what the first one found must not be lost.
        """
        until = min(self.deadline - 2 * self.took, time.monotonic() + self.request.catch_up)
        self.say("waiting until the connector has passed the last row")
        while why := ledger.behind(fence):
            if time.monotonic() > until:
                self.report.notes.append(f"the connector did not pass the last row: {why}")
                return False
            time.sleep(FENCE_POLL_SECONDS)
        return True

    def _quiet(self) -> bool:
        """Wait until nothing arrives any more; True, for a ledger that has no log behind it can say no better."""
        until = min(self.deadline - 2 * self.took, time.monotonic() + self.request.catch_up)
        self.say("waiting until nothing arrives any more")
        ends, since = self.part.ranges, time.monotonic()
        while time.monotonic() < until and time.monotonic() - since < QUIET_SECONDS:
            time.sleep(FENCE_POLL_SECONDS)
            now = {(r.topic, r.partition): r for r in self.request.log.pin(list(self.part.ranges))}
            if any(now[here].end > r.end for here, r in ends.items() if here in now):
                ends, since = now, time.monotonic()
        self.report.notes.append("the ledger is a file: what had not arrived when nothing came any more is called lost")
        return True


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


def _now() -> int:
    """Milliseconds since 1970, as messages are stamped."""
    return int(time.time() * 1000)
