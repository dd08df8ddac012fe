"""`verify`: the verdict, from the real topics."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_PATH,
    Bootstrap,
    Dsn,
    Format,
    KafkaConfig,
    OutputFormat,
    Registry,
    SchemaPath,
    Service,
    bound,
    cluster,
    given,
    given_dsn,
    limited,
    pair,
    piped,
    size,
    text_of,
)
from outbox_kit.cli.output import clean, say, show, write
from outbox_kit.cli.verify_follow import Course, destinations, followed, refuse
from outbox_kit.cli.verify_options import (
    AllowInconclusive,
    BaselineFile,
    CatchUp,
    ConnectToo,
    Engine,
    EngineName,
    Every,
    FailOn,
    Fence,
    FenceBy,
    Follow,
    From,
    LedgerFile,
    MaxLatency,
    MemoryLimit,
    Messages,
    MetricsPlaces,
    MostFindings,
    NoLedger,
    OffsetsOut,
    Remember,
    Reports,
    Settle,
    Severities,
    SparkSettings,
    SpoolDir,
    StateFolder,
    Timeout,
    To,
    UpdateBaseline,
    Windows,
    Workers,
)
from outbox_kit.errors import EnvironmentProblem, UnknownName, UsageProblem
from outbox_kit.printable import as_json

if TYPE_CHECKING:
    from outbox_kit.finding import Severity
    from outbox_kit.schema.model import Outbox
    from outbox_kit.source.ledger import Ledger
    from outbox_kit.verify.baseline import Known
    from outbox_kit.verify.result import Log, Report, Request
    from outbox_kit.verify.verdict import Verdict
    from outbox_kit.verify.window import Bound

# where in the schema file the checks of a family have what they hold messages against
PLACES: dict[str, tuple[str | int, ...]] = {
    "": (),
    "RTE": ("routing",),
    "KEY": ("routing", "key"),
    "HDR": ("headers",),
    "PAY": ("events",),
    "ORD": ("ordering",),
    "DUP": ("delivery",),
    "LOS": ("table",),
}
verify_app = typer.Typer(invoke_without_command=True)
app.add_typer(verify_app, name="verify")


def judge(
    ctx: typer.Context,
    shards: Annotated[list[Path], typer.Argument(help="The folders that verify shard wrote.")],
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    dsn: Dsn = None,
    connect: ConnectToo = None,
    registry: Registry = None,
    messages: Messages = None,
    start: From = None,
    end: To = "now",
    offsets_out: OffsetsOut = None,
    ledger: LedgerFile = None,
    no_ledger: NoLedger = False,
    report: Reports = None,
    fail_on: FailOn = "error",
    severity: Severities = None,
    allow_inconclusive: AllowInconclusive = False,
    latency: MaxLatency = None,
    baseline: BaselineFile = None,
    update_baseline: UpdateBaseline = False,
    timeout: Timeout = 600.0,
    settle: Settle = 10.0,
    catch_up: CatchUp = 90.0,  # a worker stores offsets every minute unless told otherwise
    fence: FenceBy = None,
    engine: EngineName = Engine.auto,
    memory: MemoryLimit = "512MiB",
    workers: Workers = 1,
    spool_dir: SpoolDir = None,
    spark: SparkSettings = None,
    most: MostFindings = 32,
    follow: Follow = False,
    every: Every = 60.0,
    windows: Windows = None,
    state: StateFolder = None,
    remember: Remember = 20,
    metrics: MetricsPlaces = None,
    output: OutputFormat = Format.text,
) -> None:
    """Judge the shards together, with all that came since: what `verify` would have said, had it read everything.

    Exit codes as of verify: 0, 1, or 3 where it cannot be said.
    """
    if ctx.invoked_subcommand is not None:
        return
    from outbox_kit import dialects
    from outbox_kit.connect.client import Connect
    from outbox_kit.connect.redact import remember as never_printed
    from outbox_kit.finding import Severity
    from outbox_kit.schema.read import read
    from outbox_kit.source import canary
    from outbox_kit.verify.result import Request
    from outbox_kit.verify.shard import load
    from outbox_kit.verify.verdict import EXIT_CODES, Verdict
    from outbox_kit.verify.window import Window

    refuse({**given(ctx), "shards": bool(shards)}, follow=follow)
    if fail_on not in ("error", "warning"):
        raise UsageProblem(f"--fail-on cannot be '{fail_on}'", fix="choose error or warning")
    if not follow:  # its windows have one each
        limited(ctx, timeout)
    schema_file = read(file)
    outbox = schema_file.outbox(service)
    never_printed(outbox.connect.config)
    database = None if no_ledger or messages or (ledger and fence is not Fence.canary) else given_dsn(ctx, dsn)
    left_out = bool(no_ledger or messages or ledger)
    slots = dialects.named(outbox.database.dialect).slots
    by_slot = slots or database is None or outbox.table.existing
    if fence is Fence.slot and not slots:
        raise UsageProblem("the database has no slots to ask", fix="leave --fence out: a canary is sent then")
    if fence is Fence.canary and database is None:
        raise UsageProblem("a canary is a row of the outbox table", fix="name the database: --dsn, or OUTBOX_KIT_DSN")
    if fence is Fence.canary:
        canary.allow(outbox)
    log = _captured(messages, outbox) if messages else cluster(bootstrap, kafka_config)
    worker = Connect.from_environment(connect) if connect and not messages else None
    _refuse_engine(engine, workers, captured=bool(messages), shards=bool(shards), follow=follow)
    if spool_dir is not None and not spool_dir.is_dir():
        raise UsageProblem("there is no such folder", where=str(spool_dir), fix="make it, or leave --spool-dir out")
    request = Request(
        outbox=outbox,
        log=log,
        dsn=database,
        timeout=timeout,
        settle=settle,
        catch_up=catch_up,
        fail_on=Severity(fail_on),
        most=most,
        connect=worker,
        severities=_severities(severity or []),
        engine=engine.value,
        memory=size(memory, least=256),
        workers=workers,
        spool=spool_dir,
        shards=load(shards, outbox),
        latency=latency,
        fence=(fence or (Fence.slot if by_slot else Fence.canary)).value,
        record=_record(ledger, outbox) if ledger else None,
        registry=registry,
        unnamed=database is None and not left_out,
        known=_known(baseline, new=update_baseline),
        window=Window(_bound(start or ("end-0" if follow else "beginning")), _bound(end)),
        spark=dict(pair("--spark", one) for one in spark or []),
    )
    files = Files(
        str(file),
        {family: schema_file.where(outbox, *path) for family, path in PLACES.items()},
        [_report(text) for text in report or []],
        offsets_out,
        baseline if update_baseline else None,
    )
    if follow:
        course = Course(every, windows, state, remember, destinations(metrics or []))
        reached = followed(request, course, output.value, lambda window: files.written(window, lambda _: None))
    else:
        reached = _once(request, files, output.value)
    code = EXIT_CODES[reached]
    raise typer.Exit(0 if code == EXIT_CODES[Verdict.inconclusive] and allow_inconclusive else code)


def _refuse_engine(engine: Engine, workers: int, *, captured: bool, shards: bool, follow: bool) -> None:
    if workers > 1 and (engine in (Engine.memory, Engine.spark) or captured):
        raise UsageProblem("several workers need the spool, and topics", fix="leave --workers out, or --engine")
    if follow and engine in (Engine.memory, Engine.spark):
        raise UsageProblem("--follow remembers on disk", fix="leave --engine out")
    if engine is Engine.spark and (captured or shards):
        raise UsageProblem("Spark reads topics by itself", fix="leave --engine spark out")


@dataclass(frozen=True)
class Files:
    """Where a report goes beside the terminal. file, places: of the schema file, for reports that point into it.

    reports: format and path. offsets: where it ended. accepted: the baseline that takes its findings over.
    """

    file: str
    places: dict[str, tuple[int, int]]
    reports: list[tuple[str, Path]]
    offsets: Path | None
    accepted: Path | None

    def written(self, found: "Report", tell: Callable[[str], None]) -> list[EnvironmentProblem]:
        """Write everything; the files that could not be written: one full disk takes no other report along."""
        from outbox_kit.verify import baseline
        from outbox_kit.verify.report import FORMATS

        found.file, found.places, problems = self.file, self.places, []
        files = [(path, clean(FORMATS[kind](found))) for kind, path in self.reports]
        if self.accepted:
            files.append((self.accepted, as_json(baseline.document(found.service, found.findings))))
        if self.offsets:
            files.append((self.offsets, as_json(found.offsets())))
        for path, text in files:
            try:
                write(path, text)
                tell(f"wrote '{path}'")
            except EnvironmentProblem as problem:
                problems.append(problem)
        return problems


def _once(request: "Request", files: Files, output: str) -> "Verdict":
    from outbox_kit.verify import baseline
    from outbox_kit.verify.report import FORMATS
    from outbox_kit.verify.run import Verification
    from outbox_kit.verify.verdict import verdict

    found = Verification(request, say).run()
    if files.accepted:
        accepted = baseline.known(baseline.document(found.service, found.findings))
        found.findings = baseline.weighed(found.service, found.findings, accepted)
        found.verdict = verdict(found.findings, request.fail_on)
    unwritten = files.written(found, say)
    show(FORMATS[output](found), nl=False)
    if unwritten:
        raise unwritten[0]
    if found.interruption is not None:
        raise found.interruption  # the reports are written; the exit code is the signal's
    return found.verdict


verify = bound(judge, "shards", ())
verify.__doc__ = """Read the topics to their present end: do routing, keys, headers, payloads and order hold, and is
nothing lost.

