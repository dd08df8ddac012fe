"""`import-contracts`: a schema file from an AsyncAPI document."""

from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import Check, Format, Out, OutputFormat, text_of
from outbox_kit.cli.output import deliver, say
from outbox_kit.errors import BadConfigFile


@app.command("import-contracts")
def import_contracts(
    document: Annotated[Path, typer.Argument(help="An AsyncAPI 3.0 or 3.1 document, YAML or JSON.")],
    out: Out = None,
    check: Check = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write a schema file from an AsyncAPI document, and list the parts of the document that are left out."""
    from ruamel.yaml.error import YAMLError

    from outbox_kit.contracts.imported import imported
    from outbox_kit.contracts.yaml import written
    from outbox_kit.schema import yaml
    from outbox_kit.schema.read import complaints

    try:
        raw = yaml.plain(text_of(document, "an AsyncAPI document"))
    except YAMLError as cause:
        raise BadConfigFile("invalid YAML", where=yaml.place(cause, str(document)), why=yaml.why(cause)) from None
    except (ValueError, RecursionError) as cause:
        raise BadConfigFile(f"'{document}' is not YAML", why=" ".join(str(cause).split())) from None
    schema_document = imported(raw, str(document))
    wrong = complaints(schema_document.outbox)
    if wrong:
        raise BadConfigFile(f"'{document}' does not make a schema file", details=[f"  {line}" for line in wrong])
    for problem in schema_document.skipped:
        say(f"left out: {problem}")
    deliver({out: written(schema_document.outbox)}, check=check, as_json=output is Format.json)
