"""Observable facts about rows that are on no topic, as hints at the cause; unproven causes are not named."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit.errors import EnvironmentProblem
from outbox_kit.findings.finding import WHOLE_RUN, Collector
from outbox_kit.findings.rule import Rule
from outbox_kit.kafka.read import Range
from outbox_kit.moments import moment
from outbox_kit.printable import counted
from outbox_kit.verify.checks import configuration, run
from outbox_kit.verify.request import Mode, Request
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.table.comparison import Lost
from outbox_kit.verify.table.horizon import CLOCKS_MS
from outbox_kit.verify.table.values import HOUR_MS
from outbox_kit.wire.routes import Routes


@dataclass(frozen=True)
class Circumstances:
    """Where to look."""

    request: Request
    routes: Routes
    ranges: Mapping[PartitionId, Range]
    """What was read."""
    first: Mapping[PartitionId, int]
    """The first record's timestamp, by partition."""
    checks: frozenset[Rule]
    """Of findings."""

    def seen(self, lost: Sequence[Lost]) -> list[str]:
        """A sentence for each fact. lost: the rows, by topic."""
        facts = (*_written_text(lost), *self._topics(lost), *self._source(), *self._worker())
        return [f"LOS-01: {fact}" for fact in dict.fromkeys(facts)]

    def _topics(self, lost: Iterable[Lost]) -> Iterator[str]:
        topics = self.request.log.topics()
        for group in sorted(lost, key=lambda group: group.topic):
            ranges = [r for r in self.ranges.values() if r.topic == group.topic]
            if group.topic == "*":
                continue
            if group.topic not in topics:
                rows = counted(group.count, "row")
                yield f"the topic '{group.topic}' does not exist, although the outbox has {rows} for it"
            elif not any(r.end for r in ranges):
                yield f"the topic '{group.topic}' has never contained a message"
            else:
                yield from self._begins(group, ranges)

    def _begins(self, group: Lost, ranges: Iterable[Range]) -> Iterator[str]:
        """Whether a topic may have been created, or created again, after these rows."""
        if taken := [f"{r.partition} at offset {r.start}" for r in ranges if r.start]:
            how = (
                "was not read from its beginning"
                if self.request.window.start_overridden
                else "does not begin at offset 0"
            )
            yield f"the topic '{group.topic}' {how}: partition {', '.join(taken)}"
            return
        first = min(
            (at for topic_partition, at in self.first.items() if topic_partition[0] == group.topic), default=None
        )
        if first is not None and group.latest is not None and group.latest + CLOCKS_MS < first:
            yield f"all these rows are older than the first message on '{group.topic}', of {moment(first)}"

    def _source(self) -> Iterator[str]:
        request = self.request
        if request.dsn is None:
            yield "publication and replication slot were not examined: no database was named (OUTBOX_KIT_DSN)"
            return
        try:
            yield from request.delivered_by.obstacles()
        except EnvironmentProblem as problem:
            yield f"publication and replication slot were not examined: {problem.what}"

    def _worker(self) -> Iterator[str]:
        if self.request.connect is None:
            yield "the connector's configuration was not examined: Kafka Connect was not named (--connect)"
        elif configuration.CONNECTOR_DRIFT in self.checks:
            yield "the running connector has another configuration than the schema file: see CFG-01"


def empty(request: Request, ranges: Mapping[PartitionId, Range], events: int, findings: Collector) -> None:
    """Say of a ledger without rows whether that is as declared, or leaves open whether it is the right one.

    ranges: what was read of the topics. events: how many.
    """
    table, delivery = request.outbox.table, request.outbox.delivery
    file, by_age = request.mode is Mode.file, table.retention in ("delete", "partition")
    cleaned = round(time.time() * 1000) - table.kept_hours * HOUR_MS
    aged = by_age and not file and not request.log.at([*ranges], cleaned)
    deleted = delivery.polls and delivery.record == "delete" and not file
    where = f"'{table.name}' of the database '{request.outbox.names.database}'"
    expected = f"rows in {'the file that --published-log names' if file else where}"
    actual = f"0 rows, and {counted(events, 'event')} on the topics"
    if deleted:
        actual += ": the relay deletes the rows that it has published"
    elif aged:
        actual += ", all older than the table's retention"
    else:
        actual += f": is it the right {'file' if file else 'database'}?"
    findings.add(run.LOSS_NOT_CHECKED if aged or deleted else run.TABLE_NOT_NAMED, WHOLE_RUN, expected, actual)


def _written_text(lost: Iterable[Lost]) -> Iterator[str]:
    times = sorted(at for group in lost for at in (group.earliest, group.latest) if at is not None)
    if times:
        until = f" and {moment(times[-1])}" if times[-1] != times[0] else ""
        yield f"the rows were written {'between' if until else 'at'} {moment(times[0])}{until}"
