"""`explain`: a rule of the linter, an option of the registry, or all of them."""

from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.errors import UnknownName, UsageProblem


@app.command("explain")
def explain(
    name: Annotated[str | None, typer.Argument(help="A rule, or an option's name.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List every rule.")] = False,
) -> None:
    """Say what a rule of `check` means, or what an option does, since when and until when."""
    from outbox_kit.lint import explain as words
    from outbox_kit.lint.run import catalogue
    from outbox_kit.schema.nearest import nearest

    if every:
        typer.echo(words.rule_list(), nl=False)
        return
    if name is None:
        raise UsageProblem("nothing to explain is named", fix="name a rule or an option, or list all: explain --all")
    rule = catalogue().get(name)
    text = words.rule(rule) if rule else words.option(name)
    if not text:
        known = [*catalogue(), *words.option_names()]
        raise UnknownName(f"no rule and no option '{name}'{nearest(name, known)}", fix="list the rules: explain --all")
    typer.echo(text, nl=False)
