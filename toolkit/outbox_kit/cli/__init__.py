"""The command line: parse, call, print. The only place where an error becomes text and an exit code."""

import importlib
import os
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, TypeVar

import typer

from outbox_kit import __version__
from outbox_kit.cli import parsing
from outbox_kit.cli.output import CONSOLE, Verbosity, say, show_json, show_requests
from outbox_kit.errors import OutboxKitError
from outbox_kit.waiting import WAITS


class Terminated(KeyboardInterrupt):
    """SIGTERM: ended as tidily as after a Ctrl-C."""


COMMANDS: Mapping[str, Sequence[str]] = {
    "Design": ("init", "adopt", "check", "lsp", "preview", "diff", "config", "explain"),
    "Generate": (
        *("gen-ddl", "gen-connector", "gen-runbook", "gen-monitoring", "gen-contracts", "gen-code"),
        "import-contracts",
    ),
    "Deploy": ("plan", "deploy-connector", "hand-over", "remove"),
    "Verify": ("verify",),
    "Operate": (
        "status",
        "lag",
        "exporter",
        "doctor",
        "pause",
        "resume",
        "stop",
        "restart",
        "offsets",
        "cleanup",
        "resend",
        "skip-poisoned",
        "snapshot",
        "rename",
        "replace",
        "log-level",
        "relay",
        "coordinator",
    ),
    "Local stack": ("demo", "stack", "drill"),
    "Reference": ("presets", "schema"),
}
"""The commands by the title under which `--help` lists them, in that order. Others are listed after them."""

SWITCHES: Mapping[str, str] = {
    "--debug": "debug",
    "--verbose": "verbose",
    "-v": "verbose",
    "--quiet": "quiet",
    "-q": "quiet",
}
"""The options that stand before or after the command."""

PIPE_CLOSED = 141  # as shells report a process that SIGPIPE ended


class Root(parsing.CommandGroup):
    """Turns every foreseen error, and an interruption, into its message and its exit code."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> Any:
        """Run the command line, and end with its exit code."""
        arguments = list(sys.argv[1:] if args is None else args)
        switches, arguments = _switches(arguments)
        CONSOLE.verbosity = _verbosity(switches)
        WAITS.listener = say
        if "verbose" in switches:
            show_requests()
        try:
            code = super().main(args=arguments, **{**extra, "prog_name": "outbox-kit", "standalone_mode": False})
        except typer.TyperException as no_arguments:
            typer.echo(no_arguments.format_message())
            code = 2
        except OutboxKitError as error:
            if "debug" in switches:
                say(traceback.format_exc(), always=True)
            code = _report(error, as_json=_wants_json(arguments))
        except typer.Abort:
            say("interrupted", always=True)
            code = 130
        finally:
            CONSOLE.verbosity = Verbosity.normal
        sys.exit(code if isinstance(code, int) else 0)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read the options before the command."""
        try:
            return super().make_context(*args, **extra)
        except KeyboardInterrupt as interruption:  # Typer would end without a message
            raise _interrupted(interruption) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interruption:
            raise _interrupted(interruption) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more is flushed at the end
            raise typer.Exit(PIPE_CLOSED) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands as `--help` lists them."""
        return [name for _, names in self.titled(ctx) for name in names]

    def titled(self, ctx: Any) -> Sequence[tuple[str, Sequence[str]]]:
        """The commands by the title under which they are listed."""
        listed = {name for names in COMMANDS.values() for name in names}
        others = tuple(sorted(set(super().list_commands(ctx)) - listed))
        return [*COMMANDS.items(), *([("Other commands", others)] if others else [])]


def _interrupted(interruption: KeyboardInterrupt) -> typer.Exit:
    """Report an interruption; the end of the process that follows."""
    say("interrupted", always=True)
    return typer.Exit(143 if isinstance(interruption, Terminated) else 130)


def _switches(arguments: Sequence[str]) -> tuple[set[str], list[str]]:
    """The switches among the arguments before `--`, by name, and the other arguments."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    switches = {SWITCHES[argument] for argument in arguments[:end] if argument in SWITCHES}
    return switches, [*(word for word in arguments[:end] if word not in SWITCHES), *arguments[end:]]


