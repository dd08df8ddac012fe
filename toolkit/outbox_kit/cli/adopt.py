"""`adopt`: find the outbox table of a live database, examine it, and propose a schema file for it."""

from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app, reporting
from outbox_kit.cli.destination import file_option
from outbox_kit.cli.options import Dsn, Timeout, given_dsn, limited
from outbox_kit.cli.output import say, show, write
from outbox_kit.errors import UsageProblem

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
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the proposed schema file here.", callback=file_option)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
    timeout: Timeout = 300.0,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Find the outbox table of a database, examine it, and propose a schema file for it."""
    from outbox_kit.adopt.rule import RULES

    if out and out.exists() and not force:
        raise UsageProblem(f"'{out}' already exists; nothing was written", fix="repeat with --force to overwrite")
    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    limited(ctx, timeout)
    code = _adopted(given_dsn(ctx, dsn) or "", table, service, rows, judged, out)
    raise typer.Exit(code)


def _adopted(
    dsn: str, name: str | None, service: str | None, rows: int, judged: reporting.Judgement, out: Path | None
) -> int:
    """Look at the tables, deliver the report and the schema file of the best one; the exit code."""
    from outbox_kit.adopt import report
    from outbox_kit.adopt.candidate import candidates, with_evidence
    from outbox_kit.adopt.proposal import Address, proposal, remarks
    from outbox_kit.adopt.rule import findings
    from outbox_kit.contracts.yaml import written
    from outbox_kit.databases import servers
    from outbox_kit.schema.names import service_of

    server = servers.get(servers.dialect_of(dsn))
    reader = server.catalogue
    catalogue = reader.read(dsn)
    ranked = candidates(catalogue, name)
    whole = judged.format != reporting.TEXT or judged.reports  # a terminal shows the best one only
    examined = [
        with_evidence(candidate, lambda table, newest: reader.sample(dsn, table, newest, rows=rows, seconds=SECONDS))
        for candidate in (ranked if whole else ranked[:1])
    ]
    host, port, _ = server.endpoint(dsn)
    called = service or service_of(catalogue.database)
    address = Address(called, catalogue.database, host, port, catalogue.container, catalogue.replica_set)
    proposed = [proposal(candidate, address) for candidate in examined]
    met = judged.accept(judged.policy.apply([finding for candidate in examined for finding in findings(candidate)]))
    result = report.report(catalogue, ranked, examined, proposed, met, judged.fail_on)
    code = judged.deliver(result)
    if not examined:
        say("examine a table anyway: outbox-kit adopt --table SCHEMA.NAME; or create an outbox: outbox-kit init")
        return code
    file = "".join(f"# {line}\n" for line in remarks(examined[0])) + written(proposed[0].file)
    if judged.format == reporting.TEXT:
        problems = "; ".join(proposed[0].problems)
        show("\nproposed schema file\n" + (f"none: {problems}\n" if problems else file), nl=False)
    if out and not proposed[0].problems:
        write(out, file)
        say(f"wrote '{out}'; next: outbox-kit check {out}")
    return code
