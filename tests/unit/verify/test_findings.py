"""Collector and verdicts: counted in full, shown in part, the same in every run."""

import itertools
import json
from dataclasses import replace

import pytest

from outbox_kit.errors import UnknownName, UsageProblem
from outbox_kit.findings.baseline import baseline, document
from outbox_kit.findings.finding import Collector, FileLocation, Finding, RecordLocation, Sample
from outbox_kit.findings.policy import parsed
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict, verdict
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.needs import Need
from outbox_kit.verify.result import Coverage, Result
from tests.support.reports import rendered

RULE = CHECKS.get("KEY-03")
E, Q, W, I = Severity.error, Severity.inconclusive, Severity.warning, Severity.info  # noqa: E741


def test_the_samples_do_not_depend_on_which_partition_was_read_first() -> None:
    seen = set()
    for order in itertools.permutations(range(3)):
        findings = Collector(5, CHECKS.get)
        for partition in order:
            for offset in range(10):
                findings.add(CHECKS.get("PAY-01"), RecordLocation("t", partition, offset))
        (found,) = findings
        seen.add((found.count, tuple(str(sample.location) for sample in found.samples)))
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
    assert verdict([Finding(RULE, severity, "t") for severity in found], fail_on) is expected


def test_every_check_says_what_it_means_and_what_to_do() -> None:
    assert all(check.title and check.fix for check in CHECKS)


def test_the_ids_of_a_group_s_checks_begin_with_the_same_letters() -> None:
    groups = {(check.group, check.id.partition("-")[0]) for check in CHECKS}
    assert len(groups) == len({group for group, _ in groups}) == len({prefix for _, prefix in groups})


def failed() -> Result:
    """A run with an error, a warning and something that could not be read."""
    findings = Collector(5, CHECKS.get)
    findings.add(CHECKS.get("KEY-03"), RecordLocation("t", 1, 7), "the column's text", "'\"42\"'")
    findings.add(CHECKS.get("DUP-01"), RecordLocation("t", 1, 9), "one", "two")
    findings.add(CHECKS.get("RUN-01"), RecordLocation("*"), "every record", "interrupted")
    met: dict[str, frozenset[Need]] = {"*": frozenset(), "t": frozenset()}
    found = list(findings)
    return Result("shop", Verdict.failed, found, {"t": 3}, {"t": 2}, coverage=Coverage(unmet=met))


def test_a_stream_has_a_line_for_the_run_and_one_for_each_finding() -> None:
    run, *found = [json.loads(line) for line in rendered("ndjson", failed()).splitlines()]
    assert (run["type"], run["verdict"], run["service"]) == ("run", "fail", "shop")
    assert [one["id"] for one in found] == ["KEY-03", "RUN-01", "DUP-01"]
    assert found[0]["inspect"] == "outbox-kit verify inspect t-1@7"
    assert len({one["fingerprint"] for one in found}) == 3


def test_ctrf_counts_what_it_lists() -> None:
    results = json.loads(rendered("ctrf", failed()))["results"]
    summary, tests = results["summary"], results["tests"]
    assert summary["tests"] == len(tests) == 2 * len(CHECKS.rules)
    assert (summary["failed"], summary["other"]) == (1, 1)
    assert sum(summary[status] for status in ("passed", "failed", "pending", "skipped", "other")) == summary["tests"]
    (broken,) = [test for test in tests if test["status"] == "failed"]
    assert "t-1@7: expected the column's text" in broken["trace"]


def test_github_shows_a_finding_beside_its_rule_in_the_schema_file() -> None:
    places = {"Keys": FileLocation("outbox.yaml", 4, 3)}
    commands = rendered("github", failed(), places).splitlines()
    assert commands[0].startswith(
        "::error file=outbox.yaml,line=4,col=3,title=KEY-03 the key is encoded::1 times, first"
    )
    assert [command.split(" ")[0] for command in commands] == ["::error", "::error", "::warning", "::notice"]


def test_markdown_holds_what_keys_hold_as_text() -> None:
    findings = Collector(5, CHECKS.get)
    findings.add(CHECKS.get("KEY-03"), RecordLocation("t", 1, 7), "text", "| <script> `x` | *y*")
    said = rendered("markdown", Result("shop", Verdict.failed, list(findings), {"t": 1}, {"t": 1}))
    assert r"| `t-1@7` | `text` | ``\| <script> `x` \| *y*`` |" in said
    assert "| `t` | 1 | 1 |" in said


def test_of_lost_events_only_those_are_known_that_were_named() -> None:
    def lost(*ids: str) -> Finding:
        samples = [Sample(RecordLocation("t"), f"event {event_id}", "no message") for event_id in ids]
        return Finding(CHECKS.get("LOS-01"), Severity.error, "t", count=len(ids), samples=samples)

    quoted = Finding(CHECKS.get("KEY-03"), Severity.error, "t", count=2)
    unread = Finding(CHECKS.get("RUN-01"), Severity.inconclusive, "t")
    accepted = baseline(document("verify", [lost("a", "b"), quoted, unread]), "verify")
    assert len(accepted.findings) == 2
    assert accepted.accepts(replace(quoted, count=3)) and not accepted.accepts(unread)
    assert not accepted.accepts(replace(quoted, scope="another service"))
    weighed = {ids: accepted.accepts(lost(*ids)) for ids in ("a", "ab", "abc", "c", "ac")}
    assert weighed == {"a": True, "ab": True, "abc": False, "c": False, "ac": False}


def test_a_baseline_is_of_one_command() -> None:
    with pytest.raises(UsageProblem, match="expected one of outbox-kit verify, not of check"):
        baseline(document("check", []), "verify")
    with pytest.raises(UsageProblem, match="invalid baseline"):
        baseline({"findings": {}}, "verify")


def test_a_policy_decides_what_counts() -> None:
    quoted, copies = (Finding(CHECKS.get(rule), CHECKS.get(rule).severity, "t") for rule in ("KEY-03", "DUP-01"))
    own = parsed(["KEY-03=warning", "DUP-01=off"], [], CHECKS)
    assert [(one.id, one.severity) for one in own.apply([quoted, copies])] == [("KEY-03", W)]
    ignored = parsed([], ["KEY-03:t=a legacy producer"], CHECKS)
    (finding,) = ignored.apply([quoted])
    assert finding.accepted == "a legacy producer" and verdict([finding]) is Verdict.passed
    assert verdict(ignored.apply([replace(quoted, subject="u")])) is Verdict.failed
    for options in ((["KEY-03=loud"], []), ([], ["KEY-03"]), ([], ["KEY-03= "])):
        with pytest.raises(UsageProblem):
            parsed(*options, CHECKS)
    with pytest.raises(UnknownName, match="did you mean 'KEY-03'"):
        parsed(["KEY-O3=error"], [], CHECKS)
