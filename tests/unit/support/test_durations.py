"""Tests are ordered by what they took before; without that, by how many there are."""

from pathlib import Path

import pytest

from tests.support import durations


def test_the_longest_come_first_and_the_unknown_by_their_number() -> None:
    numbers = {"short": 1, "long": 2, "new": 60, "small": 2}
    groups = {name: [f"{name}[{number}]" for number in range(count)] for name, count in numbers.items()}
    took = {"short[0]": 1, "long[0]": 300, "long[1]": 100}
    assert durations.ordered(groups, took) == ["long", "new", "small", "short"]


def test_a_group_of_which_a_part_ran_last_is_as_long_as_all_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durations, "cache_folder", lambda: tmp_path / "cache")
    for measured in ({"a[1]": 30.0, "a[2]": 30.0, "b[1]": 50.0}, {"a[1]": 4.0}):
        monkeypatch.setattr(durations, "measured", type(durations.measured)(measured))
        durations.keep()
    assert durations.ordered({"a": ["a[1]", "a[2]"], "b": ["b[1]"]}, durations.known()) == ["b", "a"]


def test_what_did_not_run_keeps_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durations, "cache_folder", lambda: tmp_path / "cache")
    assert durations.known() == {}
    for measured in ({"a": 3.0, "b": 5.0, "c": 0.01}, {"a": 4.0}):
        monkeypatch.setattr(durations, "measured", type(durations.measured)(measured))
        durations.keep()
    assert durations.known() == {"a": 4.0, "b": 5.0}
