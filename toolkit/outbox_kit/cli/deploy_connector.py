"""`deploy-connector`: carry out a plan, and prove that events flow."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit import deadline
from outbox_kit.cli import app, planning
from outbox_kit.cli.confirmation import confirmed
from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_CONNECT,
    SECONDS,
    Bootstrap,
    ConnectUrl,
    Dsn,
    Env,
    Format,
    KafkaConfig,
    OutputFormat,
    cluster,
    given_dsn,
    limited,
)
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.cli.probe import allow_probe
from outbox_kit.errors import OutboxKitError, StalePlan
from outbox_kit.printable import counted

if TYPE_CHECKING:
    from outbox_kit.connect.planned import PlannedConnector
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.debezium.deployment import Application, DeploymentOutcome

PLAN = "outbox-kit plan"


@dataclass
class PlanRun:
    """A plan that is carried out, with what became of it."""

    plan: "PlannedConnector"
    application: "Application"
    outcome: "DeploymentOutcome"
    error: OutboxKitError | None = None
    started: bool = False


@dataclass
class Consent:
    """What may be done without asking."""

    yes: bool
    plan: str | None
    """The digest of the plan that was reviewed."""
    adopt: bool
    allow_destructive: bool
    shown: bool = field(default=True)
    """Whether the plan is printed."""


@app.command("deploy-connector")
def deploy_connector(
    ctx: typer.Context,
    files: planning.Files = None,
    more_files: planning.MoreFiles = None,
    service: planning.Services = None,
    env: Env = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    dsn: Dsn = None,
    probe: Annotated[bool, typer.Option("--probe", help="Also insert a canary row and wait for its message.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    resume: planning.Resume = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask; needed if the input is not a terminal.")
    ] = False,
    plan: Annotated[
        str | None,
        typer.Option("--plan", metavar="DIGEST", help="Carry out this plan and no other; see outbox-kit plan."),
    ] = None,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Take over a connector of that name that reads another source.")
    ] = False,
    allow_destructive: Annotated[
        bool,
        typer.Option("--allow-destructive", help="Allow changes of stored offset, messages or delivery."),
    ] = False,
    restore: Annotated[
        bool,
        typer.Option("--restore/--no-restore", help="Restore the previous configuration if the new one does not run."),
    ] = True,
    wait: planning.WaitForWorker = 0.0,
    timeout: Annotated[
        float,
        typer.Option(
            min=1,
            metavar=SECONDS,
            help="Time limit for the connector to run, and with --probe for the canary to arrive.",
        ),
    ] = 120.0,
    stable_for: Annotated[
        float,
        typer.Option("--stable-for", min=0, metavar=SECONDS, help="How long the connector must stay RUNNING."),
    ] = 3.0,
    trace: Annotated[bool, typer.Option("--trace", help="Show the complete trace of a failed task.")] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Show the plan, register the connector and wait until it runs; with --probe, prove that an event arrives.

    Asks on a terminal; elsewhere a change needs --yes, or --plan with the digest of a plan that was reviewed.
    """
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.debezium.deployment import Application, DeploymentLimits, DeploymentOutcome
    from outbox_kit.wire import connector

    chosen, database = planning.outboxes(files, more_files, service, env), given_dsn(ctx, dsn)
    for outbox in chosen if probe else ():
        allow_probe(outbox, database, bootstrap)
    workers, kafka = planning.client(connect, wait), cluster(bootstrap, kafka_config) if probe else None
    deliveries = [Debezium(outbox, workers, database, connector.config(outbox)) for outbox in chosen]
    report, limits = _reporter(), DeploymentLimits(timeout, stable_for)
    consent = Consent(yes, plan, adopt, allow_destructive, shown=output is Format.text)
    with deadline.within(timeout):
        plans = planning.planned(
            deliveries, lambda each: _planned(each, consent, report, resume=resume), several=len(chosen) > 1
        )
    agreed = _agreed(plans, consent)  # which may take its time
    limited(ctx, (2 * timeout + stable_for) * len(chosen))
    by_name = {delivery.name: delivery for delivery in deliveries}
    runs = [
        PlanRun(each, Application(by_name[each.name], limits, report, kafka, trace, restore), DeploymentOutcome())
        for each in plans.planned
    ]
    if agreed:
        _run(runs, several=len(chosen) > 1)
    else:
        say("nothing was changed")
    raise typer.Exit(max(_end(plans, runs, output), 0 if agreed else 1))


def _planned(
    delivery: "Debezium", consent: Consent, report: Callable[[str], None], *, resume: bool
) -> "PlannedConnector":
    """The plan of a connector that may be carried out. Raises UnsafeChange, DatabaseRefused, SlotInUse."""
    from outbox_kit.delivery.debezium import deployment as run
    from outbox_kit.delivery.debezium import proof

    delivery.workers.worker()
    proof.preflight(delivery)
    proof.refuse_relay(delivery)
    plan = run.observe(delivery, resume=resume)
    report("Kafka Connect accepted the configuration")
    if consent.plan is None:  # otherwise a plan that is stale is reported first
        run.refuse(plan, delivery.workers.url, adopt=consent.adopt, allow_destructive=consent.allow_destructive)
    return plan


