"""Patterns that Python's search does not get to the end of are refused; what people write is not."""

import re

import pytest

from outbox_kit.schema.patterns import endless
from outbox_kit.schema.read import complaints

USUAL = [
    r"(.*)",
    r"(.*)\.v\d+",
    r"([^.]+)\.([^.]+)\.([^.]+)\.([^.]+)\.([^.]+)",
    r"(?:[a-z]+\.)*([A-Z]\w*)",
    r"(foo|bar)\.(.*)",
    r"([A-Z][a-z]+){1,5}(\d*)",
    r"(?:com\.)?(?P<a>[\w.]+)\.(\w+)",
    r"(\w+)\.(\w+)\.(\w+)\.(\w+)",
    r"",
]
ENDLESS = [
    r"(a|a)*b?(x*)",
    r"(a+)+$",
    r"(\.?[a-z]+)*",
    r".*.*.*.*x",
    r"\d*\w*\d*\w*-",
    r"(a{1,500}){1,500}",
    r"((a*)b*)*c",
    r"(x(a*a*)*)*y",
    r"a?" * 40 + "a" * 40,
]


@pytest.mark.parametrize("pattern", USUAL)
def test_a_usual_pattern_is_taken(pattern: str) -> None:
    assert endless(pattern) is None


@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_that_tries_too_many_ways_is_refused(pattern: str) -> None:
    re.compile(pattern)
    assert endless(pattern)
    file = {
        "service": "s",
        "database": {"dialect": "postgres"},
        "routing": {"pattern": pattern, "topic": "t{1}"},
        "events": [{"type": "a" * 100 + "!", "aggregate": "a" * 100 + "!"}],
    }
    assert any("can take exponential time" in one for one in complaints(file))
