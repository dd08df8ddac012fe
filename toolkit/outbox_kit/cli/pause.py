"""`pause`: the connector keeps its task and publishes nothing."""

import typer

from outbox_kit.cli import app, options, planned


@app.command("pause")
def pause(
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
    """Pause the connector: its task and its replication slot stay in use, and no event is published.

    To release the slot and the connections, use stop.
    """
    from outbox_kit.cli.output import say
    from outbox_kit.delivery.lifecycle.states import States

    with planned.observing(ctx, timeout, waits=1):
        delivery = planned.connector_of(
            ctx, options.outbox_from(file, service, env), connect, dsn, instead=planned.STOP_RELAY
        )
        plan = States(delivery, say, planned.soon(timeout)).pause()
    planned.carry_out(plan, output, dry_run=dry_run)
