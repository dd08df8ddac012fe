"""`rename`: the connector gets the name that the schema file has now."""

from typing import Annotated

import typer

from outbox_kit.cli import app, options, planned
from outbox_kit.cli.output import say

INSTEAD = "the relay has no name in Kafka Connect; its replication slot is connect.slot"


@app.command("rename")
def rename(
    ctx: typer.Context,
    former: Annotated[str, typer.Option("--from", metavar=options.NAME, help="The connector's name until now.")],
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    dry_run: planned.DryRun = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Rename the connector to connect.connector of the schema file; no event is lost or published twice.

    The new connector continues at the stored offset, with the same replication slot and topics. Until the old one is
    deleted, a failure lets the old one run again.
    """
    from outbox_kit.delivery.lifecycle.rename import Rename
    from outbox_kit.delivery.lifecycle.states import States

    with planned.observing(ctx, timeout, waits=4):
        delivery = planned.connector_of(ctx, options.outbox_from(file, service, env), connect, dsn, instead=INSTEAD)
        plan = Rename(States(delivery, say, planned.soon(timeout)), former).plan()
    planned.carry_out(plan, output, dry_run=dry_run)
