"""The page of metrics for Prometheus, and the reports of what does not answer."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http import HTTPStatus

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from outbox_kit import pages
from outbox_kit.exporter.collection import Collected, Collection, usage_problem
from outbox_kit.monitoring.metrics import METRICS, MetricKind, MetricSample


class _Page(Collector):
    """The samples of one scrape."""

    def __init__(self, service: str, samples: Sequence[MetricSample]) -> None:
        self._service, self._samples = service, samples

    def collect(self) -> Iterator[Metric]:
        """The metrics that have a sample, in the order of their definitions."""
        for name, metric in METRICS.items():
            chosen = [sample for sample in self._samples if sample.metric == name]
            if not chosen:
                continue
            family = CounterMetricFamily if metric.kind is MetricKind.counter else GaugeMetricFamily
            labels = ("service", *metric.labels)
            page_metric = family(
                name.removesuffix("_total") if metric.kind is MetricKind.counter else name, metric.text, labels=labels
            )
            for sample in chosen:
                page_metric.add_metric(
                    [self._service, *(sample.labels[label] for label in metric.labels)], sample.value
                )
            yield page_metric


def page(service: str, samples: Sequence[MetricSample]) -> bytes:
    """The samples of one scrape in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(_Page(service, samples))
    return generate_latest(registry)


class Reports:
    """Reports a problem when it appears, and when it is over."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._problems_before: dict[str, str] = {}

    def tell(self, collected: Collected) -> None:
        """Report what has changed since the last scrape."""
        problems = {system: "\n".join(problem.lines()) for system, problem in collected.unanswered.items()}
        if "database" not in problems:
            parts = {part: f"warning: no figures of {part}: {why}" for part, why in collected.unread.items()}
            problems |= parts
        for name in problems.keys() - self._problems_before.keys():
            self._report(problems[name])
        for name in self._problems_before.keys() - problems.keys():
            self._report(f"{name}: answers again")
        self._problems_before = problems


@contextmanager
def served(
    service: str, collection: Collection, address: tuple[str, int], report: Callable[[str], None]
) -> Iterator[int]:
    """Serve the metrics for the length of a block, which gets the port. address: host and port, 0 for a free one.

    The figures are collected once before: sessions are open and statements planned when the first scrape comes.
    Raises UsageProblem, such as for an address of another database; EnvironmentProblem if the port is not available.
    """
    reports = Reports(report)

    def metrics() -> tuple[HTTPStatus, bytes, str]:
        try:
            collected = collection.collect()
        except TimeoutError as late:
            return HTTPStatus.SERVICE_UNAVAILABLE, f"{late}\n".encode(), "text/plain"
        reports.tell(collected)
        return HTTPStatus.OK, page(service, collected.samples), pages.METRICS_TYPE

    with closing(collection):
        first = collection.collect()
        if problem := usage_problem(first):
            raise problem
        reports.tell(first)
        with pages.served({"/metrics": metrics}, address, "metrics", report) as port:
            yield port
