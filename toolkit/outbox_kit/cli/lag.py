"""`lag`: the figures of a running outbox, compared with the thresholds of the schema file."""

import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, options
from outbox_kit.cli.exporter import collection_of
from outbox_kit.cli.options import Format
from outbox_kit.cli.output import say, show, show_json

if TYPE_CHECKING:
    from outbox_kit.exporter.collection import Collected, Collection
    from outbox_kit.schema.model import Outbox

CLEAR = "\x1b[H\x1b[2J"
PAUSE_SECONDS = 0.5
"""Between two collections that wait until the age of events is known."""


@app.command("lag")
def lag(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Show it again and again until interrupted.")] = False,
    interval: Annotated[
        float,
        typer.Option("--interval", min=0.5, metavar=options.SECONDS, help="With --watch: time between two screens."),
    ] = 5.0,
    wait: Annotated[
        float,
        typer.Option(
            "--wait", min=0, metavar=options.SECONDS, help="Wait so long until the age of the oldest event is known."
        ),
    ] = 3.0,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, metavar=options.SECONDS, help="Limit for each system.")
    ] = 5.0,
    output: options.OutputFormat = Format.text,
) -> None:
    """Show how far the delivery is behind, the slot, failed events and sizes, and the thresholds that are passed.

    The figures are those of `exporter`, the thresholds those of the section monitoring of the schema file. Exit code 1:
    a threshold is passed. 3: a figure is not known. 4: a system did not answer.
    """
    outbox = options.outbox_from(file, service, env)
    collection = collection_of(outbox, options.dsn_for(ctx, dsn, outbox), connect, timeout)
    with closing(collection):
        if not watch:
            raise typer.Exit(_shown(outbox, _complete(collection, wait), output))
        while True:
            if output is Format.text:
                show(CLEAR if sys.stdout.isatty() else "", nl=False)
                show(time.strftime("%Y-%m-%d %H:%M:%S"))
            _shown(outbox, _collected(collection), output)
            time.sleep(interval)


def _complete(collection: "Collection", seconds: float) -> "Collected":
    """The figures, collected again until the age of the oldest event is known, for so many seconds at most."""
    from outbox_kit.exporter.report import becomes_known

    end = time.monotonic() + seconds
    collected = _collected(collection)
    while becomes_known(collected) and time.monotonic() < end:
        time.sleep(PAUSE_SECONDS)
        collected = _collected(collection)
    return collected


def _collected(collection: "Collection") -> "Collected":
    """The figures. Raises UsageProblem, such as for an address of another database."""
    from outbox_kit.exporter.collection import usage_problem

    collected = collection.collect()
    if problem := usage_problem(collected):
        raise problem
    return collected


def _shown(outbox: "Outbox", collected: "Collected", output: Format) -> int:
    """Print the figures; the exit code."""
    from outbox_kit.exporter import report

    passed, unknown = report.passed(outbox, collected.samples), report.unknown(collected)
    if output is Format.json:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        show_json(report.document(outbox, collected, at))
    else:
        for line in report.lines(collected):
            show(line)
        for each in passed:
            show(f"passed     {each.line()}")
    for sentence in report.impossible(collected):
        say(f"warning: {sentence}")
    for part, why in collected.unread.items():
        say(f"warning: no figures of {part}: {why}")
    for name in unknown:
        say(f"warning: {name} is not known: {report.why_unknown(collected)}")
    for problem in collected.unanswered.values():
        say("\n".join(problem.lines()), always=True)
    if collected.unanswered:
        return 4
    return 1 if passed else 3 if unknown or collected.unread else 0
