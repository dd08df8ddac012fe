"""One verification from its first question to its verdict: plan, read, look again, compare with the table."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit import source
from outbox_kit.finding import Finding, Findings, Place, Severity
from outbox_kit.kafka import read as kafka
from outbox_kit.schema.model import PLACEHOLDER, Outbox
from outbox_kit.schema.names import names
from outbox_kit.verify import loss
from outbox_kit.verify.catalogue import severities
from outbox_kit.verify.contract import contract
from outbox_kit.verify.examine import BUCKETS, Examination
from outbox_kit.verify.explain import Explainer, place
from outbox_kit.verify.replay import Appearance, classify
from outbox_kit.verify.verdict import Verdict, verdict

DAY_MS = 86_400_000
SETTLE_POLL_SECONDS = 0.25


@dataclass(frozen=True)
class Request:
    """What is asked for. dsn: None to leave the outbox table out. timeout and settle in seconds."""

    outbox: Outbox
    bootstrap: str
    dsn: str | None
    timeout: float = 600.0
    settle: float = 10.0
    fail_on: Severity = Severity.error
    most: int = 32


@dataclass
class Report:
    """What was found, for every report format. rows: of the outbox table; None where it was not read."""

    service: str
    verdict: Verdict = Verdict.inconclusive
    findings: list[Finding] = field(default_factory=list)
    topics: dict[str, int] = field(default_factory=dict)
    partitions: dict[str, int] = field(default_factory=dict)
    keys: int = 0
    copies: int = 0
    rows: int | None = None
    seconds: float = 0.0
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def events(self) -> int:
        """All messages that are events, copies too."""
        return sum(self.topics.values())


@dataclass
class Verification:
    """One run. What it reads first is examined; what it reads again only answers questions."""

    request: Request
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        outbox = self.request.outbox
        self.deadline = time.monotonic() + self.request.timeout
        self.contract = contract(outbox)
        weights = severities(exactly_once=outbox.delivery == "exactly-once")
        self.findings = Findings(weights, self.request.most)
        self.report = Report(outbox.service)
        self.examination: Examination | None = None
        self._complete = False

    def run(self) -> Report:
        """Everything, in order; interrupted, it says what it has. Raises only EnvironmentProblems."""
        began = time.monotonic()
        try:
            self._run()
        except KeyboardInterrupt:
            self.report.interrupted = True
            self.findings.add("RUN-01", Place("*"), "every record", "interrupted")
        self.report.seconds = time.monotonic() - began
        self.report.findings = list(self.findings)
        self.report.verdict = verdict(self.report.findings, self.request.fail_on)
        return self.report

    def _run(self) -> None:
        snapshot = self._snapshot()
        partitions = self._partitions()
        ranges = self._pinned(partitions)
        counts = {topic: sum(t == topic for t, _ in partitions) for topic, _ in partitions}
        examination = Examination(self.contract, self.findings, Explainer(self.contract, self.findings), counts)
        self.examination, self.report.partitions = examination, counts
        self._read(ranges, examination)
        if not self.contract.sequence:
            self.findings.add("ORD-05", Place("*"))
        copies = self._replays(ranges)
        if snapshot is not None and not self._complete:
            self.findings.add("LOS-04", Place("*"), "every partition read to its end", "see RUN-01")
        elif snapshot is not None:
            self._loss(snapshot, ranges, copies)
        elif self.request.dsn and self.request.outbox.table.retention == "immediate":
            self.findings.add("LOS-06", Place("*"), "rows that stay", "each row is deleted in its own transaction")
        else:
            self.findings.add("LOS-06", Place("*"), "the outbox table", "no database was named")
        examination.finish()
        self.report.topics = dict(sorted(examination.events.items()))
        self.report.keys = len({(t, key) for (t, _), keys in examination.highest.items() for key in keys})
        if not self.report.events:
            self.findings.add("RUN-06", Place("*"), "events", "none")

    def _snapshot(self) -> Any:
        """The table, before the topics: whatever is in it then must be in them later."""
        outbox, dsn = self.request.outbox, self.request.dsn
        if dsn is None or outbox.table.retention == "immediate":
            return None
        found = source.named(outbox.database.dialect).ledger.snapshot(dsn, outbox)
        self.report.rows = found.rows
        return found

    def _partitions(self) -> list[tuple[str, int]]:
        there = kafka.topics(self.request.bootstrap)
        outbox, derived = self.request.outbox, names(self.request.outbox)
        own = {derived.canary_topic, derived.heartbeat_topic, derived.raw_heartbeat_topic}
        wanted = [topic for topic in outbox.topics if topic in there]
        for topic in set(outbox.topics) - there.keys():
            self.findings.add("RUN-08", Place(topic))
        literal = PLACEHOLDER.split(outbox.routing.topic.replace("{service}", outbox.service))
        if len(literal) > 1 and literal[0]:
            similar = {t for t in there if t.startswith(literal[0]) and t.endswith(literal[-1])} - set(wanted) - own
            if outbox.topics:
                for topic in sorted(similar):
                    self.findings.add("RTE-05", Place(topic))
            else:
                wanted = sorted(similar)  # the rows choose their topics: all of the pattern are theirs
        if derived.raw_topic in there:
            self.findings.add("RTE-04", Place(derived.raw_topic), "no such topic", "the outbox's raw change records")
        return [(topic, partition) for topic in sorted(wanted) for partition in range(there[topic])]

    def _pinned(self, partitions: Sequence[tuple[str, int]]) -> list[kafka.Range]:
        """Ends as they are now; an open transaction is given a while to end."""
        until = time.monotonic() + self.request.settle
        ranges = kafka.pin(self.request.bootstrap, partitions)
        while any(r.hidden for r in ranges) and time.monotonic() < min(until, self.deadline):
            time.sleep(SETTLE_POLL_SECONDS)
            ranges = kafka.pin(self.request.bootstrap, partitions)
        for r in ranges:
            if r.hidden:
                self.findings.add(
                    "RUN-04", Place(r.topic, r.partition, r.end), "no open transaction", f"{r.hidden} offsets"
                )
            if r.start:
                self.findings.add("RUN-02", Place(r.topic, r.partition), "offset 0", f"offset {r.start}")
        return ranges

    def _read(self, ranges: Sequence[kafka.Range], examination: Examination) -> None:
        reading = kafka.Reading(ranges)
        total, done, said = sum(r.end - r.start for r in ranges), 0, time.monotonic()
        for topic, partition, records in kafka.read(self.request.bootstrap, reading, self.deadline):
            examination.take(topic, partition, records)
            done += len(records)
            if time.monotonic() - said > 5:
                said = time.monotonic()
                self.say(f"{done:,} of about {total:,} records")
        self._complete = reading.complete
        for progress in reading.progress.values():
            if not progress.done:
                r = progress.planned
                seen = f"offset {progress.position}" + (f": {progress.error}" if progress.error else "")
                self.findings.add("RUN-01", Place(r.topic, r.partition), f"offset {r.end}", seen)

    def _replays(self, ranges: Sequence[kafka.Range]) -> list[int]:
        """Tell duplicates from disorder, with a second reading where there is a suspect; returns copies' ids."""
        examination = self.examination
        assert examination is not None  # noqa: S101 - set before anything is read
        late: frozenset[tuple[str, int, bytes, int]] = frozenset()
        copies: list[int] = []
        if examination.suspects:
            where = {(s.place.topic, s.place.partition) for s in examination.suspects}
            self.say(f"{len(examination.suspects):,} records came again or late: reading their partitions once more")
            replay = classify(
                examination.suspects,
                self._appearances([r for r in ranges if (r.topic, r.partition) in where]),
                self.findings,
            )
            ids = {s.place: s.event_id for s in examination.suspects}
            copies = [int(ids[here][-12:], 16) for here in replay.copies]
            late = replay.late
        self.report.copies = len(copies)
        for here, key, first, last in examination.gaps:
            missing = [n for n in range(first, last + 1) if (here.topic, here.partition, key, n) not in late]
            if missing:
                self.findings.add("LOS-02", here, f"number {missing[0]} first", f"{len(missing)} missing before it")
        return copies

    def _appearances(self, ranges: Sequence[kafka.Range]) -> Iterable[Appearance]:
        examination = self.examination
        assert examination is not None  # noqa: S101
        ids = {s.event_id for s in examination.suspects}
        numbers = {(s.place.topic, s.place.partition, s.key, s.sequence) for s in examination.suspects}
        for topic, partition, records in kafka.read(self.request.bootstrap, kafka.Reading(ranges), self.deadline):
            for record in records:
                headers = dict(record.headers() or ())
                event_id, key = headers.get("id"), record.key()
                sequence = int(headers.get("sequence") or 0) if self.contract.sequence else 0
                if event_id in ids or (topic, partition, key, sequence) in numbers:
                    likeness = hash((key, headers.get("eventType"), record.value()))
                    yield Appearance(place(topic, partition, record), key, sequence, event_id or b"", likeness)

    def _loss(self, snapshot: Any, ranges: Sequence[kafka.Range], copies: Sequence[int]) -> None:
        """Compare with the table; where they differ, wait until the connector is past it, read on, look again."""
        examination, outbox = self.examination, self.request.outbox
        assert examination is not None  # noqa: S101
        buckets = loss.unequal(examination.counts, examination.sums, snapshot.buckets, copies)
        if not buckets:
            return
        ledger = source.named(outbox.database.dialect).ledger
        before = ledger.rows(self.request.dsn, outbox, buckets)
        self.say(f"the topics and the table differ in {len(buckets):,} of {BUCKETS:,} parts: looking closer")
        arrivals, whole = self._arrivals(ranges, set(buckets))
        absent = set(before) - {one.event_id for one in arrivals}
        if absent and whole:
            passed = self._fence(snapshot.position)
            arrivals, whole = self._arrivals(kafka.pin(self.request.bootstrap, self._partitions()), set(buckets))
            absent -= {one.event_id for one in arrivals}
            whole = whole and (passed or not absent)
        if not whole:
            self.findings.add("LOS-04", Place("*"), "all rows", f"{len(absent)} rows were not seen yet")
            return
        now = ledger.rows(self.request.dsn, outbox, buckets)
        missing = loss.compare(self.contract, arrivals, now, self.findings, self._covered_since(snapshot))
        fresh = [event_id for event_id in missing if event_id not in before]
        if fresh:
            self.findings.add("LOS-05", Place("*"), "", f"{len(fresh)} rows", count=len(fresh))
        loss.lost(outbox, now, [event_id for event_id in missing if event_id in before], self.findings)

    def _arrivals(self, ranges: Sequence[kafka.Range], buckets: set[int]) -> tuple[list[loss.Arrival], bool]:
        """The messages of some buckets, and whether all that was planned could be read."""
        reading = kafka.Reading(ranges)
        found = [
            arrival
            for topic, partition, records in kafka.read(self.request.bootstrap, reading, self.deadline)
            for record in records
            if (arrival := loss.arrival(place(topic, partition, record), record, buckets))
        ]
        return found, reading.complete

    def _fence(self, position: int) -> bool:
        """Wait until the slot has confirmed everything up to a position of the log; False if it does not in time."""
        probe = source.named(self.request.outbox.database.dialect).probe
        slot_name = names(self.request.outbox).slot
        until = min(self.deadline, time.monotonic() + max(self.request.settle, 1.0) * 6)
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

    def _covered_since(self, snapshot: Any) -> int:
        """From when on the table has every row: from the beginning, unless retention may have taken some already."""
        table = self.request.outbox.table
        if table.retention == "keep":
            return 0
        if snapshot.oldest is None:
            return int(time.time() * 1000)
        oldest = int(snapshot.oldest.timestamp() * 1000)
        young = time.time() * 1000 - oldest < (table.keep_days - 1) * DAY_MS
        return 0 if young else oldest + 60_000
