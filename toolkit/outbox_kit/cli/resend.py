"""`resend`: events that the table still has are published again."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, options, planned
from outbox_kit.cli.output import say
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox

TIME = "TIME"
MOST = 1000


@app.command("resend")
def resend(
    ctx: typer.Context,
    ids: Annotated[list[str] | None, typer.Option("--id", metavar="ID", help="An event id; can be repeated.")] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help="Only events of this message key.")] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar=TIME, help="Only rows created then or later, such as 2026-03-01T12:00Z."),
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar=TIME, help="Only rows created before.")] = None,
    from_id: Annotated[
        str | None, typer.Option("--from-id", metavar="ID", help="The first event, in the order of the table.")
    ] = None,
    to_id: Annotated[
        str | None, typer.Option("--to-id", metavar="ID", help="The last event, in the order of the table.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Send at most so many; with more, none is sent.")] = MOST,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    dry_run: planned.DryRun = False,
    yes: planned.Yes = False,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Also delete and insert rows of an existing table.")
    ] = False,
    timeout: options.Timeout = 120.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Publish events again from their rows: by id, key, time or range. Shows first what consumers will see.

    The rows are deleted and inserted again with the same values, which the connector or the relay publishes.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.databases.resent import RowSelection
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.lifecycle.resend import Resend, refuse_without_rows
    from outbox_kit.wire import connector

    options.limited(ctx, timeout)
    outbox = options.outbox_from(file, service, env)
    refuse_without_rows(Debezium(outbox))
    times = {option: moment(option, text, outbox) for option, text in (("--since", since), ("--until", until))}
    selection = RowSelection(tuple(ids or ()), key, times["--since"], times["--until"], from_id, to_id)
    if selection == RowSelection():
        raise UsageProblem(
            "no condition: expected --id, --key, --since, --until, --from-id or --to-id",
            fix="to publish all rows again: outbox-kit offsets reset",
        )
    workers = Connect.from_environment(connect) if outbox.delivery.by == "connector" else None
    delivery = Debezium(outbox, workers, options.dsn_for(ctx, dsn, outbox), connector.config(outbox))
    plan = Resend(delivery, selection, limit, say).plan(allow_destructive=allow_destructive or dry_run)
    planned.carry_out(plan, output, dry_run=dry_run, yes=yes)


def moment(option: str, text: str | None, outbox: "Outbox") -> datetime | None:
    """A moment that was written. Raises UsageProblem."""
    if text is None:
        return None
    if outbox.table.columns.created_at is None:
        raise UsageProblem(
            f"{option} needs a column with the creation time, and table.columns.created_at is not set",
            fix="choose rows by --id, --key, --from-id and --to-id",
        )
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise UsageProblem(f"invalid {option} '{text}': expected a time such as 2026-03-01T12:00:00Z") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
