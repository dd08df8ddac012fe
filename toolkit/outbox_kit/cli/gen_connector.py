"""`gen-connector`: print, write, check or explain the connector's config."""

from dataclasses import asdict
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Check, Env, Format, Out, OutputFormat, SchemaPath, Service, outbox_from
from outbox_kit.cli.output import deliver, show, show_json


@app.command("gen-connector")
def gen_connector(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    out: Out = None,
    check: Check = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print each option with the reason for it, by group.")
    ] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the Debezium connector's config as JSON, as Kafka Connect's REST API takes it."""
    from outbox_kit.render import connector

    outbox = outbox_from(file, service, env)
    if not explain:
        deliver({out: connector.document(outbox)}, check=check, as_json=output is Format.json)
        return
    if output is Format.json:
        show_json({"schema": "outbox-kit/options/v1", "options": list(map(asdict, connector.explain(outbox)))})
        return
    show("\n".join(connector.table(list(connector.explain(outbox)))).rstrip())
