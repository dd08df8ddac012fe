"""JUnit's XML: a suite for each file, a case for each finding, one passed case where there is none."""

from collections.abc import Sequence
from xml.etree import ElementTree as xml

from outbox_kit.finding import Severity
from outbox_kit.lint.run import Found
from outbox_kit.printable import printable


def render(found: Sequence[Found]) -> str:
    """An error fails its case; what weighs less passes, with its text in the output."""
    root = xml.Element("testsuites", name="outbox-kit check")
    for source in sorted({one.source for one in found}) or ["check"]:
        _suite(root, source, [one for one in found if one.source == source])
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: xml.Element, source: str, found: Sequence[Found]) -> None:
    failures = sum(one.severity is Severity.error and not one.ignored for one in found)
    skipped = sum(bool(one.ignored) for one in found)
    counts = {"tests": max(len(found), 1), "failures": failures, "errors": 0, "skipped": skipped}
    suite = xml.SubElement(
        root, "testsuite", {"name": printable(source)} | {word: str(n) for word, n in counts.items()}
    )
    if not found:
        xml.SubElement(suite, "testcase", classname=printable(source), name="no findings")
    for one in found:
        name = printable(f"{one.rule.id} {one.flaw.key} line {one.line}")
        case = xml.SubElement(suite, "testcase", classname=printable(source), name=name)
        text = printable(f"{one.where}: {one.flaw.message}\n{one.rule.why}\n{one.rule.fix}", keep="\n")
        if one.ignored:
            xml.SubElement(case, "skipped", message=printable(one.ignored))
        elif one.severity is Severity.error:
            xml.SubElement(case, "failure", message=printable(one.flaw.message)).text = text
        else:
            xml.SubElement(case, "system-out").text = text
