"""`gen-ddl`: print, write, check or apply the script that makes the outbox."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import secret
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
    Timeout,
    dsn_for,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import deliver, say, show, show_json
from outbox_kit.errors import UnsafeChange, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.databases.ddl import DatabaseChange
    from outbox_kit.schema.model import Outbox


class PhaseChoice(StrEnum):
    """When a part of a migration is run."""

    expand = "expand"
    migrate = "migrate"
    contract = "contract"


@app.command("gen-ddl")
def gen_ddl(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    out: Out = None,
    check: Check = False,
    inbox: Annotated[
        bool, typer.Option("--inbox", help="The inbox of those who read the events, for their own database.")
    ] = False,
    down: Annotated[bool, typer.Option("--down", help="The script that removes it all.")] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Run it, in one transaction where the database can; say what changed.")
    ] = False,
    diff: Annotated[
        Path | None, typer.Option("--diff", metavar="OLD", help="The script from that schema file to this one.")
    ] = None,
    phase: Annotated[PhaseChoice | None, typer.Option(help="With --diff: these steps only.")] = None,
    dsn: Dsn = None,
    password_env: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="With --apply: set the role's password from this variable."),
    ] = None,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="With --down --apply or --diff: drop what holds rows too.")
    ] = False,
    timeout: Timeout = 300.0,
    output: OutputFormat = Format.text,
) -> None:
    """Write the outbox's SQL: table, CHECKs, heartbeat, role, grants and publication; or apply it.

    With --diff, what leads from an older schema file to this one, phase by phase: expand, migrate, contract.
    """
    from outbox_kit.render import ddl

    outbox, script = outbox_from(file, service), ddl.INBOX if inbox else ddl.OUTBOX
    if phase and not diff:
        raise UsageProblem("only a migration has phases", fix="name the older schema file: --diff OLD")
    if diff and (inbox or down or apply):
        raise UsageProblem(
            "--diff is printed and never applied: between its phases the code and the connector are deployed",
            fix="leave out --apply, --down and --inbox; run each phase at its time, --phase expand first",
        )
    if diff:
        old = outbox_from(diff, service)
        deliver(_migration(old, outbox, phase, destructive=allow_destructive), out, check=check)
    elif not apply:
        deliver(ddl.down(outbox, script) if down else ddl.up(outbox, script), out, check=check)
    else:
        if down and not allow_destructive:
            lost_rows = _lost_rows(outbox, inbox=inbox)
            raise UnsafeChange(f"this drops {lost_rows}", fix="repeat with --allow-destructive")
        limited(ctx, timeout)
        changes = _applied(outbox, dsn_for(ctx, dsn, outbox), password_env, inbox=inbox, down=down)
        _print_changes(outbox, changes, output)


def _lost_rows(outbox: "Outbox", *, inbox: bool) -> str:
    """What is lost when the script's parts are dropped, in a phrase."""
    if inbox:
        return "the inbox and all that it remembers"
    return "what the connector needs" if outbox.table.existing else "the outbox table and every event still in it"


def _applied(
    outbox: "Outbox", dsn: str, password_variable: str | None, *, inbox: bool, down: bool
) -> list["DatabaseChange"]:
    """Run the outbox's or the inbox's script in the database, and show its warnings; what has changed."""
    from outbox_kit.databases import servers, whereabouts
    from outbox_kit.render import ddl

    server, script = servers.get(outbox.database.dialect), ddl.INBOX if inbox else ddl.OUTBOX
    if inbox:
        outbox = ddl.with_database(outbox, server.endpoint(dsn).database)
    else:
        whereabouts.expect(dsn, outbox)
    changes = server.apply(
        dsn,
        ddl.inbox_as_outbox(outbox) if inbox else outbox,
        ddl.body(outbox, script, remove=down),
        keep_table=not (down or inbox),
        password=_password(password_variable, inbox=inbox),
    )
    for warning in [] if down or inbox else server.probe.warnings(dsn):
        say(f"warning: {warning}")
    return changes


def _print_changes(outbox: "Outbox", changes: list["DatabaseChange"], output: Format) -> None:
    """The changes of an applied script, as JSON or a line each."""
    if output is Format.json:
        listed = [{"sign": change.sign, "fact": change.fact} for change in changes]
        show_json({"schema": "outbox-kit/ddl/v1", "changes": listed})
        return
    for change in changes:
        show(f"{change.sign} {change.fact}")
    committed = ", committed" if outbox.dialect.ddl.transactional else ""
    say(f"{len(changes)} changes{committed}" if changes else "nothing to change: the database is as the file says")


def _migration(old: "Outbox", new: "Outbox", phase: PhaseChoice | None, *, destructive: bool) -> str:
    from outbox_kit.connect import plan
    from outbox_kit.render import migration
    from outbox_kit.wire import connector

    edits = [edit.line() for edit in plan.between(connector.config(old), connector.config(new))]
    only = migration.Phase(phase.value) if phase else None
    return migration.script(old, new, edits, phase=only, destructive=destructive)


def _password(variable: str | None, *, inbox: bool) -> str | None:
    """The password in a variable, or none. Raises UsageProblem: it is not set, or the role cannot log in."""
    if variable and inbox:
        raise UsageProblem("the inbox's role cannot log in, and has no password", fix="leave out --password-env")
    if variable and not os.environ.get(variable):
        raise UsageProblem(f"the variable {variable} is not set", fix=f"export {variable}=...")
    return secret.Secret(os.environ[variable]).reveal() if variable else None
