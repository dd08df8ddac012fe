"""`status`: what the connector does, and what keeps events from being published."""

from typing import Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_CONNECT,
    DEFAULT_PATH,
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
    trace: Annotated[bool, typer.Option("--trace", help="Show the complete trace of a failed task.")] = False,
    timeout: Timeout = 60.0,
    output: OutputFormat = Format.text,
) -> None:
    """Show the connector, its slot, heartbeat and topics, and every problem with its fix.

    Exit code 1: there are problems. 4: a system did not answer.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery import deliveries

    limited(ctx, timeout)
    outbox = outbox_from(file, service, env)
    kafka = cluster(bootstrap, kafka_config) if bootstrap else None
    health = deliveries.of(outbox, Connect.from_environment(connect), given_dsn(ctx, dsn), kafka).health()
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
    raise typer.Exit(4 if health.unanswered else 1 if health.problems else 0)
