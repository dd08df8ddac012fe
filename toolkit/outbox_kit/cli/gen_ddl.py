"""`gen-ddl`: print, write, check, preview or apply the script that creates the outbox."""

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import secret
from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    Check,
    Dsn,
    Env,
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
from outbox_kit.cli.revision import earlier
from outbox_kit.errors import UnsafeChange, UsageProblem
from outbox_kit.printable import counted

if TYPE_CHECKING:
    from outbox_kit.databases.ddl import DatabaseChange
    from outbox_kit.render.ddl import Script
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
    env: Env = None,
    out: Out = None,
    check: Check = False,
    inbox: Annotated[
        bool, typer.Option("--inbox", help="Generate the consumers' inbox table instead, for the consumer's database.")
    ] = False,
    barrier: Annotated[
        bool,
        typer.Option(
            "--barrier", help="Generate the barrier of two-phase messages instead, for the database of a service."
        ),
    ] = False,
    coordinator: Annotated[
        bool, typer.Option("--coordinator", help="Generate the coordinator's table beside the outbox instead.")
    ] = False,
    down: Annotated[bool, typer.Option("--down", help="Generate the script that removes everything.")] = False,
    apply: Annotated[
        bool,
        typer.Option(
            "--apply", help="Run the script, in one transaction if the database supports it, and print the changes."
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print what --apply would change, then roll back; exit 1 if there are changes."),
    ] = False,
    diff: Annotated[
        str | None,
        typer.Option(
            "--diff", metavar="OLD", help="Write the migration from an older schema file: a path, or git:REVISION."
        ),
    ] = None,
    phase: Annotated[PhaseChoice | None, typer.Option(help="With --diff: the steps of this phase only.")] = None,
    dsn: Dsn = None,
    password_env: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="With --apply: set the role's password from this variable."),
    ] = None,
    allow_destructive: Annotated[
        bool,
        typer.Option("--allow-destructive", help="With --down --apply or --diff: drop objects that contain rows too."),
    ] = False,
    timeout: Timeout = 300.0,
    output: OutputFormat = Format.text,
) -> None:
    """Write the SQL of the outbox: table, CHECKs, heartbeat, role, grants and publication; or apply it.

    With --diff: the migration from an older schema file to this one, in three phases: expand, migrate, contract.
    """
    from outbox_kit.render import ddl

    script = _script(inbox=inbox, barrier=barrier, coordinator=coordinator)
    outbox = outbox_from(file, service, env)
    if phase and not diff:
        raise UsageProblem("only a migration has phases", fix="name the older schema file: --diff OLD")
    if diff and (script is not ddl.OUTBOX or down or apply or dry_run):
        raise UsageProblem(
            "--diff is printed and never applied: between its phases the code and the connector are deployed",
            fix="leave out what stands beside --diff; run each phase at its time, --phase expand first",
        )
    if dry_run and (apply or password_env):
        fix = "leave out --apply and --password-env"
        raise UsageProblem("--dry-run changes nothing, and a password cannot be compared", fix=fix)
    if diff:
        with earlier(diff, file) as path:
            old = outbox_from(path, service, env, lenient=True)
        deliver(
            {out: _migration(old, outbox, phase, destructive=allow_destructive)},
            check=check,
            as_json=output is Format.json,
        )
    elif dry_run:
        limited(ctx, timeout)
        address = dsn_for(ctx, dsn, outbox)
        changes = _dry_run(outbox, address, script, down=down)
        _print_changes(outbox, address, changes, output, done=False)
        raise typer.Exit(1 if changes else 0)
    elif not apply:
        text = ddl.down(outbox, script) if down else ddl.up(outbox, script)
        deliver({out: text}, check=check, as_json=output is Format.json)
    else:
        if down and not allow_destructive:
            lost_rows = _lost_rows(outbox, script)
            raise UnsafeChange(f"this drops {lost_rows}", fix="repeat with --allow-destructive")
        limited(ctx, timeout)
        address = dsn_for(ctx, dsn, outbox)
        changes = _applied(outbox, address, password_env, script, down=down)
        _print_changes(outbox, address, changes, output, done=True)


def _script(*, inbox: bool, barrier: bool, coordinator: bool) -> "Script":
    """The script that is asked for. Raises UsageProblem for several."""
    from outbox_kit.render import ddl

    options = (
        ("--inbox", inbox, ddl.INBOX),
        ("--barrier", barrier, ddl.BARRIER),
        ("--coordinator", coordinator, ddl.COORDINATOR),
    )
    chosen = {option: script for option, is_set, script in options if is_set}
    if len(chosen) > 1:
        raise UsageProblem(f"{' and '.join(chosen)} are different scripts", fix="generate one after the other")
    return next(iter(chosen.values()), ddl.OUTBOX)


def _lost_rows(outbox: "Outbox", script: "Script") -> str:
    """What is lost when the script's parts are dropped, in a phrase."""
    from outbox_kit.render import ddl

    return "the connector's objects" if script is ddl.OUTBOX and outbox.table.existing else script.lost


