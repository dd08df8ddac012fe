"""`skip-poisoned`: events at which the task fails again and again are skipped, and all others published."""

import typer

from outbox_kit.cli import app, options, planned
from outbox_kit.cli.output import say

INSTEAD = "the relay sets such events aside: outbox-kit relay dead list"


@app.command("skip-poisoned")
def skip_poisoned(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Skip the events at which the task fails, so that the connector publishes the others.

    errors.tolerance is all until the connector has passed them, and is set back then.
    """
    from outbox_kit.delivery.lifecycle.poisoned import PoisonedEvents
    from outbox_kit.delivery.lifecycle.states import States

    with planned.observing(ctx, timeout, waits=3):
        delivery = planned.connector_of(ctx, options.outbox_from(file, service, env), connect, dsn, instead=INSTEAD)
        plan = PoisonedEvents(States(delivery, say, planned.soon(timeout))).plan()
    planned.carry_out(plan, output, dry_run=dry_run, yes=yes)
