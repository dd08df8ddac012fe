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
    from outbox_kit.connect.health import failure
    from outbox_kit.doctor.condition import look
    from outbox_kit.schema.names import names

    limited(ctx, timeout)
    outbox = outbox_from(file, service)
    found = look(Connect.from_environment(connect), outbox, given_dsn(ctx, dsn))
    if output is Format.json:
        document: dict[str, Any] = {"schema": "outbox-kit/status/v1", **found.document()}
        show_json(document)
    else:
        for label, text in found.lines():
            show(f"{label:<10} {text}")
        for complaint in found.complaints:
            show(f"not well:  {complaint}")
    if found.health.failed:
        say("\n".join(failure(names(outbox).connector, found.health, whole_trace=trace).lines()))
    raise typer.Exit(1 if found.complaints else 0)
