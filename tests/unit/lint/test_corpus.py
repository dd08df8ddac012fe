"""Public configs in every format, and how much of what an expert has found in them `check` finds."""

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.formats import all_formats, suffix_of
from outbox_kit.lint.rule import Consequence
from tests.support.lint_score import CORPUS, FATAL, HEAVY, PARTS, Score, score

MOST = 0.95


def test_what_is_reported_is_right_and_what_the_expert_finds_is_found() -> None:
    total = Score()  # of all parts, once: it takes half a minute
    for part in PARTS:
        total.add(score(part))
    assert total.unread == []
    assert total.false_errors == []
    for severity in (Severity.error, Severity.warning, Severity.info):
        assert total.precision(severity) >= MOST, (severity, total.false)
    for effects in (HEAVY, FATAL, tuple(Consequence.__members__)):
        assert total.recall(*effects) >= MOST, (effects, total.missed)


def test_the_corpus_has_every_format() -> None:
    suffixes = {suffix_of(file.name) for part in PARTS for file in (CORPUS / part).iterdir()}
    assert all(suffixes.intersection(form.suffixes) for form in all_formats())
