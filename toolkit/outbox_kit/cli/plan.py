"""`plan`: what `deploy-connector` would change, option by option, and what each change does."""

from typing import Annotated

import typer

from outbox_kit.cli import app, planning, reporting
from outbox_kit.cli.options import DEFAULT_CONNECT, ConnectUrl, Timeout, limited
from outbox_kit.cli.output import say


@app.command("plan")
def plan(
    ctx: typer.Context,
    files: planning.Files = None,
    more_files: planning.MoreFiles = None,
    service: planning.Services = None,
    env: planning.Environments = None,
    connect: ConnectUrl = DEFAULT_CONNECT,
    env_connect: planning.EnvironmentConnect = None,
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
    deploy-connector --plan DIGEST, which carries out this plan and no other. With several environments there is one
    report, a digest for each, and the highest exit code.
    """
    from outbox_kit.delivery.debezium import deployment as run
    from outbox_kit.deployment.report import report as reported
    from outbox_kit.deployment.rule import RULES, findings

    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    targets = planning.targets(files, more_files, service, env, connect, env_connect)
    limited(ctx, timeout)
    several = sum(len(target.outboxes) for target in targets) > 1
    plans = {
        target.name: planning.planned_in(
            target, wait, lambda each: run.observe(each, resume=resume, validated=not check), several=several
        )
        for target in targets
    }
    planned = [plan for each in plans.values() for plan in each.planned]
    problems = {label: problem for each in plans.values() for label, problem in each.problems.items()}
    counted = judged.accept(judged.policy.apply(finding for each in planned for finding in findings(each)))
    digests = {name: each.digest() for name, each in plans.items()}
    code = judged.deliver(reported(planned, problems, counted, judged.fail_on, digests))
    for target in targets if not check else ():
        if plans[target.name].carries_out_something:
            words = planning.words(files, more_files, service, target, resume=resume)
            command = f"outbox-kit deploy-connector --plan {digests[target.name]}{words}"
            say(f"to carry out this plan and no other: {command}")
    raise typer.Exit(planning.worst([code, *(problem.exit_code for problem in problems.values())]))
