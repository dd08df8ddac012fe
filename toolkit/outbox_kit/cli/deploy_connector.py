"""`deploy-connector`: register the connector, and prove that events flow."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_CONNECT,
    DEFAULT_PATH,
    SECONDS,
    Bootstrap,
    ConnectUrl,
    Dsn,
    Format,
    KafkaConfig,
    OutputFormat,
    SchemaPath,
    Service,
    cluster,
    given_dsn,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.connect.client import Config
    from outbox_kit.connect.deploy import Deployment
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.kafka.read import Cluster
    from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class DeploymentLimits:
    """How long a deployment may take."""

    deadline: float
    """By time.monotonic(): until then the connector must run and be proven."""
    stable_for: float
    """Seconds for which the connector must stay RUNNING."""


@app.command("deploy-connector")
def deploy_connector(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    dsn: Dsn = None,
    probe: Annotated[bool, typer.Option("--probe", help="Also insert a canary row and wait for its message.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    resume: Annotated[bool, typer.Option("--resume", help="Also resume a paused or stopped connector.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Validate and show the changes; write nothing.")] = False,
    drift: Annotated[
        bool, typer.Option("--fail-on-drift", help="With --dry-run: exit 1 if there are changes.")
    ] = False,
    allow_destructive: Annotated[
        bool,
        typer.Option("--allow-destructive", help="Allow changes of stored offset, messages or delivery."),
    ] = False,
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
    """Register the connector and wait until it runs; with --probe, prove that an event arrives."""
    from outbox_kit.connect import deploy
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery.debezium import proof
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.wire import connector

    if drift and not dry_run:
        raise UsageProblem("--fail-on-drift needs --dry-run", fix="add --dry-run, or leave out --fail-on-drift")
    limited(ctx, timeout + stable_for)
    outbox, database = outbox_from(file, service), given_dsn(ctx, dsn)
    _expect_connector(outbox)
    if probe:
        _allow_probe(outbox, database)
    config, name = connector.config(outbox), outbox.names.connector
    limits = DeploymentLimits(time.monotonic() + timeout, stable_for)
    report = _reporter()
    client, kafka = Connect.from_environment(connect), cluster(bootstrap, kafka_config)
    delivery = Debezium(outbox, client, database, config)
    client.worker()
    proof.preflight(delivery)
    proof.refuse_relay(delivery)
    allowed = allow_destructive or dry_run
    plan = deploy.prepare(client, name, config, allow_destructive=allowed, report=report, resume=resume)
    if output is Format.text:
        _show_plan(plan, dry_run=dry_run)
    if dry_run:
        changes = "no changes" if plan.action == "none" else f"would {plan.action}"
        report(f"dry run of '{name}': {changes}")
        _print(plan, {}, output)
        raise typer.Exit(1 if drift and plan.action != "none" else 0)
    try:
        evidence = _deploy(delivery, plan, config, limits, report, kafka=kafka if probe else None, whole_trace=trace)
    except KeyboardInterrupt:
        say(f"'{name}' may be registered already; see: outbox-kit status", always=True)
        raise
    _print(plan, evidence, output)


def _expect_connector(outbox: "Outbox") -> None:
    """Raise UsageProblem if a relay publishes the events."""
    if outbox.delivery.by != "connector":
        raise UsageProblem(
            "the schema file says that a relay publishes the events: a connector would publish them too",
            fix="start the relay: outbox-kit relay; or set delivery: {by: connector} in the schema file and hand the "
            "outbox over: outbox-kit hand-over",
        )


def _allow_probe(outbox: "Outbox", dsn: str | None) -> None:
    """Raise UsageProblem where a canary row cannot be written."""
    from outbox_kit.databases import canary

    canary.allow(outbox)
    if dsn is None:
        raise UsageProblem(
            "--probe needs the database; nothing was changed", fix="set OUTBOX_KIT_DSN, or leave out --probe"
        )


def _reporter() -> Callable[[str], None]:
    """Prints lines with the seconds since now before each."""
    began = time.monotonic()
    return lambda line: say(f"{time.monotonic() - began:6.1f} s  {line}")


def _show_plan(plan: "Deployment", *, dry_run: bool) -> None:
    """The changes, a line each; of a new connector only how many options it has, unless nothing is written."""
    if plan.action == "create" and not dry_run:
        options = f"{len(plan.edits)} options; see them with: outbox-kit gen-connector --explain"
        show(f"+ {plan.connector} with {options}")
    else:
        show("\n".join(edit.line() for edit in plan.edits), nl=bool(plan.edits))


def _deploy(
    delivery: "Debezium",
    plan: "Deployment",
    config: "Config",
    limits: DeploymentLimits,
    report: Callable[[str], None],
    *,
    kafka: "Cluster | None",
    whole_trace: bool,
) -> dict[str, Any]:
    """Carry out the plan, wait until the connector runs, and prove that events flow; what proves it.

    kafka: where a canary is to arrive; None without a probe.
    """
    from outbox_kit.connect import deploy
    from outbox_kit.delivery.debezium import proof

    evidence: dict[str, Any] = {}
    deploy.write(delivery.workers, plan, config)
    if plan.resumed:
        report(f"resumed '{plan.connector}'")
    if plan.action != "none" or not plan.resumed:
        report(f"{_done(plan.action)} '{plan.connector}'")
    plan.after = deploy.await_running(delivery.workers, plan, config, limits.deadline, whole_trace=whole_trace)
    report(str(plan.after))
    running_since = time.monotonic()
    if kafka is not None:
        evidence["canary"] = proof.canary_arrives(delivery, kafka, limits.deadline, report)
    evidence["position"] = proof.position_advances(delivery, limits.deadline, report)
    time.sleep(max(0.0, running_since + limits.stable_for - time.monotonic()))
    proof.refuse_failed(delivery)
    return evidence


def _done(action: str) -> str:
    return {"create": "created", "update": "updated", "restart": "restarted the failed parts of"}.get(
        action, "no changes to"
    )


def _print(plan: "Deployment", evidence: dict[str, Any], output: Format) -> None:
    if output is not Format.json:
        return
    changes = [
        {"key": e.key, "op": e.sign, "effect": e.effect.name, "before": e.shown(e.before), "after": e.shown(e.after)}
        for e in plan.edits
    ]
    document = {
        "schema": "outbox-kit/deploy/v1",
        "connector": plan.connector,
        "action": plan.action,
        "changes": changes,
        "status": asdict(plan.after) if plan.after else None,
        "proof": evidence,
    }
    show_json(document)
