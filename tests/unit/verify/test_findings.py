"""Findings and verdicts: counted in full, shown in part, the same in every run."""

import itertools
import json
from dataclasses import replace

import pytest

from outbox_kit.finding import Finding, Findings, Place, Sample, Severity
from outbox_kit.verify import baseline
from outbox_kit.verify.catalogue import CHECKS, severities
from outbox_kit.verify.needs import Need
from outbox_kit.verify.report import FORMATS
from outbox_kit.verify.result import Report
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


def failed() -> Report:
    """A run with an error, a warning and something that could not be read."""
    findings = Findings(severities(exactly_once=False), 5)
    findings.add("KEY-03", Place("t", 1, 7), "the column's text", "'\"42\"'")
    findings.add("DUP-01", Place("t", 1, 9), "one", "two")
    findings.add("RUN-01", Place("*"), "every record", "interrupted")
    places = {"": (1, 1), "KEY": (4, 3)}
    met: dict[str, frozenset[Need]] = {"*": frozenset(), "t": frozenset()}
    found = list(findings)
    return Report("shop", Verdict.failed, found, {"t": 3}, {"t": 2}, file="outbox.yaml", places=places, unmet=met)


def test_a_stream_has_a_line_for_the_run_and_one_for_each_finding() -> None:
    run, *found = [json.loads(line) for line in FORMATS["ndjson"](failed()).splitlines()]
    assert (run["type"], run["verdict"], run["service"]) == ("run", "fail", "shop")
    assert [one["id"] for one in found] == ["KEY-03", "RUN-01", "DUP-01"]
    assert found[0]["inspect"] == "outbox-kit verify inspect t-1@7"
    assert len({one["fingerprint"] for one in found}) == 3


def test_ctrf_counts_what_it_lists() -> None:
    results = json.loads(FORMATS["ctrf"](failed()))["results"]
    summary, tests = results["summary"], results["tests"]
    assert summary["tests"] == len(tests) == 2 * len(CHECKS)
    assert (summary["failed"], summary["other"]) == (1, 1)
    assert sum(summary[status] for status in ("passed", "failed", "pending", "skipped", "other")) == summary["tests"]
    (broken,) = [test for test in tests if test["status"] == "failed"]
    assert "t-1@7: expected the column's text" in broken["trace"]


def test_github_shows_a_finding_beside_its_rule_in_the_schema_file() -> None:
    commands = FORMATS["github"](failed()).splitlines()
    assert commands[0].startswith(
        "::error file=outbox.yaml,line=4,col=3,title=KEY-03 the key is encoded::1 times, first"
    )
    assert [command.split(" ")[0] for command in commands] == ["::error", "::error", "::warning", "::notice"]


def test_markdown_holds_what_keys_hold_as_text() -> None:
    findings = Findings(severities(exactly_once=False), 5)
    findings.add("KEY-03", Place("t", 1, 7), "text", "| <script> `x` | *y*")
    said = FORMATS["markdown"](Report("shop", Verdict.failed, list(findings), {"t": 1}, {"t": 1}))
    assert r"| `t-1@7` | `text` | ``\| <script> `x` \| *y*`` |" in said
    assert "| `t` | 1 | 1 |" in said


def test_of_lost_events_only_those_are_known_that_were_named() -> None:
    def lost(*ids: str) -> Finding:
        samples = [Sample(Place("t"), f"event {event_id}", "not there") for event_id in ids]
        return Finding("LOS-01", Severity.error, "t", len(ids), samples)

    quoted = Finding("KEY-03", Severity.error, "t", 2)
    unseen = Finding("RUN-01", Severity.inconclusive, "t", 1)
    known = baseline.known(baseline.document("shop", [lost("a", "b"), quoted, unseen]))
    assert len(known) == 2
    assert [one.known for one in baseline.weighed("shop", [replace(quoted, count=3)], known)] == [True]
    weighed = {ids: baseline.weighed("shop", [lost(*ids)], known)[0].known for ids in ("a", "ab", "abc", "c", "ac")}
    assert weighed == {"a": True, "ab": True, "abc": False, "c": False, "ac": False}
