"""How long events take from the row to the topic."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from outbox_kit.databases.ledger import Row
from outbox_kit.findings.finding import Collector
from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, TABLE, WARNING
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading.arrival import Arrival

define = partial(CHECKS.define, group=Group("Latency", rank=8))
TIMES = TABLE | {Need.events, Need.times}

ABOVE_THE_LIMIT = define(
    id="LAT-01",
    severity=WARNING,
    title="the latency is within --max-latency",
    problem="the latency is above --max-latency",
    why="Consumers receive events later than required. Possible causes: the connector's lag, or poll.interval.ms.",
    fix="see the connector's lag: outbox-kit status",
    needs=TIMES | {Need.goal},
    condition=True,
)
CLOCKS_DIFFER = define(
    id="LAT-03",
    severity=WARNING,
    title="no message is older than its row",
    problem="the message is older than its row",
    why="The clocks of the database and the worker differ, so measured latencies are wrong by the difference.",
    fix="synchronise the clocks of the database and the worker",
    needs=TIMES,
)
CLOCKS_MS = 1000  # how far two clocks that are kept may be apart


@dataclass(frozen=True)
class Latency:
    """From a row's writing to its message's timestamp, which is when Debezium read it; in milliseconds, of a sample."""

    events: int
    p50: int
    p95: int
    p99: int
    most: int
    points: tuple[tuple[int, int], ...] = ()
    """Each message's timestamp, and what it took, in the order of time."""


def measured(arrivals: Iterable[Arrival], rows: Mapping[str, Row], findings: Collector) -> Latency | None:
    """How long the sampled events took, of messages with a time; None where no row is left to tell."""
    points = []
    for arrival in arrivals:
        row = rows.get(arrival.event_id)
        if row is not None and row.milliseconds is not None and arrival.milliseconds > 0:
            points.append((arrival.milliseconds, arrival.milliseconds - row.milliseconds))
            if points[-1][1] < -CLOCKS_MS:
                findings.add(
                    CLOCKS_DIFFER, arrival.place, "a timestamp after that of its row", f"{-points[-1][1]} ms before it"
                )
    if not points:
        return None
    took = sorted(milliseconds for _, milliseconds in points)
    p50, p95, p99 = (took[min(len(took) * share // 100, len(took) - 1)] for share in (50, 95, 99))
    return Latency(len(took), p50, p95, p99, took[-1], tuple(sorted(points)))
