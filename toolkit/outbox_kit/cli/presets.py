"""`presets`: the tables that teams already have, and how each is taken as it is."""

import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import Format, OutputFormat
from outbox_kit.cli.output import show_json

if TYPE_CHECKING:
    from outbox_kit.schema.presets import Preset

WIDTH = 110


@app.command("presets")
def presets(
    name: Annotated[str | None, typer.Argument(help="A preset; all of them are listed if left out.")] = None,
    dialect: Annotated[
        str | None, typer.Option(help="The database that it is shown for; the first it is known for if left out.")
    ] = None,
    output: OutputFormat = Format.text,
) -> None:
    """List the libraries whose tables `table.preset` describes, or show the keys that one preset sets."""
    from outbox_kit.contracts.yaml import written
    from outbox_kit.schema import presets as known

    if name is not None:
        preset = known.get(name)
        fragment = preset.fragment(dialect or next(iter(preset.databases)))
        if output is Format.json:
            show_json({"schema": "outbox-kit/preset/v1", **_document(preset), "fragment": fragment})
            return
        sentences = (preset.title, preset.owner, preset.lacks, f"Known for: {', '.join(preset.databases)}.")
        for line in (line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH)):
            typer.echo(f"# {line}")
        typer.echo(written(fragment), nl=False)
        return
    if output is Format.json:
        documents = [_document(known.get(each)) for each in known.listed()]
        show_json({"schema": "outbox-kit/presets/v1", "presets": documents})
        return
    width = max(map(len, known.listed()))
    for listed_preset in map(known.get, known.listed()):
        typer.echo(f"{listed_preset.name:<{width}}  {listed_preset.title}")


def _document(preset: "Preset") -> dict[str, object]:
    return {
        "name": preset.name,
        "title": preset.title,
        "owner": preset.owner,
        "lacks": preset.lacks,
        "databases": list(preset.databases),
    }
