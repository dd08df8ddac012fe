"""`init`: write a starter schema file, asking on a terminal what the flags leave out."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit import secret
from outbox_kit.cli import app
from outbox_kit.cli.options import DSN_VARIABLE
from outbox_kit.cli.output import say, write
from outbox_kit.errors import UsageProblem

EXAMPLE = "OrderPlaced:Order"


@app.command("init")
def init(
    folder: Annotated[Path, typer.Argument(help="Where to write outbox.yaml.")] = Path(),
    service: Annotated[str | None, typer.Option(help="The service that owns the outbox.")] = None,
    dialect: Annotated[
        str, typer.Option(help="The database: postgres, mysql, mariadb, sqlserver, oracle or mongodb.")
    ] = "postgres",
    database: Annotated[
        str | None, typer.Option(help="The database's name; OUTBOX_KIT_DSN's, or the service's.")
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(help="The database's host, as Kafka Connect reaches it; OUTBOX_KIT_DSN's, or localhost."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(help="The database's port, as Kafka Connect reaches it; OUTBOX_KIT_DSN's, or the usual one."),
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option("--event", "-e", help=f"Type:Aggregate, such as {EXAMPLE}; repeatable."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> None:
    """Write a commented starter: outbox.yaml, a JSON Schema for each event, and one for your editor."""
    from outbox_kit import dialects, source
    from outbox_kit.render import starter
    from outbox_kit.schema.names import service_of
    from outbox_kit.schema.read import complaints

    if dialect not in dialects.ALL:
        raise UsageProblem(f"no database '{dialect}' here", fix=f"choose {', '.join(dialects.ALL)}")
    dsn = secret.readable(os.environ.get(DSN_VARIABLE, ""), DSN_VARIABLE)
    secret.remember_address(dsn)
    named_host, named_port, named = source.named(dialect).server(dsn)
    if dsn and not (named_host or named_port or named):
        title = dialects.named(dialect).title
        say(f"{DSN_VARIABLE} was not used: it is no address of {title}")
    host, port = host or named_host or "localhost", port or named_port or dialects.named(dialect).port
    asking = sys.stdin.isatty() and sys.stdout.isatty()
    service = service or _ask(asking, "Which service owns the outbox", service_of(folder.resolve().name), "--service")
    likely = named or service
    database = database or (_ask(asking, "The database's name", likely, "--database") if asking else likely)
    events = event or _ask(asking, "Its events, as Type:Aggregate", EXAMPLE, "--event").split()
    address = starter.Address(dialect, database, host, port)
    meant = service, address, [starter.StarterEvent(*_event(text)) for text in events]
    if problems := complaints(starter.document(*meant)):
        raise UsageProblem("this would be no outbox; nothing was written", details=[f"  {p}" for p in problems])
    wanted = starter.files(*meant)
    there = [path for path in wanted if (folder / path).exists()]
    if there and not force:
        raise UsageProblem(
            f"already there: {', '.join(there)}; nothing was written",
            where=str(folder.resolve()),
            fix="repeat with --force to overwrite",
        )
    for path, text in wanted.items():
        write(folder / path, text)
        typer.echo(folder / path)
    say("next: outbox-kit gen-ddl")


def _ask(asking: bool, question: str, default: str, option: str) -> str:
    if not asking:
        raise UsageProblem(f"{option} is missing, and there is no terminal to ask on", fix=f"add {option} {default}")
    return str(typer.prompt(question, default=default))


def _event(text: str) -> tuple[str, str]:
    kind, _, aggregate = text.partition(":")
    if not (kind and aggregate):
        raise UsageProblem(f"'{text}' is no event", fix=f"write Type:Aggregate, such as {EXAMPLE}")
    return kind, aggregate
