"""The outboxes of one or several schema files, and the plans of their connectors: for `plan` and `deploy-connector`."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli.options import DEFAULT_PATH, FILE, FILE_VARIABLE, SECONDS
from outbox_kit.cli.output import say
from outbox_kit.errors import OutboxKitError, UnknownName, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.connect.client import Connect
    from outbox_kit.connect.planned import PlannedConnector
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.schema.model import Outbox

Files = Annotated[
    list[Path] | None, typer.Argument(metavar="FILE", help="Schema files; all outboxes in them are planned.")
]
MoreFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--file",
        "-f",
        metavar=FILE,
        help=f"The same as an argument; repeatable.  [env var: {FILE_VARIABLE}; default: {DEFAULT_PATH}]",
    ),
]
Services = Annotated[
    str | None,
    typer.Option("--service", "-s", metavar="NAME", help="Only the outbox of this service."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Also resume a paused or stopped connector.")]
WaitForWorker = Annotated[
    float,
    typer.Option(
        "--wait-for-worker",
        min=0,
        metavar=SECONDS,
        help="How long to wait for a Kafka Connect worker that does not answer yet.",
    ),
]


@dataclass(frozen=True)
class Plans:
    """The plans of a run."""

    planned: Sequence["PlannedConnector"] = ()
    problems: Mapping[str, OutboxKitError] = field(default_factory=dict)
    """The connectors that could not be planned, by name."""

    def digest(self) -> str | None:
        """The digest of all plans; None if one is missing."""
        from outbox_kit.connect import deploy

        return None if self.problems else deploy.digest([plan.deployment for plan in self.planned])


def outboxes(files: list[Path] | None, more: list[Path] | None, service: str | None, env: str | None) -> list["Outbox"]:
    """The outboxes of the files that a connector publishes.

    service: the only one that is taken. Raises BadSchemaFile, UnknownName, and UsageProblem if there is none.
    """
    from outbox_kit.connect.redact import remember
    from outbox_kit.schema.read import read

    paths = [*(files or ()), *(more or ())] or [Path(os.environ.get(FILE_VARIABLE) or DEFAULT_PATH)]
    every = [outbox for path in paths for outbox in read(path, env).outboxes]
    chosen = [outbox for outbox in every if service in (None, outbox.service)]
    if not chosen:
        services = ", ".join(outbox.service for outbox in every)
        raise UnknownName(f"service '{service}' not found", fix=f"choose one: {services}")
    for outbox in chosen:
        remember(outbox.connect.config)
    if len(chosen) == 1:
        expect_connector(chosen[0])
    left = [outbox for outbox in chosen if outbox.delivery.by == "connector"]
    for outbox in chosen:
        if outbox not in left:
            say(f"'{outbox.service}' is left out: a relay publishes its events")
    if not left:
        raise UsageProblem("no outbox is published by a connector", fix="start the relays: outbox-kit relay")
    _expect_names(left)
    return left


def expect_connector(outbox: "Outbox") -> None:
    """Raise UsageProblem if a relay publishes the events."""
    if outbox.delivery.by != "connector":
        raise UsageProblem(
            "the schema file says that a relay publishes the events: a connector would publish them too",
            fix="start the relay: outbox-kit relay; or set delivery: {by: connector} in the schema file and hand the "
            "outbox over: outbox-kit hand-over",
        )


def _expect_names(chosen: Sequence["Outbox"]) -> None:
    """Raise UsageProblem if two outboxes have the same connector, which one would take from the other."""
    names = [outbox.names.connector for outbox in chosen]
    for name in names:
        if names.count(name) > 1:
            raise UsageProblem(
                f"two outboxes have the connector name '{name}'",
                fix="set connect.connector in one of the schema files, or name each file once",
            )


def words(
    files: list[Path] | None, more: list[Path] | None, service: str | None, env: str | None, *, resume: bool
) -> str:
    """The options with which another command has the same outboxes, each after a blank."""
    chosen = [("--service", service), ("--env", env)]
    arguments = [argument for name, value in chosen if value for argument in (name, value)]
    arguments += [*(["--resume"] if resume else []), *map(str, [*(files or ()), *(more or ())])]
    return "".join(f" {shlex.quote(argument)}" for argument in arguments)


def client(url: str, wait: float) -> "Connect":
    """Kafka Connect. wait: seconds to wait for a worker that starts. Raises ConnectRefused, ConnectUnreachable."""
    from outbox_kit.connect import deploy
    from outbox_kit.connect.client import Connect

    connect = Connect.from_environment(url)
    if wait:
        deploy.await_worker(connect, wait)
    return connect


def planned(
    deliveries: "Sequence[Debezium]", plan: "Callable[[Debezium], PlannedConnector]", *, several: bool
) -> Plans:
    """The plan of each connector. One that cannot be made leaves the others as they are; a single one raises."""
    plans: list[PlannedConnector] = []
    problems: dict[str, OutboxKitError] = {}
    for delivery in deliveries:
        try:
            plans.append(plan(delivery))
        except OutboxKitError as error:
            if not several:
                raise
            problems[delivery.name] = error
            say("\n".join(error.lines()), always=True)
    return Plans(plans, problems)


def worst(codes: Sequence[int]) -> int:
    """The exit code of several: the highest."""
    return max(codes, default=0)
