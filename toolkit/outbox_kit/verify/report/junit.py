"""The verdict for a CI server: a suite for each topic, a case for each check.

An error is a failure, what could not be read is an error, a warning passes with its text in the output; a check that
this run could not make is skipped.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as xml

from outbox_kit.finding import Finding, Severity
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.report.text import printable
from outbox_kit.verify.result import Report


def render(report: Report) -> str:
    """The report as JUnit's XML."""
    root = xml.Element("testsuites", name=f"outbox-kit verify {report.service}", time=f"{report.seconds:.3f}")
    named = {finding.topic for finding in report.findings}
    for topic in sorted({*report.topics, *named}):
        _suite(root, topic, [f for f in report.findings if f.topic == topic], report.unchecked)
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: xml.Element, topic: str, findings: Sequence[Finding], unchecked: frozenset[str]) -> None:
    by_check = {finding.check: finding for finding in findings}
    failures = sum(finding.severity is Severity.error for finding in findings)
    errors = sum(finding.severity is Severity.inconclusive for finding in findings)
    name = "the run as a whole" if topic == "*" else topic
    counts = {"tests": len(CHECKS), "failures": failures, "errors": errors, "skipped": len(unchecked - by_check.keys())}
    suite = xml.SubElement(root, "testsuite", {"name": name} | {word: str(n) for word, n in counts.items()})
    for check in CHECKS:
        case = xml.SubElement(suite, "testcase", classname=name, name=f"{check} {CHECKS[check].title}")
        if check in by_check:
            _outcome(case, by_check[check])
        elif check in unchecked:
            xml.SubElement(case, "skipped", message="could not be looked for")


def _outcome(case: xml.Element, finding: Finding) -> None:
    lines = [f"{s.place}: expected {s.expected}; found {s.actual}" for s in finding.samples]
    text = printable("\n".join([*lines, CHECKS[finding.check].hint]))
    kind = {Severity.error: "failure", Severity.inconclusive: "error"}.get(finding.severity, "system-out")
    attributes = {} if kind == "system-out" else {"message": f"{finding.count} times"}
    xml.SubElement(case, kind, attributes).text = text
