"""The report for people: one self-contained page."""

from outbox_kit import __version__
from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.finding import RUN
from outbox_kit.findings.report import Report, listed
from outbox_kit.printable import printable
from outbox_kit.render import text as templates

CLEAN = printable


def render(report: Report) -> str:
    """The report as one HTML file without anything from outside."""
    outcomes = dict.fromkeys(report.unchecked, "unchecked")
    for finding in reversed(report.findings):
        outcomes[finding.id] = "info" if finding.accepted else finding.severity.value
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for rule in report.rules:
        groups.setdefault(rule.group.title, []).append((rule.id, rule.title, outcomes.get(rule.id, "pass")))
    return templates.html(
        "report.html.j2", report=report, groups=groups, RUN=RUN, listed=listed, rule_url=rule_url, version=__version__
    )
