"""The ledger against the topics: what is missing is looked for again before it is called lost."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from outbox_kit.finding import Findings, Place
from outbox_kit.kafka import read as kafka
from outbox_kit.source.ledger import Ledger, Row, Snapshot
from outbox_kit.verify import loss
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.explain import IDS, place
from outbox_kit.verify.fence import Behind, fence
from outbox_kit.verify.part import Part
from outbox_kit.verify.result import Report, Request
from outbox_kit.verify.tally import Here

FENCE_POLL_SECONDS = 0.25
QUIET_SECONDS = 5.0
TRANSACTIONS = 100  # of lost rows, that are looked at whole
CLOCKS_MS = 60_000  # how far the database's clock and the worker's may be apart


class Run(Protocol):
    """What of a verification the comparison needs. took: seconds of the last look. copies: see `Replay`."""

    request: Request
    contract: Contract
    part: Part
    report: Report
    standing: Findings
    copies: Sequence[int]
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
class Completeness:
    """Whether all that the ledger has is on the topics, and nothing else. lost: the rows of which it was said."""

    ledger: Ledger
    run: Run
    lost: Sequence[Row] = ()

    def compare(self, snapshot: Snapshot) -> list[int]:
        """Compare with the ledger; where rows are absent, wait until the connector is past them, and look again.

        The fence is taken behind the rows that were read, not behind the snapshot: rows are written all the while.
        Returns the buckets that were looked at.
        """
        tally, known = self.run.part.tally, self.run.request.remembered
        if known:  # rows that were asked for in one window, messages that came in several: the sums say nothing
            buckets = list(range(loss.BUCKETS)) if snapshot.rows or known.since != known.until else []
        else:
            buckets = loss.unequal(tally.counts.tolist(), tally.sums.tolist(), snapshot.buckets, self.run.copies)
        if not buckets:
            return []
        if not known:
            differ = f"{len(buckets):,} of {loss.BUCKETS:,}"
            self.run.say(f"the topics and the table differ in {differ} parts: looking closer")
        before = self.ledger.rows(buckets, self.run.left())
        arrivals, whole = self._arrivals(set(buckets))
        absent = before.keys() - {one.event_id for one in arrivals}
        if absent and whole:
            with fence(self.run.request, self.ledger) as behind:
                passed = caught_up(self.run, behind)
            self.run.look()
            arrivals, whole = self._arrivals(set(buckets))
            absent -= {one.event_id for one in arrivals}
            whole = whole and (passed or not absent)
        if not (whole and self.run.part.complete):
            self.run.standing.add("RUN-10", Place("*"), "all rows", f"{len(absent)} rows were not seen yet")
            return []
        self._judged(snapshot, before, self.ledger.rows(buckets, self.run.left()), arrivals)
        return buckets

    def _judged(
        self,
        snapshot: Snapshot,
        before: Mapping[str, Row],
        now: Mapping[str, Row],
        arrivals: Sequence[loss.Arrival],
    ) -> None:
        """Name what is missing, and what should not be there. before, now: the rows, at the fence and by now."""
        outbox, routes = self.run.request.outbox, self.run.contract.routes
        covered = loss.covered_since(outbox, snapshot.oldest, now_ms())
        known = self.run.request.remembered
        if known:  # of later messages the rows were not asked for
            arrivals = [
                one for one in arrivals if one.event_id in now or one.place.offset < known.until.get(_here(one), 0)
            ]
        elif self.run.request.record is not None:  # it is never cleaned up: it covers what it has
            covered = now_ms() if snapshot.oldest is None else snapshot.oldest
        outcomes = self.ledger.outcomes(one.event_id for one in arrivals if one.event_id not in now)
        missing = loss.compare(self.run.contract, arrivals, now, self.run.standing, covered, outcomes)
        fresh = [event_id for event_id in missing if event_id not in before]
        if fresh:
            self.run.standing.add("LOS-05", Place("*"), "", f"{len(fresh)} rows", count=len(fresh))
        settled = [event_id for event_id in missing if event_id in before]
        due = loss.due(routes, now, settled, self._published_since())
        if len(due) < len(settled):
            self.run.report.notes.append(
                f"{len(settled) - len(due)} rows are older than what is on the topics: not judged"
            )
        if routes.assumed and due:
            where = "all rows on the topics that routing.topic names"
            self.run.standing.add("RUN-10", Place("*"), where, f"{len(due)} of them are on none")
            return
        self.lost = [now[event_id] for event_id in due]
        loss.lost(routes, now, due, self.run.standing)
        transactions = sorted({transaction for one in due if (transaction := now[one].transaction)})[:TRANSACTIONS]
        if transactions:
            loss.torn(
                (now[one] for one in missing), self.ledger.together(transactions, self.run.left()), self.run.standing
            )

    def sample(self, compared: Sequence[int]) -> None:
        """Hold a sample of the messages against their rows; those of the buckets that were compared have been."""
        known = self.run.request.remembered  # all rows of a window are compared, only later
        sampled = [one for _, one in self.run.part.tally.sample if known or loss.bucket(one) not in set(compared)]
        like = IDS[self.run.request.outbox.table.ids]
        ids = [one.event_id for one in sampled if like.fullmatch(one.event_id.encode())]
        rows = self.ledger.rows_of(ids, self.run.left()) if ids else {}
        if not known:
            loss.alike(self.run.request.outbox, sampled, rows, self.run.standing)
        self.run.report.latency = took = loss.latency(sampled, rows, self.run.standing)
        if took and self.run.request.latency is not None and took.p99 > self.run.request.latency:
            told = f"p50 {took.p50}, p95 {took.p95}, p99 {took.p99}, at most {took.most} ms"
            self.run.standing.add("LAT-01", Place("*"), f"p99 within {self.run.request.latency} ms", told)

    def _published_since(self) -> dict[str, int]:
        """From when on a row must be on its topic: what is older may be gone from there again by the topic's retention,
        or came before the connector's first start and was, with `snapshot: no_data`, never meant to be published.
        """
        if self.run.request.remembered:  # its rows were written since
            return defaultdict(int)
        now = now_ms()
        first = {partition: at + CLOCKS_MS for partition, at in self.run.part.tally.first.items()}
        begin = min(first.values(), default=now) if self.run.request.outbox.connect.snapshot == "no_data" else 0
        since: defaultdict[str, int] = defaultdict(lambda: begin)
        for r in self.run.part.ranges.values():
            if r.start:
                since[r.topic] = max(since[r.topic], first.get((r.topic, r.partition), now))
        return since

    def _arrivals(self, buckets: set[int]) -> tuple[list[loss.Arrival], bool]:
        """The messages of some buckets, and whether all that was planned could be read."""
        known, ranges = self.run.request.remembered, self.run.part.ranges
        since = known.since if known else {}
        reading = kafka.Reading([replace(r, start=min(since.get(here, r.start), r.end)) for here, r in ranges.items()])
        found = [
            arrival
            for topic, partition, records in self.run.request.log.read(reading, self.run.deadline)
            for record in records
            if (arrival := loss.arrival(place(topic, partition, record), record)) and loss.bucket(arrival) in buckets
        ]
        return found, reading.complete


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
    if behind is None or run.request.fence == "canary":  # sent is not yet acknowledged
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


def _here(one: loss.Arrival) -> Here:
    return one.place.topic, one.place.partition


def now_ms() -> int:
    """Milliseconds since 1970, as messages are stamped."""
    return int(time.time() * 1000)
