"""`preview`: the message that a row will become, before a connector exists."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    FILE,
    FILE_VARIABLE,
    Dsn,
    Env,
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
    from outbox_kit.router.events import RowColumn
    from outbox_kit.schema.fields import EventType
    from outbox_kit.schema.model import Outbox

JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter"


class Operation(StrEnum):
    """The change of the row, in the notation of Debezium."""

    c = "c"
    r = "r"
    u = "u"
    d = "d"
    t = "t"


# the usual default of a worker, and that of Kafka's example, for a converter that the config does not set
WORKERS = {"key.converter": JSON_CONVERTER, "value.converter": JSON_CONVERTER}


@dataclass(frozen=True)
class RowChoice:
    """Which rows are shown."""

    event: str | None
    """The type of a declared event; None for the first one."""
    all_events: bool
    """Whether every declared event is shown."""
    row: str | None
    """The id of a row of the live table."""
    values: dict[str, Any]
    """The row's columns, as the row file has them; a sample's take the place of those that are missing."""


@dataclass(frozen=True)
class Preview:
    """A row and its outcome."""

    title: str
    outcome: "Outcome"
    partitions: int | None
    """Of the topic, as the schema file says; None without one."""

    @property
    def arrives(self) -> bool:
        """Whether the row neither stops the task nor passes unrouted."""
        from outbox_kit.router.chain import Failed, Message

        return not isinstance(self.outcome, Failed) and (not isinstance(self.outcome, Message) or self.outcome.routed)


@app.command("preview")
def preview(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Option("--file", "-f", metavar=FILE, envvar=FILE_VARIABLE, help="A schema file or a connector's config."),
    ] = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
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
    """Show the message that Debezium makes of a sample row: topic, partition, key, headers, value.

    Exit code 1: a row would stop the task, or would bypass the event router.
    """
    limited(ctx, timeout)
    choice = RowChoice(event, all_events, row, _row_values(row_file))
    previews: list[Preview] = []
    problems: list[UsageProblem] = []
    for subject in _subjects(file, service, env, target):
        for title, columns in _rows(ctx, subject, choice, dsn):
            if isinstance(columns, UsageProblem):
                problems.append(columns)
            else:
                previews.append(_preview(subject, title, columns, operation))
        for note in _notes(subject, of_sample=row is None):
            say(f"note: {note}")
    _print(previews, partitions, output)
    if problems:  # the other events have been shown
        raise problems[0]
    if any(not preview.arrives for preview in previews):
        raise typer.Exit(1)


def _preview(subject: "Subject", title: str, columns: list["RowColumn"], operation: Operation) -> Preview:
    """The outcome of one row."""
    from outbox_kit.wire.send import send

    config = {**WORKERS, **subject.config}
    outcome = send(
        subject.connector or "", config, subject.raw_topic, columns, subject.release, operation=operation.value
    )
    return Preview(title, outcome, subject.outbox.connect.topics.partitions if subject.outbox else None)


def _notes(subject: "Subject", *, of_sample: bool) -> Iterator[str]:
    """The limits of a preview."""
    if of_sample and subject.outbox and subject.outbox.table.registry:
        yield "the payload of a sample is plain JSON; the wire format of the Schema Registry is not shown"
    for missing in sorted({*WORKERS} - {*subject.config}):
        yield f"'{missing}' is not set, so the default of the worker applies; shown for the JsonConverter with schemas"


def _print(previews: list[Preview], partitions: int | None, output: Format) -> None:
    """The messages as JSON or text. partitions: of the topic; None for the schema file's own."""
    from outbox_kit.render import outcome

    if output is Format.json:
        messages = [{"row": p.title, **outcome.plain(p.outcome, partitions or p.partitions)} for p in previews]
        show_json({"schema": "outbox-kit/preview/v1", "messages": messages})
    else:
        text = "\n".join(f"{p.title}\n{outcome.text(p.outcome, partitions or p.partitions)}" for p in previews)
        show(printable(text, keep="\n"), nl=False)


