"""Whether the events of an aggregate are in order."""

from collections.abc import Iterable
from functools import partial

from outbox_kit.findings.finding import Collector
from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, ENDED, ERROR, EVENTS, INCONCLUSIVE, INFO
from outbox_kit.verify.checks.latency import CLOCKS_MS
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading.arrival import Arrival

define = partial(CHECKS.define, group=Group("Order", ("ordering",), rank=5))
SEQUENCE = EVENTS | {Need.sequence, Need.aggregate}

LATE = define(
    id="ORD-01",
    severity=ERROR,
    title="an event came after a later one of its aggregate",
    fix="two writers without a lock, or two producers",
    needs=SEQUENCE,
)
ILLEGAL_TRANSITION = define(
    id="ORD-02",
    severity=ERROR,
    title="an event that may not follow the one before it",
    fix="the writer's states, or the event's after and first",
    needs=EVENTS | {Need.steps, Need.together, Need.firsts},
)
UNDECIDABLE = define(
    id="ORD-03",
    severity=INCONCLUSIVE,
    title="the order cannot be judged",
    fix="its key is in several partitions, between which there is none",
    needs=SEQUENCE | {Need.keyed},
)
TIMESTAMPS_BACK = define(
    id="ORD-04",
    severity=INFO,
    title="timestamps that go back",
    fix="the worker's clock was set back, or two workers' clocks differ",
    needs=EVENTS,
)
NOT_CHECKED = define(
    id="ORD-05",
    severity=INFO,
    title="no order was checked",
    fix="there is no sequence column, or the key is not the aggregate's id",
    needs=ENDED,
    condition=True,
)


def timestamps(sample: Iterable[Arrival], findings: Collector) -> None:
    """Add messages whose timestamp is well before that of an earlier message of their partition."""
    latest: dict[tuple[str, int], int] = {}
    for arrival in sorted(sample, key=lambda trace: (trace.place.topic, trace.place.partition, trace.place.offset)):
        partition = arrival.place.topic, arrival.place.partition
        if (back := latest.get(partition, 0) - arrival.milliseconds) > CLOCKS_MS:
            findings.add(TIMESTAMPS_BACK, arrival.place, "no earlier than those before it", f"{back} ms earlier")
        latest[partition] = max(latest.get(partition, 0), arrival.milliseconds)
