"""A text for a pattern: it matches, or there is none."""

import re

import pytest

from outbox_kit.schema.matching import matching


@pytest.mark.parametrize(
    ("pattern", "shortest", "text"),
    [
        (r"^[0-9]+\.[0-9]{2}$", 0, "1.11"),
        ("[a-z]{2}", 0, "aa"),
        ("(?:EUR|USD)", 0, "EUR"),
        (r"\d{3}-\w+", 0, "111-a"),
        ("[^/]+", 5, "11111"),
        (r"(.)-\1?", 0, "x-"),
        ("[.,]", 0, "."),
        ("^(?=x)y$", 0, None),
        ("a{3}", 9, None),
        ("(", 0, None),
    ],
)
def test_a_text_matches_its_pattern(pattern: str, shortest: int, text: str | None) -> None:
    assert matching(pattern, shortest) == text
    if text is not None:
        assert re.fullmatch(pattern, text) and len(text) >= shortest
