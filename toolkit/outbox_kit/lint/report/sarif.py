"""SARIF 2.1.0, as code scanning services read it."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from outbox_kit import __version__
from outbox_kit.finding import Severity
from outbox_kit.lint.evidence import seen
from outbox_kit.lint.rule import Rule
from outbox_kit.lint.run import Found, catalogue
from outbox_kit.printable import as_json

LEVELS = {Severity.error: "error", Severity.warning: "warning", Severity.info: "note", Severity.inconclusive: "note"}


def render(found: Sequence[Found]) -> str:
    """One run with the whole catalogue of rules, and a result for each finding."""
    rules = list(catalogue().values())
    places = {rule.id: number for number, rule in enumerate(rules)}
    driver = {"name": "outbox-kit", "version": __version__, "rules": [_rule(rule) for rule in rules]}
    run = {"tool": {"driver": driver}, "results": [_result(one, places[one.rule.id]) for one in found]}
    return as_json({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why or rule.title},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"evidence": seen(rule)},
    }


def _result(one: Found, place: int) -> dict[str, Any]:
    region = {"startLine": one.line, "startColumn": one.column}
    location = {"artifactLocation": {"uri": PurePath(one.source).as_posix()}, "region": region}
    result: dict[str, Any] = {
        "ruleId": one.rule.id,
        "ruleIndex": place,
        "level": LEVELS[one.severity],
        "message": {"text": f"{one.flaw.message}. {one.rule.fix[0].upper()}{one.rule.fix[1:]}."},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"option/v1": f"{one.rule.id}:{one.connector or ''}:{one.flaw.key}"},
    }
    if one.ignored:
        result["suppressions"] = [{"kind": "external", "justification": one.ignored}]
    return result
