"""The command line: parse, call, print. The only place where an error becomes text and an exit code."""

import importlib
import pkgutil
import traceback
from typing import Any

import typer
from typer.core import TyperGroup

from outbox_kit import __version__
from outbox_kit.cli.output import say
from outbox_kit.errors import OutboxKitError


class Terminated(KeyboardInterrupt):
    """SIGTERM: everything is left as tidily as after a Ctrl-C."""


# commands as `--help` lists them; others come after them, by name
FIRST_IN_HELP = (
    "init",
    "adopt",
    "check",
    "explain",
    "preview",
    "gen-ddl",
    "gen-connector",
    "gen-runbook",
    "gen-contracts",
    "gen-code",
    "import-contracts",
    "deploy-connector",
    "diff",
    "status",
    "remove",
    "schema",
    "presets",
    "demo",
    "verify",
    "stack",
)


class Root(TyperGroup):
    """Turns every foreseen error, and an interruption, into its lines on stderr and its exit code."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands as `--help` lists them."""
        rank = {name: number for number, name in enumerate(FIRST_IN_HELP)}
        return sorted(super().list_commands(ctx), key=lambda name: (rank.get(name, len(rank)), name))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; `--debug` adds the traceback."""
        try:
            return super().invoke(ctx)
        except OutboxKitError as error:
            if ctx.params.get("debug"):
                say(traceback.format_exc())
            say("\n".join(error.lines()))
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt as interruption:
            say("interrupted")
            raise typer.Exit(143 if isinstance(interruption, Terminated) else 130) from None


def terminate(*_: object) -> None:
    """What SIGTERM does."""
    raise Terminated


app = typer.Typer(
    name="outbox-kit",
    cls=Root,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"outbox-kit {__version__}")
        raise typer.Exit


@app.callback()
def root(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """One schema file, from which everything about a transactional outbox follows."""


# One module a command: it adds itself to `app` when imported, and imports its own needs lazily.
for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
