"""`snapshot`: signals that start, stop, pause and resume an incremental snapshot of the outbox table."""

from enum import StrEnum
from typing import Annotated

import typer

from outbox_kit.cli import app, options, planned
from outbox_kit.cli.output import say
from outbox_kit.cli.resend import TIME, moment

INSTEAD = "publish rows again: outbox-kit resend"


class Signal(StrEnum):
    """What is to happen with the snapshot."""

    start = "start"
    stop = "stop"
    pause = "pause"
    resume = "resume"


@app.command("snapshot")
def snapshot(
    ctx: typer.Context,
    signal: Annotated[Signal, typer.Argument(metavar="SIGNAL", help="start, stop, pause or resume.")],
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help="Only rows of this message key.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar=TIME, help="Only rows created then or later.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar=TIME, help="Only rows created before.")] = None,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Send the connector a signal about an incremental snapshot, which publishes rows again while it streams.

    The connector must read signals from Kafka. resend needs no signals, and keeps the order of the events.
    """
    from outbox_kit.databases.resent import RowSelection
    from outbox_kit.delivery.lifecycle.snapshot import SnapshotSignal

    options.limited(ctx, timeout)
    delivery = planned.connector_of(ctx, options.outbox_from(file, service, env), connect, dsn, instead=INSTEAD)
    times = {option: moment(option, text, delivery.outbox) for option, text in (("--since", since), ("--until", until))}
    selection = RowSelection(key=key, since=times["--since"], until=times["--until"])
    signals = SnapshotSignal(delivery, options.cluster(bootstrap, kafka_config), say)
    planned.carry_out(signals.plan(signal.value, selection), output, dry_run=dry_run, yes=yes)
