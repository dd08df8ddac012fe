"""The ledger against the topics: what is missing is looked for again before it is called lost."""

import time
from collections.abc import Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import ComparableParts, Ledger, Snapshot
from outbox_kit.findings.finding import WHOLE_RUN, RecordLocation
from outbox_kit.kafka import read as kafka
from outbox_kit.printable import counted
from outbox_kit.verify.checks import configuration, headers, keys, latency, loss, payloads, run
from outbox_kit.verify.reading import arrival
from outbox_kit.verify.reading.captured import CapturedLog
from outbox_kit.verify.record import encoded, is_event, location, number, shown
from outbox_kit.verify.request import Mode
from outbox_kit.verify.result import RowCoverage
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.table import values
from outbox_kit.verify.table.catch_up import LagReason, fence
from outbox_kit.verify.table.comparison import Comparison, Lost
from outbox_kit.verify.table.horizon import Horizon, LookBack, Move, horizon, look_back
from outbox_kit.verify.table.rowless import Rowless, Run, numbered
from outbox_kit.verify.transitions import NO_NUMBER
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.parts import MessagePart

FENCE_POLL_SECONDS = 0.25
QUIET_SECONDS = 5.0
TRANSACTIONS = 100  # of lost rows, that are looked at whole
SHARE = 0.3  # of the memory for the comparison: what the examination remembers is there too
# findings about a value in a message that its row may contradict
BY_ITSELF = {
    "key": {keys.ENCODED},
    "header": {headers.ENCODED},
    "payload": {payloads.JSON_IN_A_STRING, payloads.CONNECT_SCHEMA, payloads.BASE64},
}


