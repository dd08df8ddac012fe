"""`gen-monitoring`: the files of Prometheus, Grafana and the JMX exporter."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.destination import folder_option
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    FOLDER,
    URL,
    Check,
    Env,
    Format,
    OutputFormat,
    SchemaPath,
    Service,
    outbox_from,
)
from outbox_kit.cli.output import deliver
from outbox_kit.errors import UsageProblem


class MonitoringPart(StrEnum):
    """The files."""

    alerts = "alerts"
    records = "records"
    dashboard = "dashboard"
    scrape = "scrape"
    jmx = "jmx"


@app.command("gen-monitoring")
def gen_monitoring(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar=FOLDER, help="Write the files into this folder.", callback=folder_option),
    ] = None,
    part: Annotated[
        MonitoringPart | None, typer.Option("--part", help="Only this file; without --out on stdout.")
    ] = None,
    runbook_url: Annotated[
        str, typer.Option("--runbook-url", metavar=URL, help="Address of the runbook, for the alerts.")
    ] = "RUNBOOK.md",
    check: Check = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write Prometheus's alerting and recording rules, a Grafana dashboard, a scrape configuration and the JMX mapping.

    The thresholds are those of the section monitoring of the schema file.
    """
    from outbox_kit.monitoring.files import files
    from outbox_kit.render.runbook import anchors
    from outbox_kit.wire.routes import Routes

    if out is None and (part is None or check):
        fix = "add --out FOLDER" if check else "add --out FOLDER, or --part alerts"
        raise UsageProblem("gen-monitoring writes several files, and no folder is named", fix=fix)
    outbox = outbox_from(file, service, env)
    generated = files(outbox, anchors(Routes(outbox)), runbook_url)
    if part is not None and part.value not in generated:
        raise UsageProblem(f"--part {part.value}: this outbox has no such file", fix=f"choose {', '.join(generated)}")
    chosen = [generated[part.value]] if part is not None else [*generated.values()]
    deliver({out / name if out else None: text for name, text in chosen}, check=check, as_json=output is Format.json)
