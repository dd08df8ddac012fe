"""`cleanup`: remove rows that are published and old, once or as a service."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import deadline
from outbox_kit.cli import app, options
from outbox_kit.cli.output import deliver, say, show, show_json
from outbox_kit.cli.parsing import ADVANCED
from outbox_kit.errors import EnvironmentProblem, UnknownName, UnsafeChange, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from outbox_kit.operate.cleanup.kind import CleanupKind
    from outbox_kit.operate.cleanup.result import CleanupResult
    from outbox_kit.operate.cleanup.run import CleanupTask
    from outbox_kit.schema.model import Outbox

AGE = lazy_pattern(r"(\d{1,6})([dh])")
INCOMPLETE = 3


@app.command("cleanup")
def cleanup(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    table: Annotated[
        str, typer.Option("--table", metavar="KIND", help="outbox, inbox, dead-letters, barrier or two-phase.")
    ] = "outbox",
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count the rows and partitions that would go and those that stay.")
    ] = False,
    job: Annotated[
        bool,
        typer.Option(
            "--job", help="Generate the SQL of a job of the database that deletes old rows; connect to nothing."
        ),
    ] = False,
    out: options.Out = None,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Run again and again until interrupted.")] = False,
    interval: Annotated[
        float, typer.Option("--interval", min=1, metavar=options.SECONDS, help="With --watch: time between two runs.")
    ] = 300.0,
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than", metavar="AGE", help="The age, such as 90d or 12h; for the outbox, if it is longer."
        ),
    ] = None,
    repair_hours: Annotated[
        int, typer.Option("--repair-hours", min=1, metavar="HOURS", help="The least age, for the time of a repair.")
    ] = 1,
    by_age: Annotated[
        bool,
        typer.Option("--by-age", help="Delete rows by their age alone if nothing shows that they are not needed."),
    ] = False,
    by_position: Annotated[
        bool,
        typer.Option("--by-position", help="Inbox: delete ids up to the committed offsets, which are never reset."),
    ] = False,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Allow dead letters to be discarded: no consumer has them.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, metavar="ROWS", help="The most rows of a run.")] = None,
    batch: Annotated[
        int | None,
        typer.Option("--batch", min=1, max=50_000, metavar="ROWS", help="Rows of a batch.", rich_help_panel=ADVANCED),
    ] = None,
    pause: Annotated[
        float,
        typer.Option(
            "--pause", min=0, metavar=options.SECONDS, help="Time between two batches.", rich_help_panel=ADVANCED
        ),
    ] = 0.1,
    wait: Annotated[
        float,
        typer.Option("--wait", min=0, metavar=options.SECONDS, help="How long to wait for the stored offset."),
    ] = 150.0,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Delete rows that are proven published and older than table.keep_days, or drop their partitions.

    Exit code 3: not everything was removed that may be. 4: nothing shows what is published.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery import deliveries
    from outbox_kit.operate.cleanup import scheduled
    from outbox_kit.operate.cleanup.kind import KeepTimes
    from outbox_kit.operate.cleanup.run import CleanupLimits, CleanupTask

    outbox, kind = options.outbox_from(file, service, env), _kind(table)
    times = KeepTimes(_hours(older_than), repair_hours)
    _expect_options(job=job, out=out is not None, watch=watch, dry_run=dry_run)
    _expect_offsets(kind, by_position=by_position, job=job)
    if kind.destructive and not job and not (allow_destructive or dry_run):
        raise UnsafeChange(
            "this discards events that were not delivered",
            fix="see them: --dry-run; then repeat with --allow-destructive",
        )
    if why := kind.obstacle(outbox):
        _show_obstacle(outbox, table, why, output)
        return
    if job:
        deliver({out: scheduled.script(outbox, kind, times, by_age=by_age)}, as_json=output is options.Format.json)
        return
    address = options.dsn_for(ctx, dsn, outbox)
    task = CleanupTask(
        outbox,
        kind,
        address,
        deliveries.of(outbox, Connect.from_environment(connect), address),
        options.cluster(bootstrap, kafka_config),
        times,
        CleanupLimits(batch or outbox.dialect.limits.delete_batch, pause, limit, wait),
        by_age,
        say,
        by_position,
    )
    if watch:
        _watched(task, interval, timeout, output, dry_run=dry_run)
    raise typer.Exit(_run(task, timeout, output, dry_run=dry_run))


def _expect_options(*, job: bool, out: bool, watch: bool, dry_run: bool) -> None:
    """Raise UsageProblem for options that exclude each other."""
    if out and not job:
        raise UsageProblem("--out is the file of a job", fix="add --job, or leave --out out")
    if job and (watch or dry_run):
        raise UsageProblem(
            f"--job with {'--watch' if watch else '--dry-run'}: a job is written, and nothing is run",
            fix="leave one of them out",
        )


def _expect_offsets(kind: "CleanupKind", *, by_position: bool, job: bool) -> None:
    """Raise UsageProblem for --by-position where no offset is asked for."""
    if by_position and (job or not kind.by_position):
        raise UsageProblem(
            f"--by-position with {'--job' if job else f'--table {kind.name}'}: no offset of Kafka is asked for",
            fix="use it with --table inbox, and without --job",
        )


def _watched(task: "CleanupTask", interval: float, timeout: float, output: options.Format, *, dry_run: bool) -> None:
    """Run again and again: a system that does not answer, or another cleanup, ends nothing."""
    while True:
        if output is options.Format.text:
            show(time.strftime("%Y-%m-%d %H:%M:%S"))
        try:
            _run(task, timeout, output, dry_run=dry_run)
        except EnvironmentProblem as problem:
            say("\n".join(problem.lines()), always=True)
        time.sleep(interval)


def _run(task: "CleanupTask", timeout: float, output: options.Format, *, dry_run: bool) -> int:
    """Run once and print the result; the exit code."""
    try:
        with deadline.within(timeout):
            evidence = task.evidence()
    except EnvironmentProblem:
        if not dry_run:
            task.add_partitions()  # the consumers of a partitioned inbox wait for them
        raise
    result = task.run(evidence, dry_run=dry_run)
    if output is options.Format.json:
        show_json(result.document(task.kind.name))
    else:
        for line in result.lines():
            show(line)
    _report_incomplete(result)
    return 0 if result.complete else INCOMPLETE


def _report_incomplete(result: "CleanupResult") -> None:
    if not result.complete:
        say("warning: not everything was removed; repeat the command: it continues from there")


def _kind(name: str) -> "CleanupKind":
    from outbox_kit.operate.cleanup.kind import all_kinds

    kinds = all_kinds()
    if name not in kinds:
        raise UnknownName(f"invalid --table '{name}': expected {options.listed(kinds)}")
    return kinds[name]


def _hours(age: str | None) -> int | None:
    """An age in hours. Raises UsageProblem."""
    if age is None:
        return None
    match = AGE.fullmatch(age.strip())
    if match is None or not int(match[1]):
        raise UsageProblem(f"invalid --older-than '{age}': expected days or hours, such as 90d or 12h")
    return int(match[1]) * (24 if match[2] == "d" else 1)


def _show_obstacle(outbox: "Outbox", table: str, why: str, output: options.Format) -> None:
    """Say why there is nothing to remove."""
    if output is options.Format.json:
        show_json({"schema": "outbox-kit/cleanup-none/v1", "service": outbox.service, "kind": table, "why": why})
    else:
        show(f"nothing to remove: {why}")