def _verbosity(switches: set[str]) -> Verbosity:
    if switches >= {"quiet", "verbose"}:
        say("error: --quiet and --verbose exclude each other", always=True)
        sys.exit(2)
    return Verbosity.verbose if "verbose" in switches else Verbosity.quiet if "quiet" in switches else Verbosity.normal


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether the command was to print JSON, as far as its arguments could be read."""
    return "--format=json" in arguments or ("--format", "json") in pairwise(arguments)


def _report(error: OutboxKitError, *, as_json: bool) -> int:
    """Print an error; its exit code."""
    say("\n".join(error.lines()), always=True)
    if as_json:
        show_json(
            {
                "schema": "outbox-kit/error/v1",
                "error": {
                    "kind": type(error).__name__,
                    "what": error.what,
                    "at": error.where,
                    "why": error.why,
                    "fix": error.fix,
                    "details": [line.strip() for line in error.details],
                },
                "exit_code": error.exit_code,
            }
        )
    return error.exit_code


def terminate(*_: object) -> None:
    """What SIGTERM does."""
    raise Terminated


F = TypeVar("F", bound=Callable[..., Any])


class App(typer.Typer):
    """Commands that are read and explained in outbox-kit's own form."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            **{
                "cls": parsing.CommandGroup,
                "pretty_exceptions_enable": False,
                "rich_markup_mode": None,
                "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 110},
                **settings,
            }
        )

    def command(self, name: str | None = None, **settings: Any) -> Callable[[F], F]:
        """Register a command."""
        return super().command(name, **{"cls": parsing.Command, **settings})


class RootApp(App):
    """All commands. A module defines one, and enters it into the app when it is imported."""

    def __init__(self, **settings: Any) -> None:
        self._limited = self._completed = False
        self._commands: list[Any] = []
        self._groups: list[Any] = []
        super().__init__(**settings)

    @contextmanager
    def limited(self, arguments: Sequence[str]) -> Iterator[None]:
        """Within the block only the command exists that arguments begin with; all commands if they name none.

        Importing all takes longer than many a command does.
        """
        names = [module.name for module in pkgutil.iter_modules(__path__)]
        word = next((word for word in arguments if not word.startswith("-")), "").replace("-", "_")
        self._limited = True
        try:
            self._import(name for name in names if word not in names or name == word or name.startswith(f"{word}_"))
            yield
        finally:
            self._limited = False

    def _import(self, names: Iterable[str]) -> None:
        for name in names:
            importlib.import_module(f"{__name__}.{name}")

    def _complete(self) -> None:
        if not (self._limited or self._completed):
            self._completed = True
            self._import(module.name for module in pkgutil.iter_modules(__path__))

    @property
    def registered_commands(self) -> list[Any]:
        """The commands, which Typer asks for."""
        self._complete()
        return self._commands

    @registered_commands.setter
    def registered_commands(self, commands: list[Any]) -> None:
        self._commands = commands

    @property
    def registered_groups(self) -> list[Any]:
        """The groups of commands, which Typer asks for."""
        self._complete()
        return self._groups

    @registered_groups.setter
    def registered_groups(self, groups: list[Any]) -> None:
        self._groups = groups


app = RootApp(name="outbox-kit", cls=Root, no_args_is_help=True, add_completion=True)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"outbox-kit {__version__}")
        raise typer.Exit


@app.callback()
def root(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Also show every request to another system."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show results, warnings and errors only."),
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Generate, deploy and verify a transactional outbox with Debezium and Kafka, from one schema file.

    --debug, --verbose and --quiet can also follow the command.
    """
