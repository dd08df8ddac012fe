"""`doctor`: examine everything between the database and Kafka, and name each problem with its fix."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, reporting
from outbox_kit.cli.options import (
    DEFAULT_PATH,
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
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.doctor.observe import SystemAccess
    from outbox_kit.schema.model import Outbox


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
    timeout: Timeout = 60.0,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Examine everything between the database and Kafka, before a deployment and on a running system.

    Nothing is changed. What is not named is not examined. Exit code 1: a finding has at least the severity of
    --fail-on. 3: a system that was named did not answer.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.doctor.observe import SystemAccess
    from outbox_kit.doctor.rule import RULES

    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    limited(ctx, timeout)
    outbox = outbox_from(file, service, env)
    access = SystemAccess(
        given_dsn(ctx, dsn),
        Connect.from_environment(connect) if connect else None,
        cluster(bootstrap, kafka_config) if bootstrap else None,
    )
    if access == SystemAccess(None, None, None):
        fix = "set OUTBOX_KIT_DSN, OUTBOX_KIT_CONNECT and OUTBOX_KIT_BOOTSTRAP, or --dsn, --connect and --bootstrap"
        raise UsageProblem("no system to examine", fix=fix)
    raise typer.Exit(_examined(outbox, access, judged))


def _examined(outbox: "Outbox", access: "SystemAccess", judged: reporting.Judgement) -> int:
    """Examine an outbox and deliver the report; the exit code."""
    from outbox_kit.doctor.observe import observe
    from outbox_kit.doctor.report import report
    from outbox_kit.doctor.rule import findings

    began = time.monotonic()
    seen = observe(outbox, access)
    violations, unchecked = findings(seen)
    counted = judged.accept(judged.policy.apply(violations))
    return judged.deliver(report(seen, counted, unchecked, judged.fail_on, time.monotonic() - began))
