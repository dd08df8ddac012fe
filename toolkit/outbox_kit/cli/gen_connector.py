"""`gen-connector`: print, write, check or explain the connector's config."""

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    NAME,
    Check,
    Env,
    Format,
    Out,
    OutputFormat,
    SchemaPath,
    Service,
    outbox_from,
)
from outbox_kit.cli.output import deliver, show, show_json
from outbox_kit.errors import UsageProblem
from outbox_kit.render import server_sinks, targets

Target = StrEnum("Target", [(name, name) for name in targets.names()])  # type: ignore[misc]
ServerSinkName = StrEnum("ServerSinkName", [(name, name) for name in server_sinks.names()])  # type: ignore[misc]
DEFAULT_TARGET, DEFAULT_CLUSTER = Target(targets.DEFAULT), "connect"


@app.command("gen-connector")
def gen_connector(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    target: Annotated[
        Target, typer.Option("--target", "-t", help="What the connector is deployed with.")
    ] = DEFAULT_TARGET,
    sink: Annotated[ServerSinkName | None, typer.Option("--sink", help="What Debezium Server publishes to.")] = None,
    connect_cluster: Annotated[
        str,
        typer.Option(
            "--connect-cluster", metavar=NAME, help="Strimzi's KafkaConnect resource that runs the connector."
        ),
    ] = DEFAULT_CLUSTER,
    out: Out = None,
    check: Check = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print each option with the reason for it, by group.")
    ] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the Debezium connector's config: as JSON for Kafka Connect's REST API, or as another target's file."""
    from outbox_kit.render import connector, deployed

    if sink is not None and target != "debezium-server":
        fix = f"add --target debezium-server: outbox-kit gen-connector --target debezium-server --sink {sink}"
        raise UsageProblem(f"--sink is an option of --target debezium-server, not of {target}", fix=fix)
    outbox = outbox_from(file, service, env)
    if not explain:
        described = deployed.deployed(outbox, connect_cluster=connect_cluster, sink=sink or "")
        deliver({out: targets.document(target, described)}, check=check, as_json=output is Format.json)
        return
    if output is Format.json:
        show_json({"schema": "outbox-kit/options/v1", "options": list(map(asdict, connector.explain(outbox)))})
        return
    show("\n".join(connector.table(list(connector.explain(outbox)))).rstrip())
