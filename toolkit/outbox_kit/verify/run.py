"""One verification from its first question to its verdict: plan, read, look again, compare with the table."""

import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outbox_kit import source
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Findings, Place, Severity
from outbox_kit.kafka import read as kafka
from outbox_kit.schema.names import names
from outbox_kit.schema.words import PLACEHOLDER
from outbox_kit.verify import loss, preflight, workers
from outbox_kit.verify.catalogue import severities
from outbox_kit.verify.contract import contract, unchecked
from outbox_kit.verify.engine import Doubts, Engine
from outbox_kit.verify.engine.choice import engine
from outbox_kit.verify.engine.memory import Memory
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.explain import UUID, place
from outbox_kit.verify.part import examine
from outbox_kit.verify.replay import Replay
from outbox_kit.verify.result import Report, Request
from outbox_kit.verify.tally import Here, Tally
from outbox_kit.verify.verdict import verdict

SETTLE_POLL_SECONDS = 0.25
WORTH_A_PROCESS = 100_000  # records; fewer are read before a process has started
CONNECTOR_S = frozenset({"CFG-01", "CFG-02", "CFG-03"})
SETTLED_AT_ONCE = 100_000  # doubts
CLOCKS_MS = 60_000  # how far the database's clock and the worker's may be apart


@dataclass
class Verification:
    """One run. What it reads first is examined; what it reads again only settles doubts.

    ranges: what was read of each partition so far, from its start; a later look goes on where the last one ended.
    passed: what the pass over the records found. standing: what holds of the log as it stood at the last look.
    """

    request: Request
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.request.timeout
        self.contract = contract(self.request.outbox)
        self.report = Report(self.request.outbox.service)
        self.tally = Tally(self._none())
        self.engine: Engine = Memory()
        self.ranges: dict[Here, kafka.Range] = {}
        self.standing = self._none()
        self.complete = False
        self.copies: Sequence[int] = ()
        self.took = 0.0

    def _weights(self) -> dict[str, Severity]:
        return severities(exactly_once=self.request.outbox.delivery == "exactly-once") | dict(self.request.severities)

    def _none(self) -> Findings:
        return Findings(self._weights(), self.request.most)

    def run(self) -> Report:
        """Everything, in order; interrupted or left alone half-way, it says what it has. Raises EnvironmentProblems."""
        began, self.report.began_ms = time.monotonic(), _now()
        self.folder = Path(tempfile.mkdtemp(prefix="outbox-kit-verify-", dir=self.request.spool))
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
            self.engine.close()
            shutil.rmtree(self.folder, ignore_errors=True)
        self._told()
        self.report.seconds = time.monotonic() - began
        self.report.verdict = verdict(self.report.findings, self.request.fail_on)
        return self.report

    def _run(self) -> None:
        snapshot = self._snapshot()
        self.report.unchecked = unchecked(self.request.outbox, ledger=snapshot is not None)
        if self.request.connect is None:
            self.report.unchecked |= CONNECTOR_S
        self._look()
        if snapshot is not None:
            self._alike(self._loss(snapshot))
        else:
            why = "no database was named" if self.request.dsn is None else "each row is deleted in its own transaction"
            self.standing.add("RUN-11", Place("*"), "the outbox table", why)

    def _told(self) -> None:
        """The report's figures, from what was counted."""
        report, tally = self.report, self.tally
        found = self._none()
        found.merge(tally.findings)
        found.merge(self.standing)
        report.findings = list(found)
        report.topics = dict(sorted(tally.events.items()))
        report.copies = len(self.copies)

    def _look(self) -> None:
        """Read everything that there is by now, and judge it; what an earlier look said of the log is forgotten."""
        request, report, began = self.request, self.report, time.monotonic()
        self.standing = self._none()
        partitions = self._partitions()
        report.partitions = {topic: sum(t == topic for t, _ in partitions) for topic, _ in partitions}
        self._read(self._pinned(partitions))
        self._still(partitions)
        self._settings(list(report.partitions))
        if request.connect and (unasked := preflight.look(request.connect, request.outbox, self.standing)):
            report.unchecked |= CONNECTOR_S
            report.notes = [*(note for note in report.notes if note != unasked), unasked]
        if not self.contract.sequence:
            self.standing.add("ORD-05", Place("*"))
        self._settle()
        self.took = time.monotonic() - began
        if not any(self.tally.events.values()):
            self.standing.add("RUN-06", Place("*"), "events", "none")

    def _snapshot(self) -> Any:
        """The table, before the topics: whatever is in it then must be in them later."""
        outbox, dsn = self.request.outbox, self.request.dsn
        if dsn is None or outbox.table.retention == "immediate":
            return None
        found = source.named(outbox.database.dialect).ledger.snapshot(dsn, outbox, self._left())
        self.report.rows = found.rows
        return found

    def _left(self) -> float:
        return self.deadline - time.monotonic()

    def _partitions(self) -> list[tuple[str, int]]:
        there = self.request.log.topics()
        outbox, derived = self.request.outbox, names(self.request.outbox)
        own = {derived.canary_topic, derived.heartbeat_topic, derived.raw_heartbeat_topic}
        wanted = [topic for topic in outbox.topics if topic in there]
        for topic in set(outbox.topics) - there.keys():
            self.standing.add("RUN-08", Place(topic))
        if self.request.log.whole:
            return [(topic, partition) for topic in sorted(there) for partition in range(there[topic])]
        literal = PLACEHOLDER.split(outbox.routing.topic.replace("{service}", outbox.service))
        if len(literal) > 1 and literal[0]:
            similar = {t for t in there if t.startswith(literal[0]) and t.endswith(literal[-1])} - set(wanted) - own
            if outbox.topics:
                for topic in sorted(similar):
                    self.standing.add("RTE-05", Place(topic))
            else:
                wanted = sorted(similar)  # the rows choose their topics: all of the pattern are theirs
        if derived.raw_topic in there:
            self.standing.add("RTE-04", Place(derived.raw_topic), "no such topic", "the outbox's raw change records")
        return [(topic, partition) for topic in sorted(wanted) for partition in range(there[topic])]

    def _pinned(self, partitions: Sequence[tuple[str, int]]) -> list[kafka.Range]:
        """Ends as they are now; an open transaction is given a while to end."""
        until = time.monotonic() + self.request.settle
        ranges = self.request.log.pin(partitions)
        while any(r.hidden for r in ranges) and time.monotonic() < min(until, self.deadline):
            time.sleep(SETTLE_POLL_SECONDS)
            ranges = self.request.log.pin(partitions)
        for r in ranges:
            if r.hidden:
                self.standing.add(
                    "RUN-04", Place(r.topic, r.partition, r.end), "no open transaction", f"{r.hidden} offsets"
                )
            if r.start:
                self.standing.add("RUN-02", Place(r.topic, r.partition), "offset 0", f"offset {r.start}")
        return ranges

    def _read(self, pinned: Sequence[kafka.Range]) -> None:
        """Examine what lies between the end of the last look and these ends."""
        request = self.request
        fresh = [replace(r, start=max(r.start, self._position(r))) for r in pinned]
        total = sum(r.end - r.start for r in fresh)
        if not self.ranges:
            several = request.workers > 1
            self.engine = engine(request.engine, total, request.memory, self.folder, others=(), several=several)
        if request.workers > 1 and total > WORTH_A_PROCESS:
            progress = workers.run(
                [self._work(group) for group in workers.groups(fresh, request.workers)], self.tally, self.say
            )
        else:
            reading = kafka.Reading(fresh)
            examination = Examination(self.contract, self.tally, self.engine, self.report.partitions)
            examine(
                request.log,
                examination,
                reading,
                self.deadline,
                lambda n: self.say(f"{n:,} of about {total:,} records"),
            )
            progress = list(reading.progress.values())
        for one in progress:
            r = one.planned
            start = self.ranges.get((r.topic, r.partition), r).start
            self.ranges[r.topic, r.partition] = replace(r, start=start, end=one.position)
            if not one.done:
                seen = f"offset {one.position}" + (f": {one.error}" if one.error else "")
                self.standing.add("RUN-01", Place(r.topic, r.partition), f"offset {r.end}", seen)
        self.complete = all(one.done for one in progress)

    def _work(self, group: Sequence[kafka.Range]) -> workers.Work:
        request = self.request
        share = request.memory // (request.workers + 1)
        return workers.Work(
            request.outbox,
            request.log,
            group,
            self.report.partitions,
            self._weights(),
            request.most,
            self.folder,
            share,
            self._left(),
        )

    def _position(self, r: kafka.Range) -> int:
        here = r.topic, r.partition
        return self.ranges[here].end if here in self.ranges else r.start

    def _still(self, partitions: Sequence[tuple[str, int]]) -> None:
        """Whether the topics are still what they were when the reading began."""
        request = self.request
        there = request.log.topics()
        for topic, count in self.report.partitions.items():
            if topic in there and there[topic] != count:
                self.standing.add("RUN-09", Place(topic), f"{count} partitions", f"{there[topic]} of them now")
        now = request.log.pin([place for place in partitions if place[0] in there])
        for r in now:
            then = self.ranges[r.topic, r.partition]
            if r.end < then.end:
                self.standing.add(
                    "RUN-03", Place(r.topic, r.partition), f"offset {then.end}", f"the log ends at {r.end}"
                )
            if r.start > then.start:
                said = f"retention moved on to offset {r.start} meanwhile"
                self.standing.add("RUN-02", Place(r.topic, r.partition), f"offset {then.start}", said)

    def _settings(self, topics: Sequence[str]) -> None:
        """What the topics' own settings mean for events."""
        table = self.request.outbox.table
        for topic, found in sorted(self.request.log.settings(topics).items()):
            policy, retention = found.get("cleanup.policy", ""), int(found.get("retention.ms") or -1)
            if "compact" in policy:
                self.standing.add("CFG-04", Place(topic), "delete", policy)
            if table.retention in ("delete", "partition") and 0 <= retention < table.keep_days * loss.DAY_MS:
                days = f"{retention / loss.DAY_MS:.1f} days"
                self.standing.add("CFG-05", Place(topic), f"{table.keep_days} days, as the rows", days)

    def _settle(self) -> None:
        """Tell duplicates from disorder, with a second reading of the partitions that are in doubt."""
        numbered = self.contract.sequence and self.request.outbox.ordering.assigned_by == "application"
        strewn = any(finding.check == "KEY-04" for finding in self.tally.findings)
        replay = Replay(self.contract, self.standing, {here for here, r in self.ranges.items() if r.start})
        for several in _handfuls(self.engine.doubts(gaps=numbered, split=strewn)):
            self.say(f"{len(several)} partitions are in doubt: reading them once more")
            for doubts in several:
                replay.begin(doubts)
            again = kafka.Reading([self.ranges[doubts.topic, doubts.partition] for doubts in several])
            for topic, partition, records in self.request.log.read(again, self.deadline):
                replay.take(topic, partition, records)
            for one in again.progress.values():
                if not one.done:
                    here = Place(one.planned.topic, one.planned.partition)
                    self.standing.add("RUN-01", here, "a second reading", f"offset {one.position}")
        replay.finish()
        self.copies = replay.copies
        self.report.keys = self.engine.keys() - replay.split_keys

    def _loss(self, snapshot: Any) -> list[int]:
        """Compare with the table; where rows are absent, wait until the connector is past them, and look again.

        The fence is taken behind the rows that were read, not behind the snapshot: rows are written all the while.
        Returns the buckets that were looked at.
        """
        outbox, tally = self.request.outbox, self.tally
        ledger = source.named(outbox.database.dialect).ledger
        buckets = loss.unequal(tally.counts.tolist(), tally.sums.tolist(), snapshot.buckets, self.copies)
        if not buckets:
            return []
        self.say(f"the topics and the table differ in {len(buckets):,} of {loss.BUCKETS:,} parts: looking closer")
        before = ledger.rows(self.request.dsn, outbox, buckets, self._left())
        position = ledger.position(self.request.dsn)
        arrivals, whole = self._arrivals(set(buckets))
        absent = before.keys() - {one.event_id for one in arrivals}
        if absent and whole:
            passed = self._fence(position)
            self._look()
            arrivals, whole = self._arrivals(set(buckets))
            absent -= {one.event_id for one in arrivals}
            whole = whole and (passed or not absent)
        if not (whole and self.complete):
            self.standing.add("RUN-10", Place("*"), "all rows", f"{len(absent)} rows were not seen yet")
            return []
        now = ledger.rows(self.request.dsn, outbox, buckets, self._left())
        oldest = int(snapshot.oldest.timestamp() * 1000) if snapshot.oldest else None
        covered = loss.covered_since(outbox, oldest, _now())
        missing = loss.compare(self.contract, arrivals, now, self.standing, covered)
        fresh = [event_id for event_id in missing if event_id not in before]
        if fresh:
            self.standing.add("LOS-05", Place("*"), "", f"{len(fresh)} rows", count=len(fresh))
        settled = [event_id for event_id in missing if event_id in before]
        due = loss.due(outbox, now, settled, self._published_since())
        if len(due) < len(settled):
            self.report.notes.append(f"{len(settled) - len(due)} rows are older than what is on the topics: not judged")
        loss.lost(outbox, now, due, self.standing)
        return buckets

    def _alike(self, compared: Sequence[int]) -> None:
        """Hold a sample of the messages against their rows; those of the buckets that were compared have been."""
        sampled = [one for _, one in self.tally.sample if loss.bucket(one) not in set(compared)]
        ledger = source.named(self.request.outbox.database.dialect).ledger
        ids = [one.event_id for one in sampled if UUID.fullmatch(one.event_id.encode())]
        rows = ledger.rows_of(self.request.dsn, self.request.outbox, ids, self._left()) if ids else {}
        loss.alike(self.request.outbox, sampled, rows, self.standing)
        self.report.latency = loss.latency(sampled, rows, self.standing)

    def _published_since(self) -> dict[str, int]:
        """From when on a row must be on its topic: what is older may be gone from there again by the topic's retention,
        or came before the connector's first start and was, with `snapshot: no_data`, never meant to be published.
        """
        now = _now()
        first = {partition: at + CLOCKS_MS for partition, at in self.tally.first.items()}
        begin = min(first.values(), default=now) if self.request.outbox.connect.snapshot == "no_data" else 0
        since: defaultdict[str, int] = defaultdict(lambda: begin)
        for r in self.ranges.values():
            if r.start:
                since[r.topic] = max(since[r.topic], first.get((r.topic, r.partition), now))
        return since

    def _arrivals(self, buckets: set[int]) -> tuple[list[loss.Arrival], bool]:
        """The messages of some buckets, and whether all that was planned could be read."""
        reading = kafka.Reading(list(self.ranges.values()))
        found = [
            arrival
            for topic, partition, records in self.request.log.read(reading, self.deadline)
            for record in records
            if (arrival := loss.arrival(place(topic, partition, record), record)) and loss.bucket(arrival) in buckets
        ]
        return found, reading.complete

    def _fence(self, position: int) -> bool:
        """Wait until the slot has confirmed everything up to a position of the log; False if it does not in time.

        It leaves time for the second look, which reads the topics twice: what the first one found must not be lost.
        """
        probe = source.named(self.request.outbox.database.dialect).probe
        slot_name = names(self.request.outbox).slot
        until = min(self.deadline - 2 * self.took, time.monotonic() + self.request.catch_up)
        self.say("waiting until the connector has passed the last row")
        while True:
            slot = probe.slot(self.request.dsn, slot_name)
            if slot is not None and slot.confirmed >= position:
                return True
            if time.monotonic() > until:
                state = "there is no slot" if slot is None else f"{position - slot.confirmed} bytes of log are unread"
                self.report.notes.append(f"the slot '{slot_name}' did not pass the last row: {state}")
                return False
            time.sleep(SETTLE_POLL_SECONDS)


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