def _applied(
    outbox: "Outbox", dsn: str, password_variable: str | None, script: "Script", *, down: bool
) -> list["DatabaseChange"]:
    """Run a script in the database, and show the warnings about the outbox; what has changed."""
    from outbox_kit.databases import servers
    from outbox_kit.render import ddl

    server, is_outbox = servers.get(outbox.database.dialect), script is ddl.OUTBOX
    outbox = _connected(outbox, dsn, script)
    changes = server.apply(
        dsn,
        script.as_outbox(outbox),
        ddl.body(outbox, script, remove=down),
        keep_table=is_outbox and not down,
        password=_password(password_variable, is_outbox=is_outbox),
    )
    for risk in server.probe.risks(dsn) if is_outbox and not down else []:
        say(f"warning: {risk}")
    return changes


def _connected(outbox: "Outbox", dsn: str, script: "Script") -> "Outbox":
    """The outbox in the database of an address. Raises WrongDatabase if the outbox is in another one."""
    from outbox_kit.databases import servers, whereabouts
    from outbox_kit.render import ddl

    if not script.in_outbox_database:
        return ddl.with_database(outbox, servers.get(outbox.database.dialect).endpoint(dsn).database)
    whereabouts.expect(dsn, outbox)
    return outbox


def _dry_run(outbox: "Outbox", dsn: str, script: "Script", *, down: bool) -> list["DatabaseChange"]:
    """The changes that --apply would make. Raises UsageProblem if the server can neither roll back nor be examined."""
    from outbox_kit.databases import servers
    from outbox_kit.databases.ddl import DatabaseChange
    from outbox_kit.render import ddl
    from outbox_kit.render.constraints import constraints

    server, is_kept = servers.get(outbox.database.dialect), script is ddl.OUTBOX and not down
    outbox = _connected(outbox, dsn, script)
    if server.dry_run:
        body = ddl.body(outbox, script, remove=down)
        return server.dry_run(dsn, script.as_outbox(outbox), body, keep_table=is_kept)
    title = outbox.dialect.title
    if server.defects is None or not is_kept:
        raise UsageProblem(
            f"--dry-run is not available for this script: {title} cannot roll it back",
            fix="read the script: leave out --dry-run; --apply lists each change that it makes",
        )
    say(f"note: {title} cannot roll a script back: only missing tables and CHECKs are shown")
    digests = {constraint.name: constraint.digest for constraint in constraints(outbox, outbox.dialect)}
    return [DatabaseChange("!", defect) for defect in server.defects(dsn, outbox, digests)]


def _print_changes(outbox: "Outbox", dsn: str, changes: list["DatabaseChange"], output: Format, *, done: bool) -> None:
    """The changes of a script, as JSON or a line each. done: whether the script ran, or was examined only."""
    from outbox_kit.databases import servers

    if output is Format.json:
        listed = [{"sign": change.sign, "fact": change.fact} for change in changes]
        show_json({"schema": "outbox-kit/ddl/v1", "changes": listed})
        return
    for change in changes:
        show(f"{change.sign} {change.fact}")
    count = counted(len(changes), "change")
    server = servers.get(outbox.database.dialect)
    endpoint = server.endpoint(dsn)
    place = f"database '{endpoint.database or outbox.names.database}' on {endpoint.host or 'localhost'}"
    if not changes and not done and not server.dry_run:
        say(f"no table and no CHECK is missing in {place}")
    elif not changes:
        say(f"nothing to change: {place} matches the schema file")
    elif done:
        say(f"{count} in {place}{', committed' if outbox.dialect.ddl.transactional else ''}")
    else:
        say(f"{count} to make in {place}; nothing was changed; make them: outbox-kit gen-ddl --apply")


def _migration(old: "Outbox", new: "Outbox", phase: PhaseChoice | None, *, destructive: bool) -> str:
    from outbox_kit.connect import plan
    from outbox_kit.render import migration
    from outbox_kit.wire import connector

    edits = plan.between(connector.config(old), connector.config(new))
    lines = tuple(edit.line() for edit in edits)
    changes = migration.ConnectorChanges(lines, destructive=bool(plan.unsafe_changes(edits)))
    only = migration.Phase(phase.value) if phase else None
    return migration.script(old, new, changes, phase=only, destructive=destructive)


def _password(variable: str | None, *, is_outbox: bool) -> str | None:
    """The password in a variable, or none. Raises UsageProblem: it is not set, or the role cannot log in."""
    if variable and not is_outbox:
        raise UsageProblem("the role of this script cannot log in, and has no password", fix="leave out --password-env")
    if variable and not os.environ.get(variable):
        raise UsageProblem(f"the variable {variable} is not set", fix=f"export {variable}=...")
    return secret.Secret(os.environ[variable]).reveal() if variable else None
