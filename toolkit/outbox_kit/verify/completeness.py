"""The ledger against the topics: what is missing is looked for again before it is called lost."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from outbox_kit.finding import Place
from outbox_kit.kafka import read as kafka
from outbox_kit.schema.parts import Part as MessagePart
from outbox_kit.source import digest
from outbox_kit.source.ledger import Held, Ledger, Snapshot
from outbox_kit.verify import loss
from outbox_kit.verify.comparison import Comparison, Lost
from outbox_kit.verify.explain import number, place, shown
from outbox_kit.verify.fence import Behind, fence
from outbox_kit.verify.horizon import Horizon, LookBack, horizon, look_back
from outbox_kit.verify.paths import NO_NUMBER
from outbox_kit.verify.result import Compared
from outbox_kit.verify.rowless import Rowless, Run, numbered
from outbox_kit.verify.tally import Here

FENCE_POLL_SECONDS = 0.25
QUIET_SECONDS = 5.0
TRANSACTIONS = 100  # of lost rows, that are looked at whole
SHARE = 0.3  # of the memory for the comparison: what the examination remembers is there too
# what the examination says of a value by itself, which its row may contradict
BY_ITSELF = {"key": {"KEY-03"}, "header": {"HDR-04"}, "payload": {"PAY-03", "PAY-04", "PAY-08"}}


@dataclass
class Completeness:
    """Whether all that the ledger has is on the topics as its rows say, and nothing else.

    snapshot: the ledger before the topics were read. folder: where a comparison of many rows is written. compared: what
    of the messages was held against rows. missing: how many rows have no message. lost: those that were called so.
    """

    ledger: Ledger
    run: Run
    snapshot: Snapshot
    folder: Path
    compared: Compared = field(default_factory=lambda: Compared(Held()))
    missing: int = 0
    lost: Sequence[Lost] = ()
    _reached: dict[Here, int] = field(default_factory=dict)
    _back: LookBack | None = None

    @property
    def held(self) -> Held:
        """What of a message is compared."""
        return self.run.request.held or Held()

    def compare(self) -> None:
        """Compare sums; where they differ, row by row. What the sums cannot hold is compared in a sample."""
        report, known = self.run.report, self.run.request.remembered
        self.compared = report.compared = Compared(self.held, self.unheld())
        buckets = self._unequal()
        if buckets == []:
            self.compared.messages = sum(self.run.part.tally.recognised.values())
            if not known:
                self._legitimate(None)
        elif not self._closely(buckets):
            return
        self._sample()

    def unheld(self) -> tuple[str, ...]:
        """The parts of every message that nothing is compared with, as reports name them."""
        names = {("header", name) for name in self.run.contract.names if name != "id"} | {("key", ""), ("payload", "")}
        known = {(part.place, part.name) for part in (*self.held.digested, *self.held.sampled)}
        return tuple(sorted(f"header {name}" if name else kind for kind, name in names - known))

    def _unequal(self) -> list[int] | None:
        """The buckets that differ; None is all of them, where sums say nothing."""
        tally, known = self.run.part.tally, self.run.request.remembered
        if known:  # rows that were asked for in one window, messages that came in several
            return None if self.snapshot.rows or known.since != known.until else []
        if any(shard.parts != self.held.digested for shard in self.run.request.shards):
            return None
        found = loss.unequal(tally.counts.tolist(), tally.sums.tolist(), self.snapshot.buckets, self.run.copies)
        # without numbers of the database's, a message's place among all others says whether its row should be there
        places = (
            found
            and not numbered(self.run.request.outbox)
            and self.run.request.outbox.table.retention in ("delete", "partition")
        )
        whole = len(found) == digest.BUCKETS or places or (found and self._compacted())
        return None if whole else found

    def _closely(self, buckets: list[int] | None) -> bool:
        """Compare the rows of some buckets with their messages, one by one; whether that could be done."""
        if not self.run.request.remembered:
            differ = f"{digest.BUCKETS if buckets is None else len(buckets):,} of {digest.BUCKETS:,}"
            self.run.say(f"the topics and the table differ in {differ} parts: comparing them row by row")
        memory = int(self.run.request.memory * SHARE)
        with closing(Comparison(self.folder, memory, self.held.digested)) as comparison:
            for rows in self.ledger.read(self.held.digested, buckets, self.run.left()):
                comparison.add_rows(rows)
            wanted = None if buckets is None else frozenset(buckets)
            whole = self._arrivals(comparison, wanted)
            lost = self._missing(comparison)
            if lost and whole:
                whole, lost = self._awaited(comparison, wanted, lost)
            self._unlike(comparison)
            if not (whole and self.run.part.complete):
                said = f"{sum(one.count for one in lost)} rows were not seen yet"
                self.run.standing.add("RUN-10", Place("*"), "all rows", said)
                return False
            self._lost(comparison, lost, partly=wanted is not None)
            rowless = Rowless(self.ledger, self.run, self.snapshot, self.compared).judge(comparison)
            # in the buckets that were not looked at all messages have their rows
            events = sum(self.run.part.tally.recognised.values())
            self.compared.messages = comparison.matched() if self.run.request.remembered else events - rowless
        return True

    def _awaited(
        self, comparison: Comparison, wanted: frozenset[int] | None, lost: list[Lost]
    ) -> tuple[bool, list[Lost]]:
        """Wait until the connector is past the rows, and look again; whether all is known, and what is still missing.

        The fence is taken behind the rows that were read, not behind the snapshot: rows are written all the while.
        Behind a canary it may still be sending: as long as missing ones arrive, they are waited for.
        """
        with fence(self.run.request, self.ledger) as behind:
            passed = caught_up(self.run, behind)
        by_canary = behind is not None and self.run.request.fence == "canary"
        until = min(self.run.deadline - 2 * self.run.took, time.monotonic() + self.run.request.catch_up)
        while True:
            if passed and by_canary:  # it came: what was sent before it need not have been acknowledged
                time.sleep(max(0.0, min(QUIET_SECONDS, until - time.monotonic())))
            before = sum(one.count for one in lost)
            self.run.look()
            whole = self._arrivals(comparison, wanted)
            lost = self._missing(comparison)
            still = 0 < sum(one.count for one in lost) < before
            if not (by_canary and passed and whole and still) or time.monotonic() > until:
                return whole and (passed or not lost), lost

    def _missing(self, comparison: Comparison) -> list[Lost]:
        """The rows that no message is of, by their routes, as far as they must be on their topics."""
        routes, most, since = self.run.contract.routes, self.run.request.most, self._horizon(comparison)
        self.missing, compacted = comparison.missing(), self._compacted()
        only = routes.topics[0] if len(routes.topics) == 1 else "*"
        found = []
        for route in comparison.routes():
            topic = only if route is None else routes.topic(route)
            if topic in compacted or (topic == "*" and compacted):
                comparison.superseded(route)
            least, latest = since.of(topic) if topic != "*" else (since.every(), since.every())
            if least < latest and routes.by_key and self._placed_by_rows(comparison):
                keys = comparison.keys(route, least)
                comparison.since(route, [(key, since.key(topic, key)) for key in keys])
            found.append(comparison.lost(route, topic, latest, most))
        self.compared.unjudged = self.missing - sum(one.count for one in found)
        return [one for one in found if one.count]

    def _lost(self, comparison: Comparison, lost: list[Lost], *, partly: bool) -> None:
        """Name the rows that no message is of: they were committed before the fence.

        partly: whether only some buckets were compared.
        """
        standing, judged = self.run.standing, sum(one.count for one in lost)
        if self.run.contract.routes.assumed and judged:
            where = "all rows on the topics that routing.topic names"
            standing.add("RUN-10", Place("*"), where, f"{judged} of them are on none")
            return
        self.lost = lost
        for one in lost:
            for n, (event_id, kind, aggregate, key) in enumerate(one.first):
                whose = " ".join(filter(None, (kind, event_id, "of" if key else "", aggregate, key)))
                times = 1 if n else one.count - len(one.first) + 1
                standing.add("LOS-01", Place(one.topic), whose, "not there", count=times)
        torn = comparison.transactions([(one.route, one.since) for one in lost], TRANSACTIONS)
        if torn:  # of what was committed since the snapshot, some rows may be in buckets that nobody has looked at
            ended = self.snapshot.ended if partly else None
            loss.torn(torn, self.ledger.together(list(torn), self.run.left(), ended), standing)

    def _unlike(self, comparison: Comparison) -> None:
        """Name the messages that are not their rows."""
        comparison.differing()
        legitimate = self._legitimate(comparison)
        for part in self.held.digested:
            # an encoded value is a finding of the message already, where that was not taken back
            by_itself = part.place in ("key", "header") and part.place not in legitimate
            counts, first = comparison.differences(part, self.run.request.most, encoded=not by_itself)
            for topic, count in counts.items():
                own = [one for one in first if one.place.topic == topic]
                for n, one in enumerate(own):
                    actual = "another payload" if part.place == "payload" else shown(_octets(one.value))
                    expected, times = loss.expected(part, one.event_id), 1 if n else count - len(own) + 1
                    self.run.standing.add(loss.CHECKS[part.place], one.place, expected, actual, count=times)

    def _legitimate(self, comparison: Comparison | None) -> set[str]:
        """Take back what was said of values that look encoded, where rows have them so; the places in messages.

        comparison: None where every message is as its row.
        """
        found: set[str] = set()
        nothing = {title.partition(" ")[0] for title in self.unheld()}
        for where, checks in BY_ITSELF.items():
            parts = [part for part in self.held.digested if part.place == where]
            suspected = any(f.check in checks for f in self.run.part.tally.findings)
            if parts and where not in nothing and suspected and self._so_written(comparison, parts):
                self.run.disproved |= checks
                found.add(where)
        return found

    def _so_written(self, comparison: Comparison | None, parts: Sequence[MessagePart]) -> bool:
        """Whether values that look encoded are as rows have them: some are, or all messages with a row are as it is."""
        if comparison is None:
            return True
        events = sum(self.run.part.tally.recognised.values())
        if parts[0].place == "payload":  # compared by digests, which do not say what looks encoded
            differ = any(comparison.differences(part, 1, encoded=True)[0] for part in parts)
            return not differ and events > comparison.unmatched()
        alike, otherwise = map(sum, zip(*map(comparison.encoded, parts), strict=True))
        return alike > 0 or (otherwise == 0 and events > comparison.unmatched())

    def _sample(self) -> None:
        """Hold a sample of the messages against their rows, in what the sums cannot hold, and in time."""
        request, report = self.run.request, self.run.report
        sampled = [one for _, one in self.run.part.tally.sample]
        rows = self.ledger.rows_of([one.event_id for one in sampled], self.run.left(), self.held.sampled)
        unsaid = request.record is not None and not request.remembered
        compared = loss.alike(self.held, sampled, rows, self.run.standing, unsaid=unsaid)
        self.compared.sample = compared if self.held.sampled else 0
        report.latency = took = loss.latency(sampled, rows, self.run.standing)
        if took and request.latency is not None and took.p99 > request.latency:
            told = f"p50 {took.p50}, p95 {took.p95}, p99 {took.p99}, at most {took.most} ms"
            self.run.standing.add("LAT-01", Place("*"), f"p99 within {request.latency} ms", told)

    def _placed_by_rows(self, comparison: Comparison) -> bool:
        """Whether a row's key says in which partition its message is: keys are their rows', and where they belong."""
        return not (self.run.part.tally.misplaced or comparison.rekeyed())

    def _compacted(self) -> set[str]:
        """The topics of which the brokers keep each key's last message only."""
        return {one.topic for one in self.run.standing if one.check == "CFG-04"}

    def _horizon(self, comparison: Comparison) -> Horizon:
        """From when on rows must be among the messages that were read."""
        request, ranges, first = self.run.request, self.run.part.ranges, self.run.part.tally.first
        if request.remembered:  # its rows were written since
            return Horizon()
        cut = {here: r for here, r in ranges.items() if r.start}
        if self._back is None and request.window.chosen and cut:
            self._back = look_back(request, cut, first, self.run.deadline, comparison.add_earlier)
        return horizon(request, ranges, first, self._back)

    def _arrivals(self, comparison: Comparison, wanted: frozenset[int] | None) -> bool:
        """Add the messages that were examined since the last time; whether all that was planned could be read.

        wanted: the buckets that are compared. What comes later is of rows that were missing, or of none: all of it is
        added, and only what is in those buckets must have a row.
        """
        known, ranges, later = self.run.request.remembered, self.run.part.ranges, bool(self._reached)
        since = known.since if known else {}
        begins = {here: self._reached.get(here, min(since.get(here, r.start), r.end)) for here, r in ranges.items()}
        reading = kafka.Reading([replace(r, start=begins[here]) for here, r in ranges.items()])
        outbox, parts = self.run.request.outbox, self.held.digested
        for topic, partition, records in self.run.request.log.read(reading, self.run.deadline):
            for record in records:
                headers: dict[str, Any] = dict(record.headers() or ())
                if not loss.is_event(headers):
                    continue
                event_id = digest.canonical(headers["id"], outbox.table.ids)
                values = loss.contents(parts, record, partition, headers)
                compared = wanted is None or digest.number(event_id, values) % digest.BUCKETS in wanted
                if compared or later:
                    texts = [_text(part, value) for part, value in zip(parts, values, strict=True)]
                    sequence = number(headers.get("sequence")) if self.run.contract.sequence else NO_NUMBER
                    at = place(topic, partition, record)
                    stamp = record.timestamp()[1]
                    comparison.add_arrival(_decoded(event_id), at, stamp, sequence, texts, compared=compared)
        self._reached = {here: one.position for here, one in reading.progress.items()}
        return reading.complete


