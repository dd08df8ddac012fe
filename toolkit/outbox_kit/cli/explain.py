"""`explain`: a rule or a group of rules of any command, a key of the schema file, a connector option, or all rules."""

from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import Format, OutputFormat
from outbox_kit.cli.output import show_json
from outbox_kit.errors import UnknownName, UsageProblem

ALL = "list all rules: outbox-kit explain --all"
RULES, OPTION = "outbox-kit/rules/v1", "outbox-kit/option/v1"


@app.command("explain")
def explain(
    name: Annotated[
        str | None, typer.Argument(help="A rule, a group of rules, a connector option, or a key of the schema file.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every rule.")] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Explain a rule, a group of rules, a connector option or a key of the schema file, such as table.retention."""
    from outbox_kit.explain import rules

    if every and output is Format.json:
        show_json({"schema": RULES, "rules": [rules.document(*entry) for entry in rules.rules().values()]})
    elif every:
        typer.echo(rules.listing(), nl=False)
    elif name is None:
        raise UsageProblem(
            "missing name: expected a rule, a group of rules, a key of the schema file or a connector option",
            fix=f"name one, such as: outbox-kit explain slot.name; or {ALL}",
        )
    else:
        _explain(name, output)


def _explain(name: str, output: Format) -> None:
    """Print what a name stands for. Raises UnknownName."""
    from outbox_kit.explain import options, rules, schema_file

    rule = rules.find(name)
    others = (schema_file.text(name), options.text(name), rules.group_text(name))
    texts = [rules.text(*rule)] if rule else list(filter(None, others))
    if not texts:
        raise _not_found(name)
    if output is Format.text:
        typer.echo("\n".join(texts), nl=False)
    elif rule:
        show_json({"schema": RULES, "rules": [rules.document(*rule)]})
    else:
        show_json({"schema": OPTION, "name": name, "text": "\n".join(texts)})


def _not_found(name: str) -> UnknownName:
    """The error for a name that is unknown, with the names that are similar."""
    from outbox_kit.explain import options, rules, schema_file
    from outbox_kit.schema.nearest import similar

    near = similar(name, [*rules.rules(), *rules.groups(), *schema_file.names(), *options.names()])
    hint = f"; did you mean {near}?" if near else ""
    return UnknownName(f"rule, group, schema file key or connector option '{name}' not found{hint}", fix=ALL)
