"""Findings and verdicts: counted in full, shown in part, the same in every run."""

import itertools
from xml.etree import ElementTree as xml

import pytest

from outbox_kit.finding import Finding, Findings, Place, Severity
from outbox_kit.verify.catalogue import CHECKS, severities
from outbox_kit.verify.report import FORMATS
from outbox_kit.verify.run import Report
from outbox_kit.verify.verdict import Verdict, verdict

E, Q, W, I = Severity.error, Severity.inconclusive, Severity.warning, Severity.info  # noqa: E741


def test_the_samples_do_not_depend_on_which_partition_was_read_first() -> None:
    seen = set()
    for order in itertools.permutations(range(3)):
        findings = Findings(severities(exactly_once=False), 5)
        for partition in order:
            for offset in range(10):
                findings.add("PAY-01", Place("t", partition, offset))
        (found,) = findings
        seen.add((found.count, tuple(str(sample.place) for sample in found.samples)))
    assert seen == {(30, tuple(f"t-0@{offset}" for offset in range(5)))}


@pytest.mark.parametrize(
    ("found", "fail_on", "expected"),
    [
        ([], E, Verdict.passed),
        ([I], W, Verdict.passed),
        ([W], E, Verdict.passed),
        ([W], W, Verdict.failed),
        ([Q], E, Verdict.inconclusive),
        ([Q, W], E, Verdict.inconclusive),
        ([Q, E], E, Verdict.failed),
    ],
)
def test_fail_wins_over_inconclusive_and_that_over_pass(
    found: list[Severity], fail_on: Severity, expected: Verdict
) -> None:
    assert verdict([Finding("X", severity, "t") for severity in found], fail_on) is expected


def test_every_check_says_what_it_means_and_what_to_do() -> None:
    assert all(check.title and check.hint for check in CHECKS.values())


def test_what_was_not_looked_for_is_not_shown_as_passed() -> None:
    report = Report("shop", Verdict.passed, topics={"t": 1}, partitions={"t": 1}, unchecked=frozenset({"LOS-01"}))
    suite = xml.fromstring(FORMATS["junit"](report).split("\n", 1)[1])  # noqa: S314 - our own
    skipped = [case.get("name", "")[:6] for case in suite.iter("testcase") if case.find("skipped") is not None]
    assert skipped == ["LOS-01"]
    assert "could not be looked for: LOS-01" in FORMATS["text"](report)
    assert '"not_checked": [\n    "LOS-01"\n  ]' in FORMATS["json"](report)
    assert '<span class="unchecked">–</span><b>LOS-01</b>' in FORMATS["html"](report)  # noqa: RUF001


def test_nothing_from_a_message_can_steer_a_terminal_or_break_a_page() -> None:
    findings = Findings(severities(exactly_once=False), 5)
    findings.add("HDR-02", Place("t", 0, 0), "one '\x1b[2J\x00<script>'", "2 of them")
    report = Report("shop", Verdict.failed, list(findings), {"t": 1}, {"t": 1})
    texts = {name: render(report) for name, render in FORMATS.items()}
    assert "\x1b" not in texts["text"] + texts["json"] + texts["junit"]
    xml.fromstring(texts["junit"].split("\n", 1)[1])  # noqa: S314 - our own
    assert "<script>" not in texts["html"]
