"""The report for a CI server: a suite for each subject, a case for each rule.

An error fails its case, what could not be examined is an error, a warning passes with its text in the output. A rule
that could not be checked, and a finding that is accepted, are skipped with the reason.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as xml

from outbox_kit.findings.finding import Finding, by_weight
from outbox_kit.findings.report import Report, Suite, suite_name
from outbox_kit.findings.rule import Rule, Severity
from outbox_kit.printable import printable

CLEAN = printable
ELEMENTS = {Severity.error: "failure", Severity.inconclusive: "error"}


def render(report: Report) -> str:
    """The report as JUnit's XML."""
    name = f"outbox-kit {report.command} {report.subject}".strip()
    root = xml.Element("testsuites", name=name, time=f"{report.seconds:.3f}")
    for number, suite in enumerate(report.suites):
        element = _suite(root, suite)
        if number == 0:  # a report has no place for properties of its own
            properties = xml.Element("properties")
            xml.SubElement(properties, "property", name="headline", value=report.headline)
            element.insert(0, properties)
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: xml.Element, suite: Suite) -> xml.Element:
    name = suite_name(suite.name)
    element = xml.SubElement(root, "testsuite", name=name)
    kinds = [_case(element, name, *case) for case in suite.cases()]
    counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    element.set("tests", str(len(kinds)))
    for attribute, kind in counts.items():
        element.set(attribute, str(kinds.count(kind)))
    return element


def _case(suite: xml.Element, name: str, rule: Rule, findings: Sequence[Finding], unchecked: str) -> str:
    """Add a case; what it holds: failure, error, skipped, system-out or nothing."""
    case = xml.SubElement(suite, "testcase", classname=f"{name}.{rule.group.title}", name=f"{rule.id} {rule.title}")
    if unchecked:
        xml.SubElement(case, "skipped", message=f"not checked: {unchecked}")
        return "skipped"
    if not findings:
        return ""
    worst = min(findings, key=by_weight)
    text = "\n".join(line for finding in findings for line in case_lines(finding))
    if worst.accepted:
        xml.SubElement(case, "skipped", message=worst.accepted).text = text
        return "skipped"
    kind = ELEMENTS.get(worst.severity, "system-out")
    times = sum(finding.count for finding in findings)
    attributes = {} if kind == "system-out" else {"message": f"{times} times"}
    xml.SubElement(case, kind, attributes).text = text
    return kind


def case_lines(finding: Finding) -> Sequence[str]:
    """The evidence of a finding, and what to do."""
    location = f"{finding.location}: " if finding.location else ""
    message = [f"{location}{finding.message}"] if finding.message else []
    samples = [f"{sample.location}: {sample.facts}" for sample in finding.samples]
    return [*message, *samples, *finding.details, *filter(None, (finding.rule.why, finding.fix, finding.command))]
