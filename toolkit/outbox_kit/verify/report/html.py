"""The verdict for people: one self-contained page."""

from outbox_kit.render import text as templates
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.report import plots
from outbox_kit.verify.report.text import headline
from outbox_kit.verify.result import Report


def render(report: Report) -> str:
    """The report as one HTML file without anything from outside."""
    found = dict.fromkeys(report.unchecked, "unchecked")
    for finding in reversed(report.findings):
        found[finding.check] = finding.severity.value
    families = {
        "Routing": "RTE",
        "Keys": "KEY",
        "Headers": "HDR",
        "Payloads": "PAY",
        "Order": "ORD",
        "Duplicates": "DUP",
        "Loss": "LOS",
        "Latency": "LAT",
        "Configuration": "CFG",
        "The run itself": "RUN",
    }
    groups = [
        (
            title,
            [(check, CHECKS[check].title, found.get(check, "pass")) for check in CHECKS if check.startswith(prefix)],
        )
        for title, prefix in families.items()
    ]
    most = max(report.topics.values(), default=1) or 1
    return templates.html(
        "verify.html.j2",
        report=report,
        headline=headline(report).partition(": ")[2],
        checks=CHECKS,
        groups=groups,
        bars=[(topic, count, 100 * count / most) for topic, count in report.topics.items()],
        plots=[plot for plot in (plots.rate(report), plots.latency(report.latency)) if plot],
        trails=[plots.trail(one) for one in report.trails],
        rate=report.events / report.seconds if report.seconds else 0,
    )
