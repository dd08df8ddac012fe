"""`preview`: the message that a row will be, before there is a connector."""

import json
from collections.abc import Iterator
from enum import StrEnum
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
    Timeout,
    dsn_for,
    limited,
    piped,
    release_of,
    text_of,
)
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import BadConfigFile, UnknownName, UsageProblem
from outbox_kit.printable import printable

if TYPE_CHECKING:
    from outbox_kit.lint.subject import Subject
    from outbox_kit.router.chain import Outcome
    from outbox_kit.router.events import Column
    from outbox_kit.schema.model import Event, Outbox


JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter"


class Operation(StrEnum):
    """What happened to the row, as Debezium writes it."""

    c = "c"
    r = "r"
    u = "u"
    d = "d"
    t = "t"


# what most workers have in place of a converter that the config leaves out, and Kafka's own example too
WORKERS = {"key.converter": JSON_CONVERTER, "value.converter": JSON_CONVERTER}
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
    operation: Annotated[
        Operation,
        typer.Option(
            "--op", help="What happened to the row: created, read by a snapshot, updated, deleted, truncated."
        ),
    ] = Operation.c,
    target: TargetVersion = None,
    partitions: Annotated[
        int | None, typer.Option("--partitions", min=1, help="Of the topic; the schema file's own if left out.")
    ] = None,
    timeout: Timeout = 60.0,
    output: OutputFormat = Format.text,
) -> None:
    """Show a sample row as the message that Debezium will make of it: topic, partition, key, headers, value.

    Exit code 1: a row would stop the task, or pass unrouted.
    """
    from outbox_kit.preview import words
    from outbox_kit.preview.send import send
    from outbox_kit.router.chain import Failed, Message

    limited(ctx, timeout)
    given = _given(row_file)
    shown: list[Shown] = []
    for subject in _subjects(file, service, target):
        for title, columns in _rows(ctx, subject, event, all_events, given, row, dsn):
            outcome = send(
                subject.connector or "",
                {**WORKERS, **subject.config},
                subject.raw_topic,
                columns,
                subject.release,
                operation=operation.value,
            )
            shown.append((title, outcome, subject.outbox.connect.topics.partitions if subject.outbox else None))
        if row is None and subject.outbox and subject.outbox.table.registry:
            say("note: a sample's payload is plain JSON; your serialiser's frame and body take its place")
        for missing in sorted({*WORKERS} - {*subject.config}):
            say(f"note: '{missing}' is the worker's choice; shown as the JsonConverter with schemas writes")
    if output is Format.json:
        show_json([{"row": t, **words.plain(o, partitions or own)} for t, o, own in shown])
    else:
        text = "\n".join(f"{title}\n{words.text(o, partitions or own)}" for title, o, own in shown)
        show(printable(text, keep="\n"), nl=False)
    if any(isinstance(o, Failed) or (isinstance(o, Message) and not o.routed) for _, o, _ in shown):
        raise typer.Exit(1)


def _given(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    text = piped(path, "a JSON file with a row")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise BadConfigFile(f"'{path}' is not JSON", why=str(cause)) from None
    if not isinstance(found, dict):
        raise BadConfigFile(f"'{path}' is no row", why="a row is an object: column to value")
    return found


def _subjects(file: Path, service: str | None, target: str | None) -> list["Subject"]:
    from outbox_kit.lint.formats import is_schema_file

    text = text_of(file)
    if not is_schema_file(text):
        from outbox_kit.lint.subjects import from_configs

        return from_configs(text, str(file), release_of(target))
    from outbox_kit.lint.outboxes import from_schema_file
    from outbox_kit.schema.read import read

    outboxes = read(file)
    chosen = outboxes.outbox(service)
    return [one for one in from_schema_file(outboxes, release_of(target)) if one.outbox is chosen]


def _rows(
    ctx: typer.Context,
    subject: "Subject",
    event: str | None,
    all_events: bool,
    given: dict[str, Any],
    row: str | None,
    dsn: str | None,
) -> Iterator[tuple[str, list["Column"]]]:
    """The rows that were asked for, each with its title."""
    from outbox_kit.preview import rows
    from outbox_kit.router import options

    if subject.connector is None:
        known = ", ".join(options.connectors())
        raise BadConfigFile(
            "no 'connector.class' of Debezium's",
            where=subject.source,
            fix=f"name the class of one of these connectors: {known}",
        )
    if subject.outbox is None:
        if row or all_events or event:
            raise UsageProblem("only a schema file has events and a table", fix="give the row by --row-file")
        placed = [(entry.column, entry.place or "") for entry in subject.placement]
        columns = rows.of_config(subject.connector, subject.columns, placed, given)
        yield subject.document.name or subject.source, columns
    elif row is not None and subject.outbox.table.storage == "log":
        raise UsageProblem("the log has no rows to look at", fix="give one by --row-file")
    elif row is not None:
        yield f"row {row}", _live(subject, subject.outbox, dsn_for(ctx, dsn, subject.outbox), row)
    else:
        for one in _chosen(subject.outbox, event, all_events):
            yield f"{one.type} of {one.aggregate}", rows.of_event(subject.outbox, one, given)


def _chosen(outbox: "Outbox", event: str | None, all_events: bool) -> list["Event"]:
    from outbox_kit.schema.nearest import nearest

    if all_events:
        return list(outbox.events)
    found = [one for one in outbox.events if event in (None, one.type)]
    if not found:
        known = [one.type for one in outbox.events]
        raise UnknownName(f"no event '{event}'{nearest(event or '', known)}", fix=f"choose one of {', '.join(known)}")
    return found[:1]


def _live(subject: "Subject", outbox: "Outbox", dsn: str, row: str) -> list["Column"]:
    """A row of the table. Columns that the router does not read are left out: their types need not be known."""
    from outbox_kit import source
    from outbox_kit.router.events import Column
    from outbox_kit.schema.names import names
    from outbox_kit.source import whereabouts

    server = source.named(outbox.database.dialect)
    if not hasattr(server, "row"):
        raise UsageProblem(f"rows in {outbox.database.dialect} cannot be read for a preview yet", fix="use --row-file")
    whereabouts.expect(dsn, outbox)
    found = server.row(dsn, outbox, row)
    if not found:
        raise UnknownName(
            f"no row with the id '{row}' in {names(outbox).schema}.{outbox.table.name}",
            fix="rows that were cleaned up are gone; their messages are on the topics",
        )
    return [
        Column(name, kind, value, optional=optional) for name, kind, value, optional in found if name in subject.reads
    ]
