"""`gen-code`: the write side and the consumer's inbox, in the language and with the library of an application."""

from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Check, SchemaPath, Service, outbox_from
from outbox_kit.cli.output import deliver
from outbox_kit.errors import UsageProblem


@app.command("gen-code")
def gen_code(
    target: Annotated[str | None, typer.Argument(help="The stack, such as python-psycopg; --list names them.")] = None,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the files into this folder instead of to stdout.")
    ] = None,
    check: Check = False,
    listed: Annotated[bool, typer.Option("--list", help="Name the stacks and stop.")] = False,
) -> None:
    """Write the application's code: typed events, the insert in its own transaction, the consumer's inbox."""
    from outbox_kit import databases
    from outbox_kit.render import code
    from outbox_kit.render.code import targets

    if listed:
        for stack in targets.ALL.values():
            fitting = [
                dialect.title
                for dialect in databases.ALL.values()
                if dialect.code and stack.name in dialect.code.stacks
            ]
            typer.echo(f"{stack.name:<18} {stack.title} ({', '.join(fitting)})")
        return
    if target is None:
        raise UsageProblem("no target is named", fix=f"choose one: outbox-kit gen-code {' | '.join(targets.ALL)}")
    for path, text in code.files(outbox_from(file, service), targets.get(target)).items():
        deliver(text, out / path if out else None, check=check)
