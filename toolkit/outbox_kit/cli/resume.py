"""`resume`: a paused or stopped connector publishes again."""

import typer

from outbox_kit.cli import app, options, planned

INSTEAD = "start the relay: outbox-kit relay"


@app.command("resume")
def resume(
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
    """Resume a paused or stopped connector, and wait until it runs and has passed a new row."""
    from outbox_kit.cli.output import say
    from outbox_kit.delivery.lifecycle.states import States

    with planned.observing(ctx, timeout, waits=1):
        delivery = planned.connector_of(ctx, options.outbox_from(file, service, env), connect, dsn, instead=INSTEAD)
        plan = States(delivery, say, planned.soon(timeout)).resume()
    planned.carry_out(plan, output, dry_run=dry_run)
