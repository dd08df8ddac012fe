"""`restart`: what has failed of the connector is started again."""

from typing import Annotated

import typer

from outbox_kit.cli import app, options, planned

INSTEAD = "end the relay where it was started, and start it again: outbox-kit relay"


@app.command("restart")
def restart(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    all_tasks: Annotated[
        bool, typer.Option("--all", help="Restart the connector and all its tasks, also those that run.")
    ] = False,
    dry_run: planned.DryRun = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Restart the tasks that have FAILED, and wait until they run; with --all, everything."""
    from outbox_kit.cli.output import say
    from outbox_kit.delivery.lifecycle.states import States

    with planned.observing(ctx, timeout, waits=1):
        delivery = planned.connector_of(ctx, options.outbox_from(file, service, env), connect, dsn, instead=INSTEAD)
        plan = States(delivery, say, planned.soon(timeout)).restart(all_tasks=all_tasks)
    planned.carry_out(plan, output, dry_run=dry_run)
