"""The command line, run in the test's own process."""

import json
from collections.abc import Mapping

import jsonschema_rs
from typer.testing import CliRunner, Result

from outbox_kit.assets import TEMPLATES
from outbox_kit.cli import app


def invoke(
    *arguments: str, code: int | None = 0, environment: Mapping[str, str] | None = None, stdin: str | None = None
) -> Result:
    """Run a command and return what it printed.

    code: the exit code that it must end with; None for any. environment: variables beside those of the process. stdin:
    the text that it is given there.
    Raises AssertionError at another exit code, and whatever a command raised that was no exit.
    """
    result = CliRunner(env=environment).invoke(app, list(arguments), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert code in (result.exit_code, None), result.stdout + result.stderr
    _hold_published_schema(result.stdout)
    return result


def _hold_published_schema(text: str) -> None:
    """Raise where a document that --format json printed is not as its published JSON Schema says."""
    if not text.startswith('{\n  "schema": "outbox-kit/'):
        return
    document = json.loads(text)
    name = document["schema"].split("/")[1]
    published = json.loads((TEMPLATES / "json" / f"{name}.json").read_text())
    jsonschema_rs.Draft202012Validator(published).validate(document)
