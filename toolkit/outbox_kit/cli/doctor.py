"""`doctor`: examine everything between the database and Kafka, and name each problem with its fix."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, reporting
from outbox_kit.cli.options import (
    DEFAULT_PATH,
    FILE,
    SECONDS,
    URL,
    Dsn,
    Env,
    KafkaConfig,
    SchemaPath,
    Service,
    Timeout,
    cluster,
    given_dsn,
    limited,
    outbox_from,
    without_password,
)
from outbox_kit.cli.probe import allow_probe
from outbox_kit.errors import BadConfigFile, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.doctor.observe import SystemAccess
    from outbox_kit.schema.model import Outbox


WORKER_FILE = "name the properties with which the worker is started: --worker-config connect-distributed.properties"


@app.command("doctor")
def doctor(
    ctx: typer.Context,
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    dsn: Dsn = None,
    connect: Annotated[
        str | None,
        typer.Option(
            "--connect",
            envvar="OUTBOX_KIT_CONNECT",
            metavar=URL,
            help="Kafka Connect's REST API.",
            callback=without_password,
        ),
    ] = None,
    bootstrap: Annotated[
        str | None,
        typer.Option(
            "--bootstrap", "-b", envvar="OUTBOX_KIT_BOOTSTRAP", metavar="HOST:PORT", help="The Kafka brokers."
        ),
    ] = None,
    kafka_config: KafkaConfig = None,
    worker_config: Annotated[
        Path | None,
        typer.Option("--worker-config", metavar=FILE, help="The worker's properties: connect-distributed.properties."),
    ] = None,
    principal: Annotated[
        str | None,
        typer.Option(
            "--principal",
            metavar="TYPE:NAME",
            help="The Kafka user of the worker or relay, as User:connect: its ACLs are examined.",
        ),
    ] = None,
    timeout: Timeout = 60.0,
    probe: Annotated[
        bool, typer.Option("--probe", help="Also insert a canary row and wait for its message; the row is deleted.")
    ] = False,
    probe_seconds: Annotated[
        float,
        typer.Option("--probe-seconds", min=1, metavar=SECONDS, help="With --probe: how long the message may take."),
    ] = 20.0,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Examine everything between the database and Kafka, before a deployment and on a running system.

    Nothing is changed, except by --probe. What is not named is not examined. Exit code 1: a finding has at least the
    severity of --fail-on. 3: a system that was named did not answer.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.doctor.observe import SystemAccess
    from outbox_kit.doctor.rule import RULES

    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    limited(ctx, timeout + (probe_seconds if probe else 0))
    outbox = outbox_from(file, service, env)
    access = SystemAccess(
        given_dsn(ctx, dsn),
        Connect.from_environment(connect) if connect else None,
        cluster(bootstrap, kafka_config) if bootstrap else None,
        _worker_settings(worker_config),
        _principal(principal),
    )
    if access.dsn is None and access.connect is None and access.cluster is None:
        fix = "set OUTBOX_KIT_DSN, OUTBOX_KIT_CONNECT and OUTBOX_KIT_BOOTSTRAP, or --dsn, --connect and --bootstrap"
        raise UsageProblem("no system to examine", fix=fix)
    if probe:
        allow_probe(outbox, access.dsn, bootstrap)
    raise typer.Exit(_examined(outbox, access, judged, probe_seconds if probe else None))


def _principal(name: str | None) -> str | None:
    """A principal as the brokers name it. Raises UsageProblem."""
    if name is not None and not all(name.partition(":")):
        raise UsageProblem(f"invalid --principal '{name}': expected TYPE:NAME", fix=f"--principal User:{name}")
    return name


def _worker_settings(path: Path | None) -> dict[str, str] | None:
    """The settings of a worker's file; None without one. Raises BadConfigFile."""
    from outbox_kit.doctor.observation import INTERNAL_TOPICS
    from outbox_kit.properties import properties
    from outbox_kit.textfile import content

    if path is None:
        return None
    try:
        settings = {each.name: each.value for each in properties(content(path))}
    except (OSError, ValueError) as cause:
        why = getattr(cause, "strerror", None) or str(cause)
        raise BadConfigFile(f"'{path}' cannot be read", why=why, fix=WORKER_FILE) from None
    if missing := [name for name in ("group.id", *INTERNAL_TOPICS) if not settings.get(name)]:
        raise BadConfigFile(
            f"'{path}' has no {missing[0]}: expected the properties of a distributed worker", fix=WORKER_FILE
        )
    return settings


def _examined(
    outbox: "Outbox", access: "SystemAccess", judged: reporting.Judgement, probe_seconds: float | None
) -> int:
    """Examine an outbox and deliver the report; the exit code."""
    from outbox_kit.doctor.observe import observe
    from outbox_kit.doctor.report import report
    from outbox_kit.doctor.rule import findings

    began = time.monotonic()
    seen = observe(outbox, access, probe_seconds)
    violations, unchecked = findings(seen)
    counted = judged.accept(judged.policy.apply(violations))
    return judged.deliver(report(seen, counted, unchecked, judged.fail_on, time.monotonic() - began))
