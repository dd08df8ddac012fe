"""A coordinator's health and metrics over HTTP: `/health`, `/ready` and `/metrics`."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from outbox_kit import pages
from outbox_kit.coordinator.progress import CoordinatorProgress

STALLED_SECONDS = 60.0
"""Without a round, after which a coordinator is not healthy: it hangs."""
GAUGES = {
    "prepared": "Messages that wait for the outcome of their transaction.",
    "oldest_seconds": "Age of the oldest message that waits for an outcome.",
    "given_up": "Messages for which no check-back comes any more; an operator decides.",
}


class CoordinatorMetrics(Collector):
    """A coordinator's progress as metrics."""

    def __init__(self, service: str, progress: CoordinatorProgress) -> None:
        self._service, self._progress = service, progress

    def collect(self) -> Iterator[Metric]:
        """The metrics of now. The gauges are missing while the database does not answer."""
        name, progress = "outbox_kit_coordinator", self._progress
        with progress.lock:
            requests, outcomes, findings = dict(progress.requests), dict(progress.outcomes), dict(progress.findings)
        family = CounterMetricFamily(f"{name}_requests", "Answers.", labels=("service", "operation", "status"))
        for (operation, status), count in requests.items():
            family.add_metric([self._service, operation, str(status)], count)
        yield family
        for metric, text, label, counts in (
            ("check_backs", "Check-backs, by their outcome.", "outcome", outcomes),
            ("check_back_findings", "Check-backs without an outcome, by the finding.", "finding", findings),
        ):
            family = CounterMetricFamily(f"{name}_{metric}", text, labels=("service", label))
            for value, count in counts.items():
                family.add_metric([self._service, value], count)
            yield family
        up = GaugeMetricFamily(
            f"{name}_up", "Whether the database has answered in the last round.", labels=("service",)
        )
        up.add_metric([self._service], float(progress.counts is not None))
        yield up
        for field, text in GAUGES.items() if progress.counts is not None else ():
            gauge = GaugeMetricFamily(f"{name}_{field}", text, labels=("service",))
            gauge.add_metric([self._service], float(getattr(progress.counts, field)))
            yield gauge


@contextmanager
def served(
    service: str, progress: CoordinatorProgress, address: tuple[str, int], report: Callable[[str], None]
) -> Iterator[None]:
    """Serve health and metrics for the length of a block. address: host and port, 0 for a free one.

    Raises EnvironmentProblem if the port is not available.
    """
    registry = CollectorRegistry()
    registry.register(CoordinatorMetrics(service, progress))
    content = pages.of_process(
        lambda: generate_latest(registry),
        lambda: _is_healthy(progress),
        lambda: progress.counts is not None,
        lambda: _state(progress),
    )
    with pages.served(content, address, "health and metrics", report):
        yield


def _is_healthy(progress: CoordinatorProgress) -> bool:
    return time.monotonic() - progress.last_round < STALLED_SECONDS


def _state(progress: CoordinatorProgress) -> Mapping[str, Any]:
    return {"prepared": progress.counts.prepared if progress.counts else None, "problem": progress.problem}
