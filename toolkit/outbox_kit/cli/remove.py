"""`remove`: stop and delete the connector, with its slot and position where that is asked for by name."""

import time
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_CONNECT,
    DEFAULT_PATH,
    SECONDS,
    ConnectUrl,
    Dsn,
    Env,
    Format,
    OutputFormat,
    SchemaPath,
    Service,
    given_dsn,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import say, show_json
from outbox_kit.errors import UnsafeChange, UsageProblem


@app.command("remove")
def remove(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    dsn: Dsn = None,
    drop_slot: Annotated[bool, typer.Option("--drop-slot", help="Also drop the replication slot.")] = False,
    reset_offsets: Annotated[bool, typer.Option("--reset-offsets", help="Also delete the stored offset.")] = False,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Needed for both: events may be lost or published again.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=1, metavar=SECONDS, help="Limit until the connector is removed.")
    ] = 120.0,
    output: OutputFormat = Format.text,
) -> None:
    """Stop and delete the connector. Events stay in the table."""
    from outbox_kit.connect.client import Connect
    from outbox_kit.databases import whereabouts
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.debezium.removal import Removal

    if (drop_slot or reset_offsets) and not allow_destructive:
        raise UnsafeChange(
            "without its replication slot or stored offset the connector cannot resume",
            why="events may be lost or published again",
            fix="repeat with --allow-destructive",
        )
    limited(ctx, timeout)
    outbox = outbox_from(file, service, env)
    dialect = outbox.dialect
    if drop_slot and not dialect.capture.uses_slot:
        raise UsageProblem(f"{dialect.title} has no replication slots", fix="leave out --drop-slot")
    place = given_dsn(ctx, dsn)
    if drop_slot and place is None:
        raise UsageProblem(
            "--drop-slot needs the database; nothing was changed",
            fix="set OUTBOX_KIT_DSN, or leave out --drop-slot",
        )
    if place:
        whereabouts.expect(place, outbox)
    steps: list[str] = []

    def report(step: str) -> None:
        steps.append(step)
        say(step)

    removal = Removal(Debezium(outbox, Connect.from_environment(connect), place), report)
    removal.stop(time.monotonic() + timeout)
    removal.delete(reset_offsets=reset_offsets)
    removal.slot(drop=drop_slot, reset_offsets=reset_offsets)
    if output is Format.json:
        show_json({"schema": "outbox-kit/removal/v1", "connector": outbox.names.connector, "steps": steps})
