"""The command line, run in the test's own process."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
import typer.main
from typer.testing import CliRunner, Result

from outbox_kit.assets import TEMPLATES
from outbox_kit.cli import app
from outbox_kit.cli.planned import DEFAULT_WAIT
from tests.support.waiting import PATIENT_SECONDS


def invoke(
    *arguments: str,
    code: int | None = 0,
    environment: Mapping[str, str] | None = None,
    stdin: str | None = None,
    patient: bool = False,
) -> Result:
    """Run a command and return what it printed.

    code: the exit code that it must end with; None for any. environment: variables beside those of the process. stdin:
    the text that it is given there. patient: whether a connector or a message may take PATIENT_SECONDS,
    where --timeout is not given.
    Raises AssertionError at another exit code, and whatever a command raised that was no exit.
    """
    defaults = _patience() if patient else None
    result = CliRunner(env=environment).invoke(app, list(arguments), input=stdin, default_map=defaults)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert code in (result.exit_code, None), result.stdout + result.stderr
    _hold_published_schema(result.stdout)
    return result


@cache
def _patience() -> dict[str, Any]:
    """The default of --timeout of each command that waits for a connector or a message."""
    return _patience_of(typer.main.get_command(app))


def _patience_of(command: Any) -> dict[str, Any]:
    if hasattr(command, "commands"):
        return {name: _patience_of(part) for name, part in command.commands.items()}
    waits = [option for option in command.params if option.name == "timeout" and option.default == DEFAULT_WAIT]
    return {option.name: PATIENT_SECONDS for option in waits}


def _hold_published_schema(text: str) -> None:
    """Raise where a document that --format json printed is not as its published JSON Schema says."""
    if not text.startswith('{\n  "schema": "outbox-kit/'):
        return
    document = json.loads(text)
    name = document["schema"].split("/")[1]
    published = json.loads((TEMPLATES / "json" / f"{name}.json").read_text())
    jsonschema_rs.Draft202012Validator(published).validate(document)