Exit code 0: they do. 1: they do not. 3: it cannot be said.
"""
verify_app.callback()(verify)
verify_app.command("merge")(judge)


def _severities(given: list[str]) -> dict[str, "Severity"]:
    from outbox_kit.finding import Severity
    from outbox_kit.schema.nearest import nearest
    from outbox_kit.verify.catalogue import CHECKS

    found = {}
    for text in given:
        check, _, word = text.partition("=")
        if check not in CHECKS:
            raise UnknownName(f"no check '{check}'{nearest(check, list(CHECKS))}", fix="list them with: verify explain")
        if word not in ("error", "warning", "info"):
            raise UsageProblem(f"--severity '{text}' is none", fix="write CHECK=error, warning or info")
        found[check] = Severity(word)
    return found


def _captured(path: Path, outbox: "Outbox") -> "Log":
    from outbox_kit.verify.messages import messages

    return messages(piped(path, "a JSON file with messages"), outbox)


def _bound(text: str) -> "Bound":
    from outbox_kit.verify.window import bound

    kind, _, path = text.partition(":")
    if kind != "offsets":
        return bound(text)
    return bound(text, _json(Path(path), "a file that --offsets-out wrote"))


def _record(path: Path, outbox: "Outbox") -> "Ledger":
    from outbox_kit.source.file import Record

    return Record(path, outbox)


def _known(path: Path | None, *, new: bool) -> "Known":
    from outbox_kit.verify.baseline import known

    if path is None and new:
        raise UsageProblem("--update-baseline needs a file", fix="name it: --baseline FILE")
    if path is None or (new and not path.exists()):
        return {}
    return known(_json(path, "a file that --update-baseline wrote"))


def _json(path: Path, wanted: str) -> Any:
    try:
        return json.loads(text_of(path, wanted))
    except (ValueError, RecursionError) as cause:
        raise UsageProblem("the file is no JSON", where=str(path), why=str(cause)) from None


def _report(text: str) -> tuple[str, Path]:
    from outbox_kit.verify.report import FORMATS

    formats = list(FORMATS)
    kind, equals, path = text.partition("=")
    if kind not in formats or not (equals and path):
        raise UsageProblem(f"'{text}' is no report", fix=f"write FORMAT=PATH, with {', '.join(formats)}")
    return kind, Path(path)
