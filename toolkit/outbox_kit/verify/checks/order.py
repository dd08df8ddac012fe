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
    title="the events of an aggregate are in the order of their sequence",
    problem="the event is out of order",
    why="It comes after a later event of its aggregate. Possible causes: two transactions that write one "
    "aggregate without a lock, or two producers.",
    fix="lock the aggregate while its event is inserted; publish the table with one connector or relay: "
    "outbox-kit status",
    needs=SEQUENCE,
)
ILLEGAL_TRANSITION = define(
    id="ORD-02",
    severity=ERROR,
    title="every event follows an event that it may follow",
    problem="the event must not follow the event before it",
    why="Either the application skipped a step, or follows or initial of the event in the schema file is too strict.",
    fix="fix the application, or extend follows or initial of the event",
    needs=EVENTS | {Need.steps, Need.apart, Need.together, Need.firsts},
)
UNDECIDABLE = define(
    id="ORD-03",
    severity=INCONCLUSIVE,
    title="the order of every aggregate can be determined",
    problem="the order cannot be determined",
    why="The key is in several partitions, and Kafka has no order between partitions.",
    fix="fix KEY-04 and KEY-05 first",
    needs=SEQUENCE | {Need.keyed},
)
TIMESTAMPS_BACK = define(
    id="ORD-04",
    severity=INFO,
    title="timestamps increase in every partition",
    problem="the timestamp is earlier than that of a message before it",
    why="Possible causes: the worker's clock was set back, or the clocks of two workers differ.",
    fix="synchronise the clocks of the workers",
    needs=EVENTS | {Need.partitions},
)
NOT_CHECKED = define(
    id="ORD-05",
    severity=INFO,
    title="the order of events is checked",
    problem="the order of events was not checked",
    why="The schema file has no ordering.sequence, or the key is not the aggregate id.",
    fix="name a sequence column: outbox-kit explain ordering.sequence",
    needs=ENDED,
    condition=True,
)


def timestamps(sample: Iterable[Arrival], findings: Collector) -> None:
    """Add messages whose timestamp is well before that of an earlier message of their partition."""
    latest: dict[tuple[str, int], int] = {}
    for arrival in sorted(sample, key=lambda trace: (trace.place.topic, trace.place.partition, trace.place.offset)):
        partition = arrival.place.topic, arrival.place.partition
        if (back := latest.get(partition, 0) - arrival.milliseconds) > CLOCKS_MS:
            findings.add(
                TIMESTAMPS_BACK,
                arrival.place,
                "a timestamp that is not earlier than those before it",
                f"{back:,} ms earlier",
            )
        latest[partition] = max(latest.get(partition, 0), arrival.milliseconds)