@dataclass
class Completeness:
    """Whether all that the ledger has is on the topics as its rows say, and nothing else."""

    ledger: Ledger
    run: Run
    snapshot: Snapshot
    """The ledger before the topics were read."""
    folder: Path
    """Where a comparison of many rows is written."""
    compared: RowCoverage = field(default_factory=lambda: RowCoverage(ComparableParts()))
    """What of the messages was held against rows."""
    missing: int = 0
    """How many rows have no message."""
    lost: Sequence[Lost] = ()
    """Those that were called so."""
    _reached: dict[PartitionId, int] = field(default_factory=dict)
    _back: LookBack | None = None
    _encoded_in_equal_buckets: set[str] = field(default_factory=set)
    """The places in messages with a value that looks encoded, and that is as its row has it: the sums are equal."""

    @property
    def comparable_parts(self) -> ComparableParts:
        """What of a message is compared."""
        return self.run.request.comparable_parts or ComparableParts()

    def compare(self) -> None:
        """Compare sums; where they differ, row by row. What the sums cannot hold is compared in a sample."""
        report, prior = self.run.result, self.run.request.prior_windows
        self.compared = report.compared = RowCoverage(self.comparable_parts, self.unheld())
        buckets = self._unequal()
        if buckets == []:
            self.compared.messages = sum(self.run.part.tally.recognised.values())
            if not prior:
                self._legitimate(None)
        elif not self._slow(buckets):
            return
        self._sample()

    def unheld(self) -> tuple[str, ...]:
        """The parts of every message that nothing is compared with, as reports name them."""
        names = {("header", name) for name in self.run.contract.names if name != "id"} | {("key", ""), ("payload", "")}
        compared_names = {
            (part.place, part.name) for part in (*self.comparable_parts.digested, *self.comparable_parts.sampled)
        }
        return tuple(sorted(f"header {name}" if name else kind for kind, name in names - compared_names))

    def _unequal(self) -> list[int] | None:
        """The buckets that differ; None is all of them, where sums say nothing."""
        tally, prior = self.run.part.tally, self.run.request.prior_windows
        if prior:  # rows that were asked for in one window, messages that came in several
            return None if self.snapshot.rows or prior.since != prior.until else []
        if any(shard.parts != self.comparable_parts.digested for shard in self.run.request.shards):
            return None
        buckets = values.differing_buckets(
            tally.counts.tolist(), tally.sums.tolist(), self.snapshot.buckets, self.run.copies
        )
        # without numbers of the database's, a message's place among all others says whether its row should be there
        places = (
            buckets
            and not numbered(self.run.request.outbox)
            and self.run.request.outbox.table.retention in ("delete", "partition")
        )
        whole = len(buckets) == digest.BUCKETS or places or (buckets and self._compacted())
        return None if whole else buckets

    def _slow(self, buckets: list[int] | None) -> bool:
        """Compare the rows of some buckets with their messages, one by one; whether that could be done."""
        memory = int(self.run.request.resources.memory * SHARE)
        comparing = waiting_for("the comparison of rows with messages")
        with comparing, closing(Comparison(self.folder, memory, self.comparable_parts.digested)) as comparison:
            for rows in self.ledger.read(self.comparable_parts.digested, buckets, self.run.left()):
                comparison.add_rows(rows)
            selected = None if buckets is None else frozenset(buckets)
            whole = self._arrivals(comparison, selected)
            lost = self._missing(comparison)
            if lost and whole:
                whole, lost = self._awaited(comparison, selected, lost)
            self._differences(comparison)
            if not (whole and self.run.part.complete):
                progress = f"{counted(sum(group.count for group in lost), 'row')} without a message so far"
                self.run.findings.add(run.ARRIVAL_UNKNOWN, WHOLE_RUN, "", progress)
                return False
            self._lost(comparison, lost, partly=selected is not None)
            rowless = Rowless(self.ledger, self.run, self.snapshot, self.compared).judge(comparison)
            # in the buckets that were not looked at all messages have their rows
            events = sum(self.run.part.tally.recognised.values())
            self.compared.messages = comparison.matched() if self.run.request.prior_windows else events - rowless
        return True

    def _awaited(
        self, comparison: Comparison, buckets: frozenset[int] | None, lost: list[Lost]
    ) -> tuple[bool, list[Lost]]:
        """Wait until the connector is past the rows, and look again; whether all is known, and what is still missing.

        The fence is taken behind the rows that were read, not behind the snapshot: rows are written all the while.
        Behind a canary it may still be sending: as long as missing ones arrive, they are waited for.
        """
        with fence(self.run.request) as lag_reason:
            passed = await_catch_up(self.run, lag_reason)
        by_canary = lag_reason is not None and self.run.request.waits.fence == "canary"
        until = min(self.run.deadline - 2 * self.run.took, time.monotonic() + self.run.request.waits.catch_up)
        while True:
            if passed and by_canary:  # it came: what was sent before it need not have been acknowledged
                with waiting_for("messages from before the canary to arrive"):
                    time.sleep(max(0.0, min(QUIET_SECONDS, until - time.monotonic())))
            before = sum(group.count for group in lost)
            self.run.look()
            whole = self._arrivals(comparison, buckets)
            lost = self._missing(comparison)
            still = 0 < sum(group.count for group in lost) < before
            if not (by_canary and passed and whole and still) or time.monotonic() > until:
                return whole and (passed or not lost), lost

    def _missing(self, comparison: Comparison) -> list[Lost]:
        """The rows that no message is of, by their routes, as far as they must be on their topics."""
        routes, most = self.run.contract.routes, self.run.request.resources.max_samples
        self.missing, compacted = comparison.missing(), self._compacted()
        only = routes.topics[0] if len(routes.topics) == 1 else "*"
        topics = {route: only if route is None else routes.topic(route) for route in comparison.routes()}
        moves = {topic: Move(routes.moved_to(topic), routes.begins_with_move(topic)) for topic in topics.values()}
        since, groups = self._horizon(comparison, moves), []
        for route, topic in topics.items():
            if compacted & {topic, *moves[topic].previous} or (topic == "*" and compacted):
                comparison.superseded(route)
            least, latest = since.of(topic) if topic != "*" else (since.latest(), since.latest())
            if least < latest and routes.by_key and self._placed_by_rows(comparison):
                keys = comparison.keys(route, least)
                comparison.since(route, [(key, since.key(topic, key)) for key in keys])
            groups.append(comparison.lost(route, topic, latest, most))
        self.compared.unjudged = self.missing - sum(group.count for group in groups)
        return [group for group in groups if group.count]

    def _lost(self, comparison: Comparison, lost: list[Lost], *, partly: bool) -> None:
        """Name the rows that no message is of: they were committed before the fence.

        partly: whether only some buckets were compared.
        """
        findings, judged = self.run.findings, sum(group.count for group in lost)
        if self.run.contract.routes.assumed and judged:
            where = "all rows on the topics that routing.topic names"
            findings.add(run.ARRIVAL_UNKNOWN, WHOLE_RUN, where, f"{counted(judged, 'row')} without a message")
            return
        self.lost = lost
        for group in lost:
            for n, (event_id, kind, aggregate, key) in enumerate(group.first):
                whose = " ".join(filter(None, (kind, event_id, "of" if key else "", aggregate, key)))
                times = 1 if n else group.count - len(group.first) + 1
                findings.add(loss.LOST, RecordLocation(group.topic), whose, "no message", count=times)
        torn = comparison.transactions([(group.route, group.since) for group in lost], TRANSACTIONS)
        if torn:  # rows that were committed since the snapshot may be in buckets that were not compared
            ended = self.snapshot.ended if partly else None
            loss.partial_transactions(
                torn, self.ledger.rows_per_transaction(list(torn), self.run.left(), ended), findings
            )

    def _differences(self, comparison: Comparison) -> None:
        """Name the messages that are not their rows."""
        comparison.differing()
        legitimate = self._legitimate(comparison)
        for part in self.comparable_parts.digested:
            # an encoded value is a finding of the message already, where that was not taken back
            by_itself = part.place in ("key", "header") and part.place not in legitimate
            counts, first = comparison.differences(part, self.run.request.resources.max_samples, encoded=not by_itself)
            for topic, count in counts.items():
                of_topic = [difference for difference in first if difference.place.topic == topic]
                for n, difference in enumerate(of_topic):
                    actual = "another payload" if part.place == "payload" else shown(_octets(difference.value))
                    expected, times = values.expected(part, difference.event_id), 1 if n else count - len(of_topic) + 1
                    self.run.findings.add(
                        values.COLUMN_CHECKS[part.place], difference.place, expected, actual, count=times
                    )

    def _legitimate(self, comparison: Comparison | None) -> set[str]:
        """Take back what was said of values that look encoded, where rows have them so; the places in messages.

        comparison: None where every message is as its row.
        """
        ids: set[str] = set()
        nothing = {title.partition(" ")[0] for title in self.unheld()}
        for where, checks in BY_ITSELF.items():
            parts = [part for part in self.comparable_parts.digested if part.place == where]
            suspected = any(map(self.run.part.tally.findings.has, checks))
            if parts and where not in nothing and suspected and self._so_written(comparison, parts):
                self.run.disproved |= checks
                ids.add(where)
                if where == "payload" and comparison is not None:
                    self._wrapped(comparison, parts)
        return ids

    def _wrapped(self, comparison: Comparison, parts: Sequence[MessagePart]) -> None:
        """Name the payloads that a converter has wrapped, among others that their rows have so."""
        most = self.run.request.resources.max_samples
        for check, (expected, actual) in payloads.WRAPPINGS.items():
            for part in parts:
                counts, first = comparison.differences(part, most, encoded=True, wrapping=check.id)
                for topic, count in counts.items():
                    places = [difference.place for difference in first if difference.place.topic == topic]
                    for n, place in enumerate(places):
                        times = 1 if n else count - len(places) + 1
                        self.run.sustained.add(check, place, expected, actual, count=times)

    def _so_written(self, comparison: Comparison | None, parts: Sequence[MessagePart]) -> bool:
        """Whether values that look encoded are as rows have them: some are, or all messages with a row are as it is."""
        if comparison is None or parts[0].place in self._encoded_in_equal_buckets:
            return True
        events = sum(self.run.part.tally.recognised.values())
        equal, different = map(sum, zip(*map(comparison.encoded, parts), strict=True))
        return equal > 0 or (different == 0 and events > comparison.unmatched())

    def _sample(self) -> None:
        """Hold a sample of the messages against their rows, in what the sums cannot hold, and in time."""
        request, report = self.run.request, self.run.result
        sampled = [arrival for _, arrival in self.run.part.tally.sample]
        ids = [arrival.event_id for arrival in sampled]
        with waiting_for("the rows of a sample of the messages"):
            rows = self.ledger.rows_of(ids, self.run.left(), self.comparable_parts.sampled)
        unsaid = request.mode is Mode.file
        findings, counts = self.run.findings, report.partitions
        compared = values.compare_fields(self.comparable_parts, sampled, rows, findings, counts, unsaid=unsaid)
        self.compared.sample = compared if self.comparable_parts.sampled else 0
        timed = not isinstance(request.log, CapturedLog) or request.log.exact_times
        report.timing.latency = took = latency.measured(sampled if timed else (), rows, self.run.findings)
        most = request.criteria.max_latency
        if took and most is not None and took.p99 > most:
            figures = f"p50 {took.p50} ms, p95 {took.p95} ms, p99 {took.p99} ms, maximum {took.most} ms"
            self.run.findings.add(latency.ABOVE_THE_LIMIT, WHOLE_RUN, f"p99 of at most {most} ms", figures)

    def _placed_by_rows(self, comparison: Comparison) -> bool:
        """Whether a row's key says in which partition its message is: keys are their rows', and where they belong."""
        return not (self.run.part.tally.misplaced or comparison.rekeyed())

    def _compacted(self) -> set[str]:
        """The topics of which the brokers keep each key's last message only."""
        return self.run.findings.topics(configuration.COMPACTED_TOPIC)

    def _horizon(self, comparison: Comparison, moves: Mapping[str, Move]) -> Horizon:
        """From when on rows must be among the messages that were read. moves: of the rows' topics."""
        request, ranges, first = self.run.request, self.run.part.ranges, self.run.part.tally.first
        if request.prior_windows:  # its rows were written since
            return Horizon()
        cut = {topic_partition: r for topic_partition, r in ranges.items() if r.start}
        if self._back is None and request.window.start_overridden and cut:
            self._back = look_back(request, cut, first, self.run.deadline, comparison.add_earlier)
        return horizon(request, ranges, first, self._back, moves)

    def _arrivals(self, comparison: Comparison, buckets: frozenset[int] | None) -> bool:
        """Add the messages that were examined since the last time; whether all that was planned could be read.

        buckets: the buckets that are compared. What comes later is of rows that were missing, or of none: all of it is
        added, and only what is in those buckets must have a row.
        """
        prior, ranges, later = self.run.request.prior_windows, self.run.part.ranges, bool(self._reached)
        since = prior.since if prior else {}
        begins = {
            topic_partition: self._reached.get(topic_partition, min(since.get(topic_partition, r.start), r.end))
            for topic_partition, r in ranges.items()
        }
        reading = kafka.Reading([replace(r, start=begins[topic_partition]) for topic_partition, r in ranges.items()])
        outbox, parts = self.run.request.outbox, self.comparable_parts.digested
        suspected = {where for where, checks in BY_ITSELF.items() if any(map(self.run.part.tally.findings.has, checks))}
        for topic, partition, records in self.run.request.log.read(reading, self.run.deadline):
            for record in records:
                headers: dict[str, Any] = dict(record.headers() or ())
                if not is_event(headers):
                    continue
                event_id = digest.canonical(headers["id"], outbox.table.ids)
                values = arrival.contents(parts, record, partition, headers)
                compared = buckets is None or digest.number(event_id, values) % digest.BUCKETS in buckets
                if suspected and not (compared or later):
                    self._encoded_in_equal_buckets |= _encoded(suspected, parts, values)
                if compared or later:
                    texts = [_text(part, value) for part, value in zip(parts, values, strict=True)]
                    sequence = number(headers.get("sequence")) if self.run.contract.sequence else NO_NUMBER
                    at = location(topic, partition, record)
                    stamp = record.timestamp()[1]
                    wrapping = payloads.wrapping(record.value()) if "payload" in suspected else None
                    comparison.add_arrival(
                        *(_decoded(event_id), at, stamp, sequence, texts),
                        compared=compared,
                        wrapping=(wrapping[0].id, digest.short(wrapping[1])) if wrapping else None,
                    )
        self._reached = {
            topic_partition: partition_progress.position
            for topic_partition, partition_progress in reading.progress.items()
        }
        return reading.complete


