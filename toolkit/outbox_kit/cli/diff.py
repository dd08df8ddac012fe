"""`diff`: whether a change of the schema file breaks consumers."""

from enum import StrEnum
from typing import Annotated

import typer

from outbox_kit.cli import app, reporting
from outbox_kit.cli.options import DEFAULT_PATH, Env, SchemaPath, Service
from outbox_kit.cli.revision import earlier


class AssumptionChoice(StrEnum):
    """What is taken for granted about writers and readers."""

    tolerant = "tolerant"
    strict = "strict"


@app.command("diff")
def diff(
    against: Annotated[
        str,
        typer.Option("--against", metavar="OLD", help="The schema file before the change: a path, or git:REVISION."),
    ] = "git:HEAD",
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    policy: Annotated[
        AssumptionChoice,
        typer.Option(
            help="tolerant: consumers ignore unknown properties. strict: producers write whatever is not forbidden."
        ),
    ] = AssumptionChoice.tolerant,
    severity: reporting.Severities = None,
    ignore: reporting.Ignored = None,
    fail_on: reporting.FailOn = reporting.Threshold.error,
    output: reporting.Format = reporting.TEXT,
    report: reporting.Reports = None,
    baseline: reporting.BaselineFile = None,
    update_baseline: reporting.UpdateBaseline = False,
) -> None:
    """Check whether a change of the schema file breaks consumers, with an example for each finding.

    Compares payload, key, partition, headers and topic. Exit code 0: compatible. 1: breaking. 3: undecidable.
    """
    from outbox_kit.compat import changes as listed
    from outbox_kit.compat import diff as compat
    from outbox_kit.compat.rules import RULES
    from outbox_kit.compat.schemas import Assumption
    from outbox_kit.schema.read import read

    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    with earlier(against, file) as path:
        former_file = read(path, env, lenient=True)
    present_file = read(file, env)
    if service is not None and service not in [outbox.service for outbox in former_file.outboxes]:
        present_file.outbox(service)
    old, new = compat.of_service(former_file.outboxes, present_file.outboxes, service)
    changes = compat.changes(old, new, Assumption(policy.value))
    findings = judged.accept(judged.policy.apply(compat.findings(changes)))
    differences = listed.differences(compat.paired(old, new), new)
    result = compat.report(against, str(file), differences, findings, judged.fail_on)
    raise typer.Exit(judged.deliver(result))
