"""A relay's health and metrics over HTTP: `/health`, `/ready` and `/metrics`."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from outbox_kit import pages
from outbox_kit.relay.progress import RelayProgress

STALLED_SECONDS = 60.0
"""Without a round, after which a relay is not healthy: it hangs."""
COUNTERS = {
    "read": "Events that were read.",
    "published": "Messages that were acknowledged.",
    "refused": "Messages that the sink has refused.",
    "dead": "Events that became dead letters.",
}
GAUGES = {
    "connected": "Whether the relay reads the outbox: 1, or 0 while it waits for the database or for another relay.",
    "in_flight": "Events that were read and are not acknowledged.",
    "lanes": "Lanes whose events wait behind a failed one.",
}


class RelayMetrics(Collector):
    """A relay's progress as metrics."""

    def __init__(self, service: str, progress: RelayProgress) -> None:
        self._service, self._progress = service, progress

    def collect(self) -> Iterator[Metric]:
        """The metrics of now."""
        labels, values = ("service",), [self._service]
        for name, text in COUNTERS.items():
            counter = CounterMetricFamily(f"outbox_kit_relay_{name}", text, labels=labels)
            counter.add_metric(values, getattr(self._progress, name))
            yield counter
        for name, text in GAUGES.items():
            gauge = GaugeMetricFamily(f"outbox_kit_relay_{name}", text, labels=labels)
            gauge.add_metric(values, float(getattr(self._progress, name)))
            yield gauge
        text = "Age of the oldest event that was read and is not published."
        age = GaugeMetricFamily("outbox_kit_relay_oldest_seconds", text, labels=labels)
        age.add_metric(values, self._progress.age(time.time()))
        yield age
        text = "Age of the oldest event that was read and is not published, by lane of the worker."
        lanes = GaugeMetricFamily("outbox_kit_relay_lane_oldest_seconds", text, labels=("service", "worker", "lane"))
        for lane, seconds in self._progress.lane_ages(time.time()).items():
            lanes.add_metric([self._service, self._progress.lane_oldest.worker, str(lane)], seconds)
        yield lanes
        text = "Seconds since the relay's last round; they grow if it hangs."
        round_age = GaugeMetricFamily("outbox_kit_relay_last_round_seconds", text, labels=labels)
        round_age.add_metric(values, time.monotonic() - self._progress.last_round)
        yield round_age


@contextmanager
def served(
    service: str, progress: RelayProgress, address: tuple[str, int], report: Callable[[str], None]
) -> Iterator[None]:
    """Serve health and metrics for the length of a block. address: host and port, 0 for a free one.

    Raises EnvironmentProblem if the port is not available.
    """
    registry = CollectorRegistry()
    registry.register(RelayMetrics(service, progress))
    content = pages.of_process(
        lambda: generate_latest(registry),
        lambda: healthy(progress),
        lambda: progress.connected,
        lambda: _state(progress),
    )
    with pages.served(content, address, "health and metrics", report):
        yield


def healthy(progress: RelayProgress) -> bool:
    """Whether the relay does not hang; waiting for the database, Kafka or another relay is no reason to end it."""
    return time.monotonic() - progress.last_round < STALLED_SECONDS


def _state(progress: RelayProgress) -> Mapping[str, Any]:
    return {
        "state": progress.state,
        "published": progress.published,
        "oldest_seconds": round(progress.age(time.time()), 3),
        "lanes": progress.lanes,
        "problem": progress.problem,
    }
