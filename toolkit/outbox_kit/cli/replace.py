"""`replace`: another connector takes over from the present one, after a trial beside it."""

from dataclasses import replace as with_changes
from typing import Annotated

import typer

from outbox_kit.cli import app, options, planned
from outbox_kit.cli.output import say

INSTEAD = "to replace a connector by a relay, or a relay by a connector: outbox-kit hand-over"
WAITS = 12  # at most, of the length of --timeout each


@app.command("replace")
def replace(
    ctx: typer.Context,
    former: Annotated[str, typer.Option("--from", metavar=options.NAME, help="The connector that publishes now.")],
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    trial: Annotated[
        float,
        typer.Option("--trial", min=0, metavar=options.SECONDS, help="How long the messages of both are compared."),
    ] = 10.0,
    accept_differences: Annotated[
        bool,
        typer.Option(
            "--accept-differences",
            help="Accept messages with another topic, partition, key, headers or value; never a missing message.",
        ),
    ] = False,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Replace the connector by connect.connector of the schema file, with a replication slot of its own (blue/green).

    First the new connector runs beside the present one with topics of its own, and the messages are compared. Then it
    continues at the stored offset. If it does not run, the present connector is resumed. PostgreSQL only.
    """
    from outbox_kit.delivery.replacement.replacement import Replacement
    from outbox_kit.delivery.replacement.state import former_of
    from outbox_kit.delivery.replacement.trial import Trial

    kafka = options.cluster(bootstrap, kafka_config)
    with planned.observing(ctx, timeout, waits=WAITS, others=trial):
        delivery = planned.connector_of(ctx, options.outbox_from(file, service, env), connect, dsn, instead=INSTEAD)
        new, soon = with_changes(delivery, cluster=kafka), planned.soon(timeout)
        beside = Trial(former_of(new, former), new, kafka, trial, soon, say, accept=accept_differences)
        plan = Replacement(beside).plan()
    planned.carry_out(plan, output, dry_run=dry_run, yes=yes)
