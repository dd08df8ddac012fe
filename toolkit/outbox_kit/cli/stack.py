"""`stack`: a local PostgreSQL, Kafka and Kafka Connect with Debezium, up and down."""

import shlex
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import App, app
from outbox_kit.cli.options import Format, OutputFormat
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.stack import Stack

stack_app = App(no_args_is_help=True, help="A local stack for trying things out and for tests.")
app.add_typer(stack_app, name="stack")

Name = Annotated[str, typer.Option("--name", "-n", help="Which stack; several can run side by side.")]
DEFAULT = "default"


class Runtime(StrEnum):
    """What runs the services."""

    process = "process"
    docker = "docker"


RuntimeOption = Annotated[Runtime, typer.Option(help="Plain processes, or containers by compose/compose.yaml.")]


@stack_app.command("up")
def up(name: Name = DEFAULT, runtime: RuntimeOption = Runtime.process, output: OutputFormat = Format.text) -> None:
    """Start PostgreSQL, Kafka and Kafka Connect on loopback and wait until they answer."""
    if runtime is Runtime.docker:
        from outbox_kit.stack import docker

        _refuse_json(output)
        docker.compose(name, "up", "--detach", "--wait")
        return
    from outbox_kit.stack import Stack

    began = time.monotonic()
    stack = Stack.up(name)
    say(f"stack '{name}' is up after {time.monotonic() - began:.1f} s; take it down with: {_command('down', name)}")
    if output is Format.json:
        _show_services(name, _services(stack))
        return
    for service, address in stack.addresses.items():
        typer.echo(f"{service:<9} {address}")
    say(f'for the other commands, in this shell:  eval "$({_command("env", name)})"')


@stack_app.command("env")
def env(
    name: Name = DEFAULT,
    database: Annotated[str, typer.Option(help="The database.")] = "postgres",
    output: OutputFormat = Format.text,
) -> None:
    """Print the variables that the other commands read, for eval; holds the stack's own passwords."""
    from outbox_kit.stack import Stack

    variables = Stack.attach(name).environment(database)
    if output is Format.json:
        show_json({"schema": "outbox-kit/environment/v1", "name": name, "variables": variables})
        return
    for variable, value in variables.items():
        typer.echo(f"export {variable}={shlex.quote(value)}")


@stack_app.command("status")
def status(name: Name = DEFAULT, output: OutputFormat = Format.text) -> None:
    """Show each service, its process and its address; exit 1 if one is down."""
    from outbox_kit.stack import Stack

    services = _services(Stack.attach(name))
    if output is Format.json:
        _show_services(name, services)
    else:
        for service in services:
            typer.echo("{service:<9} {state:<8} pid {pid:<8} {address:<28} {log}".format_map(service))
    raise typer.Exit(0 if all(service["state"] == "running" for service in services) else 1)


@stack_app.command("logs")
def logs(
    service: Annotated[str | None, typer.Argument(help="postgres, kafka or connect; all if left out.")] = None,
    name: Name = DEFAULT,
    lines: Annotated[int, typer.Option("--lines", "-l", min=1, help="How many lines of each.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-F", help="Go on until Ctrl-C.")] = False,
) -> None:
    """Print the end of the services' logs."""
    from outbox_kit.errors import UnknownName
    from outbox_kit.stack import Stack

    stack = Stack.attach(name)
    if service is not None and service not in stack.processes:
        raise UnknownName(f"no service '{service}'", fix=f"choose one of: {', '.join(stack.processes)}")
    services = [service] if service else list(stack.processes)
    for shown_service in services:
        typer.echo(f"== {shown_service}: {stack.place.log(shown_service)}")
        show("\n".join(stack.tail(shown_service, lines)))
    if follow:
        for shown_service, line in stack.follow(services):
            show(f"{shown_service:<9} {line}" if len(services) > 1 else line)


@stack_app.command("down")
def down(name: Name = DEFAULT, runtime: RuntimeOption = Runtime.process, output: OutputFormat = Format.text) -> None:
    """End every service and remove what they wrote; the downloads stay in the cache."""
    if runtime is Runtime.docker:
        from outbox_kit.stack import docker

        _refuse_json(output)
        docker.compose(name, "down", "--volumes")
        return
    from outbox_kit.stack import Stack

    if Stack.exists(name):
        Stack.attach(name).down()
        say(f"stack '{name}' is down")
    else:
        say(f"stack '{name}' does not exist: nothing to do")
    if output is Format.json:
        _show_services(name, [])


def _refuse_json(output: Format) -> None:
    """Raises UsageProblem for JSON of a command whose output is that of Docker."""
    if output is Format.json:
        raise UsageProblem(
            "--format json is not available with --runtime docker", fix="docker compose ps --format json"
        )


def _services(stack: "Stack") -> list[dict[str, str | int]]:
    """Each service of a stack, as `--format json` shows it."""
    return [
        {
            "service": service,
            "state": "running" if stack.alive(service) else "down",
            "pid": process.pid,
            "address": stack.addresses[service],
            "log": str(stack.place.log(service)),
        }
        for service, process in stack.processes.items()
    ]


def _show_services(name: str, services: list[dict[str, str | int]]) -> None:
    show_json({"schema": "outbox-kit/stack/v1", "name": name, "services": services})


def _command(verb: str, name: str) -> str:
    return f"outbox-kit stack {verb}" + ("" if name == DEFAULT else f" --name {name}")
