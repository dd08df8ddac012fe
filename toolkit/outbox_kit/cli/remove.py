"""`remove`: stop and delete the connector, with its slot and position where that is asked for by name."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import app, planned
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
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import UnsafeChange, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.delivery.debezium.removal import Removal
    from outbox_kit.schema.model import Outbox


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
    dry_run: planned.DryRun = False,
    timeout: Annotated[
        float, typer.Option(min=1, metavar=SECONDS, help="Limit until the connector is removed.")
    ] = 120.0,
    output: OutputFormat = Format.text,
) -> None:
    """Stop and delete the connector, and list what stays: slot, publication, tables, stored offset, topics.

    Events stay in the table.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.debezium.removal import Removal
    from outbox_kit.wire import connector

    if (drop_slot or reset_offsets) and not (allow_destructive or dry_run):
        raise UnsafeChange(
            "without its replication slot or stored offset the connector cannot resume",
            why="events may be lost or published again",
            fix="repeat with --allow-destructive",
        )
    limited(ctx, timeout)
    outbox = outbox_from(file, service, env)
    place = _database(outbox, given_dsn(ctx, dsn), drop_slot=drop_slot)
    steps: list[str] = []

    def report(step: str) -> None:
        steps.append(step)
        say(step)

    client = Connect.from_environment(connect)
    client.worker()
    removal = Removal(Debezium(outbox, client, place, connector.config(outbox)), report)
    removal.refuse(drop_slot=drop_slot)
    left = removal.leftovers(drop_slot=drop_slot, reset_offsets=reset_offsets)
    if dry_run:
        say(f"would remove connector '{outbox.names.connector}'; nothing was changed")
    else:
        _run(removal, time.monotonic() + timeout, drop_slot=drop_slot, reset_offsets=reset_offsets)
    if output is Format.json:
        document: dict[str, Any] = {"connector": outbox.names.connector, "steps": steps, "dry_run": dry_run}
        show_json({"schema": "outbox-kit/removal/v1", **document, "left": [asdict(each) for each in left]})
        return
    for each in left:
        show(f"{'stays':<10} {each.kind} '{each.name}': {each.text}")


def _database(outbox: "Outbox", dsn: str | None, *, drop_slot: bool) -> str | None:
    """The database's address, if it was given. Raises UsageProblem if the slot is to be dropped without it."""
    from outbox_kit.databases import whereabouts

    if drop_slot and not outbox.dialect.capture.uses_slot:
        raise UsageProblem(f"{outbox.dialect.title} has no replication slots", fix="leave out --drop-slot")
    if drop_slot and dsn is None:
        raise UsageProblem(
            "--drop-slot needs the database; nothing was changed",
            fix="set OUTBOX_KIT_DSN, or leave out --drop-slot",
        )
    if dsn:
        whereabouts.expect(dsn, outbox)
    return dsn


def _run(removal: "Removal", deadline: float, *, drop_slot: bool, reset_offsets: bool) -> None:
    """Take the steps. deadline: by time.monotonic(), until which the connector must have stopped."""
    try:
        removal.stop(deadline)
        removal.delete(reset_offsets=reset_offsets)
        removal.slot(drop=drop_slot, reset_offsets=reset_offsets)
    except KeyboardInterrupt:
        say("interrupted; run outbox-kit remove again: it continues from the state that it finds", always=True)
        raise
