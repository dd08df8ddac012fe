"""SARIF 2.1.0, as code scanning services read it."""

from pathlib import PurePath
from typing import Any

from outbox_kit import __version__
from outbox_kit.findings.baseline import fingerprint
from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.findings.formats.markdown import sentence
from outbox_kit.findings.report import Report
from outbox_kit.findings.rule import Rule, Severity
from outbox_kit.printable import as_json, encodable

CLEAN = encodable
LEVELS = {Severity.error: "error", Severity.inconclusive: "error", Severity.warning: "warning", Severity.info: "note"}


def render(report: Report) -> str:
    """One run with the whole catalogue of rules, and a result for each finding."""
    index = {rule.id: number for number, rule in enumerate(report.rules)}
    driver = {"name": "outbox-kit", "version": __version__, "rules": [_rule(rule) for rule in report.rules]}
    results = [_result(report, finding, index[finding.id]) for finding in report.findings]
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(report)],
        "results": results,
        "properties": {"headline": report.headline},
    }
    return as_json({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})


def _invocation(report: Report) -> dict[str, Any]:
    """The run, with a notification for each rule that was not checked."""
    notifications = [
        {"descriptor": {"id": rule}, "level": "note", "message": {"text": f"not checked: {reason}"}}
        for rule, reason in report.unchecked.items()
    ]
    return {"executionSuccessful": True, "toolConfigurationNotifications": notifications}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why or rule.title},
        "help": {"text": rule.fix, "markdown": _help(rule)},
        "helpUri": rule_url(rule),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"evidence": list(rule.evidence), "group": rule.group.title},
    }


def _help(rule: Rule) -> str:
    """What a code scanning service shows beside a result: the consequence, the next step, and more to read."""
    paragraphs = [f"**Why:** {sentence(rule.why)}" if rule.why else "", f"**Fix:** {sentence(rule.fix)}"]
    return "\n\n".join([*filter(None, paragraphs), f"[{rule.id}]({rule_url(rule)})"])


def _result(report: Report, finding: Finding, index: int) -> dict[str, Any]:
    first = f": {finding.count} times, first at {finding.samples[0].location}" if finding.samples else ""
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": f"{finding.text}{first}. {finding.fix[:1].upper()}{finding.fix[1:]}."},
        "partialFingerprints": {"finding/v1": fingerprint(finding)},
    }
    location: dict[str, Any] = {}
    if place := report.place(finding):
        region = {"startLine": place.line, "startColumn": place.column}
        uri = PurePath(place.file).as_posix()
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    if finding.subject != RUN:
        location["logicalLocations"] = [{"name": finding.subject}]
    if location:
        result["locations"] = [location]
    if finding.accepted:
        result["suppressions"] = [{"kind": "external", "justification": finding.accepted}]
    return result
