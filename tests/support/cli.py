"""The command line, run in the test's own process."""

from collections.abc import Mapping

from typer.testing import CliRunner, Result

from outbox_kit.cli import app


def invoke(*arguments: str, code: int | None = 0, environment: Mapping[str, str] | None = None) -> Result:
    """Run a command and return what it printed.

    code: the exit code that it must end with; None for any. environment: variables beside those of the process.
    Raises AssertionError at another exit code, and whatever a command raised that was no exit.
    """
    result = CliRunner(env=environment).invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert code in (result.exit_code, None), result.stdout + result.stderr
    return result
