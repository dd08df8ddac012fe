"""`init`: write a starter schema file; a terminal is asked for what the options leave out."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import databases, secret
from outbox_kit.cli import app
from outbox_kit.cli.options import DSN_VARIABLE, Format, OutputFormat, listed
from outbox_kit.cli.output import say, show_json, write
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.databases.url import Endpoint
    from outbox_kit.render.starter import DatabaseAddress, StarterEvent

EXAMPLE = "OrderPlaced:Order"


@app.command("init")
def init(
    folder: Annotated[Path, typer.Argument(help="Where to write outbox.yaml.")] = Path(),
    service: Annotated[str | None, typer.Option(help="The service that owns the outbox.")] = None,
    dialect: Annotated[str, typer.Option(help=f"The database: {listed(databases.ALL)}.")] = databases.DEFAULT,
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
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write a commented starter: outbox.yaml, a JSON Schema for each event, and one for your editor."""
    from outbox_kit.render import starter
    from outbox_kit.schema.names import service_of
    from outbox_kit.schema.nearest import suggestion

    if dialect not in databases.ALL:
        near = suggestion(dialect, tuple(databases.ALL))
        raise UsageProblem(f"invalid --dialect '{dialect}': expected {listed(databases.ALL)}{near}")
    endpoint = _endpoint(dialect)
    asking = _on_terminal()
    asking_all = asking and service is None
    service = service or _ask(asking, "Which service owns the outbox", service_of(folder.resolve().name), "--service")
    likely = endpoint.database or service
    database = database or (_ask(asking, "The database's name", likely, "--database") if asking_all else likely)
    events = event or _ask(asking, "Its events, as Type:Aggregate", EXAMPLE, "--event").split()
    port = port or endpoint.port or databases.get(dialect).access.port
    address = starter.DatabaseAddress(dialect, database, host or endpoint.host or "localhost", port)
    files = _files(service, address, [starter.StarterEvent(*_event(text)) for text in events])
    _refuse_overwriting(folder, files, force=force)
    for path, text in files.items():
        write(folder / path, text)
        if output is Format.text:
            typer.echo(folder / path)
    if output is Format.json:
        show_json(
            {"schema": "outbox-kit/files/v1", "files": [{"state": "written", "path": str(folder / p)} for p in files]}
        )
    say("\n  ".join(("next:", *starter.next_steps())))


def _endpoint(dialect: str) -> "Endpoint":
    """Host, port and database of OUTBOX_KIT_DSN, each None where it does not name them."""
    from outbox_kit.databases import servers

    dsn = secret.readable(os.environ.get(DSN_VARIABLE, ""), DSN_VARIABLE)
    secret.remember_address(dsn)
    endpoint = servers.get(dialect).endpoint(dsn)
    if dsn and not any(endpoint):
        say(f"{DSN_VARIABLE} was not used: it is not an address of {databases.get(dialect).title}")
    return endpoint


def _files(service: str, address: "DatabaseAddress", events: list["StarterEvent"]) -> dict[str, str]:
    """The starter's files: each path and its text. Raises UsageProblem if they are invalid."""
    from outbox_kit.render import starter
    from outbox_kit.schema.read import complaints

    if problems := complaints(starter.document(service, address, events)):
        raise UsageProblem("invalid answers or options; nothing was written", details=[f"  {p}" for p in problems])
    return starter.files(service, address, events)


def _refuse_overwriting(folder: Path, files: Iterable[str], *, force: bool) -> None:
    """Raise UsageProblem where a file is there and may not be overwritten."""
    existing = [path for path in files if (folder / path).exists()]
    if existing and not force:
        raise UsageProblem(
            f"already there: {', '.join(existing)}; nothing was written",
            where=str(folder.resolve()),
            fix="repeat with --force to overwrite",
        )


def _on_terminal() -> bool:
    """Whether a user can answer questions."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask(asking: bool, question: str, default: str, option: str) -> str:
    if not asking:
        raise UsageProblem(f"{option} is missing, and the input is not a terminal", fix=f"add {option} {default}")
    return str(typer.prompt(question, default=default))


def _event(text: str) -> tuple[str, str]:
    kind, _, aggregate = text.partition(":")
    if not (kind and aggregate):
        raise UsageProblem(f"invalid --event '{text}': expected Type:Aggregate", fix=f"for example --event {EXAMPLE}")
    return kind, aggregate
