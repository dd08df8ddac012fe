"""Public configs in every format, and how much of what an expert has found in them `check` finds."""

from functools import cache

import pytest

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.formats import all_formats, suffix_of
from outbox_kit.lint.rule import Consequence
from tests.support.lint_score import CORPUS, FATAL, HEAVY, PARTS, Score, score

MOST = 0.95


@cache
def scored() -> Score:
    """The score on all parts, which takes seconds."""
    total = Score()
    for part in PARTS:
        total.add(score(part))
    return total


def test_every_connector_is_read() -> None:
    assert scored().unread == []


def test_no_error_is_false() -> None:
    assert scored().false_errors == []


@pytest.mark.parametrize("severity", [Severity.error, Severity.warning, Severity.info])
def test_what_is_reported_is_right(severity: Severity) -> None:
    assert scored().precision(severity) >= MOST, scored().false


@pytest.mark.parametrize("effects", [HEAVY, FATAL, tuple(Consequence.__members__)], ids=["heavy", "fatal", "all"])
def test_what_the_expert_finds_is_found(effects: tuple[str, ...]) -> None:
    assert scored().recall(*effects) >= MOST, scored().missed


def test_the_corpus_has_every_format() -> None:
    suffixes = {suffix_of(file.name) for part in PARTS for file in (CORPUS / part).iterdir()}
    assert all(suffixes.intersection(form.suffixes) for form in all_formats())
