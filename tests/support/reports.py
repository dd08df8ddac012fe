"""Results of verifications as reports."""

from collections.abc import Mapping

from outbox_kit.findings import formats
from outbox_kit.findings.finding import FileLocation
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.report import report
from outbox_kit.verify.result import Result

FORMATS = formats.names()


def rendered(name: str, result: Result, places: Mapping[str, FileLocation] | None = None) -> str:
    """The report of a verification in a format."""
    return formats.render(name, report(result, FileLocation("outbox.yaml"), places))


def headline(result: Result) -> str:
    """The verdict of a verification in one line."""
    return report(result).headline


def outcome(result: Result, check: str, topic: str | None = None) -> str:
    """The outcome of a check on a topic, or of the whole run: passed, found, or not checked."""
    if result.why_unchecked(CHECKS.get(check), topic):
        return "not checked"
    subjects = {finding.subject for finding in result.findings if finding.id == check}
    return "found" if (subjects if topic is None else topic in subjects) else "passed"
