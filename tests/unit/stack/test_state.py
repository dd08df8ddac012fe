"""A stack's state on disk: what `attach` finds is what was saved, for its owner's eyes only."""

import stat
from pathlib import Path

import pytest

from outbox_kit.errors import StackFailed
from outbox_kit.stack import Stack
from outbox_kit.stack.processes import Process
from outbox_kit.stack.services import StackPlace


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder, data = tmp_path / "outbox-kit" / "stacks" / "s", tmp_path / "data"
    for path in (folder, data):
        path.mkdir(parents=True)
    place = StackPlace(folder, data, 1, 2, 3, 4, "super-secret", "connector-secret")
    stack = Stack("s", place, {"kafka": Process(2**22 + 1, 1.5)})
    stack._save()
    return stack


def test_a_stack_is_attached_as_it_was_saved(saved: Stack) -> None:
    assert Stack.attach("s") == saved


def test_the_state_is_for_its_owner_only(saved: Stack) -> None:
    assert stat.S_IMODE((saved.place.folder / "state.json").stat().st_mode) == 0o600


def test_a_stack_that_was_never_started_is_said_so(saved: Stack) -> None:
    assert not Stack.exists("other")
    with pytest.raises(StackFailed, match="no stack 'other'") as error:
        Stack.attach("other")
    assert "stack up" in error.value.fix


def test_the_other_commands_variables_name_the_database(saved: Stack) -> None:
    variables = saved.environment("shop")
    assert "dbname=shop " in variables["OUTBOX_KIT_DSN"]
    assert variables["OUTBOX_KIT_CONNECT"] == "http://127.0.0.1:4"
    assert variables["OUTBOX_KIT_BOOTSTRAP"] == "127.0.0.1:2"
    assert variables["OUTBOX_DB_PASSWORD"] == "connector-secret"  # noqa: S105


def test_down_removes_state_and_data_also_of_processes_that_are_gone(saved: Stack) -> None:
    saved.down()
    saved.down()
    assert not Stack.exists("s")
    assert not saved.place.data.exists()
