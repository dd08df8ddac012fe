"""The rules of every command: one by its id, all as a list, and the reference page."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from outbox_kit.adopt.rule import RULES as ADOPT
from outbox_kit.compat.rules import RULES as DIFF
from outbox_kit.deployment.rule import RULES as PLAN
from outbox_kit.doctor.rule import RULES as DOCTOR
from outbox_kit.explain.options import GENERATED, markdown
from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.rule import Rule, RuleCatalogue
from outbox_kit.lint.rule import RULES as CHECK
from outbox_kit.verify.checks import CHECKS as VERIFY

CATALOGUES = (CHECK, VERIFY, ADOPT, DIFF, DOCTOR, PLAN)


@cache
def rules() -> Mapping[str, tuple[str, Rule]]:
    """Every rule with the command that it belongs to, by its id."""
    return {rule.id: (catalogue.command, rule) for catalogue in CATALOGUES for rule in catalogue}


def find(name: str) -> tuple[str, Rule] | None:
    """A rule by its id, in any case, with its command."""
    return rules().get(name) or rules().get(name.upper())


def text(command: str, rule: Rule) -> str:
    """A rule, whole."""
    facts = [
        ("finding", rule.problem),
        ("why", rule.why),
        ("fix", rule.fix),
        ("applies", rule.applies),
        ("evidence", ", ".join(rule.evidence)),
        ("see", rule_url(rule)),
    ]
    lines = [f"{rule.id} ({rule.severity}, outbox-kit {command})", f"  {rule.title}"]
    return "\n".join([*lines, *(f"  {label:<10}{fact}" for label, fact in facts if fact)]) + "\n"


def _sets(catalogue: RuleCatalogue[..., Any]) -> Mapping[str, Callable[[Rule], bool]]:
    return catalogue.sets()


def groups() -> set[str]:
    """The names of the groups of rules."""
    return {name for catalogue in CATALOGUES for name in _sets(catalogue)}


def group_text(name: str) -> str:
    """The rules of a group, by each command that has one of that name; empty if none has."""
    lines = []
    for catalogue in CATALOGUES:
        condition = _sets(catalogue).get(name.lower())
        if condition is not None:
            lines.append(f"{name.lower()} (group of rules, outbox-kit {catalogue.command})")
            lines += [f"  {rule.id:<34} {rule.severity:<13} {rule.title}" for rule in catalogue if condition(rule)]
    return "".join(f"{line}\n" for line in lines)


def document(command: str, rule: Rule) -> dict[str, object]:
    """A rule as JSON."""
    return {
        "id": rule.id,
        "command": command,
        "severity": rule.severity.value,
        "group": rule.group.title,
        "title": rule.title,
        "problem": rule.problem,
        "why": rule.why,
        "fix": rule.fix,
        "applies": rule.applies,
        "evidence": list(rule.evidence),
        "documentation": rule_url(rule),
    }


def listing() -> str:
    """Every rule, a line each."""
    return "".join(
        f"{rule.id:<36} {command:<7} {rule.severity:<13} {rule.title}\n" for command, rule in rules().values()
    )


def page() -> str:
    """The catalogue as a page."""
    lines = ["# Rules and checks", "", GENERATED, "", INTRODUCTION, ""]
    for catalogue in CATALOGUES:
        lines += [f"## outbox-kit {catalogue.command}", "", GROUPS, ""]
        for name, condition in sorted(_sets(catalogue).items()):
            links = ", ".join(f"[{rule.id}](#{rule.id.lower()})" for rule in catalogue if condition(rule))
            lines.append(f"- `{name}`: {links}")
        lines.append("")
        for rule in catalogue:
            lines += _entry(rule)
    return "\n".join(lines)


def _entry(rule: Rule) -> Iterator[str]:
    yield from (f"### {rule.id}", "", f"**{rule.severity}.** {markdown(_sentence(rule.title))}", "")
    if rule.problem:
        yield from (f"*Finding:* {markdown(_sentence(rule.problem))}", "")
    if rule.why:
        yield from (f"*Why:* {markdown(_sentence(rule.why))}", "")
    yield from (f"*Fix:* {markdown(_sentence(rule.fix))}", "")
    if rule.applies:
        yield from (f"*Applies to:* {rule.applies}.", "")
    if rule.evidence:
        yield from (f"*Evidence:* {', '.join(rule.evidence)}.", "")


def _sentence(text: str) -> str:
    first = text[0] if text.startswith("outbox-kit ") else text[0].upper()  # a command stays as it is typed
    return f"{first}{text[1:]}".rstrip(".") + "."


GROUPS = "The groups of its rules, which `--severity` and `--ignore` take in place of a rule:"
INTRODUCTION = """The rules of check, verify, adopt, diff, doctor and plan. Each entry begins with the condition
that the rule examines; *why* is the consequence of a violation. `--severity RULE=...`, `--ignore RULE=REASON` and
`--baseline FILE` determine how findings count; `outbox-kit explain RULE` prints an entry in the terminal.

Evidence: DBZ-n and dbz#n are threads of the old and the new issue tracker of Debezium, other names are repositories;
*measured* refers to measurements on the real event router and converters, *source* and *documentation* to those of
Debezium, *public configs* to configs found in public repositories."""