def _text(part: MessagePart, value: bytes | None) -> str | None:
    """A value as rows are compared by it."""
    if value is None:
        return None
    return digest.short(value) if part.place == "payload" else _decoded(value)


def _decoded(octets: bytes) -> str:
    return octets.decode(errors="backslashreplace")


def _octets(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def caught_up(run: Run, behind: Behind | None) -> bool:
    """Wait until the connector has passed a fence, and nothing more comes of what it sent; False if not in time.

    It leaves time for the second look, which reads the topics twice: what the first one found must not be lost.
    """
    stopped = any(finding.check == "CFG-03" for finding in run.standing)  # it will not come by waiting
    until = min(run.deadline - 2 * run.took, time.monotonic() + run.request.catch_up)
    began = time.monotonic()
    if behind is None:
        run.report.notes.append(
            "nothing says how far the connector is: what had not arrived when nothing came any more is called lost"
        )
    else:
        run.say("waiting until the connector has passed the last event")
        while why := behind():
            if stopped or time.monotonic() > until:
                run.report.notes.append(f"the connector did not pass the last event: {why}")
                return False
            time.sleep(FENCE_POLL_SECONDS)
        run.report.drained = time.monotonic() - began
    if behind is None:
        _quiet(run, until)
    return True


def _quiet(run: Run, until: float) -> None:
    """Wait until nothing arrives any more. until: by time.monotonic()."""
    run.say("waiting until nothing arrives any more")
    ends, since = run.part.ranges, time.monotonic()
    while time.monotonic() < until and time.monotonic() - since < QUIET_SECONDS:
        time.sleep(FENCE_POLL_SECONDS)
        now = {(r.topic, r.partition): r for r in run.request.log.pin(list(run.part.ranges))}
        if any(now[here].end > r.end for here, r in ends.items() if here in now):
            ends, since = now, time.monotonic()
