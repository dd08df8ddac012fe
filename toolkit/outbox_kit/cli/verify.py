"""`verify`: the verdict, from the real topics."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_PATH,
    Bootstrap,
    Dsn,
    Engine,
    Format,
    OutputFormat,
    SchemaPath,
    Service,
    bound,
    given_dsn,
    pair,
    piped,
    size,
)
from outbox_kit.cli.output import say, write
from outbox_kit.errors import EnvironmentProblem, UnknownName, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.finding import Severity
    from outbox_kit.schema.model import Outbox
    from outbox_kit.verify.result import Log, Report

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
    dsn: Dsn = None,
    connect: Annotated[
        str | None,
        typer.Option("--connect", envvar="OUTBOX_KIT_CONNECT", help="Kafka Connect, to look at the connector too."),
    ] = None,
    messages: Annotated[
        Path | None,
        typer.Option("--messages", help="Check these messages instead of topics, without a broker; - is stdin."),
    ] = None,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", help="Leave the outbox table out: loss is not checked.")
    ] = False,
    report: Annotated[
        list[str] | None,
        typer.Option(
            "--report", help="FORMAT=PATH, with json, ndjson, junit, ctrf, html, markdown, github or text; repeatable."
        ),
    ] = None,
    fail_on: Annotated[str, typer.Option(help="error, or warning to let duplicates fail too.")] = "error",
    severity: Annotated[
        list[str] | None, typer.Option("--severity", help="CHECK=error, warning or info: weigh it so; repeatable.")
    ] = None,
    allow_inconclusive: Annotated[
        bool, typer.Option("--allow-inconclusive", help="End in 0 where something could not be looked at.")
    ] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for everything.")] = 600.0,
    settle: Annotated[float, typer.Option(min=0, help="Seconds to wait for open transactions.")] = 10.0,
    catch_up: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the connector, where rows are absent.")
    ] = 60.0,
    engine: Annotated[
        Engine,
        typer.Option(help="Where events are remembered: memory, spool (on disk), or spark; auto takes what fits."),
    ] = Engine.auto,
    memory: Annotated[str, typer.Option(help="What it may take, as 512MiB or 2GiB.")] = "512MiB",
    workers: Annotated[int, typer.Option(min=1, help="Processes that read, a group of partitions each.")] = 1,
    spool_dir: Annotated[
        Path | None, typer.Option(help="Where the spool is, for as long as it is needed; the system's place otherwise.")
    ] = None,
    spark: Annotated[
        list[str] | None, typer.Option("--spark", help="SETTING=VALUE of Spark's session, as spark.master; repeatable.")
    ] = None,
    most: Annotated[int, typer.Option("--max-findings", min=1, help="Samples kept of each finding.")] = 32,
    output: OutputFormat = Format.text,
) -> None:
    """Judge the shards together, with all that came since: what `verify` would have said, had it read everything.

    Exit codes as of verify: 0, 1, or 3 where it cannot be said.
    """
    if ctx.invoked_subcommand is not None:
        return
    from outbox_kit.connect.client import Connect
    from outbox_kit.finding import Severity
    from outbox_kit.kafka.read import Cluster
    from outbox_kit.schema.read import read
    from outbox_kit.verify.report import FORMATS
    from outbox_kit.verify.result import Request
    from outbox_kit.verify.run import Verification
    from outbox_kit.verify.shard import load
    from outbox_kit.verify.verdict import EXIT_CODES, Verdict

    wanted = [_report(text, list(FORMATS)) for text in report or []]
    if fail_on not in ("error", "warning"):
        raise UsageProblem(f"--fail-on cannot be '{fail_on}'", fix="choose error or warning")
    schema_file = read(file)
    outbox = schema_file.outbox(service)
    database = None if no_ledger or messages else given_dsn(ctx, dsn)
    log = _captured(messages, outbox) if messages else Cluster(bootstrap)
    worker = Connect.from_environment(connect) if connect and not messages else None
    if workers > 1 and (engine in (Engine.memory, Engine.spark) or messages):
        raise UsageProblem("several workers need the spool, and topics", fix="leave --workers out, or --engine")
    if engine is Engine.spark and (messages or shards):
        raise UsageProblem("Spark reads topics by itself", fix="leave --engine spark out")
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
        memory=size(memory, least="256MiB"),
        workers=workers,
        spool=spool_dir,
        shards=load(shards, outbox),
        spark=dict(pair("--spark", one) for one in spark or []),
    )
    verification = Verification(request, say)
    verification.report.file = str(file)
    verification.report.places = {family: schema_file.where(outbox, *path) for family, path in PLACES.items()}
    found = verification.run()
    unwritten = _written(wanted, found)
    typer.echo(FORMATS[output.value](found), nl=False)
    if unwritten:
        raise unwritten[0]  # after the others: one full disk takes no other report along
    if found.interruption is not None:
        raise found.interruption  # the reports are written; the exit code is the signal's
    code = EXIT_CODES[found.verdict]
    raise typer.Exit(0 if code == EXIT_CODES[Verdict.inconclusive] and allow_inconclusive else code)


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


def _written(wanted: list[tuple[str, Path]], found: "Report") -> list[EnvironmentProblem]:
    """Write every report; those that could not be written."""
    from outbox_kit.verify.report import FORMATS

    problems = []
    for kind, path in wanted:
        try:
            write(path, FORMATS[kind](found))
            say(f"wrote '{path}'")
        except EnvironmentProblem as problem:
            problems.append(problem)
    return problems


def _report(text: str, formats: list[str]) -> tuple[str, Path]:
    kind, equals, path = text.partition("=")
    if kind not in formats or not (equals and path):
        raise UsageProblem(f"'{text}' is no report", fix=f"write FORMAT=PATH, with {', '.join(formats)}")
    return kind, Path(path)
