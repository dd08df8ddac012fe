"""The verdict for a CI server: a suite for each topic, a case for each check.

An error is a failure, what could not be read is an error, a warning passes with its text in the output; a check that
this run could not make is skipped.
"""

from xml.etree import ElementTree as xml

from outbox_kit.finding import Finding, Severity
from outbox_kit.verify.catalogue import CHECKS, FAMILIES, family
from outbox_kit.verify.report.text import headline
from outbox_kit.verify.result import RUN, Outcome, Report


def render(report: Report) -> str:
    """The report as JUnit's XML."""
    root = xml.Element("testsuites", name=f"outbox-kit verify {report.service}", time=f"{report.seconds:.3f}")
    for number, topic in enumerate(report.suites):
        suite = _suite(root, report, topic)
        if number == 0:  # a report has no place for properties of its own
            properties = xml.Element("properties")
            xml.SubElement(properties, "property", name="headline", value=headline(report))
            suite.insert(0, properties)
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: xml.Element, report: Report, topic: str) -> xml.Element:
    by_check = {finding.check: finding for finding in report.findings if finding.topic == topic}
    skipped = [check for check in CHECKS if report.outcome(check, topic) is Outcome.unchecked]
    failures = sum(finding.severity is Severity.error for finding in by_check.values())
    errors = sum(finding.severity is Severity.inconclusive for finding in by_check.values())
    name = "the run as a whole" if topic == RUN else topic
    counts = {"tests": len(CHECKS), "failures": failures, "errors": errors, "skipped": len(skipped)}
    suite = xml.SubElement(root, "testsuite", {"name": name} | {word: str(n) for word, n in counts.items()})
    for check in CHECKS:
        classname = f"{name}.{FAMILIES[family(check)]}"
        case = xml.SubElement(suite, "testcase", classname=classname, name=f"{check} {CHECKS[check].title}")
        if check in by_check:
            _outcome(case, by_check[check])
        elif check in skipped:
            xml.SubElement(case, "skipped", message=f"not checked: {report.why(check, topic)}")
    return suite


def _outcome(case: xml.Element, finding: Finding) -> None:
    lines = [f"{s.place}: expected {s.expected}; found {s.actual}" for s in finding.samples]
    kind = {Severity.error: "failure", Severity.inconclusive: "error"}.get(finding.severity, "system-out")
    attributes = {} if kind == "system-out" else {"message": f"{finding.count} times"}
    xml.SubElement(case, kind, attributes).text = "\n".join([*lines, CHECKS[finding.check].hint])