def _encoded(suspected: Set[str], parts: Sequence[MessagePart], values: Sequence[bytes | None]) -> set[str]:
    """The places with a value that looks as if a converter had encoded it. suspected: those that are examined."""
    return {
        part.place
        for part, value in zip(parts, values, strict=True)
        if value is not None and part.place in suspected
        if (payloads.wrapping(value) if part.place == "payload" else encoded(value))
    }


def _text(part: MessagePart, value: bytes | None) -> str | None:
    """A value as rows are compared by it."""
    if value is None:
        return None
    return digest.short(value) if part.place == "payload" else _decoded(value)


def _decoded(octets: bytes) -> str:
    return octets.decode(errors="backslashreplace")


def _octets(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def await_catch_up(run: Run, lag_reason: LagReason | None) -> bool:
    """Wait until the connector has passed a fence, and nothing more comes of what it sent; False if not in time.

    It leaves time for the second look, which reads the topics twice: what the first one found must not be lost.
    """
    stopped = run.findings.has(configuration.CONNECTOR_NOT_RUNNING)  # it will not come by waiting
    until = min(run.deadline - 2 * run.took, time.monotonic() + run.request.waits.catch_up)
    began = time.monotonic()
    if lag_reason is None:
        run.result.notes.append(
            "the connector's position is unknown: rows whose messages had not arrived when the topics went quiet are "
            "reported as lost"
        )
    else:
        run.say("waiting for the connector to catch up with the newest event")
        with waiting_for("the connector to catch up"):
            while why := lag_reason():
                if stopped or time.monotonic() > until:
                    run.result.notes.append(f"the connector did not catch up with the newest event: {why}")
                    return False
                time.sleep(FENCE_POLL_SECONDS)
        run.result.timing.drained = time.monotonic() - began
    if lag_reason is None:
        _quiet(run, until)
    return True


def _quiet(run: Run, until: float) -> None:
    """Wait until nothing arrives any more. until: by time.monotonic()."""
    run.say("waiting for the topics to go quiet")
    ends, since = run.part.ranges, time.monotonic()
    with waiting_for("the topics to go quiet"):
        while time.monotonic() < until and time.monotonic() - since < QUIET_SECONDS:
            time.sleep(FENCE_POLL_SECONDS)
            now = {(r.topic, r.partition): r for r in run.request.log.pin(list(run.part.ranges))}
            if any(now[topic_partition].end > r.end for topic_partition, r in ends.items() if topic_partition in now):
                ends, since = now, time.monotonic()
