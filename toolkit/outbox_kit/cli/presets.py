"""`presets`: the tables that teams already have, and how each is taken as it is."""

import textwrap
from typing import Annotated

import typer

from outbox_kit.cli import app

WIDTH = 110


@app.command("presets")
def presets(
    name: Annotated[str | None, typer.Argument(help="A preset; all of them are listed if left out.")] = None,
    dialect: Annotated[
        str | None, typer.Option(help="The database that it is shown for; the first it is known for if left out.")
    ] = None,
) -> None:
    """List the tables of libraries that `table.preset` knows, or show what one of them stands for."""
    from outbox_kit.contracts.yaml import written
    from outbox_kit.schema import presets as known

    if name is not None:
        preset = known.get(name)
        fragment = preset.fragment(dialect or next(iter(preset.databases)))
        sentences = (preset.title, preset.owner, preset.lacks, f"Known for: {', '.join(preset.databases)}.")
        for line in (line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH)):
            typer.echo(f"# {line}")
        typer.echo(written(fragment), nl=False)
        return
    width = max(map(len, known.listed()))
    for listed_preset in map(known.get, known.listed()):
        typer.echo(f"{listed_preset.name:<{width}}  {listed_preset.title}")
