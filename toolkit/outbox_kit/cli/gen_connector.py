"""`gen-connector`: print, write, check or explain the connector's config."""

from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Check, Out, SchemaPath, Service, outbox_from
from outbox_kit.cli.output import deliver, show


@app.command("gen-connector")
def gen_connector(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    out: Out = None,
    check: Check = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each option is there.")] = False,
) -> None:
    """Write the Debezium connector's config as JSON, as Kafka Connect's REST API takes it."""
    from outbox_kit.render import connector

    outbox = outbox_from(file, service)
    if not explain:
        deliver(connector.document(outbox), out, check=check)
        return
    for name, value, why in connector.explain(outbox):
        show(f"{name} = {value}\n    {why}")
