"""`remove`: stop and delete the connector, with its slot and position where that is asked for by name."""

import time
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_CONNECT,
    DEFAULT_PATH,
    ConnectUrl,
    Dsn,
    SchemaPath,
    Service,
    given_dsn,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import say
from outbox_kit.errors import UnsafeChange, UsageProblem


@app.command("remove")
def remove(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    dsn: Dsn = None,
    drop_slot: Annotated[bool, typer.Option("--drop-slot", help="Also drop the replication slot.")] = False,
    reset_offsets: Annotated[bool, typer.Option("--reset-offsets", help="Also forget the stored position.")] = False,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Needed for both: events may be lost or sent again.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds for everything; until then it must be stopped.")
    ] = 120.0,
) -> None:
    """Stop the connector, wait until it has let go of the slot, and delete it. Events stay in the table."""
    from outbox_kit.connect.client import Connect
    from outbox_kit.databases import whereabouts
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.debezium.removal import Removal

    if (drop_slot or reset_offsets) and not allow_destructive:
        raise UnsafeChange(
            "without its slot or its position the connector cannot go on where it stopped",
            fix="repeat with --allow-destructive",
        )
    limited(ctx, timeout)
    outbox = outbox_from(file, service)
    dialect = outbox.dialect
    if drop_slot and not dialect.capture.uses_slot:
        raise UsageProblem(f"{dialect.title} has no replication slots", fix="leave --drop-slot out")
    place = given_dsn(ctx, dsn)
    if drop_slot and place is None:
        raise UsageProblem(
            "dropping the slot needs the database; nothing was changed",
            fix="set OUTBOX_KIT_DSN, or leave --drop-slot out",
        )
    if place:
        whereabouts.expect(place, outbox)
    removal = Removal(Debezium(outbox, Connect.from_environment(connect), place), say)
    removal.stop(time.monotonic() + timeout)
    removal.delete(reset_offsets=reset_offsets)
    removal.slot(drop=drop_slot, reset_offsets=reset_offsets)
