"""The alerts, judged by Prometheus's promtool: each fires when it must and only then, and a changed rule is noticed."""

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.monitoring import rules
from outbox_kit.monitoring.alert import Alert, AlertSeverity
from outbox_kit.monitoring.alerts import alerts, modules
from outbox_kit.monitoring.dashboard import panels_of
from outbox_kit.schema.model import Outbox
from tests.code.alert_cases import ALL, INTERVAL, OUTBOXES, AlertCase
from tests.support import example_files, passed
from tests.support.servers import promtool

EXAMPLES = Path(__file__).parents[1] / "examples"
EVERY = example_files.all_outboxes()
RUNBOOK = "RUNBOOK.md"
OPPOSITE = {">": "<", "<": ">", ">=": "<", "==": "!="}


def alert_of(case: AlertCase) -> Alert:
    return next(alert for alert in alerts(OUTBOXES[case.outbox]) if alert.name == case.alert)


def rule_file(outbox: Outbox, alert: Alert, monkeypatch: pytest.MonkeyPatch) -> str:
    """The alerting rules with this alert only."""
    monkeypatch.setattr(rules, "alerts", lambda _: [alert])
    return rules.alerting(outbox, {}, RUNBOOK)


def unit_test(case: AlertCase, rule: str) -> dict[str, Any]:
    """The test of one case, as promtool reads it."""
    alert = alert_of(case)
    annotations = {"summary": case.summary, "description": alert.description, "runbook_url": RUNBOOK}
    expected: list[tuple[int, Sequence[Any]]] = [(at, []) for at in case.silent]
    for at in filter(None, (case.fires, *case.later)):
        expected.append((at, [{"exp_labels": dict(case.labels), "exp_annotations": annotations}]))
    return {
        "rule_files": [rule],
        "evaluation_interval": f"{INTERVAL}s",
        "tests": [
            {
                "interval": f"{INTERVAL}s",
                "input_series": [{"series": name, "values": text} for name, text in (case.series | case.more).items()],
                "alert_rule_test": [
                    {"eval_time": f"{at}s", "alertname": case.alert, "exp_alerts": [*alerts]} for at, alerts in expected
                ],
            }
        ],
    }


def written(folder: Path, alert: Alert, name: str, outbox: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Write a rule and the tests of all cases of an outbox; the names of the files of tests."""
    (folder / f"{name}.rules.yaml").write_text(rule_file(OUTBOXES[outbox], alert, monkeypatch))
    files = []
    for number, case in enumerate(c for c in ALL if (c.alert, c.outbox) == (alert.name, outbox)):
        files.append(f"{name}.{number}.test.yaml")
        (folder / files[-1]).write_text(json.dumps(unit_test(case, f"{name}.rules.yaml")))
    return files


def mutants(alert: Alert) -> Iterator[tuple[str, Alert]]:
    """The alert with one part changed, and the change in words."""
    expression = alert.expression
    for match in re.finditer(r"(?<=\s)(>=|==|>|<)(?=\s)", expression):
        yield f"operator {match[0]}", _with(alert, expression, match, OPPOSITE[match[0]])
    for match in re.finditer(r"(?<=[><=] )-?\d+(\.\d+)?|(?<=> on \(service\) )0\.5", expression):
        value = float(match[0])
        for other in (value * 0.99 - 1e-9, value * 1.5 + 1) if value else (1,):
            yield f"number {match[0]} {other}", _with(alert, expression, match, repr(other))
    for match in re.finditer(r"\[(\w+)\]", expression):
        for other in ("[45s]", "[40m]"):
            yield f"window {match[0]} {other} at {match.start()}", _with(alert, expression, match, other)
    for match in re.finditer(r'="[^"]*"', expression):
        yield f"label {match[0]} at {match.start()}", _with(alert, expression, match, '="mutant"')
    for match in re.finditer(r"\b(and|or|unless)\b", expression):
        other = {"and": "or", "or": "and", "unless": "and"}[match[0]]
        yield f"{match[0]} at {match.start()}", _with(alert, expression, match, other)
    holds = (alert.hold_seconds + INTERVAL, *((alert.hold_seconds - INTERVAL,) if alert.hold_seconds else ()))
    yield from ((f"for {seconds}", dataclasses.replace(alert, hold_seconds=seconds)) for seconds in holds)
    other_severity = next(severity for severity in AlertSeverity if severity is not alert.severity)
    yield "severity", dataclasses.replace(alert, severity=other_severity)


def _with(alert: Alert, expression: str, match: re.Match[str], text: str) -> Alert:
    return dataclasses.replace(alert, expression=expression[: match.start()] + text + expression[match.end() :])


def once(check: Callable[[], None], folder: Path) -> None:
    """Have promtool examine the files of a folder, unless they have passed before."""
    passed.once("promtool", check, promtool.version(), folder)


def test_each_alert_has_a_case_in_which_it_fires() -> None:
    fired = {case.alert for case in ALL if case.fires}
    assert fired == {alert.name for outbox in OUTBOXES.values() for alert in alerts(outbox)}
    assert len(fired) == len(modules())


def test_each_alert_fires_at_its_time_and_not_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for name, outbox in OUTBOXES.items():
        for alert in alerts(outbox):
            files += written(tmp_path, alert, f"{name}-{alert.name}", name, monkeypatch)

    def check() -> None:
        done = promtool.run("test", "rules", *files, folder=tmp_path)
        assert done.returncode == 0, "\n".join(part for part in done.stdout.split("Unit Testing:") if "FAILED" in part)

    once(check, tmp_path)


def test_a_changed_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tested: dict[str, list[str]] = {}
    mutated = set[str]()
    for name, alert_name in dict.fromkeys((case.outbox, case.alert) for case in ALL if case.fires):
        alert = next(alert for alert in alerts(OUTBOXES[name]) if alert.name == alert_name)
        if alert.expression in mutated:  # with the cases of another outbox
            continue
        mutated.add(alert.expression)
        for number, (change, mutant) in enumerate(mutants(alert)):
            files = written(tmp_path, mutant, f"{name}-{alert_name}-{number}", name, monkeypatch)
            tested[f"{name} {alert_name}: {change}"] = files

    def check() -> None:
        every = [file for files in tested.values() for file in files]
        refused = promtool.refused(promtool.run("test", "rules", *every, folder=tmp_path).stdout, every)
        survivors = [mutant for mutant, files in tested.items() if not refused & {*files}]
        assert not survivors, "\n".join(survivors)

    once(check, tmp_path)
    assert len(tested) > 250


@pytest.mark.parametrize("outbox", EVERY, ids=lambda outbox: outbox.service)
def test_the_rules_of_every_outbox_are_accepted(outbox: Outbox, tmp_path: Path) -> None:
    queries = [expression for panel in panels_of(outbox) for expression in panel.queries.values()]
    records = {f"query:{number}": query for number, query in enumerate(queries)}
    lines = [f"      - {{record: {json.dumps(name)}, expr: {json.dumps(query)}}}" for name, query in records.items()]
    (tmp_path / "alerts.yaml").write_text(rules.alerting(outbox, {}, RUNBOOK))
    (tmp_path / "records.yaml").write_text(rules.recording(outbox))
    (tmp_path / "panels.yaml").write_text("\n".join(["groups:", "  - name: panels", "    rules:", *lines, ""]))

    def check() -> None:
        done = promtool.run("check", "rules", "--lint-fatal", *(p.name for p in tmp_path.iterdir()), folder=tmp_path)
        assert done.returncode == 0, done.stdout

    once(check, tmp_path)
