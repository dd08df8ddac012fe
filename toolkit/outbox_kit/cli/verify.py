"""`verify`: check the messages of the real topics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import App, app, options, reporting, verify_options
from outbox_kit.cli.output import say, write
from outbox_kit.cli.verify_request import LimitOptions, RowOptions, TopicOptions, requested
from outbox_kit.printable import as_json

if TYPE_CHECKING:
    from outbox_kit.findings.finding import FileLocation
    from outbox_kit.findings.verdict import Verdict
    from outbox_kit.schema.model import Outbox
    from outbox_kit.verify.request import Request
    from outbox_kit.verify.result import Result

verify_app = App(invoke_without_command=True, subcommand_metavar="| COMMAND ...")
app.add_typer(verify_app, name="verify")


@dataclass(frozen=True)
class OutboxInFile:
    """The outbox, and where in its file it stands."""

    outbox: "Outbox"
    location: "FileLocation"
    places: "Mapping[str, FileLocation]"
    """Where the groups of checks have what they are about, by the group's title."""
    path: Path
    """The file."""

    @classmethod
    def read(cls, path: Path, service: str | None, env: str | None = None) -> "OutboxInFile":
        """An outbox of a file. Raises BadSchemaFile, and UnknownName for a service that is not in it."""
        from outbox_kit.findings.finding import FileLocation
        from outbox_kit.schema.read import read
        from outbox_kit.verify.checks import CHECKS

        file = read(path, env)
        outbox = file.outbox(service)
        groups = {check.group for check in CHECKS}
        places = {group.title: FileLocation(str(path), *file.where(outbox, *group.place)) for group in groups}
        return cls(outbox, FileLocation(str(path), *file.where(outbox)), places, path)


@verify_app.callback()
def verify(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    dsn: options.Dsn = None,
    connect: verify_options.ConnectToo = None,
    registry: options.Registry = None,
    messages: verify_options.Messages = None,
    queue: verify_options.Queue = None,
    start: verify_options.From = TopicOptions.start,
    end: verify_options.To = TopicOptions.end,
    offsets_out: verify_options.OffsetsOut = None,
    published_log: verify_options.PublishedLogFile = None,
    no_table: verify_options.NoTable = False,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
    allow_inconclusive: verify_options.AllowInconclusive = False,
    latency: verify_options.MaxLatency = None,
    timeout: verify_options.Timeout = LimitOptions.timeout,
    open_transactions: verify_options.OpenTransactionTimeout = LimitOptions.open_transactions,
    catch_up: verify_options.CatchUpTimeout = RowOptions.catch_up,
    method: verify_options.CatchUpBy = None,
    engine: verify_options.EngineName = LimitOptions.engine,
    memory: verify_options.MemoryLimit = LimitOptions.memory,
    workers: verify_options.Workers = LimitOptions.workers,
    temp_dir: verify_options.TempDir = None,
    spark: verify_options.SparkSettings = None,
    most: verify_options.MostFindings = LimitOptions.most,
) -> None:
    """Check the topics: routing, keys, headers, payloads, order, loss.

    Exit code 0: pass. 1: fail. 3: inconclusive.
    """
    if ctx.invoked_subcommand is not None:
        return
    from outbox_kit.verify.checks import CHECKS

    options.limited(ctx, timeout)
    judged = reporting.judgement(CHECKS, severity, ignore, fail_on, output, report, baseline, update_baseline)
    topics = TopicOptions(bootstrap, kafka_config, registry, start, end, messages, queue)
    rows = RowOptions(dsn, no_table, published_log, method, catch_up)
    limits = LimitOptions(timeout, open_transactions, memory, workers, temp_dir, most, engine, spark or ())
    schema = OutboxInFile.read(file, service, env)
    request = requested(ctx, schema.outbox, topics, rows, limits, judged, connect, latency)
    conclude(request, schema, judged, offsets_out, allow_inconclusive=allow_inconclusive)


@verify_app.command("merge")
def merge(
    ctx: typer.Context,
    shards: Annotated[list[Path], typer.Argument(help="The folders that verify shard wrote.")],
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    dsn: options.Dsn = None,
    connect: verify_options.ConnectToo = None,
    registry: options.Registry = None,
    offsets_out: verify_options.OffsetsOut = None,
    published_log: verify_options.PublishedLogFile = None,
    no_table: verify_options.NoTable = False,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
    allow_inconclusive: verify_options.AllowInconclusive = False,
    latency: verify_options.MaxLatency = None,
    timeout: verify_options.Timeout = LimitOptions.timeout,
    open_transactions: verify_options.OpenTransactionTimeout = LimitOptions.open_transactions,
    catch_up: verify_options.CatchUpTimeout = RowOptions.catch_up,
    method: verify_options.CatchUpBy = None,
    memory: verify_options.MemoryLimit = LimitOptions.memory,
    workers: verify_options.Workers = LimitOptions.workers,
    temp_dir: verify_options.TempDir = None,
    most: verify_options.MostFindings = LimitOptions.most,
) -> None:
    """Combine shards and give the overall verdict.

    Messages that came after the shards are read too. Exit code 0: pass. 1: fail. 3: inconclusive.
    """
    from outbox_kit.verify.checks import CHECKS

    options.limited(ctx, timeout)
    judged = reporting.judgement(CHECKS, severity, ignore, fail_on, output, report, baseline, update_baseline)
    topics = TopicOptions(bootstrap, kafka_config, registry)
    rows = RowOptions(dsn, no_table, published_log, method, catch_up)
    limits = LimitOptions(timeout, open_transactions, memory, workers, temp_dir, most)
    schema = OutboxInFile.read(file, service, env)
    request = requested(ctx, schema.outbox, topics, rows, limits, judged, connect, latency, shards)
    conclude(request, schema, judged, offsets_out, allow_inconclusive=allow_inconclusive)


def conclude(
    request: "Request",
    schema: OutboxInFile,
    judged: reporting.Judgement,
    offsets: Path | None,
    *,
    allow_inconclusive: bool,
) -> None:
    """Run a verification, and deliver its report. offsets: the file for where it ended. Raises typer.Exit."""
    from outbox_kit.findings.verdict import verdict
    from outbox_kit.verify.provenance import provenance
    from outbox_kit.verify.report import report
    from outbox_kit.verify.run import Verification

    result = Verification(request, say).run()
    if result.interruption is not None and not any(result.topics.values()):
        raise result.interruption  # nothing was read: a report would say nothing
    result.findings = judged.accept(result.findings)
    result.verdict = verdict(result.findings, request.criteria.fail_on)
    try:
        save_offsets(offsets, result, say)
    finally:
        about = provenance(request, result, schema.path)
        judged.deliver(report(result, schema.location, schema.places, about))
    if result.interruption is not None:
        raise result.interruption  # the reports are written; the exit code is the signal's
    raise typer.Exit(exit_code(result.verdict, allow_inconclusive=allow_inconclusive))


def exit_code(verdict: "Verdict", *, allow_inconclusive: bool) -> int:
    """The exit code of a verdict."""
    from outbox_kit.findings.verdict import EXIT_CODES, Verdict

    return 0 if allow_inconclusive and verdict is Verdict.inconclusive else EXIT_CODES[verdict]


def save_offsets(path: Path | None, result: "Result", tell: Callable[[str], None]) -> None:
    """Write where the reading ended. Raises EnvironmentProblem."""
    if path:
        write(path, as_json(result.offsets()))
        tell(f"wrote '{path}'")
