"""Findings as text, JSON, SARIF, JUnit and GitHub's annotations: one module each."""

from collections.abc import Callable, Mapping, Sequence

from outbox_kit.lint.report import github, json, junit, sarif, text
from outbox_kit.lint.run import Found

FORMATS: Mapping[str, Callable[[Sequence[Found]], str]] = {
    "text": text.render,
    "json": json.render,
    "sarif": sarif.render,
    "junit": junit.render,
    "github": github.render,
}
