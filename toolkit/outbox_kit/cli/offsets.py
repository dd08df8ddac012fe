"""`offsets`: the stored offsets of the connector, shown, deleted, set back and restored."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import App, app, options, planned
from outbox_kit.cli.destination import file_option
from outbox_kit.cli.output import deliver, say, show, show_json, write
from outbox_kit.errors import BadConfigFile

if TYPE_CHECKING:
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.debezium.offset_changes import Entry
    from outbox_kit.delivery.lifecycle.offsets import Offsets
    from outbox_kit.schema.model import Outbox

offsets_app = App(no_args_is_help=True, help="Show, delete, rewind or restore the connector's stored offsets.")
app.add_typer(offsets_app, name="offsets")

INSTEAD = (
    "the relay's position is in its replication slot, or in the table: outbox-kit status; to publish events again: "
    "outbox-kit resend, outbox-kit relay dead retry"
)
WAITS = 3  # at most, of the length of --timeout each
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar=options.FILE,
        callback=file_option,
        help="The file for the old offsets. Default: CONNECTOR-offsets-TIME.json in this folder.",
    ),
]


@offsets_app.command("show")
def offsets_show(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    out: options.Out = None,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Show the stored offsets and whether the connector can begin there; with --out, save them.

    Exit code 1: an offset has another form than the connector's, or the database's log does not have its position.
    """
    options.limited(ctx, timeout)
    offsets = _offsets(ctx, options.outbox_from(file, service, env), connect, dsn, None, timeout)
    entries, flaws = offsets.shown()
    if out is not None:
        deliver({out: _text(entries)})
    if output is options.Format.json:
        name = offsets.delivery.name
        show_json({"schema": "outbox-kit/offsets/v1", "connector": name, "offsets": entries, "problems": flaws})
    elif out is None:
        for entry in entries:
            show(f"{'partition':<10} {json.dumps(entry.get('partition'))}")
            show(f"{'offset':<10} {json.dumps(entry.get('offset'))}")
        for flaw in flaws:
            show(f"{'problem':<10} {flaw}")
        say("" if entries else "no offsets are stored")
    raise typer.Exit(1 if flaws else 0)


@offsets_app.command("reset")
def offsets_reset(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    save: Save = None,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Delete the stored offsets: the connector is stopped, the old ones are saved, and it runs again."""
    with planned.observing(ctx, timeout, waits=WAITS):
        plan = _offsets(ctx, options.outbox_from(file, service, env), connect, dsn, save, timeout).reset()
    planned.carry_out(plan, output, dry_run=dry_run, yes=yes)


@offsets_app.command("rewind")
def offsets_rewind(
    ctx: typer.Context,
    to: Annotated[str, typer.Option("--to", metavar="POSITION", help="The position, such as binlog.000003:157.")],
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    save: Save = None,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Set the stored offset back, so that events are published again (MySQL and MariaDB).

    PostgreSQL releases its WAL, and its slot does not go back: there, use resend.
    """
    with planned.observing(ctx, timeout, waits=WAITS):
        offsets = _offsets(ctx, options.outbox_from(file, service, env), connect, dsn, save, timeout)
        if offsets.delivery.dsn is None:
            address = options.dsn_for(ctx, dsn, offsets.delivery.outbox)
            offsets = _offsets_of(_with_database(offsets.delivery, address), save, timeout)
        plan = offsets.rewind(to)
    planned.carry_out(plan, output, dry_run=dry_run, yes=yes)


@offsets_app.command("restore")
def offsets_restore(
    ctx: typer.Context,
    saved: Annotated[
        Path, typer.Option("--from", metavar=options.FILE, help="A file of offsets show --out, or a saved one.")
    ],
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    save: Save = None,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    timeout: planned.Wait = planned.DEFAULT_WAIT,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Store offsets that were saved, if they have the connector's form and the log still has their position."""
    from outbox_kit.delivery.lifecycle.offsets import entries_of

    text = options.text_of(saved, "a file of outbox-kit offsets show --out")
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as cause:
        fix = "give a file that outbox-kit offsets show --out has written, or one that a command has saved"
        raise BadConfigFile(f"'{saved}' is not JSON", why=str(cause), fix=fix) from None
    entries = entries_of(document, str(saved))
    with planned.observing(ctx, timeout, waits=WAITS):
        offsets = _offsets(ctx, options.outbox_from(file, service, env), connect, dsn, save, timeout)
        plan = offsets.restore(entries, str(saved))
    planned.carry_out(plan, output, dry_run=dry_run, yes=yes)


def _offsets(
    ctx: typer.Context, outbox: "Outbox", connect: str, dsn: str | None, save: Path | None, timeout: float
) -> "Offsets":
    return _offsets_of(planned.connector_of(ctx, outbox, connect, dsn, instead=INSTEAD), save, timeout)


def _offsets_of(delivery: "Debezium", save: Path | None, timeout: float) -> "Offsets":
    from outbox_kit.delivery.lifecycle.offsets import Offsets
    from outbox_kit.delivery.lifecycle.states import States

    return Offsets(States(delivery, say, planned.soon(timeout)), _saver(delivery.name, save))


def _with_database(delivery: "Debezium", dsn: str) -> "Debezium":
    from dataclasses import replace

    return replace(delivery, dsn=dsn)


def _saver(name: str, path: Path | None) -> "Callable[[Sequence[Entry]], str]":
    """Writes offsets to a file that does not exist yet, unless it was named."""

    def save(entries: "Sequence[Entry]") -> str:
        chosen = path or Path(f"{name}-offsets-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.json")
        write(chosen, _text(entries))
        return str(chosen)

    return save


def _text(entries: "Sequence[Entry]") -> str:
    return json.dumps({"offsets": list(entries)}, indent=2) + "\n"