def _agreed(plans: planning.Plans, consent: Consent) -> bool:
    """Whether to go on: shows the plans, and asks on a terminal. Raises StalePlan, UnsafeChange."""
    from outbox_kit.deployment.report import summary

    if consent.shown:
        _show(plans)
    changed = [plan for plan in plans.planned if not plan.deployment.empty]
    if consent.plan is not None:
        _expect_digest(plans, consent)
        return True
    if not changed or consent.yes or all(plan.deployment.action in ("none", "restart") for plan in changed):
        return True
    return confirmed(
        summary(changed, {}), fix=f"see the changes: {PLAN}; then repeat with --yes, or with --plan DIGEST"
    )


def _show(plans: planning.Plans) -> None:
    """The changes, a line each; of a new connector only how many options it has."""
    from outbox_kit.deployment.report import lines

    for plan in plans.planned:
        edits = plan.deployment.edits
        if plan.deployment.live is None:
            options = f"{counted(len(edits), 'option')}; see them with: outbox-kit gen-connector --explain"
            show(f"+ {plan.name} with {options}")
        elif edits:
            show("\n".join(line if line.startswith("=") else f"  {line}" for line in lines(plan)))


def _expect_digest(plans: planning.Plans, consent: Consent) -> None:
    """Raise StalePlan if the plans are not the one that was reviewed; UnsafeChange if it needs a permission."""
    from outbox_kit.delivery.debezium import deployment as run
    from outbox_kit.deployment.report import lines

    digest = plans.digest()
    if digest is None:
        raise next(iter(plans.problems.values()))
    if digest != consent.plan:
        raise StalePlan(
            f"plan {consent.plan} is not what would be done now; nothing was changed",
            why="the registered configuration, the schema file, the cluster or the options of the command have changed",
            fix=f"review the plan again: {PLAN}; its digest is now {digest}",
            details=[f"  now   {line}" for plan in plans.planned for line in lines(plan)],
        )
    for plan in plans.planned:
        run.refuse(plan, "", adopt=consent.adopt, allow_destructive=consent.allow_destructive)


def _reporter() -> Callable[[str], None]:
    """Prints lines with the seconds since now before each."""
    began = time.monotonic()
    return lambda line: say(f"{time.monotonic() - began:6.1f} s  {line}")


def _run(runs: Sequence[PlanRun], *, several: bool) -> None:
    """Carry out each plan; an error of one leaves the others as they are. The error of a single one is raised."""
    for run in runs:
        run.started = True
        try:
            run.application.apply(run.plan, run.outcome)
        except OutboxKitError as error:
            if not several:
                raise
            run.error = error
            say("\n".join(error.lines()), always=True)
        except KeyboardInterrupt:
            for line in _interrupted(run, runs):
                say(line, always=True)
            raise


def _interrupted(run: PlanRun, runs: Sequence[PlanRun]) -> Iterator[str]:
    """What is done and what is not, a line each."""
    if run.outcome.written:
        yield f"'{run.plan.name}' may have the new configuration; the previous one was not restored: outbox-kit status"
    else:
        yield f"'{run.plan.name}' was not changed"
    yield from (f"'{each.plan.name}' was not changed" for each in runs if not each.started)


def _end(plans: planning.Plans, runs: Sequence[PlanRun], output: Format) -> int:
    """Print what was done; the exit code."""
    results = {run.plan.name: _result(run) for run in runs}
    results |= {name: f"not planned: {problem.what}" for name, problem in plans.problems.items()}
    if output is Format.json:
        show_json(_document(plans, runs))
    elif len(results) > 1:
        width = max(map(len, results))
        for name, result in results.items():
            show(f"{name:<{width}}  {result}")
    errors = [*plans.problems.values(), *(run.error for run in runs if run.error)]
    return planning.worst([error.exit_code for error in errors])


def _result(run: PlanRun) -> str:
    """What became of a plan, in a few words."""
    if not run.started:
        return "not changed"
    if run.error is None:
        return f"{run.plan.deployment.action}: {run.plan.deployment.after}"
    return f"failed{', restored' if run.outcome.restored else ''}: {run.error.what}"


def _document(plans: planning.Plans, runs: Sequence[PlanRun]) -> dict[str, Any]:
    from outbox_kit.deployment.report import change_document

    deployments = [
        {
            "service": run.plan.outbox.service,
            "connector": run.plan.name,
            "action": run.plan.deployment.action,
            "changes": [change_document(edit) for edit in run.plan.deployment.edits],
            "status": asdict(after) if (after := run.plan.deployment.after) else None,
            "proof": run.outcome.evidence,
            "restored": run.outcome.restored,
            "error": run.error.what if run.error else None,
        }
        for run in runs
    ]
    problems = [{"connector": name, "error": problem.what} for name, problem in plans.problems.items()]
    return {"schema": "outbox-kit/deploy/v1", "deployments": deployments, "problems": problems}
