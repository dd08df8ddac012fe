"""`adopt`: what in a live database looks like an outbox, what is in the way, and the schema file for it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import Dsn, Format, OutputFormat, Timeout, given_dsn, limited
from outbox_kit.cli.output import say, show, show_json, write
from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Severity

if TYPE_CHECKING:
    from outbox_kit.source.catalogue import Reader

ROWS, SECONDS = 50, 5.0  # of a sample


@app.command("adopt")
def adopt(
    ctx: typer.Context,
    dsn: Dsn = None,
    table: Annotated[str | None, typer.Option(metavar="SCHEMA.NAME", help="The table, if not the likeliest.")] = None,
    service: Annotated[
        str | None, typer.Option(help="The service that owns it; the database's name if left out.")
    ] = None,
    rows: Annotated[int, typer.Option(min=0, help="How many of its newest rows to look at; 0 for none.")] = ROWS,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the proposed schema file here.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
    timeout: Timeout = 300.0,
    output: OutputFormat = Format.text,
) -> None:
    """Find the outbox that a database has already: its columns, what is in the way, and a schema file for it."""
    from outbox_kit import source
    from outbox_kit.adopt import report
    from outbox_kit.adopt.candidate import candidates, looked_at
    from outbox_kit.adopt.obstacle import obstacles
    from outbox_kit.adopt.proposal import Address, proposal, remarks
    from outbox_kit.contracts.yaml import written
    from outbox_kit.schema.names import service_of

    if out and out.exists() and not force:
        raise UsageProblem(f"'{out}' is already there; nothing was written", fix="repeat with --force to overwrite")
    limited(ctx, timeout)
    place = given_dsn(ctx, dsn) or ""
    server = source.named(source.speaking(place))
    reader: Reader = server.catalogue
    catalogue = reader.read(place)
    found = candidates(catalogue, table)
    close = found if output is Format.json else found[:1]
    seen = [
        looked_at(one, lambda that, newest: reader.sample(place, that, newest, rows=rows, seconds=SECONDS))
        for one in close
    ]
    host, port, _ = server.server(place)
    called = service or service_of(catalogue.database)
    address = Address(called, catalogue.database, host, port, catalogue.container, catalogue.replica_set)
    proposed = [proposal(one, address) for one in seen]
    if output is Format.json:
        listed = [report.plain(one, file) for one, file in zip(seen, proposed, strict=True)]
        whole = {"schema": "outbox-kit/adopt/v1", "looked_at": report.looked_at(catalogue), "candidates": listed}
        show_json(whole)
    if not found:
        say(f"nothing here looks like an outbox: {report.looked_at(catalogue)}")
        say("name a table to have it looked at all the same (--table SCHEMA.NAME), or make one: outbox-kit init")
        raise typer.Exit(1)
    best, met, chosen = seen[0], obstacles(seen[0]), proposed[0]
    file = "".join(f"# {line}\n" for line in remarks(best)) + written(chosen.file)
    if output is Format.text:
        parts = [*report.listing(found), "", best.table.title, *report.mapping(best), "", "in the way"]
        show("\n".join([*parts, *report.in_the_way(met), "", "the schema file"]))
        show(f"none: {'; '.join(chosen.problems)}\n" if chosen.problems else file, nl=False)
    if out and not chosen.problems:
        write(out, file)
        say(f"wrote '{out}'; next: outbox-kit check {out}")
    raise typer.Exit(1 if chosen.problems or any(one.severity is Severity.error for one in met) else 0)
