"""`gen-contracts`: what consumers are promised, as AsyncAPI and JSON Schemas."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.destination import folder_option
from outbox_kit.cli.options import DEFAULT_PATH, Check, Env, Format, Out, OutputFormat, SchemaPath, Service, outbox_from
from outbox_kit.cli.output import deliver, say
from outbox_kit.errors import UsageProblem


class Notation(StrEnum):
    """How the document is written."""

    yaml = "yaml"
    json = "json"


@app.command("gen-contracts")
def gen_contracts(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    version: Annotated[str, typer.Option("--contract-version", help="The contract's own version.")] = "1.0.0",
    notation: Annotated[Notation, typer.Option(help="The notation of the document.")] = Notation.yaml,
    schemas: Annotated[
        Path | None,
        typer.Option(
            "--schemas", help="A folder for the JSON Schema of each payload, one file each.", callback=folder_option
        ),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Leave out what is only your side's: the database, and the connector.")
    ] = False,
    out: Out = None,
    check: Check = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the AsyncAPI 3 document of the events, with an example of each as consumers receive it."""
    from outbox_kit.contracts import asyncapi
    from outbox_kit.contracts.yaml import written
    from outbox_kit.wire.routes import Routes

    if check and out is None and schemas is None:
        raise UsageProblem("--check compares with files, and none is named", fix="add --out FILE or --schemas FOLDER")
    outbox = outbox_from(file, service, env)
    if caveat := Routes(outbox).caveat:
        say(f"warning: the topics are {caveat}")
    files: dict[Path | None, str] = {}
    for name, schema in asyncapi.schemas(outbox) if schemas else ():
        files[(schemas or Path()) / name] = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    if out is not None or schemas is None:
        document = asyncapi.document(outbox, version, public=public)
        text = (
            json.dumps(document, indent=2, ensure_ascii=False) + "\n"
            if notation is Notation.json
            else written(document)
        )
        files[out] = text
    deliver(files, check=check, as_json=output is Format.json)
