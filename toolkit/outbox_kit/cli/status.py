"""`status`: what the connector does, and what keeps events from being published."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_CONNECT,
    DEFAULT_PATH,
    SECONDS,
    ConnectUrl,
    Dsn,
    Env,
    Format,
    KafkaConfig,
    OutputFormat,
    SchemaPath,
    Service,
    Timeout,
    cluster,
    given_dsn,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import EnvironmentProblem

if TYPE_CHECKING:
    from outbox_kit.delivery.debezium.overview import Overview
    from outbox_kit.delivery.interface import Health

CLEAR = "\x1b[H\x1b[2J"
Screen = Callable[[], int]
"""Asks all systems, prints what they answered, and returns the exit code."""


@app.command("status")
def status(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    dsn: Dsn = None,
    bootstrap: Annotated[
        str | None,
        typer.Option(
            "--bootstrap", "-b", envvar="OUTBOX_KIT_BOOTSTRAP", metavar="HOST:PORT", help="The Kafka brokers; optional."
        ),
    ] = None,
    kafka_config: KafkaConfig = None,
    every: Annotated[
        bool, typer.Option("--all", help="All outbox connectors of the Connect cluster; reads no schema file.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Show it again and again until interrupted.")] = False,
    interval: Annotated[
        float, typer.Option("--interval", min=0.5, metavar=SECONDS, help="With --watch: time between two screens.")
    ] = 5.0,
    trace: Annotated[bool, typer.Option("--trace", help="Show the complete trace of a failed task.")] = False,
    timeout: Timeout = 60.0,
    output: OutputFormat = Format.text,
) -> None:
    """Show the connector, its slot, heartbeat and topics, and every problem with its fix; with --all, every outbox.

    Exit code 1: there are problems. 4: a system did not answer.
    """
    from outbox_kit import deadline
    from outbox_kit.connect.client import Connect

    workers, address = Connect.from_environment(connect), given_dsn(ctx, dsn)
    kafka = cluster(bootstrap, kafka_config) if bootstrap else None
    if every:
        from outbox_kit.delivery.debezium import overview

        def screen() -> int:
            return _overview(overview.observe(workers, address, kafka), output)

    else:
        from outbox_kit.delivery import deliveries

        delivery = deliveries.of(outbox_from(file, service, env), workers, address, kafka)

        def screen() -> int:
            return _health(delivery.health(), output, trace=trace)

    if not watch:
        limited(ctx, timeout)
        raise typer.Exit(screen())
    for _ in _ticks(interval):
        with deadline.within(timeout):
            _drawn(screen, output)


def _ticks(seconds: float) -> Iterator[None]:
    """Again and again, with a pause. seconds: of it."""
    while True:
        yield
        time.sleep(seconds)


def _drawn(screen: Screen, output: Format) -> None:
    """One screen of several: a system that does not answer ends nothing."""
    if output is Format.text:
        show(CLEAR if sys.stdout.isatty() else "", nl=False)
        show(time.strftime("%Y-%m-%d %H:%M:%S"))
    try:
        screen()
    except EnvironmentProblem as problem:
        say("\n".join(problem.lines()), always=True)


def _overview(seen: "Overview", output: Format) -> int:
    """Print what was seen of all outbox connectors; the exit code."""
    if output is Format.json:
        documents = [connector.document() for connector in seen.connectors]
        unanswered = [{"what": each.what, "at": each.where, "why": each.why} for each in seen.unanswered]
        show_json({"schema": "outbox-kit/status-all/v1", "connectors": documents, "unanswered": unanswered})
    elif seen.connectors:
        for line in seen.lines():
            show(line)
    else:
        say("no connector of this cluster has an outbox event router")
    for problem in seen.unanswered:
        say("\n".join(problem.lines()), always=True)
    return 4 if seen.unanswered else 1 if any(any(c.problems()) for c in seen.connectors) else 0


def _health(health: "Health", output: Format, *, trace: bool) -> int:
    """Print what was seen of one outbox; the exit code."""
    if output is Format.json:
        document: dict[str, Any] = {"schema": "outbox-kit/status/v1", **health.document}
        show_json(document)
    else:
        for label, text in health.facts:
            show(f"{label:<10} {text}")
        for problem in health.problems:
            show(f"problem    {problem.what}")
            show(f"  fix      {problem.fix}" if problem.fix else "", nl=bool(problem.fix))
    if failure := health.failure:
        failure.details = tuple(health.trace) if trace else failure.details
        say("\n".join(failure.lines()), always=True)
    for unanswered in health.unanswered:
        say("\n".join(unanswered.lines()), always=True)
    return 4 if health.unanswered else 1 if health.problems else 0
