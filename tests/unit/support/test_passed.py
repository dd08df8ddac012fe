"""A check that passed is not made again with the same evidence; one that failed is, and so are all after a change."""

from pathlib import Path

import pytest

from tests.support import passed


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "cache_folder", lambda: tmp_path / "cache")
    for name in ("made", "known"):
        monkeypatch.setattr(passed, name, type(passed.made)())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    below = tmp_path / "generated" / "below"
    below.mkdir(parents=True)
    (below / "a.ts").write_text("let a = 1;")
    return tmp_path / "generated"


def times(*evidence: str | bytes | Path) -> int:
    """How often a check is made that is asked for twice."""
    made: list[int] = []
    for _ in range(2):
        passed.once("tool", lambda: made.append(1), *evidence)
    return len(made)


def test_the_same_evidence_is_checked_once(folder: Path) -> None:
    assert [times("5.7", folder), times("5.7", folder)] == [1, 0]
    assert passed.summary(passed.made, passed.known) == "tool 3 of 4"


@pytest.mark.parametrize("change", ["content", "name", "another file", "version"])
def test_whatever_changes_it_is_checked_again(folder: Path, change: str) -> None:
    assert times("5.7", folder) == 1
    file, version = folder / "below" / "a.ts", "5.7"
    match change:
        case "content":
            file.write_text("let a = 2;")
        case "name":
            file.rename(file.with_name("b.ts"))
        case "another file":
            (folder / "c.ts").touch()
        case _:
            version = "5.8"
    assert times(version, folder) == 1


def test_what_moves_from_one_evidence_to_the_next_is_other_evidence() -> None:
    assert [times("ab", "c"), times("a", "bc"), times("abc")] == [1, 1, 1]


def test_a_check_that_failed_is_made_again(folder: Path) -> None:
    def fail() -> None:
        raise AssertionError

    for _ in range(2):
        with pytest.raises(AssertionError):
            passed.once("tool", fail, folder)
    assert (passed.made, passed.known) == ({}, {})


def test_fresh_makes_every_check(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert times(folder) == 1
    monkeypatch.setattr(passed, "fresh", True)
    assert times(folder) == 2


def test_another_package_is_other_evidence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert times(folder) == 1
    monkeypatch.setattr(passed, "packages", lambda: "mypy==99")
    assert times(folder) == 1
