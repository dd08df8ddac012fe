"""`status`: is the connector well, on one screen."""

from typing import Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_CONNECT,
    DEFAULT_PATH,
    ConnectUrl,
    Dsn,
    Format,
    OutputFormat,
    SchemaPath,
    Service,
    Timeout,
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
    connect: ConnectUrl = DEFAULT_CONNECT,
    dsn: Dsn = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show a failed task's whole trace.")] = False,
    timeout: Timeout = 60.0,
    output: OutputFormat = Format.text,
) -> None:
    """Show connector, task, slot, heartbeat and topics; exit 1 where something is not well."""
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery import deliveries

    limited(ctx, timeout)
    outbox = outbox_from(file, service)
    health = deliveries.of(outbox, Connect.from_environment(connect), given_dsn(ctx, dsn)).health()
    if output is Format.json:
        document: dict[str, Any] = {"schema": "outbox-kit/status/v1", **health.document}
        show_json(document)
    else:
        for label, text in health.facts:
            show(f"{label:<10} {text}")
        for problem in health.problems:
            show(f"not well:  {problem}")
    if failure := health.failure:
        failure.details = tuple(health.trace) if trace else failure.details
        say("\n".join(failure.lines()))
    raise typer.Exit(1 if health.problems else 0)
