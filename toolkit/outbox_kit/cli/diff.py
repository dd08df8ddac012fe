"""`diff`: whether a change of the schema file breaks consumers."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app, reporting


class AssumptionChoice(StrEnum):
    """What is taken for granted about writers and readers."""

    tolerant = "tolerant"
    strict = "strict"


@app.command("diff")
def diff(
    old: Annotated[Path, typer.Argument(help="The schema file as it was.")],
    new: Annotated[Path, typer.Argument(help="The schema file as it will be.")],
    policy: Annotated[
        AssumptionChoice,
        typer.Option(
            help="tolerant: readers skip members they do not know. strict: anything not forbidden is written."
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
    """Say whether a change of the schema file breaks those who read the events, with a value that shows it.

    Payload, key, partition, headers and topic are compared, as they arrive and as they are declared.

    Exit code 0: it does not. 1: it does. 3: it cannot be said.
    """
    from outbox_kit.compat import diff as compat
    from outbox_kit.compat.rules import RULES
    from outbox_kit.compat.schemas import Assumption
    from outbox_kit.schema.read import read

    judged = reporting.judgement(RULES, severity, ignore, fail_on, output, report, baseline, update_baseline)
    changes = compat.changes(read(old).outboxes, read(new).outboxes, Assumption(policy.value))
    findings = judged.accept(judged.policy.apply(compat.findings(changes)))
    result = compat.report(str(old), str(new), findings, judged.fail_on)
    raise typer.Exit(judged.deliver(result))
