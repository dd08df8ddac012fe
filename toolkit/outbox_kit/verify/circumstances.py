"""What can be seen of why rows are on no topic: facts for whoever looks for the cause, and no unproven cause."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit import dialects, source
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Findings, Place
from outbox_kit.kafka.read import Range
from outbox_kit.moments import moment
from outbox_kit.preview.routes import Routes
from outbox_kit.schema.names import names
from outbox_kit.verify.comparison import Lost
from outbox_kit.verify.horizon import CLOCKS_MS
from outbox_kit.verify.loss import HOUR_MS
from outbox_kit.verify.result import Request
from outbox_kit.verify.tally import Here

GONE = ("lost", "unreserved")  # a slot's state


@dataclass(frozen=True)
class Circumstances:
    """Where to look. ranges: what was read. first: the first record's timestamp, by partition. checks: of findings."""

    request: Request
    routes: Routes
    ranges: Mapping[Here, Range]
    first: Mapping[Here, int]
    checks: frozenset[str]

    def seen(self, lost: Sequence[Lost]) -> list[str]:
        """A sentence for each fact. lost: the rows, by topic."""
        facts = (*_written(lost), *self._topics(lost), *self._source(), *self._worker())
        return [f"LOS-01: {fact}" for fact in dict.fromkeys(facts)]

    def _topics(self, lost: Iterable[Lost]) -> Iterator[str]:
        there = self.request.log.topics()
        for own in sorted(lost, key=lambda one: one.topic):
            ranges = [r for r in self.ranges.values() if r.topic == own.topic]
            if own.topic == "*":
                continue
            if own.topic not in there:
                yield f"the topic '{own.topic}' is not there"
            elif not any(r.end for r in ranges):
                yield f"the topic '{own.topic}' has never held a record"
            else:
                yield from self._begins(own, ranges)

    def _begins(self, own: Lost, ranges: Iterable[Range]) -> Iterator[str]:
        """Whether a topic may have been made, or made anew, after these rows."""
        if taken := [f"{r.partition} at offset {r.start}" for r in ranges if r.start]:
            how = "was not read from its beginning" if self.request.window.chosen else "does not begin at offset 0"
            yield f"the topic '{own.topic}' {how}: partition {', '.join(taken)}"
            return
        first = min((at for here, at in self.first.items() if here[0] == own.topic), default=None)
        if first is not None and own.latest is not None and own.latest + CLOCKS_MS < first:
            yield f"all these rows are older than the first record on '{own.topic}', of {moment(first)}"

    def _source(self) -> Iterator[str]:
        request, derived = self.request, names(self.request.outbox)
        if request.dsn is None:
            yield "the database was not asked for its log, its publication or its slot: name it with --dsn"
            return
        dialect = dialects.named(request.outbox.database.dialect)
        probe = source.named(dialect.name).probe
        try:
            if dialect.slots and (slot := probe.slot(request.dsn, derived.slot)) is None:
                yield f"there is no slot '{derived.slot}' now"
            elif dialect.slots and slot.wal_status in GONE:
                yield f"the slot '{derived.slot}' is {slot.wal_status} now"
            if missing := probe.unpublished(request.dsn, request.outbox):
                carrier = f"the publication '{derived.publication}'" if dialect.slots else "change data capture"
                yield f"{carrier} does not carry {' and '.join(missing)} now"
        except EnvironmentProblem as problem:
            yield f"the database did not say what it publishes: {problem.what}"

    def _worker(self) -> Iterator[str]:
        if self.request.connect is None:
            yield "the connector was not asked for its config: name Kafka Connect with --connect"
        elif "CFG-01" in self.checks:
            yield "the connector's config is another than the schema file's: see CFG-01"


def empty(request: Request, ranges: Mapping[Here, Range], events: int, findings: Findings) -> None:
    """Say of a ledger without rows whether that is as declared, or leaves open whether it is the right one.

    ranges: what was read of the topics. events: how many.
    """
    table = request.outbox.table
    file, by_age = request.record is not None and not request.remembered, table.retention in ("delete", "partition")
    cleaned = round(time.time() * 1000) - table.kept_hours * HOUR_MS
    aged = by_age and not file and not request.log.at([*ranges], cleaned)
    where = f"'{table.name}' of the database '{names(request.outbox).database}'"
    found = f"0 rows, and {events:,} events on the topics" + (", all older than rows are kept" if aged else "")
    wanted = f"rows in {'the file that --ledger names' if file else where}"
    findings.add("RUN-11" if aged else "RUN-15", Place("*"), wanted, found)


def _written(lost: Iterable[Lost]) -> Iterator[str]:
    times = sorted(at for one in lost for at in (one.earliest, one.latest) if at is not None)
    if times:
        until = f" and {moment(times[-1])}" if times[-1] != times[0] else ""
        yield f"the rows were written {'between' if until else 'at'} {moment(times[0])}{until}"
