"""Findings for programs."""

from collections.abc import Sequence
from typing import Any

from outbox_kit.lint.evidence import seen
from outbox_kit.lint.run import Found
from outbox_kit.printable import as_json


def render(found: Sequence[Found]) -> str:
    """A JSON document: every finding, those that were set aside with their reason."""
    return as_json({"version": 1, "findings": [_plain(one) for one in found]})


def _plain(one: Found) -> dict[str, Any]:
    edit = one.flaw.edit
    return {
        "rule": one.rule.id,
        "severity": str(one.severity),
        "file": one.source,
        "line": one.line,
        "column": one.column,
        "connector": one.connector,
        "option": one.flaw.key,
        "message": one.flaw.message,
        "why": one.rule.why or one.rule.title,
        "fix": one.rule.fix,
        "evidence": seen(one.rule),
        "edit": {"key": edit.key, "value": edit.value, "rename": edit.rename} if edit else None,
        "ignored": one.ignored or None,
    }