def _row_values(path: Path | None) -> dict[str, Any]:
    """The columns of a row file; empty without one. Raises BadConfigFile."""
    if path is None:
        return {}
    text = piped(path, "a JSON file with a row")
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise BadConfigFile(f"invalid JSON in '{path}'", why=str(cause)) from None
    if not isinstance(row, dict):
        raise BadConfigFile(f"invalid row in '{path}'", why="expected an object with the values by column")
    return row


def _subjects(file: Path, service: str | None, env: str | None, target: str | None) -> list["Subject"]:
    from outbox_kit.lint.formats import is_schema_file

    text = text_of(file)
    if not is_schema_file(text):
        from outbox_kit.lint.subjects import from_configs
        from outbox_kit.schema.overlay_file import refuse_overlay_text

        refuse_overlay_text(file, text)
        return from_configs(text, str(file), release_of(target))
    from outbox_kit.lint.outboxes import from_schema_file
    from outbox_kit.schema.read import read

    outboxes = read(file, env)
    outbox = outboxes.outbox(service)
    return [subject for subject in from_schema_file(outboxes, release_of(target)) if subject.outbox is outbox]


def _rows(
    ctx: typer.Context, subject: "Subject", choice: RowChoice, dsn: str | None
) -> Iterator[tuple[str, list["RowColumn"] | UsageProblem]]:
    """The requested rows, each with its title; of several events, the problem in place of a row that cannot be made."""
    from outbox_kit.router import options
    from outbox_kit.wire import config_rows, rows

    if subject.connector is None:
        classes = ", ".join(options.connectors())
        raise BadConfigFile(
            f"unsupported connector.class '{subject.config.get('connector.class', '')}'",
            where=subject.source,
            fix=f"set connector.class to one of: {classes}",
        )
    if subject.outbox is None:
        if choice.row or choice.all_events or choice.event:
            raise UsageProblem(
                "--event, --all-events and --row require a schema file", fix="give the row with --row-file"
            )
        placed = [(entry.column, entry.place or "") for entry in subject.placement]
        columns = config_rows.of_config(subject.connector, subject.columns, placed, choice.values)
        yield subject.document.name or subject.source, columns
    elif choice.row is not None and subject.outbox.table.storage == "log":
        raise UsageProblem("a log-only outbox has no rows to read", fix="give a row with --row-file")
    elif choice.row is not None:
        yield f"row {choice.row}", _live(subject, subject.outbox, dsn_for(ctx, dsn, subject.outbox), choice.row)
    else:
        for event in _events(subject.outbox, choice):
            title = f"{event.type} of {event.aggregate}"
            try:
                yield title, rows.of_event(subject.outbox, event, choice.values)
            except UsageProblem as problem:
                if not choice.all_events:
                    raise
                yield title, problem


def _events(outbox: "Outbox", choice: RowChoice) -> list["EventType"]:
    """The chosen events. Raises UnknownName if the event is not declared."""
    from outbox_kit.schema.nearest import nearest

    if choice.all_events:
        return list(outbox.events)
    events = [event for event in outbox.events if choice.event in (None, event.type)]
    if not events:
        types = [event.type for event in outbox.events]
        raise UnknownName(
            f"event '{choice.event}' not found{nearest(choice.event or '', types)}",
            fix=f"choose one of {', '.join(types)}",
        )
    return events[:1]


def _live(subject: "Subject", outbox: "Outbox", dsn: str, row: str) -> list["RowColumn"]:
    """A row of the table. Columns that the router does not read are left out: their types need not be known."""
    from outbox_kit.databases import servers, whereabouts
    from outbox_kit.router.events import RowColumn

    server = servers.get(outbox.database.dialect)
    if server.read_row is None:
        raise UsageProblem(f"--row does not support {outbox.database.dialect}", fix="give the row with --row-file")
    whereabouts.expect(dsn, outbox)
    row_values = server.read_row(dsn, outbox, row)
    if not row_values:
        raise UnknownName(
            f"row '{row}' not found in {outbox.names.schema}.{outbox.table.name}",
            fix="give the id of a row that still exists, or the row itself with --row-file",
        )
    return [
        RowColumn(name, kind, value, optional=optional, default=default)
        for name, kind, value, optional, default in row_values
        if name in subject.reads
    ]
