"""What a follower has counted, for Prometheus: served, or in a file for the node exporter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server, write_to_textfile
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from outbox_kit.errors import EnvironmentProblem
from outbox_kit.findings.verdict import Verdict
from outbox_kit.verify.follow import WindowResult

Values = Mapping[Any, float]
Family = CounterMetricFamily | GaugeMetricFamily


class Metrics(Collector):
    """The last window, and the totals, as metrics of one service; none before the first window."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._window: WindowResult | None = None
        self._verdict = Verdict.passed
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def ended(self, window: WindowResult) -> None:
        """Count a window that has ended. One without messages and rows says nothing about those before it."""
        if not window.is_empty or self._window is None:
            self._verdict = window.result.verdict
        self._window = window

    def collect(self) -> Iterator[Metric]:
        """The metrics of a scrape."""
        if (window := self._window) is None:
            return
        report, totals, per = window.result, window.totals, ("topic", "partition")
        yield self._counter("events", "Messages that are events, including duplicates.", totals.events, "topic")
        yield self._counter("copies", "Duplicate messages.", {(): totals.copies})
        yield self._counter(
            "findings",
            "Findings, counted in the first window that reported them.",
            totals.findings,
            "check",
            "severity",
            "topic",
        )
        windows = {
            verdict.value: totals.windows[verdict.value] for verdict in Verdict
        }  # a rate needs the zero before the one
        yield self._counter("windows", "Windows by their verdict.", windows, "verdict")
        yield self._counter(
            "problems", "Windows that were not verified, or not compared with the table.", {(): totals.problems}
        )
        verdicts = {verdict.value: verdict is self._verdict for verdict in Verdict}
        says = "1 for the verdict of the last window that had messages or rows, 0 for the others."
        yield self._gauge("verdict", says, verdicts, "verdict")
        yield self._gauge(
            "last_window_timestamp_seconds", "Time at which the last window ended.", {(): window.at_ms / 1000}
        )
        if window.judged:
            yield self._gauge(
                "window_seconds", "Duration of the verification of the last window.", {(): report.timing.seconds}
            )
            yield self._gauge("unread_offsets", "Offsets after the last one that was read.", window.unread, *per)
        if took := report.timing.latency:
            quantiles = {"0.5": took.p50 / 1000, "0.95": took.p95 / 1000, "0.99": took.p99 / 1000}
            yield self._gauge("latency_seconds", "Latency from row to message, of a sample.", quantiles, "quantile")

    def _counter(self, name: str, says: str, values: Values, *labels: str) -> Metric:
        return self._filled(CounterMetricFamily(f"outbox_kit_{name}", says, labels=("service", *labels)), values)

    def _gauge(self, name: str, says: str, values: Values, *labels: str) -> Metric:
        return self._filled(GaugeMetricFamily(f"outbox_kit_{name}", says, labels=("service", *labels)), values)

    def _filled(self, family: Family, values: Values) -> Metric:
        for key, value in values.items():
            labels = (key,) if isinstance(key, str) else key
            family.add_metric([self._service, *map(str, labels)], value)
        return family


@contextmanager
def published(
    metrics: Metrics, places: Sequence[str], say: Callable[[str], None]
) -> Iterator[Callable[[], list[EnvironmentProblem]]]:
    """Metrics at some places, as long as a block lasts: [HOST:]PORT, this machine's own where no host is named, or a
    file that ends in .prom. Raises EnvironmentProblem where a port cannot be had; port 0 is a free one.

    Gives what writes the files again; it returns why some could not be written.
    """
    files = [place for place in places if place.endswith(".prom")]
    with ExitStack() as served:
        for place in places:
            if place not in files:
                host, _, port = place.rpartition(":")
                served.callback(_served(metrics, host.strip("[]") or "127.0.0.1", int(port), say))
        yield lambda: _write_files(metrics, files)


def _served(metrics: Metrics, host: str, port: int, say: Callable[[str], None]) -> Callable[[], None]:
    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except (OSError, OverflowError) as cause:
        raise EnvironmentProblem(
            "cannot serve the metrics", where=f"{host}:{port}", why=str(cause), fix="use another port: --metrics PORT"
        ) from cause

    say(f"metrics: http://{host}:{server.server_port}/metrics")

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


def _write_files(metrics: Metrics, files: Sequence[str]) -> list[EnvironmentProblem]:
    problems = []
    for file in files:
        try:
            write_to_textfile(file, metrics.registry)
        except OSError as cause:
            problems.append(EnvironmentProblem(f"cannot write '{file}'", why=cause.strerror or str(cause)))
    return problems
