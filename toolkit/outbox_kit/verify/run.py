"""One verification from its first question to its verdict: plan, read, look again, compare with the table."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit import source
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Findings, Place
from outbox_kit.kafka import read as kafka
from outbox_kit.schema.names import names
from outbox_kit.schema.words import PLACEHOLDER
from outbox_kit.verify import loss, preflight
from outbox_kit.verify.catalogue import severities
from outbox_kit.verify.contract import contract, unchecked
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.explain import UUID, number, place
from outbox_kit.verify.replay import Appearance, classify
from outbox_kit.verify.result import Report, Request
from outbox_kit.verify.verdict import verdict

SETTLE_POLL_SECONDS = 0.25
CONNECTOR_S = frozenset({"CFG-01", "CFG-02", "CFG-03"})
PROGRESS_SECONDS = 5.0
CLOCKS_MS = 60_000  # how far the database's clock and the worker's may be apart


@dataclass
class Verification:
    """One run. What it reads first is examined; what it reads again only answers questions."""

    request: Request
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.request.timeout
        self.contract = contract(self.request.outbox)
        self.report = Report(self.request.outbox.service)
        self.findings = Findings(severities(exactly_once=False) | dict(self.request.severities), self.request.most)
        self.ranges: list[kafka.Range] = []
        self.examination = Examination(self.contract, self.findings, {})
        self.complete = False
        self.copies: list[int] = []
        self.first: dict[tuple[str, int], int] = {}
        self.took = 0.0

    def run(self) -> Report:
        """Everything, in order; interrupted or left alone half-way, it says what it has. Raises EnvironmentProblems."""
        began, self.report.began_ms = time.monotonic(), _now()
        try:
            self._run()
        except KeyboardInterrupt as interruption:
            self.report.interruption = interruption
            self.findings.add("RUN-01", Place("*"), "every record", "interrupted")
        except EnvironmentProblem as problem:
            if not self.report.topics:
                raise
            self.findings.add("RUN-01", Place("*"), "every answer", problem.what)
            self.report.notes.append(": ".join(filter(None, (problem.where, problem.what, problem.why))))
        self.report.seconds = time.monotonic() - began
        self.report.findings = list(self.findings)
        self.report.verdict = verdict(self.report.findings, self.request.fail_on)
        return self.report

    def _run(self) -> None:
        snapshot = self._snapshot()
        self.report.unchecked = unchecked(self.request.outbox, ledger=snapshot is not None)
        if self.request.connect is None:
            self.report.unchecked |= CONNECTOR_S
        self._examine()
        if snapshot is not None:
            self._alike(self._loss(snapshot))
        else:
            why = "no database was named" if self.request.dsn is None else "each row is deleted in its own transaction"
            self.findings.add("RUN-11", Place("*"), "the outbox table", why)

    def _examine(self) -> None:
        """Read everything there is now, and look at each record; what an earlier look has found is forgotten."""
        request, report, began = self.request, self.report, time.monotonic()
        weights = severities(exactly_once=request.outbox.delivery == "exactly-once") | dict(request.severities)
        self.findings = Findings(weights, request.most)
        partitions = self._partitions()
        self.ranges = self._pinned(partitions)
        report.partitions = {topic: sum(t == topic for t, _ in partitions) for topic, _ in partitions}
        self.examination = Examination(self.contract, self.findings, report.partitions)
        self._read()
        self._still(partitions)
        self._settings(list(report.partitions))
        if request.connect and (unasked := preflight.look(request.connect, request.outbox, self.findings)):
            report.unchecked |= CONNECTOR_S
            report.notes = [*(note for note in report.notes if note != unasked), unasked]
        if not self.contract.sequence:
            self.findings.add("ORD-05", Place("*"))
        self._replays()
        self.examination.finish()
        report.topics = dict(sorted(self.examination.events.items()))
        keys = {(topic, key) for (topic, _), keys in self.examination.highest.items() for key in keys}
        report.keys, report.copies = len(keys), len(self.copies)
        self.took = time.monotonic() - began
        if not report.events:
            self.findings.add("RUN-06", Place("*"), "events", "none")

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
            self.findings.add("RUN-08", Place(topic))
        if self.request.log.whole:
            return [(topic, partition) for topic in sorted(there) for partition in range(there[topic])]
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
        ranges = self.request.log.pin(partitions)
        while any(r.hidden for r in ranges) and time.monotonic() < min(until, self.deadline):
            time.sleep(SETTLE_POLL_SECONDS)
            ranges = self.request.log.pin(partitions)
        for r in ranges:
            if r.hidden:
                self.findings.add(
                    "RUN-04", Place(r.topic, r.partition, r.end), "no open transaction", f"{r.hidden} offsets"
                )
            if r.start:
                self.findings.add("RUN-02", Place(r.topic, r.partition), "offset 0", f"offset {r.start}")
        return ranges

    def _read(self) -> None:
        reading, self.first = kafka.Reading(self.ranges), {}
        total, done, said = sum(r.end - r.start for r in self.ranges), 0, time.monotonic()
        for topic, partition, records in self.request.log.read(reading, self.deadline):
            self.first.setdefault((topic, partition), records[0].timestamp()[1])
            self.examination.take(topic, partition, records)
            done += len(records)
            if time.monotonic() - said > PROGRESS_SECONDS:
                said = time.monotonic()
                self.say(f"{done:,} of about {total:,} records")
        self.complete = reading.complete
        for progress in reading.progress.values():
            if not progress.done:
                r = progress.planned
                seen = f"offset {progress.position}" + (f": {progress.error}" if progress.error else "")
                self.findings.add("RUN-01", Place(r.topic, r.partition), f"offset {r.end}", seen)

    def _still(self, partitions: Sequence[tuple[str, int]]) -> None:
        """Whether the topics are still what they were when the reading began."""
        request = self.request
        there = request.log.topics()
        for topic, count in self.report.partitions.items():
            if topic in there and there[topic] != count:
                self.findings.add("RUN-09", Place(topic), f"{count} partitions", f"{there[topic]} of them now")
        now = request.log.pin([place for place in partitions if place[0] in there])
        planned = {(r.topic, r.partition): r for r in self.ranges}
        for r in now:
            then = planned[r.topic, r.partition]
            if r.end < then.end:
                self.findings.add(
                    "RUN-03", Place(r.topic, r.partition), f"offset {then.end}", f"the log ends at {r.end}"
                )
            if r.start > then.start:
                said = f"retention moved on to offset {r.start} meanwhile"
                self.findings.add("RUN-02", Place(r.topic, r.partition), f"offset {then.start}", said)

    def _settings(self, topics: Sequence[str]) -> None:
        """What the topics' own settings mean for events."""
        table = self.request.outbox.table
        for topic, found in sorted(self.request.log.settings(topics).items()):
            policy, retention = found.get("cleanup.policy", ""), int(found.get("retention.ms") or -1)
            if "compact" in policy:
                self.findings.add("CFG-04", Place(topic), "delete", policy)
            if table.retention in ("delete", "partition") and 0 <= retention < table.keep_days * loss.DAY_MS:
                days = f"{retention / loss.DAY_MS:.1f} days"
                self.findings.add("CFG-05", Place(topic), f"{table.keep_days} days, as the rows", days)

    def _replays(self) -> None:
        """Tell duplicates from disorder, with a second reading of the partitions that have a suspect."""
        suspects = self.examination.suspects
        self.copies, late = [], frozenset[tuple[str, int, bytes, int]]()
        if suspects:
            self.say(f"{len(suspects):,} records came again or late: reading their partitions once more")
            cut = {(r.topic, r.partition) for r in self.ranges if r.start}
            numbered = self.contract.sequence
            replay = classify(suspects, self._appearances(), self.findings, cut, numbered=numbered)
            ids = {suspect.place: suspect.event_id for suspect in suspects}
            self.copies = [loss.fingerprint_of(ids[here]) for here in replay.copies]
            late = replay.late
        for here, key, first, last in self.examination.gaps:
            missing = [n for n in range(first, last + 1) if (here.topic, here.partition, key, n) not in late]
            if missing:
                self.findings.add("LOS-02", here, f"number {missing[0]} first", f"{len(missing)} missing before it")

    def _appearances(self) -> Iterable[Appearance]:
        """Every record that has a suspect's id, or its key and number, and the first one of its key."""
        suspects = self.examination.suspects
        ids = {s.event_id for s in suspects}
        numbers = {(s.place.topic, s.place.partition, s.key, s.sequence) for s in suspects}
        where = {(s.place.topic, s.place.partition) for s in suspects}
        unseen = {(s.place.topic, s.place.partition, s.key) for s in suspects}
        reading = kafka.Reading([r for r in self.ranges if (r.topic, r.partition) in where])
        for topic, partition, records in self.request.log.read(reading, self.deadline):
            for record in records:
                headers = dict(record.headers() or ())
                event_id, key = headers.get("id"), record.key()
                sequence = number(headers.get("sequence")) if self.contract.sequence else 0
                known = (topic, partition, key)
                if event_id in ids or (*known, sequence) in numbers or known in unseen:
                    unseen.discard(known)
                    likeness = hash((key, headers.get("eventType"), record.value()))
                    yield Appearance(place(topic, partition, record), key, sequence, event_id or b"", likeness)

    def _loss(self, snapshot: Any) -> list[int]:
        """Compare with the table; where rows are absent, wait until the connector is past them, and look again.

        The fence is taken behind the rows that were read, not behind the snapshot: rows are written all the while.
        Returns the buckets that were looked at.
        """
        outbox, examination = self.request.outbox, self.examination
        ledger = source.named(outbox.database.dialect).ledger
        buckets = loss.unequal(examination.counts, examination.sums, snapshot.buckets, self.copies)
        if not buckets:
            return []
        self.say(f"the topics and the table differ in {len(buckets):,} of {loss.BUCKETS:,} parts: looking closer")
        before = ledger.rows(self.request.dsn, outbox, buckets, self._left())
        position = ledger.position(self.request.dsn)
        arrivals, whole = self._arrivals(set(buckets))
        absent = before.keys() - {one.event_id for one in arrivals}
        if absent and whole:
            passed = self._fence(position)
            self._examine()
            arrivals, whole = self._arrivals(set(buckets))
            absent -= {one.event_id for one in arrivals}
            whole = whole and (passed or not absent)
        if not (whole and self.complete):
            self.findings.add("RUN-10", Place("*"), "all rows", f"{len(absent)} rows were not seen yet")
            return []
        now = ledger.rows(self.request.dsn, outbox, buckets, self._left())
        oldest = int(snapshot.oldest.timestamp() * 1000) if snapshot.oldest else None
        covered = loss.covered_since(outbox, oldest, _now())
        missing = loss.compare(self.contract, arrivals, now, self.findings, covered)
        fresh = [event_id for event_id in missing if event_id not in before]
        if fresh:
            self.findings.add("LOS-05", Place("*"), "", f"{len(fresh)} rows", count=len(fresh))
        settled = [event_id for event_id in missing if event_id in before]
        due = loss.due(outbox, now, settled, self._published_since())
        if len(due) < len(settled):
            self.report.notes.append(f"{len(settled) - len(due)} rows are older than what is on the topics: not judged")
        loss.lost(outbox, now, due, self.findings)
        return buckets

    def _alike(self, compared: Sequence[int]) -> None:
        """Hold a sample of the messages against their rows; those of the buckets that were compared have been."""
        sampled = [one for one in self.examination.sampled if loss.bucket(one) not in set(compared)]
        ledger = source.named(self.request.outbox.database.dialect).ledger
        ids = [one.event_id for one in sampled if UUID.fullmatch(one.event_id.encode())]
        rows = ledger.rows_of(self.request.dsn, self.request.outbox, ids, self._left()) if ids else {}
        loss.alike(self.request.outbox, sampled, rows, self.findings)
        self.report.latency = loss.latency(sampled, rows, self.findings)

    def _published_since(self) -> dict[str, int]:
        """From when on a row must be on its topic: what is older may be gone from there again by the topic's retention,
        or came before the connector's first start and was, with `snapshot: no_data`, never meant to be published.
        """
        now = _now()
        first = {partition: at + CLOCKS_MS for partition, at in self.first.items()}
        begin = min(first.values(), default=now) if self.request.outbox.connect.snapshot == "no_data" else 0
        since: defaultdict[str, int] = defaultdict(lambda: begin)
        for r in self.ranges:
            if r.start:
                since[r.topic] = max(since[r.topic], first.get((r.topic, r.partition), now))
        return since

    def _arrivals(self, buckets: set[int]) -> tuple[list[loss.Arrival], bool]:
        """The messages of some buckets, and whether all that was planned could be read."""
        reading = kafka.Reading(self.ranges)
        found = [
            arrival
            for topic, partition, records in self.request.log.read(reading, self.deadline)
            for record in records
            if (arrival := loss.arrival(place(topic, partition, record), record, buckets))
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


def _now() -> int:
    """Milliseconds since 1970, as messages are stamped."""
    return int(time.time() * 1000)
