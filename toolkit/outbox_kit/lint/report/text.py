"""Findings for a person at a terminal: why and what to do are said once for each rule."""

from collections import Counter
from collections.abc import Sequence

from outbox_kit.finding import Severity
from outbox_kit.lint.run import Found
from outbox_kit.printable import printable


def render(found: Sequence[Found]) -> str:
    """One finding a line, with its reason and its fix where the rule is met for the first time."""
    lines, met = [], set()
    for one in found:
        if one.ignored:
            continue
        lines.append(printable(f"{one.where}: {one.severity}: {one.flaw.message} [{one.rule.id}]"))
        if one.rule.id not in met:
            met.add(one.rule.id)
            lines += [f"    why  {one.rule.why or one.rule.title}", f"    fix  {one.rule.fix}"]
    return "\n".join([*lines, summary(found)]) + "\n"


def summary(found: Sequence[Found]) -> str:
    """The counts in a sentence."""
    counts = Counter(one.severity for one in found if not one.ignored)
    said = [_count(counts[severity], severity) for severity in Severity if counts[severity]]
    ignored = sum(bool(one.ignored) for one in found)
    aside = f"; {ignored} set aside" if ignored else ""
    return (", ".join(said) if said else "no findings") + aside


def _count(number: int, severity: Severity) -> str:
    plural = "s" if number != 1 and severity is not Severity.info else ""
    return f"{number} {severity}{plural}"
