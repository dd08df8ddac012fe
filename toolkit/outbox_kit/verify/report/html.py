"""The verdict for people: one self-contained page."""

from outbox_kit.render import text as templates
from outbox_kit.verify.catalogue import CHECKS, FAMILIES, family
from outbox_kit.verify.report import plots
from outbox_kit.verify.report.text import headline
from outbox_kit.verify.result import Report


def render(report: Report) -> str:
    """The report as one HTML file without anything from outside."""
    found = dict.fromkeys(report.unchecked, "unchecked")
    why = {check: report.why(check) for check in report.unchecked}
    for finding in reversed(report.findings):
        found[finding.check] = finding.severity.value
    groups = [
        (title, [(check, CHECKS[check].title, found.get(check, "pass")) for check in CHECKS if family(check) == prefix])
        for prefix, title in FAMILIES.items()
    ]
    most = max(report.topics.values(), default=1) or 1
    return templates.html(
        "verify.html.j2",
        report=report,
        headline=headline(report).partition(": ")[2],
        checks=CHECKS,
        groups=groups,
        why=why,
        bars=[(topic, count, 100 * count / most) for topic, count in report.topics.items()],
        plots=[plot for plot in (plots.rate(report), plots.latency(report.latency)) if plot],
        trails=[plots.trail(one) for one in report.trails],
        rate=report.events / report.seconds if report.seconds else 0,
    )
