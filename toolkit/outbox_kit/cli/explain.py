"""`explain`: a rule of any command, an option of the registry, or all rules."""

from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.errors import UnknownName, UsageProblem


@app.command("explain")
def explain(
    name: Annotated[str | None, typer.Argument(help="A rule's id, or an option's name.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List every rule.")] = False,
) -> None:
    """Explain a rule of check, verify, adopt or diff, or a connector option: since when, until when, and why."""
    from outbox_kit.explain import options, rules
    from outbox_kit.schema.nearest import nearest

    if every:
        typer.echo(rules.listing(), nl=False)
        return
    if name is None:
        raise UsageProblem("nothing to explain is named", fix="name a rule or an option, or list all: explain --all")
    rule = rules.find(name)
    text = rules.text(*rule) if rule else options.text(name)
    if not text:
        names = [*rules.rules(), *options.names()]
        raise UnknownName(f"no rule and no option '{name}'{nearest(name, names)}", fix="list the rules: explain --all")
    typer.echo(text, nl=False)
