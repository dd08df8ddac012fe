"""`gen-ddl`: print, write, check or apply the outbox's SQL."""

import json
import os
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    Check,
    Dsn,
    Format,
    Out,
    OutputFormat,
    SchemaPath,
    Service,
    dsn_for,
    outbox_from,
)
from outbox_kit.cli.output import deliver, say
from outbox_kit.errors import UnsafeChange, UsageProblem


@app.command("gen-ddl")
def gen_ddl(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    out: Out = None,
    check: Check = False,
    down: Annotated[bool, typer.Option("--down", help="The script that removes it all.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Run it in one transaction; say what changed.")] = False,
    dsn: Dsn = None,
    password_env: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="With --apply: set the role's password from this variable."),
    ] = None,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="With --down --apply: drop the table and its events.")
    ] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the outbox's SQL: table, CHECKs, heartbeat, role, grants and publication; or apply it."""
    from outbox_kit import source
    from outbox_kit.render import ddl

    outbox = outbox_from(file, service)
    if not apply:
        deliver(ddl.down(outbox) if down else ddl.up(outbox), out, check=check)
        return
    if down and not allow_destructive:
        raise UnsafeChange(
            "this drops the outbox table and every event still in it", fix="repeat with --allow-destructive"
        )
    password = None
    if password_env and not (password := os.environ.get(password_env)):
        raise UsageProblem(f"the variable {password_env} is not set", fix=f"export {password_env}=...")
    server = source.named(outbox.database.dialect)
    changes = server.apply(
        dsn_for(ctx, dsn, outbox),
        outbox,
        ddl.body(outbox, remove=down),
        keep_table=not down,
        password=password,
    )
    if output is Format.json:
        listed = [{"sign": change.sign, "fact": change.fact} for change in changes]
        typer.echo(json.dumps({"schema": "outbox-kit/ddl/v1", "changes": listed}, indent=2))
        return
    for change in changes:
        typer.echo(f"{change.sign} {change.fact}")
    say(f"{len(changes)} changes, committed" if changes else "nothing to change: the database is as the file says")
