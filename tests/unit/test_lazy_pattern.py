"""Patterns of constants act as compiled ones, and are compiled when they are first used."""

import re

import pytest

from outbox_kit.lazy_pattern import lazy_pattern


def test_it_has_the_methods_and_attributes_of_a_pattern() -> None:
    words = lazy_pattern(r"(?P<word>[a-z]+)", re.IGNORECASE)
    assert [match["word"] for match in words.finditer("Two words")] == ["Two", "words"]
    assert words.search("a b", 1) is not None
    assert words.sub("-", "a b") == "- -"
    assert (words.pattern, words.groups) == (r"(?P<word>[a-z]+)", 1)
    assert words.flags & re.IGNORECASE


def test_a_wrong_pattern_fails_at_its_first_use_only() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")
