"""The lines of the log of a command that runs on."""

import json
import time
from collections.abc import Callable

import typer

from outbox_kit.cli.output import say


def log_lines(*, as_json: bool, service: str) -> Callable[[str], None]:
    """Prints a line of the log with its time, as text or as a JSON object."""

    def log(text: str) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if as_json:
            level = "error" if text.startswith("error:") else "info"
            typer.echo(json.dumps({"time": at, "level": level, "service": service, "message": text}), err=True)
        else:
            say(f"{at} {text}", always=True)

    return log
