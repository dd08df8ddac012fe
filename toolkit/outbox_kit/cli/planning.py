"""The outboxes of one or several schema files, and the plans of their connectors: for `plan` and `deploy-connector`."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli.options import DEFAULT_PATH, FILE, FILE_VARIABLE, NAME, SECONDS, refuse_password
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
Environments = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        envvar="OUTBOX_KIT_ENV",
        metavar=NAME,
        help="The environment, if the schema file defines some; repeatable.",
    ),
]
EnvironmentConnect = Annotated[
    list[str] | None,
    typer.Option(
        "--env-connect",
        metavar="ENV=URL",
        help="Kafka Connect's REST API in an environment, in place of --connect; repeatable.",
    ),
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

    @property
    def carries_out_something(self) -> bool:
        """Whether every connector has a plan, and one of them is not empty."""
        return not self.problems and any(not plan.deployment.empty for plan in self.planned)

    def digest(self) -> str | None:
        """The digest of all plans; None if one is missing."""
        from outbox_kit.connect import deploy

        return None if self.problems else deploy.digest([plan.deployment for plan in self.planned])


@dataclass(frozen=True)
class PlanTarget:
    """An environment that is planned: its outboxes, and the Kafka Connect of their connectors."""

    name: str | None
    """The environment; None if the schema files have none."""
    outboxes: Sequence["Outbox"]
    url: str
    own_url: bool
    """Whether the URL is of this environment only."""
    label: str | None
    """The environment in reports; None if it is the only one."""


def targets(
    files: list[Path] | None,
    more: list[Path] | None,
    service: str | None,
    envs: list[str] | None,
    url: str,
    of_envs: list[str] | None,
) -> list[PlanTarget]:
    """The environments with their outboxes, in the order of --env.

    url: of every environment that has none of its own. of_envs: the others, as ENV=URL. Raises UsageProblem if two
    environments have one connector on the same Kafka Connect, and what `outboxes` raises.
    """
    names: list[str | None] = [*dict.fromkeys(envs or ())] or [None]
    urls = _own_urls(of_envs or (), names)
    environments = []
    for name in names:
        label = name if len(names) > 1 else None
        environments.append(
            PlanTarget(name, outboxes(files, more, service, name), urls.get(name, url), name in urls, label)
        )
    places = [(target.url, outbox.names.connector) for target in environments for outbox in target.outboxes]
    for place in places:
        if places.count(place) > 1:
            what = f"two environments have the connector '{place[1]}' on the Kafka Connect at {place[0]}"
            fix = "name the Kafka Connect of each: --env-connect ENV=URL; or set connect.connector in the environments"
            raise UsageProblem(what, fix=fix)
    return environments


def _own_urls(of_envs: Sequence[str], names: Sequence[str | None]) -> dict[str | None, str]:
    """The URLs by environment. Raises UsageProblem."""
    urls: dict[str | None, str] = {}
    for text in of_envs:
        name, equals, url = text.partition("=")
        refuse_password("--env-connect", url)
        if not (equals and name and url):
            fix = "for example --env-connect prod=https://connect.internal:8083"
            raise UsageProblem("invalid --env-connect: expected ENV=URL", fix=fix)
        if name not in names:
            raise UsageProblem(f"--env-connect is for environment '{name}', which is not planned", fix=f"--env {name}")
        if name in urls:
            raise UsageProblem(f"--env-connect names environment '{name}' twice", fix="leave one of them out")
        urls[name] = url
    return urls


def planned_in(
    target: PlanTarget, wait: float, plan: "Callable[[Debezium], PlannedConnector]", *, several: bool
) -> Plans:
    """The plans of an environment. several: whether an error of one connector leaves the others as they are.

    wait: seconds to wait for a worker that starts.
    """
    from outbox_kit.connect.planned import in_environment
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.wire import connector

    try:
        workers = client(target.url, wait)
    except OutboxKitError as error:
        if not several:
            raise
        say("\n".join(error.lines()), always=True)
        return Plans((), {in_environment(each.names.connector, target.label): error for each in target.outboxes})
    deliveries = [Debezium(outbox, workers, None, connector.config(outbox)) for outbox in target.outboxes]
    plans = planned(deliveries, plan, several=several)
    return Plans(
        [replace(each, environment=target.label) for each in plans.planned],
        {in_environment(name, target.label): problem for name, problem in plans.problems.items()},
    )


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
    files: list[Path] | None, more: list[Path] | None, service: str | None, target: PlanTarget, *, resume: bool
) -> str:
    """The options with which another command has the same outboxes, each after a blank."""
    chosen = [
        ("--service", service),
        ("--env", target.name),
        ("--connect", target.url if target.own_url else None),
    ]
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
