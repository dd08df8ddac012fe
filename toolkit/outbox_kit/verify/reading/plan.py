"""What of a log is to be read, and whether the log is still what it was when the reading began."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from outbox_kit.errors import UsageProblem
from outbox_kit.findings.finding import WHOLE_RUN, Collector, RecordLocation
from outbox_kit.kafka.read import Range
from outbox_kit.printable import counted
from outbox_kit.verify.checks import routing, run
from outbox_kit.verify.reading.window import within
from outbox_kit.verify.request import Request
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.routes import Routes

SETTLE_POLL_SECONDS, LONGEST_POLL_SECONDS = 0.25, 2.0
FOLLOWER_SECONDS = 10.0
"""A follower waits no longer: it reads what a transaction keeps back in its next window."""


def partitions(request: Request, routes: Routes, findings: Collector) -> list[PartitionId]:
    """The partitions of the outbox's topics; topics that should be there, or should not, become findings.

    routes: where its events go.
    """
    partition_counts, declared = request.log.topics(), routes.topics
    other_topics = connector_topics(request.outbox)
    if routes.assumed:
        findings.add(
            run.ROUTE_UNKNOWN, WHOLE_RUN, "topics that follow from the connector's configuration", routes.assumed
        )
    others = other_topics.heartbeat, other_topics.heartbeat_rows, other_topics.history, other_topics.position
    internal = {*routes.canaries, *others}
    previous = [topic for topic in routes.previous_topics if topic in partition_counts]
    topics = [*(topic for topic in declared if topic in partition_counts), *previous]
    _absent(request, routes, partition_counts, findings)
    if request.log.all_topics:
        topics = sorted(partition_counts.keys() - (internal - set(declared)))
        return [(topic, partition) for topic in topics for partition in range(partition_counts[topic])]
    if fixed := recognisable(routes):
        similar = (
            {t for t in partition_counts if t.startswith(fixed[0]) and t.endswith(fixed[1])} - set(topics) - internal
        )
        if declared:
            for topic in sorted(similar):
                findings.add(routing.UNUSED_TOPIC, RecordLocation(topic))
        else:
            topics = sorted({*similar, *previous})  # the rows choose their topics: all of the pattern are theirs
    if other_topics.rows in partition_counts:
        findings.add(
            routing.RAW_CHANGE_RECORD,
            RecordLocation(other_topics.rows),
            "no topic of this name",
            "the raw change records of the outbox table",
        )
    return [(topic, partition) for topic in sorted(topics) for partition in range(partition_counts[topic])]


def _absent(request: Request, routes: Routes, topics: Mapping[str, int], findings: Collector) -> None:
    """Name the topics that do not exist or cannot be seen. A previous topic may have been deleted."""
    absent = sorted({*routes.topics, *routes.previous_topics} - topics.keys())
    hidden = request.log.hidden(absent)
    for topic in absent:
        if topic in hidden:
            findings.add(run.PARTITION_REFUSED, RecordLocation(topic), "", hidden[topic])
        elif topic not in routes.previous_topics:
            findings.add(run.TOPIC_MISSING, RecordLocation(topic))


def counts(topic_partitions: Sequence[PartitionId]) -> dict[str, int]:
    """How many partitions each topic has."""
    return dict(Counter(topic for topic, _ in topic_partitions))


def pinned(
    request: Request, routes: Routes, topic_partitions: Sequence[PartitionId], deadline: float, findings: Collector
) -> list[Range]:
    """Ends as they are now; an open transaction is given a while to end. deadline: by time.monotonic()."""
    ranges, still_open = _settled(request, topic_partitions, deadline)
    offsets = request.window.start.offsets
    if offsets and ranges and not request.prior_windows and not {r.topic for r in ranges} & set(offsets):
        raise UsageProblem(
            "the file contains offsets of other topics only",
            where=", ".join(sorted(offsets)),
            fix="name the file that --offsets-out wrote for this outbox",
        )
    planned_ranges = within(request.window, ranges, request.log)
    for r, planned in zip(ranges, planned_ranges, strict=True):
        place = RecordLocation(r.topic, r.partition)
        waits = not request.prior_windows or planned.start == planned.end  # a follower reads it in its next window
        if r in still_open and planned.end == r.end and waits:
            findings.add(
                run.OPEN_TRANSACTION,
                replace(place, offset=r.end),
                "no open transaction",
                f"{counted(r.hidden, 'offset')} after it",
            )
        start = 0 if not request.window.start_overridden else _requested_offset(request, r)
        if r.start > start and r.topic not in routes.previous_topics:
            findings.add(run.BEGINNING_MISSING, place, f"offset {start}", f"offset {r.start}")
    return planned_ranges


def _settled(
    request: Request, topic_partitions: Sequence[PartitionId], deadline: float
) -> tuple[list[Range], Sequence[Range]]:
    """The ranges when every transaction that was open has ended, or when the time is up; those where one is still open.

    A transaction that begins meanwhile is not waited for: its messages come after the moment of the verification.
    """
    seconds = min(request.waits.settle, FOLLOWER_SECONDS) if request.prior_windows else request.waits.settle
    until = min(time.monotonic() + seconds, deadline)
    ranges, pause = request.log.pin(topic_partitions), SETTLE_POLL_SECONDS
    ends = {(r.topic, r.partition): r.end + r.hidden for r in ranges}
    still_open = [r for r in ranges if r.hidden]
    if still_open:
        with waiting_for(_subject(still_open)):
            while still_open and (remaining := until - time.monotonic()) > 0:
                time.sleep(min(pause, remaining))
                pause = min(pause * 1.2, LONGEST_POLL_SECONDS)
                ranges = request.log.pin(topic_partitions)
                still_open = [r for r in ranges if r.hidden and r.end < ends[r.topic, r.partition]]
    return ranges, still_open


def _subject(ranges: Sequence[Range]) -> str:
    """What is waited for. ranges: those with an open transaction."""
    more = f" and {counted(len(ranges) - 1, 'other partition')}" if len(ranges) > 1 else ""
    return f"the open transaction in partition {ranges[0].partition} of topic '{ranges[0].topic}'{more} to end"


def _requested_offset(request: Request, r: Range) -> int:
    """The offset that was asked for; where none was named, what there is of the log is what was asked for."""
    start = (request.window.start.offsets or {}).get(r.topic, {}).get(str(r.partition))
    return r.start if start is None else start


def still(
    request: Request, counts: Mapping[str, int], ranges: Mapping[PartitionId, Range], findings: Collector
) -> None:
    """Whether the topics still have so many partitions, and every partition what was read of it."""
    topics = request.log.topics()
    for topic, count in counts.items():
        if (now := topics.get(topic, 0)) != count:
            findings.add(run.PARTITIONS_CHANGED, RecordLocation(topic), f"{count} partitions", f"{now} partitions")
    for r in request.log.pin([topic_partition for topic_partition in ranges if topic_partition[0] in topics]):
        then, place = ranges[r.topic, r.partition], RecordLocation(r.topic, r.partition)
        if r.end < then.end:
            findings.add(run.REWOUND, place, f"an end at offset {then.end} or later", f"offset {r.end}")
        if r.start > then.start:
            actual = f"offset {r.start}: the topic's retention deleted messages during the run"
            findings.add(run.BEGINNING_MISSING, place, f"offset {then.start}", actual)


def accounted(
    request: Request, ranges: Mapping[PartitionId, Range], read: Mapping[PartitionId, int], findings: Collector
) -> None:
    """Offsets that were passed without a record; a capture need not have all. read: records, by partition."""
    for topic_partition, r in ranges.items() if not request.log.all_topics else ():
        if holes := r.end - r.start - read.get(topic_partition, 0):
            findings.add(
                run.OFFSETS_WITHOUT_RECORD, RecordLocation(*topic_partition), "", counted(holes, "offset"), count=holes
            )


def recognisable(routes: Routes) -> tuple[str, str] | None:
    """What every topic of the outbox begins and ends with, where that tells its topics from others."""
    first, last = routes.ends or ("", "")
    return (first, last) if first else None


def from_the_first(request: Request) -> bool:
    """Whether the topics were to get every event that there ever was, and are read from their beginning."""
    published = request.outbox.connect.snapshot == "initial" and request.outbox.table.storage == "table"
    from_beginning = request.prior_windows is not None or not request.window.start_overridden
    return published and from_beginning and not request.log.all_topics
