"""Workflow commands that GitHub shows beside the line."""

from collections.abc import Sequence

from outbox_kit.finding import Severity
from outbox_kit.lint.run import Found

WORDS = {Severity.error: "error", Severity.warning: "warning"}


def render(found: Sequence[Found]) -> str:
    """One command a finding; what was set aside is left out."""
    return "".join(_command(one) for one in found if not one.ignored)


def _command(one: Found) -> str:
    place = f"file={_property(one.source)},line={one.line},col={one.column},title={_property(one.rule.id)}"
    return f"::{WORDS.get(one.severity, 'notice')} {place}::{_data(f'{one.flaw.message}. Fix: {one.rule.fix}')}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
