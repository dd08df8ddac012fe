"""`plan`: what `deploy-connector` would change, option by option, and what each change does."""

from typing import Annotated

import typer

from outbox_kit.cli import app, planning, reporting
from outbox_kit.cli.options import DEFAULT_CONNECT, ConnectUrl, Env, Timeout, limited
from outbox_kit.cli.output import say


@app.command("plan")
def plan(
    ctx: typer.Context,
    files: planning.Files = None,
    more_files: planning.MoreFiles = None,
    service: planning.Services = None,
    env: Env = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    resume: planning.Resume = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only detect drift: the configuration is not sent to the worker for validation."),
    ] = False,
    wait: planning.WaitForWorker = 0.0,
    timeout: Timeout = 60.0,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.warning,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Show what deploy-connector would change, option by option, with the effect of each change.

    Nothing is changed. Exit code 0: there is nothing to do. 1: there are changes. The digest is for
    deploy-connector --plan DIGEST, which carries out this plan and no other.
    """
    from outbox_kit.delivery.debezium import deployment as run
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.deployment.report import report as reported
    from outbox_kit.deployment.rule import RULES, findings
    from outbox_kit.wire import connector

    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    chosen, workers = planning.outboxes(files, more_files, service, env), planning.client(connect, wait)
    limited(ctx, timeout)
    deliveries = [Debezium(outbox, workers, None, connector.config(outbox)) for outbox in chosen]
    plans = planning.planned(
        deliveries, lambda each: run.observe(each, resume=resume, validated=not check), several=len(chosen) > 1
    )
    counted = judged.accept(judged.policy.apply(finding for each in plans.planned for finding in findings(each)))
    digest = plans.digest()
    code = judged.deliver(reported(plans.planned, plans.problems, counted, judged.fail_on, digest))
    if digest and not check and any(not each.deployment.empty for each in plans.planned):
        words = planning.words(files, more_files, service, env, resume=resume)
        say(f"to carry out this plan and no other: outbox-kit deploy-connector --plan {digest}{words}")
    raise typer.Exit(planning.worst([code, *(problem.exit_code for problem in plans.problems.values())]))
