"""`log-level`: a logger of Kafka Connect logs more for a bounded time."""

from enum import StrEnum
from typing import Annotated

import typer

from outbox_kit.cli import app, options, planned
from outbox_kit.cli.output import say


class Level(StrEnum):
    """The levels of Kafka Connect's logs."""

    trace = "TRACE"
    debug = "DEBUG"
    info = "INFO"
    warn = "WARN"
    error = "ERROR"
    off = "OFF"


@app.command("log-level")
def log_level(
    level: Annotated[Level, typer.Argument(metavar="LEVEL", case_sensitive=False, help="The level, such as DEBUG.")],
    logger: Annotated[
        str, typer.Option("--logger", metavar=options.NAME, help="The logger, with all loggers below it.")
    ] = "io.debezium",
    seconds: Annotated[
        float, typer.Option("--for", min=1, metavar=options.SECONDS, help="How long; then the level is set back.")
    ] = 600.0,
    keep: Annotated[bool, typer.Option("--keep", help="Do not set the level back.")] = False,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dry_run: planned.DryRun = False,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Change the level of a logger on all workers of Kafka Connect, and set it back after a time.

    It waits meanwhile; an interruption sets the level back at once. Logs at DEBUG may contain the values of rows.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery.lifecycle.log_level import LogLevel

    change = LogLevel(Connect.from_environment(connect), logger, level.value, seconds, timeout, say)
    planned.carry_out(change.keep_plan() if keep else change.plan(), output, dry_run=dry_run)
