"""`gen-code`: the write side and the consumer's inbox, in the language and with the library of an application."""

from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.destination import folder_option
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    FOLDER,
    Check,
    Env,
    Format,
    OutputFormat,
    SchemaPath,
    Service,
    outbox_from,
)
from outbox_kit.cli.output import deliver, show_json
from outbox_kit.errors import UsageProblem


@app.command("gen-code")
def gen_code(
    target: Annotated[str | None, typer.Argument(help="The stack, such as python-psycopg; --list names them.")] = None,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar=FOLDER, help="Write the files into this folder.", callback=folder_option),
    ] = None,
    check: Check = False,
    consumer: Annotated[
        bool, typer.Option("--consumer", help="Write a consumer of Kafka too, which needs a client library.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the stacks.")] = False,
    barrier: Annotated[
        bool,
        typer.Option(
            "--barrier", help="Write the barrier of two-phase messages instead, for a service that prepares them."
        ),
    ] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the application's code: typed events, the insert for your transaction, the consumer's inbox."""
    from outbox_kit import databases
    from outbox_kit.render import code
    from outbox_kit.render.code import barrier as barrier_code
    from outbox_kit.render.code import targets

    if listed:
        stacks = [
            {
                "name": stack.name,
                "title": stack.title,
                "databases": [d.title for d in databases.ALL.values() if d.code and stack.name in d.code.stacks],
            }
            for stack in targets.ALL.values()
        ]
        if output is Format.json:
            show_json({"schema": "outbox-kit/code-stacks/v1", "stacks": stacks})
        for stack in stacks if output is Format.text else ():
            typer.echo(f"{stack['name']:<18} {stack['title']} ({', '.join(stack['databases'])})")
        return
    if target is None:
        raise UsageProblem("no target is named", fix=f"choose one: outbox-kit gen-code {' | '.join(targets.ALL)}")
    if barrier and consumer:
        raise UsageProblem("--barrier and --consumer exclude each other", fix="run the command once for each of them")
    outbox, chosen = outbox_from(file, service, env), targets.get(target)
    texts = barrier_code.files(outbox, chosen) if barrier else code.files(outbox, chosen, consumer=consumer)
    if out is None:
        deliver({None: "".join(texts.values())}, check=check, as_json=output is Format.json)
    else:
        deliver({out / path: text for path, text in texts.items()}, check=check, as_json=output is Format.json)
