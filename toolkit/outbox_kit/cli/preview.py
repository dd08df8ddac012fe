"""`preview`: the message that a row will be, before there is a connector."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    Dsn,
    Format,
    OutputFormat,
    Service,
    TargetVersion,
    dsn_for,
    release_of,
    text_of,
)
from outbox_kit.errors import BadConfigFile, UnknownName, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.router.chain import Outcome
    from outbox_kit.router.events import Column
    from outbox_kit.schema.model import Event, Outbox

Shown = tuple[str, "Outcome", int | None]


@app.command("preview")
def preview(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A schema file, or any connector's config.")] = DEFAULT_PATH,
    service: Service = None,
    event: Annotated[
        str | None, typer.Option("--event", "-e", help="The event's type; the first one if left out.")
    ] = None,
    all_events: Annotated[bool, typer.Option("--all-events", help="Every declared event.")] = False,
    row_file: Annotated[
        Path | None,
        typer.Option("--row-file", help="JSON with the row's columns; a column may be {type, value}. - is stdin."),
    ] = None,
    row: Annotated[str | None, typer.Option("--row", help="The id of a row of the live table.")] = None,
    dsn: Dsn = None,
    operation: Annotated[str, typer.Option("--op", help="c, r, u, d or t: what happened to the row.")] = "c",
    target: TargetVersion = None,
    partitions: Annotated[
        int | None, typer.Option("--partitions", min=1, help="Of the topic; the schema file's own if left out.")
    ] = None,
    output: OutputFormat = Format.text,
) -> None:
    """Show a sample row as the message that Debezium will make of it: topic, partition, key, headers, value.

    Exit code 1: a row would stop the task, or pass unrouted.
    """
    from outbox_kit.lint.formats import is_schema_file
    from outbox_kit.preview import words
    from outbox_kit.router.chain import Failed, Message

    given = _given(row_file)
    if is_schema_file(text_of(file)):
        shown = list(_of_schema_file(ctx, file, service, event, all_events, given, row, dsn, operation, target))
    else:
        if row or all_events or event:
            raise UsageProblem("only a schema file has events and a table", fix="give the row by --row-file")
        shown = list(_of_config(file, given, operation, target))
    if output is Format.json:
        typer.echo(json.dumps([{"row": t, **words.plain(o, partitions or own)} for t, o, own in shown], indent=2))
    else:
        typer.echo("\n".join(f"{title}\n{words.text(o, partitions or own)}" for title, o, own in shown), nl=False)
    if any(isinstance(o, Failed) or (isinstance(o, Message) and not o.routed) for _, o, _ in shown):
        raise typer.Exit(1)


def _given(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    text = typer.get_text_stream("stdin").read() if str(path) == "-" else text_of(path)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise BadConfigFile(f"'{path}' is not JSON", why=str(cause)) from None
    if not isinstance(found, dict):
        raise BadConfigFile(f"'{path}' is no row", why="a row is an object: column to value")
    return found


def _of_schema_file(
    ctx: typer.Context,
    file: Path,
    service: str | None,
    event: str | None,
    all_events: bool,
    given: dict[str, Any],
    row: str | None,
    dsn: str | None,
    operation: str,
    target: str | None,
) -> Iterator[Shown]:
    from outbox_kit.cli.options import outbox_from
    from outbox_kit.preview.rows import of_event
    from outbox_kit.preview.send import send
    from outbox_kit.render.connector import config
    from outbox_kit.schema.names import names
    from outbox_kit.versions import Version

    outbox = outbox_from(file, service)
    written = config(outbox)
    chosen = _chosen(outbox, event, all_events)
    rows: list[tuple[str, list[Column]]]
    if row is not None:
        rows = [(f"row {row}", _live(outbox, dsn_for(ctx, dsn, outbox), row))]
    else:
        rows = [(f"{one.type} of {one.aggregate}", of_event(outbox, one, given)) for one in chosen]
    for title, columns in rows:
        release = release_of(target) or Version.of(outbox.connect.debezium)
        raw = names(outbox).raw_topic
        outcome = send(outbox.database.dialect, written, raw, columns, release, operation=operation)
        yield title, outcome, outbox.connect.topics.partitions


def _chosen(outbox: "Outbox", event: str | None, all_events: bool) -> list["Event"]:
    from outbox_kit.schema.nearest import nearest

    if all_events:
        return list(outbox.events)
    found = [one for one in outbox.events if event in (None, one.type)]
    if not found:
        known = [one.type for one in outbox.events]
        raise UnknownName(f"no event '{event}'{nearest(event or '', known)}", fix=f"choose one of {', '.join(known)}")
    return found[:1]


def _live(outbox: "Outbox", dsn: str, row: str) -> list["Column"]:
    from outbox_kit import source
    from outbox_kit.router.events import Column

    found = source.named(outbox.database.dialect).row(dsn, outbox, row)
    return [Column(name, kind, value, optional=optional) for name, kind, value, optional in found]


def _of_config(file: Path, given: dict[str, Any], operation: str, target: str | None) -> Iterator[Shown]:
    from outbox_kit.lint.subjects import from_configs
    from outbox_kit.preview.rows import of_config
    from outbox_kit.preview.send import send

    for subject in from_configs(text_of(file), str(file), release_of(target)):
        dialect = subject.connector
        if dialect is None:
            raise BadConfigFile("the connector's class is none of Debezium's", where=str(file))
        placed = [(entry.column, entry.place or "") for entry in subject.placement]
        columns = of_config(dialect, subject.columns, placed, given)
        outcome = send(dialect, subject.config, subject.raw_topic, columns, subject.release, operation=operation)
        yield subject.document.name or str(file), outcome, None
