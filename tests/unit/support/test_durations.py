"""Tests are ordered by what they took before; without that, by how many there are."""

from pathlib import Path

import pytest

from tests.support import durations


def test_the_longest_come_first_and_the_unknown_by_their_number() -> None:
    groups = {"short": [0], "long": [0], "new": [0] * 60, "small": [0] * 2}
    assert durations.ordered(groups, {"short": 1, "long": 400}) == ["long", "new", "small", "short"]


def test_what_did_not_run_keeps_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durations, "cache_folder", lambda: tmp_path / "cache")
    assert durations.known() == {}
    for measured in ({"a": 3.0, "b": 5.0, "c": 0.1}, {"a": 4.0}):
        monkeypatch.setattr(durations, "measured", type(durations.measured)(measured))
        durations.keep()
    assert durations.known() == {"a": 4.0, "b": 5.0}
