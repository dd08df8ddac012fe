"""Workflow commands that GitHub shows beside the line."""

from collections.abc import Sequence

from outbox_kit.annotation import annotation
from outbox_kit.lint.run import Found


def render(found: Sequence[Found]) -> str:
    """One command a finding; what was set aside is left out."""
    return "".join(_command(one) for one in found if not one.ignored)


def _command(one: Found) -> str:
    text = f"{one.flaw.message}. Fix: {one.rule.fix}"
    return annotation(one.severity, one.source, (one.line, one.column), one.rule.id, text)
