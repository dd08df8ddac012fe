"""`schema`: the JSON Schemas of the schema file and of what commands print as JSON."""

import json
from typing import Annotated

import typer

from outbox_kit.assets import TEMPLATES
from outbox_kit.cli import app
from outbox_kit.cli.options import Check, Format, Out, OutputFormat
from outbox_kit.cli.output import deliver
from outbox_kit.errors import UnknownName


@app.command("schema")
def schema(
    document: Annotated[
        str | None,
        typer.Argument(help="What --format json prints, such as status; outbox.yaml if left out."),
    ] = None,
    out: Out = None,
    check: Check = False,
    output: OutputFormat = Format.text,
) -> None:
    """Print the JSON Schema of outbox.yaml, or of a document that --format json prints."""
    from outbox_kit.schema.jsonschema import jsonschema

    text = json.dumps(jsonschema(), indent=2) + "\n" if document is None else _of_output(document)
    deliver({out: text}, check=check, as_json=output is Format.json)


def _of_output(name: str) -> str:
    """The JSON Schema of a document that --format json prints. Raises UnknownName."""
    from outbox_kit.schema.nearest import nearest

    names = sorted(path.stem for path in (TEMPLATES / "json").glob("*.json"))
    if name not in names:
        raise UnknownName(f"document '{name}' not found{nearest(name, names)}", fix=f"choose one: {', '.join(names)}")
    return (TEMPLATES / "json" / f"{name}.json").read_text(encoding="utf-8")
