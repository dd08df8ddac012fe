"""The report of a plan, for every format. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.planned import PlannedConnector
from outbox_kit.deployment.rule import RULES
from outbox_kit.errors import OutboxKitError
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.report import Report, Suite
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict, verdict
from outbox_kit.printable import counted

HEADINGS = {Verdict.passed: "NO CHANGES", Verdict.failed: "CHANGES", Verdict.inconclusive: "INCONCLUSIVE"}
DONE = {"create": "create", "update": "update", "restart": "restart the failed parts of", "none": "leave"}
SHOWN = 200
"""Characters of a value in a line."""


def report(
    plans: Sequence[PlannedConnector],
    problems: Mapping[str, OutboxKitError],
    findings: Sequence[Finding],
    fail_on: Severity,
    digests: Mapping[str | None, str | None],
) -> Report:
    """The report.

    problems: the connectors that could not be planned, by name. findings: as they count. digests: of all plans by
    environment, None if one is missing; of one environment, or none, there is one. fail_on: the least severity that
    fails.
    """
    rules, result = list(RULES), verdict(findings, fail_on)
    if problems and result is Verdict.passed:
        result = Verdict.inconclusive  # what was not planned may have changes
    services = [plan.scope for plan in plans]
    return Report(
        command=RULES.command,
        subject=", ".join(services),
        verdict=result,
        heading=HEADINGS[result],
        summary=summary(plans, problems),
        rules=rules,
        findings=findings,
        suites=[Suite(name, rules, [each for each in findings if each.scope == name]) for name in services],
        document={
            "digest": next(iter(digests.values())) if len(digests) == 1 else None,
            "digests": [{"environment": name, "digest": digest} for name, digest in digests.items()],
            "plans": [document(plan) for plan in plans],
            "problems": [{"connector": name, "error": problem.what} for name, problem in problems.items()],
        },
        lines=[line for plan in plans for line in lines(plan)],
    )


def summary(plans: Sequence[PlannedConnector], problems: Mapping[str, OutboxKitError]) -> str:
    """All plans in one line."""
    texts = [f"{DONE[plan.deployment.action]} '{plan.name}'{_where(plan)}{_count(plan)}" for plan in plans]
    return "; ".join([*texts, *(f"no plan for '{name}'" for name in problems)])


def _count(plan: PlannedConnector) -> str:
    edits = plan.deployment.edits
    return f" ({counted(len(edits), 'option')})" if edits else ""


def _where(plan: PlannedConnector) -> str:
    return f" in {plan.environment}" if plan.environment else ""


def lines(plan: PlannedConnector) -> Iterator[str]:
    """A plan, a line for each option."""
    deployment = plan.deployment
    cluster = f" on Kafka cluster {deployment.cluster}" if deployment.cluster else ""
    resumes = ", resume it" if deployment.resumed else ""
    yield f"{DONE[deployment.action]} connector '{plan.name}'{_where(plan)}{cluster}{resumes}"
    for edit in deployment.edits:
        line = edit.line()
        yield line if len(line) <= SHOWN else f"{line[:SHOWN]}..."
    for edit in deployment.neutral:
        side = "the registered connector" if edit.after is None else "the schema file"
        value = edit.shown(edit.before if edit.after is None else edit.after)
        yield f"= {edit.key} = {value} of {side} is what holds already"


def document(plan: PlannedConnector) -> dict[str, Any]:
    """A plan for programs."""
    deployment = plan.deployment
    before = deployment.before
    return {
        "service": plan.outbox.service,
        "environment": plan.environment,
        "connector": plan.name,
        "cluster": deployment.cluster or None,
        "action": deployment.action,
        "resume": deployment.resumed,
        "state": before.connector if before else None,
        "tasks": list(before.tasks) if before else [],
        "changes": [change_document(edit) for edit in deployment.edits],
        "neutral": [change_document(edit) for edit in deployment.neutral],
        "masked": list(deployment.masked),
        "foreign": list(plan.foreign),
    }


def change_document(edit: ConfigChange) -> dict[str, Any]:
    """A change of an option for programs."""
    return {
        "key": edit.key,
        "op": edit.sign,
        "effect": edit.effect.name,
        "before": edit.shown(edit.before),
        "after": edit.shown(edit.after),
    }
