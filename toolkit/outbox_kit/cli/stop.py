"""`stop`: the connector ends its task and keeps its configuration and its stored offset."""

import typer

from outbox_kit.cli import app, options, planned


@app.command("stop")
def stop(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    dry_run: planned.DryRun = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Stop the connector and wait until its task has ended and its replication slot is free.

    Its configuration and its stored offset stay.
    """
    from outbox_kit.cli.output import say
    from outbox_kit.delivery.lifecycle.states import States

    with planned.observing(ctx, timeout, waits=1):
        delivery = planned.connector_of(
            ctx, options.outbox_from(file, service, env), connect, dsn, instead=planned.STOP_RELAY
        )
        plan = States(delivery, say, planned.soon(timeout)).stop()
    planned.carry_out(plan, output, dry_run=dry_run)
