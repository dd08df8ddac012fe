"""`verify follow`: one window after the other, until it is ended."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from outbox_kit.cli import options, reporting, verify_options
from outbox_kit.cli.destination import checked_file
from outbox_kit.cli.output import say, show
from outbox_kit.cli.verify import OutboxInFile, exit_code, save_offsets, verify_app
from outbox_kit.cli.verify_request import LimitOptions, RowOptions, TopicOptions, requested
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.signals import remembered

if TYPE_CHECKING:
    from outbox_kit.findings.verdict import Verdict
    from outbox_kit.verify.request import Request
    from outbox_kit.verify.result import Result


@dataclass(frozen=True)
class FollowOptions:
    """How a log is followed."""

    interval: float
    """Seconds from window to window."""
    windows: int | None
    """How many; None for no end."""
    state: Path | None
    """The folder of what is known; None for one that is not kept."""
    dedup_windows: int
    """See `Follower`."""
    metrics: Sequence[str]
    """See `published`."""


@verify_app.command("follow")
def follow(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    dsn: options.Dsn = None,
    connect: verify_options.ConnectToo = None,
    registry: options.Registry = None,
    start: verify_options.From = "end-0",
    offsets_out: verify_options.OffsetsOut = None,
    no_table: verify_options.NoTable = False,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: options.OutputFormat = options.Format.text,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    allow_inconclusive: verify_options.AllowInconclusive = False,
    latency: verify_options.MaxLatency = None,
    timeout: verify_options.Timeout = LimitOptions.timeout,
    open_transactions: verify_options.OpenTransactionTimeout = LimitOptions.open_transactions,
    catch_up: verify_options.CatchUpTimeout = RowOptions.catch_up,
    memory: verify_options.MemoryLimit = LimitOptions.memory,
    workers: verify_options.Workers = LimitOptions.workers,
    temp_dir: verify_options.TempDir = None,
    most: verify_options.MostFindings = LimitOptions.most,
    interval: verify_options.Interval = 60.0,
    windows: verify_options.Windows = None,
    state: verify_options.StateFolder = None,
    dedup_windows: verify_options.DedupWindows = 20,
    metrics: verify_options.MetricsPlaces = None,
) -> None:
    """Verify continuously, one window at a time.

    Each row is compared once, in the first window after the connector has processed it. The exit code is that of the
    worst window.
    """
    from outbox_kit.verify.checks import CHECKS
    from outbox_kit.verify.provenance import provenance
    from outbox_kit.verify.report import report as whole

    shown, places = reporting.ReportFormat(output.value), destinations(metrics or [])
    judged = reporting.judgement(CHECKS, severity, ignore, fail_on, shown, report, baseline)
    topics, rows = TopicOptions(bootstrap, kafka_config, registry, start), RowOptions(dsn, no_table, catch_up=catch_up)
    limits = LimitOptions(timeout, open_transactions, memory, workers, temp_dir, most)
    schema = OutboxInFile.read(file, service, env)
    request = requested(ctx, schema.outbox, topics, rows, limits, judged, connect, latency)

    def keep(result: "Result") -> list[EnvironmentProblem]:
        """Write the files of a window; a file that cannot be written is no reason to end."""
        about = provenance(request, result, schema.path)
        problems = judged.write(whole(result, schema.location, schema.places, about), lambda _: None)
        try:
            save_offsets(offsets_out, result, lambda _: None)
        except EnvironmentProblem as problem:
            problems.append(problem)
        return problems

    follow_options = FollowOptions(interval, windows, state, dedup_windows, places)
    worst = followed(request, follow_options, output.value, keep)
    raise typer.Exit(exit_code(worst, allow_inconclusive=allow_inconclusive))


def destinations(metrics: Sequence[str]) -> Sequence[str]:
    """Where metrics are to be. Raises UsageProblem."""
    for place in metrics:
        if not (place.endswith(".prom") or re.fullmatch(r"(.+:)?\d{1,5}", place)):
            raise UsageProblem(f"invalid --metrics '{place}'", fix="write 9464, HOST:9464 or FILE.prom")
        if place.endswith(".prom"):
            checked_file("--metrics", Path(place))
    return metrics


def followed(
    request: "Request", follow_options: FollowOptions, output: str, keep: "Callable[[Result], list[EnvironmentProblem]]"
) -> "Verdict":
    """Follow until the last window, if there is one; returns the worst verdict.

    output: text or json. keep: writes a window's files, and returns what could not be written.
    """
    from outbox_kit.findings.verdict import WORST_FIRST
    from outbox_kit.verify.follow import Follower
    from outbox_kit.verify.metrics import Metrics, published
    from outbox_kit.verify.reading.read_pass import folder
    from outbox_kit.verify.state.follower import locked
    from outbox_kit.verify.window_report import RENDERED

    metrics, verdicts = Metrics(request.outbox.service), set()
    with ExitStack() as block:
        place = follow_options.state or block.enter_context(folder(request.resources.spool))
        block.enter_context(locked(place))
        publish = block.enter_context(published(metrics, follow_options.metrics, say))
        expect_no_interruption = block.enter_context(remembered())
        follower = Follower(request, place, follow_options.dedup_windows, say, RENDERED[output], _printed)
        for _ in _windows(follow_options):
            window = follower.window()
            expect_no_interruption()
            metrics.ended(window)
            verdicts.add(window.result.verdict)
            for problem in [*publish(), *(keep(window.result) if window.judged else ())]:
                say("\n".join(problem.lines()))
    return next(verdict for verdict in WORST_FIRST if verdict in verdicts)


def _windows(follow_options: FollowOptions) -> Iterator[None]:
    """Give the moments at which windows end, as they come."""
    done, due = 0, time.monotonic()
    while follow_options.windows is None or done < follow_options.windows:
        time.sleep(max(0.0, due - time.monotonic()))
        yield
        done, due = done + 1, max(due + follow_options.interval, time.monotonic())


def _printed(text: str) -> None:
    show(text, nl=False)
